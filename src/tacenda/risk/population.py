"""The people an index knows: which of its articles are about a person, and which of these people a fact fits.

An article is about a person if its first window says what somebody is or that they were born, and it goes on with
"he" or "she". A fact fits a person if the article holds all its words, wherever they stand in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import log2

import numpy as np
import numpy.typing as npt

from tacenda.language import BORN, CALLINGS, PRONOUNS
from tacenda.risk.counts import Counts

Flags = npt.NDArray[np.bool_]

_SPEAKS_OF = 0.4  # of the windows of a long article that say "he" or "she"
_SHORT = 3  # windows of an article so short that saying what somebody is must do
_FEW = 10  # people who must have a word for it to say who is alike
_NEUTRAL = 10  # words that lean nowhere, beside those of a text
_COUNTED = 20  # windows a word needs before it says what kind of text it stands in


class People:
    """The people of an index, derived once; words are looked up once."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self._held: dict[str, Flags] = {}
        self._leanings: dict[str, float | None] = {}

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64]:
        return np.asarray(self.counts.index.article_starts, dtype=np.int64)

    @cached_property
    def about(self) -> Flags:
        """Which articles are about a person."""
        starts = self._starts
        sizes = np.diff(np.append(starts, self.counts.total))
        called = self._opens_with(CALLINGS)
        spoken = self.counts.union(PRONOUNS)
        share = np.bincount(self.counts.articles(spoken) - 1, minlength=len(starts)) / sizes
        spoken_of = (called | self._opens_with([BORN])) & (share >= _SPEAKS_OF)
        about: Flags = spoken_of | (called & (sizes <= _SHORT))
        return about

    def _opens_with(self, words: Iterable[str]) -> Flags:
        flags: Flags = np.isin(self._starts, self.counts.union(sorted(words)))
        return flags

    @cached_property
    def number(self) -> int:
        """How many people the index knows."""
        return int(self.about.sum())

    def named(self, name: Sequence[str]) -> Flags:
        """Which articles are about somebody of this name: their first window holds all its parts."""
        flags = self.about.copy()
        for part in name:
            flags &= np.isin(self._starts, self.counts.windows(part))
        return flags

    def holding(self, words: Sequence[str]) -> Flags:
        """Which articles hold all these words; a word too common to be counted is in all of them."""
        flags = np.ones(len(self._starts), dtype=np.bool_)
        for word in words:
            flags &= self._holding(word)
        return flags

    def _holding(self, word: str) -> Flags:
        if word not in self._held:
            windows = self.counts.windows(word)
            flags = np.zeros(len(self._starts), dtype=np.bool_)
            if len(windows):
                flags[self.counts.articles(windows) - 1] = True
            elif self.counts.knows(word):
                flags[:] = True
            self._held[word] = flags
        return self._held[word]

    def alike(self, words: Sequence[str], among: Flags, number: int) -> Flags:
        """Which people are most like somebody of whom these words are said.

        Each word that an article holds counts by its bits, and the sum by the root of the length: long articles hold
        everything. Words of hardly anybody are left out, because they would draw the few who share a name.
        """
        held = [flags[among] for word in sorted(set(words)) if (flags := self._holding(word))[among].sum() >= _FEW]
        flags = np.zeros_like(among)
        if held:
            table = np.array(held, dtype=np.float32)
            bits = np.log2((table.shape[1] + 1) / (table.sum(axis=1) + 1))
            sizes = np.diff(np.append(self._starts, self.counts.total))[among]
            nearest = np.argsort(-(bits @ table) / np.sqrt(sizes), kind="stable")[:number]
            flags[np.flatnonzero(among)[nearest]] = True
        return flags

    def estimate(self, words: Sequence[str]) -> float:
        """Estimate how many people a fact would fit that the index writes of, but not in articles about people.

        By the share of all articles that hold its rarest word, less a fifth of what each further word tells: words of
        a phrase come together more often than by chance, and a phrase is rarer in writing than what it says in life.
        """
        every = len(self._starts)
        bits = sorted((log2(every / max(0.5, float(self._holding(word).sum()))) for word in words), reverse=True)
        return self.number * 2.0 ** -(bits[0] + sum(bits[1:]) / 5) if bits else float(self.number)

    def leaning(self, words: Iterable[str]) -> float:
        """Return how much more the words of a text are used of people than elsewhere: mean log2 of the ratio.

        A few words tell nothing of the text, so it is drawn towards 0 as if there were some neutral words more.
        """
        told = [value for word in sorted(set(words)) if (value := self._leaning(word)) is not None]
        return sum(told) / (len(told) + _NEUTRAL)

    def _leaning(self, word: str) -> float | None:
        if word not in self._leanings:
            windows = self.counts.windows(word)
            value = None
            if len(windows) >= _COUNTED:
                own = float(self.about[self.counts.articles(windows) - 1].sum())
                mine, others = self._windows
                value = log2((own + 0.5) / mine * others / (len(windows) - own + 0.5))
            self._leanings[word] = value
        return self._leanings[word]

    @cached_property
    def _windows(self) -> tuple[float, float]:
        """Windows of articles about people, and of all others."""
        sizes = np.diff(np.append(self._starts, self.counts.total))
        mine = float(sizes[self.about].sum())
        return max(mine, 0.5), max(self.counts.total - mine, 0.5)
