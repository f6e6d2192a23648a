"""Parts in memory, small enough to count by hand: an index, a taxonomy, vectors, an annotator."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2, sqrt
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacenda.language import sentences
from tacenda.model import Annotation, Concept, Document, Kind, Mention
from tacenda.term import content_words, normalize


@dataclass(frozen=True)
class FakeCount:
    """A number of windows; None if the term is unknown."""

    number: int | None


@dataclass(frozen=True)
class FakeWindows:
    """The windows of a term and its count."""

    windows: npt.NDArray[np.int64]
    count: FakeCount
    everywhere: bool = False


class FakeIndex:
    """A collection in memory: one window to a text, counted like the index on disk.

    texts      the windows
    articles   the article of each window, ascending; without it every window is an article of its own

    >>> index = FakeIndex(["HIV and AIDS", "a condom against HIV", "a bicycle"])
    >>> index.counts([["HIV"], ["HIV", "condom"], ["bicycle", "HIV"]])
    [2, 1, 0]
    """

    def __init__(self, texts: Sequence[str], articles: Sequence[int] | None = None) -> None:
        self.total = len(texts)
        numbers = np.arange(self.total) if articles is None else np.asarray(articles, dtype=np.int64)
        self.article_starts = np.flatnonzero(np.diff(numbers, prepend=-1))
        held: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            for word in sorted(set(content_words(text))):
                held.setdefault(word, []).append(number)
        self._windows = {word: np.array(found, dtype=np.int64) for word, found in held.items()}
        self._scope: npt.NDArray[np.int64] | None = None
        self.digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()

    def within(self, known: Sequence[str]) -> FakeIndex:
        """Return the same index, counting only windows that hold one of these terms."""
        inside = FakeIndex([])
        inside.__dict__.update(self.__dict__)
        inside._scope = np.unique(np.concatenate([self.find(one).windows for one in known]))
        inside.total = len(inside._scope)
        return inside

    def find(self, term: str) -> FakeWindows:
        """Return the windows that hold all words of a term, and their count; unknown words have the count None."""
        words = content_words(term)
        if not words or not all(word in self._windows for word in words):
            return FakeWindows(np.empty(0, dtype=np.int64), FakeCount(None))
        windows = self._windows[words[0]]
        for word in words[1:]:
            windows = np.intersect1d(windows, self._windows[word])
        if self._scope is not None:
            windows = np.intersect1d(windows, self._scope)
        return FakeWindows(windows, FakeCount(len(windows)))

    def information(self, term: str) -> float:
        """Return -log2 of the share of windows that hold a term; half a window where none does."""
        return log2(self.total / max(0.5, len(self.find(term).windows)))

    def counts(self, groups: Sequence[Sequence[str]]) -> list[int | None]:
        """Return for each group of terms how many windows hold them all."""
        return [self.find(" ".join(group)).count.number for group in groups]


class FakeTaxonomy:
    """A taxonomy in memory, from child -> parent, with other names of the same thing.

    >>> taxonomy = FakeTaxonomy({"hepatitis c": "hepatitis", "hepatitis": "disease"})
    >>> taxonomy.is_generalization("disease", "hepatitis c"), taxonomy.specializations("disease")
    (True, ('hepatitis', 'hepatitis c'))
    """

    name = "memory"

    def __init__(self, parents: Mapping[str, str], synonyms: Mapping[str, Sequence[str]] | None = None) -> None:
        self._parents = {normalize(child): normalize(parent) for child, parent in parents.items()}
        self._names = {normalize(one): tuple(others) for one, others in (synonyms or {}).items()}

    def ancestors(self, term: str) -> list[str]:
        """Return what lies above a term, nearest first."""
        found: list[str] = []
        node = self._parents.get(normalize(term))
        while node is not None and node not in found:
            found.append(node)
            node = self._parents.get(node)
        return found

    def generalizations(self, term: str, context: Sequence[str] = ()) -> tuple[Concept, ...]:
        """Return the rungs above a term, nearest first."""
        return tuple(
            Concept(name, self.name, name, distance, 0.0, len(self.specializations(name)))
            for distance, name in enumerate(self.ancestors(term), 1)
        )

    def synonyms(self, term: str) -> tuple[str, ...]:
        """Return other names of the same thing."""
        return self._names.get(normalize(term), ())

    def specializations(self, term: str) -> tuple[str, ...]:
        """Return all kinds of a thing, with their other names."""
        below = sorted(child for child in self._parents if normalize(term) in self.ancestors(child))
        return tuple(name for child in below for name in (child, *self.synonyms(child)))

    def volume(self, term: str) -> int:
        """Return how many kinds a thing has, itself where it has none."""
        return max(1, len(self.specializations(term)))

    def is_generalization(self, general: str, term: str) -> bool:
        """Tell whether one thing lies above another."""
        return normalize(general) in self.ancestors(term)


class FakeEmbeddings:
    """Vectors in memory, made to length one.

    >>> FakeEmbeddings({"hiv": (3.0, 4.0)}).vectors(["HIV", "rain"])
    [(0.6, 0.8), None]
    """

    def __init__(self, table: Mapping[str, Sequence[float]], *, threshold: float = 0.5) -> None:
        self._table = {
            normalize(phrase).casefold(): tuple(x / sqrt(sum(y * y for y in row)) for x in row)
            for phrase, row in table.items()
        }
        self.dimensions = len(next(iter(self._table.values()), ()))
        self.threshold = threshold

    def vectors(self, phrases: Sequence[str]) -> list[tuple[float, ...] | None]:
        """Return the vector of each phrase; None where it has none."""
        return [self._table.get(normalize(phrase).casefold()) for phrase in phrases]


class FakeAnnotator:
    """Finds given phrases wherever they stand, as an encoder would: phrase -> label; "TERM" is a noun phrase.

    >>> [(m.text, m.label) for m in FakeAnnotator({"Ann": "PERSON"}).annotate(Document("Ann met Ann.")).mentions]
    [('Ann', 'PERSON'), ('Ann', 'PERSON')]
    """

    name = "fake"

    def __init__(self, phrases: Mapping[str, str]) -> None:
        self._labels = dict(phrases)
        longest_first = sorted(map(re.escape, self._labels), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)") if longest_first else None

    def annotate(self, document: Document) -> Annotation:
        """Return every occurrence, and the sentences."""
        found = self._pattern.finditer(document.text) if self._pattern else ()
        mentions = tuple(self._mention(match) for match in found)
        return Annotation(mentions, tuple(sentences(document.text)))

    def _mention(self, match: re.Match[str]) -> Mention:
        label = self._labels[match.group()]
        kind: Kind = "term" if label == "TERM" else "entity"
        if kind == "term":
            return Mention(*match.span(), match.group(), label, kind, self.name)
        role: Literal["direct", "quasi"] = "direct" if label == "PERSON" else "quasi"
        return Mention(*match.span(), match.group(), label, kind, self.name, role=role)
