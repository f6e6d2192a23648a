"""Several indexes taken as one: a collection of one's own beside the English one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.errors import UsageError
from tacenda.knowledge.combined_counts import CombinedCounts
from tacenda.knowledge.index.corpus import Index, Lookup
from tacenda.knowledge.index.term_information import information_bits, phrase_bits
from tacenda.knowledge.index.word_forms import Bound, Count, How, Term, phrase_words

_WEAKEST: tuple[How, ...] = ("exact", "conjunction", "subphrase", "fallback")


class CombinedIndex(CombinedCounts):
    """Indexes side by side: windows are numbered through, counts add up, a term is unknown if none knows it.

    Windows that two of them share count twice; `tacenda index build --add-to` merges complete indexes without that.
    """

    def __init__(self, indexes: Sequence[Index]) -> None:
        super().__init__(indexes)
        if len({(index.meta["unit"], index.meta["most_words"]) for index in indexes}) > 1:
            raise UsageError("combined indexes: they count different units (window, paragraph, sentence, document).")
        self.indexes = tuple(indexes)
        # Window numbers are those of the whole files, also where only known-context windows are counted.
        held = [int(index.meta["windows"]) for index in indexes]
        self._firsts = np.concatenate(([0], np.cumsum(held)[:-1])).astype(np.int64)
        self._windows = sum(held)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the digests of all, in their order."""
        return hashlib.sha256("\n".join(index.digest for index in self.indexes).encode()).hexdigest()

    @cached_property
    def article_starts(self) -> npt.NDArray[np.int64]:
        """First window of each article of all indexes."""
        return np.concatenate([one.article_starts + n for one, n in zip(self.indexes, self._firsts, strict=True)])

    def within(self, known: Sequence[Term]) -> CombinedIndex:
        """Count only windows that hold one of these terms; indexes that have none are left out."""
        held = [one for one in self.indexes if any(one.count(term).number for term in known)]
        return CombinedIndex([one.within(known) for one in held or self.indexes])

    def find(self, asked: Term) -> Lookup:
        """Windows and count of a term in all indexes; too common to be evidence if it is so in any."""
        found = [one.find(asked) for one in self.indexes]
        known = [one.count for one in found if one.count.number is not None]
        if not known:
            return found[0]
        how = max((count.how for count in known), key=_WEAKEST.index)
        bound: Bound = "upper" if any(count.bound == "upper" for count in known) else "exact"
        count = Count(sum(count.number or 0 for count in known), how, bound)
        if any(one.everywhere for one in found):
            return Lookup(np.zeros(0, dtype=np.uint32), count, everywhere=True)
        windows = [one.windows + first for one, first in zip(found, self._firsts, strict=True)]
        return Lookup(np.concatenate(windows).astype(np.uint32), count)

    def information(self, phrase: str) -> float:
        """Information content of a phrase in bits, from the counts of its words in all indexes together."""
        return phrase_bits(
            [
                information_bits(sum(one.word_count(forms) for one in self.indexes), self._windows)
                for forms in phrase_words(phrase)
            ]
        )
