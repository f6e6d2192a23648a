"""A collection and a taxonomy in memory, small enough to count by hand: for tests and for tiny collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
import numpy.typing as npt

from tacenda.model import Concept
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

    def find(self, term: str) -> FakeWindows:
        """Return the windows that hold all words of a term, and their count; unknown words have the count None."""
        words = content_words(term)
        if not words or not all(word in self._windows for word in words):
            return FakeWindows(np.empty(0, dtype=np.int64), FakeCount(None))
        windows = self._windows[words[0]]
        for word in words[1:]:
            windows = np.intersect1d(windows, self._windows[word])
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
