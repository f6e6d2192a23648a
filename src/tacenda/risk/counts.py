"""What risk models ask an index: the windows of terms, their articles, and information in bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tacenda.arrays.window_sets import Masks, Windows, meet, union
from tacenda.errors import KnowledgeError
from tacenda.protocols import CorpusIndex, TermWindows

_NOTHING: Windows = np.empty(0, dtype=np.uint32)
_MOST_KEPT = 20_000
_USUAL = 5


class Counts:
    """An index as risk models see it; asked terms are remembered.

    known_context   terms that say what kind of text the reader knows this is; only windows with one of them count
    everywhere      the same index with all its windows: what is too rare in the known context is judged there
    """

    def __init__(self, index: CorpusIndex, model: str, known_context: Sequence[str] = ()) -> None:
        if index is None:
            raise KnowledgeError(f"risk model '{model}' needs an index. Name one in the policy, under [knowledge].")
        self.whole = index
        self.index = index.within(tuple(known_context)) if known_context else index
        self.everywhere = Counts(index, model) if known_context else self
        self.masks = Masks()
        self._kept: dict[str, Windows] = {}
        self._common: dict[str, bool] = {}

    @property
    def total(self) -> int:
        """All windows of the collection."""
        return self.index.total

    def windows(self, term: str) -> Windows:
        """Return the sorted windows that hold all words of a term; none if it is unknown, or too common to tell."""
        if term not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[term] = self._phrase(term.split()) if " " in term else self._word(term)
        return self._kept[term]

    def _word(self, word: str) -> Windows:
        found = self._find(word)
        self._common[word] = bool(found.everywhere)
        return np.asarray(found.windows)

    def _phrase(self, words: Sequence[str]) -> Windows:
        """Return the windows that hold all words; words repeat from phrase to phrase, so each is looked up once."""
        held = {word: self.windows(word) for word in words}
        left = sorted((held[word] for word in held if not self._common[word]), key=len)
        if not left:
            return _NOTHING
        windows = left[0]
        for other in left[1:]:
            if not len(windows):
                break
            windows = meet(windows, other)
        return windows

    def _find(self, term: str) -> TermWindows:
        """Look a term up; capitals that are no usual acronym ("[PERSON]", "REVIEW") are read as a word."""
        if term.isupper() and (self.whole.find(term).count.number or 0) < _USUAL:
            term = term.lower()
        return self.index.find(term)

    def union(self, names: Iterable[str]) -> Windows:
        """Return the sorted windows that hold any of the names.

        A name in capitals is that name: unlike a word of a text, "ARND" is never read as "Arnd".
        """
        found = [one for name in names if len(one := self._named(name))]
        return union(found)

    def _named(self, name: str) -> Windows:
        if any(word.isupper() for word in name.split()):
            return np.asarray(self.index.find(name).windows)
        return self.windows(name)

    def knows(self, word: str, least: int = 1) -> bool:
        """Tell whether a word was counted often enough to say something; one too common to be stored is known."""
        return len(self.windows(word)) >= least or self._common.get(word, False)

    def is_rare(self, word: str, most: int) -> bool:
        """Tell whether a word is in fewer windows than this."""
        return not self.knows(word, most)

    def judge(self, word: str, least: int) -> Counts | None:
        """Return where a word can be judged: here, else in the whole index; None if it is too rare in both."""
        return next((counts for counts in (self, self.everywhere) if counts.knows(word, least)), None)

    def articles(self, windows: Windows) -> Windows:
        """Return the article number of each window."""
        return np.searchsorted(self.index.article_starts, windows, side="right")

    def information(self, term: str) -> float:
        """Return the information of a term in bits."""
        return self.index.information(term)
