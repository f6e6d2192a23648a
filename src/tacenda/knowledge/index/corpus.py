"""The index as a knowledge object: opened on first use, pickled as its path, asked for counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.arrays import window_sets
from tacenda.errors import KnowledgeError
from tacenda.knowledge.damage import read_soundly, sound
from tacenda.knowledge.index.forward import Forward
from tacenda.knowledge.index.layout import File
from tacenda.knowledge.index.postings import Postings, Windows, Words
from tacenda.knowledge.index.term_information import information_bits, phrase_bits
from tacenda.knowledge.index.word_forms import Bound, Count, How, Term, forms_of, phrase_words, subphrases

EMBEDDED = Path(__file__).parents[2] / "data" / "english" / "english.tix"
_KEPT = 8_000_000  # windows of words remembered, four bytes each
_FEW = 5
_MOST_BITS = 1 << 16  # phrases whose information is remembered
_NONE: Windows = np.zeros(0, dtype=np.uint32)


@dataclass(frozen=True)
class Lookup:
    """The windows of a term and its count. A term `everywhere` is too common to be evidence: it meets everything."""

    windows: Windows
    count: Count
    everywhere: bool = False


class Index:
    """Counts terms and groups of terms in the windows of a collection.

    A term is a phrase, or a sequence of phrases that count as one (synonyms). With `known` only windows that
    hold at least one of those terms are counted: what the reader already knows about the kind of text.

    >>> index = Index("my.tix")                       # doctest: +SKIP
    >>> index.count("HIV").number                     # doctest: +SKIP
    776
    """

    def __init__(self, path: str | os.PathLike[str], *, known: Sequence[Term] = (), whole: Index | None = None) -> None:
        self.path = Path(path)
        self.known = tuple(known)
        self._given = whole
        self._found: dict[Term, Lookup] = {}
        self._word_found: dict[tuple[str, ...], Lookup] = {}
        self._room = _KEPT
        self._bits: dict[str, float] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _open, (str(self.path), self.known)

    def __repr__(self) -> str:
        return f"Index({str(self.path)!r})"

    @cached_property
    def _whole(self) -> Index:
        """The same index with all its windows: what was read of it is read once for both."""
        if not self.known:
            return self
        return self._given if self._given is not None else Index(self.path)

    @cached_property
    def _file(self) -> File:
        if self.known:
            return self._whole._file
        with sound(self.path):
            return File(self.path)

    @cached_property
    def words(self) -> Words:
        """The vocabulary."""
        return self._whole.words if self.known else Words(self._file)

    @cached_property
    def postings(self) -> Postings:
        """The postings."""
        return self._whole.postings if self.known else Postings(self._file)

    @cached_property
    def article_starts(self) -> npt.NDArray[np.int64]:
        """First window of each article."""
        if self.known:
            return self._whole.article_starts
        with sound(self.path):
            return np.frombuffer(self._file.section("articles"), dtype="<u4").astype(np.int64)

    @property
    def meta(self) -> dict[str, Any]:
        """What the file says about itself."""
        return self._file.meta

    @property
    def digest(self) -> str:
        """SHA-256 that stands for the whole file."""
        return self._file.digest

    def verify(self) -> None:
        """Check the whole file against its checksums."""
        self._file.verify()

    def within(self, known: Sequence[Term]) -> Index:
        """The same index, counting only windows that hold one of these terms."""
        return Index(self.path, known=known, whole=self._whole)

    @cached_property
    def _scope(self) -> Windows | None:
        if not self.known:
            return None
        found = [self._whole.find(t) for t in self.known]
        windows = window_sets.union([f.windows for f in found if f.count.number is not None])
        if not len(windows):
            raise KnowledgeError(
                f"index {self.path}: no window contains any of the {len(self.known)} terms of the known context."
            )
        return windows

    @cached_property
    def _in_scope(self) -> npt.NDArray[np.bool_]:
        flags = np.zeros(self._windows, dtype=bool)
        flags[self._scope] = True
        return flags

    @property
    def total(self) -> int:
        """Number of windows counted in."""
        return self._windows if self._scope is None else len(self._scope)

    @property
    def _windows(self) -> int:
        with sound(self.path):
            return int(self.meta["windows"])

    def find(self, asked: Term) -> Lookup:
        """Windows and count of a term; what was asked before is remembered."""
        key = asked if isinstance(asked, str) else tuple(asked)
        if key not in self._found:
            self._found[key] = self._look_up(key)
        return self._found[key]

    def _look_up(self, asked: Term) -> Lookup:
        found = [f for f in map(self._phrase, forms_of(asked)) if f.count.number is not None]
        if len(found) <= 1:
            return found[0] if found else Lookup(_NONE, Count(None, "unknown"))
        if any(f.everywhere for f in found):
            return max(found, key=lambda f: f.count.number or 0)
        windows = window_sets.union([f.windows for f in found])
        how: How = "exact" if all(f.count.how == "exact" for f in found) else "conjunction"
        bound: Bound = "upper" if any(f.count.bound == "upper" for f in found) else "exact"
        return Lookup(windows, Count(len(windows), how, bound))

    def _phrase(self, phrase: str) -> Lookup:
        words = phrase_words(phrase)
        found = [self._word(forms) for forms in words]
        if not found or any(f.count.number is None for f in found):
            return Lookup(_NONE, Count(None, "unknown"))
        if len(found) == 1:
            return found[0]
        held = sorted((f.windows for f in found if not f.everywhere), key=len)
        if not held:
            # Only words too common to be stored: the rarest bounds the phrase.
            least = min(f.count.number or 0 for f in found)
            return Lookup(_NONE, Count(least, "fallback", "upper"), everywhere=True)
        windows = held[0]
        for other in held[1:]:
            windows = windows[window_sets.members(windows, other)]
        whole = len(held) == len(found)
        return Lookup(
            windows, Count(len(windows), "conjunction" if whole else "fallback", "exact" if whole else "upper")
        )

    def _word(self, forms: Iterable[str]) -> Lookup:
        """Windows and count of a word; those of many phrases ("syndrome") are read once while there is room."""
        key = tuple(forms)
        if key not in self._word_found:
            found = self._read_word(key)
            self._room -= len(found.windows)
            if self._room < 0:
                return found
            self._word_found[key] = found
        return self._word_found[key]

    @read_soundly
    def _read_word(self, forms: Iterable[str]) -> Lookup:
        if self.known:
            found = self._whole._word(forms)
            if found.everywhere or found.count.number is None:
                return found
            windows = found.windows[self._in_scope[found.windows]]
            return Lookup(windows, Count(len(windows), "exact"))
        numbers = [n for n in map(self.words.find, forms) if n is not None]
        if not numbers:
            return Lookup(_NONE, Count(None, "unknown"))
        if not all(map(self.postings.stored, numbers)):
            return Lookup(_NONE, Count(max(map(self.postings.count, numbers)), "exact"), everywhere=True)
        windows = window_sets.union([self.postings.windows(n) for n in numbers])
        return Lookup(windows, Count(len(windows), "exact"))

    def count(self, *group: Term) -> Count:
        """Count of the windows that hold all given terms."""
        found = [self.find(t) for t in group]
        if len(found) == 1:
            return found[0].count
        if any(f.count.number is None for f in found):
            return Count(None, "unknown")
        number = int(self.counts([group])[0] or 0)
        if any(f.everywhere or f.count.bound == "upper" for f in found):
            return Count(number, "fallback", "upper")
        return Count(number, "exact" if all(f.count.how == "exact" for f in found) else "conjunction")

    def best_count(self, phrase: str, *, few: int = _FEW) -> Count:
        """Count of a phrase; where it is below `few`, of its longest part that reaches it, marked as sub-phrase."""
        whole = self.count(phrase)
        if whole.number is not None and whole.number >= few:
            return whole
        for part in subphrases(phrase):
            found = self.count(part)
            if found.number is not None and found.number >= few:
                return Count(found.number, "subphrase", "upper", part)
        return whole

    def counts(self, groups: Sequence[Sequence[Term]]) -> list[int | None]:
        """Windows that hold all terms of a group, for many groups at once; None where a term is unknown.

        Words too common to have postings are taken to be in every window: they are no evidence.
        """
        lengths = np.fromiter(map(len, groups), dtype=np.int64, count=len(groups))
        flat: list[Term] = list(chain.from_iterable(groups))
        try:
            asked = dict.fromkeys(flat)
        except TypeError:  # a union given as a list
            flat = [t if isinstance(t, str) else tuple(t) for t in flat]
            asked = dict.fromkeys(flat)
        places = {t: n for n, t in enumerate(asked)}
        members = np.fromiter(map(places.__getitem__, flat), dtype=np.int32, count=len(flat))
        numbers, unknown = self._count_members([self.find(t) for t in places], members, lengths)
        result: list[int | None] = numbers.tolist()
        for n in np.flatnonzero(unknown):
            result[n] = None
        return result

    @read_soundly
    def _count_members(
        self, found: Sequence[Lookup], members: npt.NDArray[np.int32], lengths: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Counts of groups given as places in `found`, one after the other, and which of them are unknown."""
        if all(f.count.number is not None and not f.everywhere for f in found) and (lengths > 0).all():
            counts = window_sets.group_counts(
                window_sets.Sets([f.windows for f in found], self._windows), _lines(members, lengths)
            )
            return counts, np.zeros(len(lengths), dtype=bool)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        missing = np.array([f.count.number is None for f in found], dtype=bool)
        unknown = np.zeros(len(lengths), dtype=bool)
        unknown[owner[missing[members]]] = True
        evidence = ~np.array([f.everywhere for f in found], dtype=bool)[members]
        left = np.bincount(owner[evidence], minlength=len(lengths))
        out = np.full(len(lengths), self.total, dtype=np.int64)
        # A group of common words only: the rarest of them bounds it.
        alone = np.array([f.count.number or 0 for f in found], dtype=np.int64)[members]
        np.minimum.at(out, owner[~evidence], alone[~evidence])
        asked = np.flatnonzero((left > 0) & ~unknown)
        chosen = evidence & (left[owner] > 0) & ~unknown[owner]
        out[asked] = window_sets.group_counts(
            window_sets.Sets([f.windows for f in found], self._windows), _lines(members[chosen], left[asked])
        )
        return out, unknown

    @read_soundly
    def information(self, phrase: str) -> float:
        """Information content of a phrase in bits, from the counts of its words; no phrase is unknown.

        IC(t) = max IC(w) + 0.2 * sum of the others, where n(w) adds up the forms of w and an unknown word counts 1/2.
        """
        known = self._bits.get(phrase)
        if known is None:
            counts = [self.word_count(forms) for forms in phrase_words(phrase)]
            if len(self._bits) >= _MOST_BITS:
                self._bits.clear()
            known = self._bits[phrase] = phrase_bits([information_bits(count, self._windows) for count in counts])
        return known

    @read_soundly
    def word_count(self, forms: Iterable[str]) -> int:
        """Windows of all forms of a word added up, in the whole index; 0 where it holds none of them."""
        numbers = [n for n in map(self.words.find, forms) if n is not None]
        return sum(map(self.postings.count, numbers))

    @cached_property
    def _forward(self) -> Forward:
        return Forward.of(self.postings, self._windows, self.digest)

    def against_vocabulary(self, asked: Term) -> npt.NDArray[np.int64]:
        """Windows that hold a term and each word of the vocabulary, by word number; -1 where they are not stored."""
        counts = self._forward.counts(self.find(asked).windows, len(self.postings))
        counts[self.postings.not_stored] = -1
        return counts


def _open(path: str, known: tuple[Term, ...]) -> Index:
    return Index(path, known=known)


def _lines(members: npt.NDArray[np.int32], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Groups of different lengths as lines of equal length, filled up with their first member."""
    if not len(lengths):
        return np.zeros((0, 1), dtype=np.int32)
    starts = np.cumsum(lengths) - lengths
    lines = np.repeat(members[starts][:, None], int(lengths.max()), axis=1)
    lines[np.arange(lines.shape[1]) < lengths[:, None]] = members
    return lines


def open_index(path: str | os.PathLike[str] | None = None, *, known: Sequence[Term] = ()) -> Index:
    """Open an index file; without a path the English one that comes with the package.

    Nothing is read until the first question, except that the file must be there and be an index.
    """
    index = Index(EMBEDDED if path is None else path, known=known)
    _ = index.meta
    return index
