"""What risk models ask an index: the windows of terms, their articles, and information in bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tacenda.errors import KnowledgeError
from tacenda.protocols import CorpusIndex
from tacenda.risk.groups import Windows

_NOTHING: Windows = np.empty(0, dtype=np.int64)
_MOST_KEPT = 20_000


class Counts:
    """An index as risk models see it; asked terms are remembered."""

    def __init__(self, index: CorpusIndex, model: str) -> None:
        if index is None:
            raise KnowledgeError(f"risk model '{model}' needs an index. Name one in the policy, under [knowledge].")
        self.index = index
        self._kept: dict[str, Windows] = {}

    @property
    def total(self) -> int:
        """All windows of the collection."""
        return self.index.total

    def windows(self, term: str) -> Windows:
        """Return the sorted windows that hold all words of a term; none if it is unknown, or too common to tell."""
        if term not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[term] = np.asarray(self._find(term).windows, dtype=np.int64)
        return self._kept[term]

    def _find(self, term: str) -> Any:
        """Look a term up; capitals that are no acronym the index knows ("[PERSON]") are read as a word."""
        found = self.index.find(term)
        if found.count.number is None and term.isupper():
            return self.index.find(term.lower())
        return found

    def union(self, terms: Iterable[str]) -> Windows:
        """Return the sorted windows that hold any of the terms."""
        found = [one for term in terms if len(one := self.windows(term))]
        return np.unique(np.concatenate(found)) if found else _NOTHING

    def knows(self, word: str, least: int = 1) -> bool:
        """Tell whether a word was counted often enough to say something; one too common to be stored is known."""
        return (self._find(word).count.number or 0) >= least

    def articles(self, windows: Windows) -> Windows:
        """Return the article number of each window."""
        return np.searchsorted(self.index.article_starts, windows, side="right")

    def information(self, term: str) -> float:
        """Return the information of a term in bits."""
        return self.index.information(term)
