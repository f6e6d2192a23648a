"""What risk models ask an index: the windows of terms, their articles, and information in bits."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

import numpy as np

from tacenda.errors import KnowledgeError
from tacenda.protocols import CorpusIndex
from tacenda.risk.groups import Windows
from tacenda.term import content_words

_NOTHING: Windows = np.empty(0, dtype=np.int64)
_MOST_KEPT = 20_000
# Information of a phrase: its most informative word, and a fifth of the others. Measured against page counts of the
# Web on 6,539 terms; a word the index does not know counts as half a window.
_OTHERS = 0.2
_UNKNOWN_WINDOWS = 0.5


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
            self._kept[term] = np.asarray(self.index.find(term).windows, dtype=np.int64)
        return self._kept[term]

    def union(self, terms: Iterable[str]) -> Windows:
        """Return the sorted windows that hold any of the terms."""
        found = [one for term in terms if len(one := self.windows(term))]
        return np.unique(np.concatenate(found)) if found else _NOTHING

    def knows(self, word: str) -> bool:
        """Tell whether a word was counted; a word too common to be stored is known."""
        return self.index.find(word).count.number is not None

    def articles(self, windows: Windows) -> Windows:
        """Return the article number of each window."""
        return np.searchsorted(self.index.article_starts, windows, side="right")

    def information(self, term: str) -> float:
        """Return the information of a term in bits: of its most informative word, and a fifth of the others'."""
        bits = sorted((self._word_bits(word) for word in dict.fromkeys(content_words(term))), reverse=True)
        return bits[0] + _OTHERS * sum(bits[1:]) if bits else 0.0

    def _word_bits(self, word: str) -> float:
        number = self.index.find(word).count.number
        return log2(self.total / max(_UNKNOWN_WINDOWS, number or 0))
