"""N-grams of texts as integers, and the nearest of many texts by TF-IDF.

The attackers that judge a release and the defender that must withstand them look at texts in the same way, so
both stand on this module. Everything is an array: a document is a run of 64-bit keys, a collection is a table of
postings, and a search is one gather and one `bincount`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacenda import term

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MASK = -1  # stands for a word or character that no n-gram may cross
_ALPHABET = 255
_SUBLINEAR = np.concatenate([[0.0], 1.0 + np.log(np.arange(1, 256))])  # 1 + ln tf, looked up far more often than made


@dataclass(frozen=True, slots=True)
class Runs:
    """Integers in runs, one run per text: run i is `values[starts[i]:starts[i + 1]]`."""

    values: npt.NDArray[np.integer] = field(repr=False)
    starts: Ints = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> Ints:
        return self.values[self.starts[index] : self.starts[index + 1]].astype(np.int64)

    @property
    def owners(self) -> Ints:
        """For each value the number of its run."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


def as_runs(parts: Iterable[Ints]) -> Runs:
    """Put arrays one after the other."""
    held = list(parts)
    lengths = np.fromiter((len(part) for part in held), dtype=np.int64, count=len(held))
    values = np.concatenate(held) if held else np.empty(0, dtype=np.int64)
    return Runs(values, np.concatenate([[0], np.cumsum(lengths)]))


def word_runs(texts: Iterable[str], vocabulary: dict[str, int], *, grow: bool) -> Runs:
    """Number the words of texts; an unknown word is added when `grow`, else it becomes `MASK`.

    >>> word_runs(["a b a", "c"], {}, grow=True).values.tolist()
    [0, 1, 0, 2]
    """
    # one flat buffer: a million short texts would not fit as a million arrays
    values, lengths = array("i"), array("q")
    for text in texts:
        found = term.words(text)
        if grow:
            values.extend([vocabulary.setdefault(word, len(vocabulary)) for word in found])
        else:
            values.extend([vocabulary.get(word, MASK) for word in found])
        lengths.append(len(found))
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.frombuffer(lengths, dtype=np.int64) if lengths else [], out=starts[1:])
    return Runs(np.array(values, dtype=np.int32), starts)


def _codes(text: str) -> Ints:
    # rare characters share a code, so that five fit into one key
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    return np.minimum(codes, _ALPHABET - 1)


def _character_view(text: str) -> tuple[Ints, Ints]:
    """Characters of a text, runs of spaces as one."""
    codes = _codes(" " + " ".join(term.fold(text).split()) + " ")
    return codes, np.zeros(len(codes), dtype=np.int64)


def _letter_view(words: Sequence[str]) -> tuple[Ints, Ints]:
    """Characters of each word with a space on either side, parted by `MASK`, and the word of each."""
    codes = _codes("".join(f" {word} \0" for word in words))
    word = np.cumsum(codes == 0) - (codes == 0)
    return np.where(codes == 0, MASK, codes), word


def keys(ids: Ints, *, lengths: Sequence[int], base: int) -> tuple[Ints, Ints, Ints]:
    """Turn a run of ids into n-gram keys, leaving out those that would cross a `MASK`.

    Return the keys, the place of the first id of each, and its length.
    """
    found: list[tuple[Ints, Ints, Ints]] = []
    shifted = ids + 1
    key = shifted.copy()
    whole = shifted > 0
    for length in range(1, max(lengths) + 1):
        if length > 1:
            if len(key) < 2:
                break
            follow = shifted[length - 1 :]
            key = key[:-1] * base + follow
            whole = whole[:-1] & (follow > 0)
        if length in lengths:
            places = np.flatnonzero(whole)
            found.append((key[places], places, np.full(len(places), length, dtype=np.int64)))
    if not found:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty, empty
    return (
        np.concatenate([f[0] for f in found]),
        np.concatenate([f[1] for f in found]),
        np.concatenate([f[2] for f in found]),
    )


def expanded(starts: Ints, chosen: npt.NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Places of the values of chosen runs, one run after the other, and which run each belongs to."""
    lengths = starts[chosen + 1] - starts[chosen]
    which = np.repeat(np.arange(len(chosen)), lengths)
    return starts[chosen][which] + np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths), which


def totals(owner: npt.NDArray[np.integer], weights: npt.NDArray[np.floating], size: int) -> Floats:
    """Sum weights by owner."""
    return np.asarray(np.bincount(owner, weights=weights, minlength=size), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Shape:
    """What an attacker looks at, and how many in a row.

    unit        words; characters (across words); letters (characters inside each word)
    stop_words  False leaves the commonest words out before counting
    """

    unit: Literal["words", "characters", "letters"] = "words"
    lengths: tuple[int, ...] = (1,)
    stop_words: bool = True


class NearestText:
    """Find which of many texts is nearest to a query: sublinear TF-IDF, cosine.

    Weights are (1 + ln tf) · (1 + ln((1 + n) / (1 + df))); each text has length one.

    >>> near = NearestText(["cats purr", "dogs bark"])
    >>> near.scores("a dog is barking; dogs do").argmax().item()
    1
    """

    sublinear = True

    def __init__(self, texts: Sequence[str], shape: Shape | None = None) -> None:
        self.shape = shape or Shape()
        self.size = len(texts)
        self.floor = np.zeros(self.size)
        self.vocabulary: dict[str, int] = {}
        if self.shape.unit == "words":
            word_runs(texts, self.vocabulary, grow=True)
            self._base = len(self.vocabulary) + 1
        else:
            self._base = _ALPHABET + 1
        stop = [] if self.shape.stop_words else [self.vocabulary.get(word, MASK) for word in sorted(term.STOP_WORDS)]
        self._stop = np.array([number for number in stop if number != MASK], dtype=np.int64)
        self._index([self.keys_of(self.view(text)[0])[0] for text in texts])

    def _index(self, documents: Sequence[Ints]) -> None:
        counted = [np.unique(document, return_counts=True) for document in documents]
        features = as_runs([keys for keys, _ in counted])
        counts = np.concatenate([count for _, count in counted]) if counted else np.empty(0, dtype=np.int64)
        self._features, column, df = np.unique(features.values, return_inverse=True, return_counts=True)
        owner = features.owners
        weight = self._weigh(counts, column, owner, df)
        order = np.argsort(column, kind="stable")
        self._owner = owner[order].astype(np.int32)
        self._weight = weight[order]
        self._starts = np.concatenate([[0], np.cumsum(df)])

    def _weigh(self, counts: Ints, column: Ints, owner: Ints, df: Ints) -> Floats:
        """What one occurrence in a query is worth for each text that holds the n-gram."""
        idf = 1.0 + np.log((1 + self.size) / (1 + df))
        weight = (1.0 + np.log(counts)) * idf[column]
        norms = np.sqrt(totals(owner, weight**2, self.size))
        return np.asarray(weight / np.where(norms > 0, norms, 1.0)[owner] * idf[column])

    def view(self, text: str) -> tuple[Ints, Ints]:
        """Number what this collection looks at in a text (unknown words are `MASK`), and the word each belongs to."""
        if self.shape.unit == "characters":
            return _character_view(text)
        if self.shape.unit == "letters":
            return _letter_view(term.words(text))
        ids = word_runs([text], self.vocabulary, grow=False)[0]
        kept = np.flatnonzero(~np.isin(ids, self._stop)) if len(self._stop) else np.arange(len(ids))
        return ids[kept], kept

    def keys_of(self, ids: Ints) -> tuple[Ints, Ints, Ints]:
        """N-gram keys of a run of ids, with the place and length of each."""
        return keys(ids, lengths=self.shape.lengths, base=self._base)

    def columns_of(self, found: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Column of each key, and whether the collection knows it."""
        if not len(self._features):
            return np.zeros(len(found), dtype=np.int64), np.zeros(len(found), dtype=np.bool_)
        column = np.minimum(np.searchsorted(self._features, found), len(self._features) - 1)
        return column, self._features[column] == found

    def postings(self, columns: Ints) -> tuple[Ints, npt.NDArray[np.int32], Floats]:
        """For the n-grams in these columns: which of them, which text, and what an occurrence is worth there."""
        at, which = expanded(self._starts, columns)
        return which, self._owner[at], self._weight[at]

    def frequency(self, counts: Ints) -> Floats:
        """How much several occurrences in a query count."""
        if not self.sublinear:
            return counts.astype(np.float64)
        if counts.max(initial=0) < len(_SUBLINEAR):
            return np.asarray(_SUBLINEAR[counts])
        return np.where(counts > 0, 1.0 + np.log(np.maximum(counts, 1)), 0.0)

    def scores(self, text: str) -> Floats:
        """Score each text of the collection against the query; the greatest is the nearest.

        This is the cosine times the norm of the query, which changes no order.
        """
        found, counts = np.unique(self.keys_of(self.view(text)[0])[0], return_counts=True)
        column, known = self.columns_of(found)
        which, owner, weight = self.postings(column[known])
        tf = self.frequency(counts[known])
        return np.asarray(totals(owner, tf[which] * weight, self.size) + tf.sum() * self.floor)


class LikelyText(NearestText):
    """Find which of many texts makes a query likeliest: multinomial naive Bayes, all texts as likely beforehand.

    P(w|text) = (count + smoothing) / (words of the text + smoothing · vocabulary). What a known word scores for a
    text is a floor that all texts have, plus ln((count + smoothing) / smoothing) where the text holds it.
    """

    sublinear = False

    def __init__(self, texts: Sequence[str], *, smoothing: float = 0.1) -> None:
        self._smoothing = smoothing
        super().__init__(texts, Shape())

    def _weigh(self, counts: Ints, column: Ints, owner: Ints, df: Ints) -> Floats:
        lengths = totals(owner, counts.astype(np.float64), self.size)
        self.floor = np.log(self._smoothing / (lengths + self._smoothing * max(len(df), 1)))
        return np.asarray(np.log((counts + self._smoothing) / self._smoothing))
