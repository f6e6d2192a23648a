"""Find every minimal risky group among the terms of a document, of any size.

PMI is not monotone in the group, so nothing is pruned on risk. What is pruned:
    support        n(cT) never grows with T; below the least support no superset counts
    risky groups   whatever breaks a risky group breaks its supersets
    idle members   if adding t leaves n(T), then t adds nothing to any superset either
Groups are visited so that all subsets of a group come before it (extensions from the last to the first), hence
each group reported is minimal and none is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacenda.risk.rules import Rule

Windows = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
# One full-width count per pair is cheap; a document's bit sets stay below this many bytes.
_MOST_BYTES = 1 << 29


@dataclass(frozen=True)
class Group:
    """A risky group: its terms (numbers in the order given) and the counts behind it."""

    terms: tuple[int, ...]
    joint: int
    count: int
    articles: int


@dataclass(frozen=True)
class Found:
    """What a search brought: minimal risky groups, how many groups are weak, how many were looked at.

    weak      groups whose share passes the limit without the evidence asked for
    complete  False if the search was stopped at `most` groups looked at
    """

    groups: tuple[Group, ...]
    weak: int
    visited: int
    complete: bool = True


def pack(windows: Windows, size: int) -> Bits:
    """Return a set of window numbers below `size` as bits, 64 to a word."""
    flags = np.zeros((size + 63) // 64 * 64, dtype=np.uint8)
    flags[windows] = 1
    return np.packbits(flags, bitorder="little").view(np.uint64)


class Cooccurrence:
    """The windows of a document's terms, ready to count any group; shared by all protected entities.

    windows   for each term the sorted numbers of its windows
    total     number of windows of the collection
    article   gives the article numbers of windows
    """

    def __init__(self, windows: Sequence[Windows], total: int, article: Callable[[Windows], Windows]) -> None:
        self.windows = list(windows)
        self.total = total
        self.article = article
        self.counts = np.array([len(one) for one in self.windows], dtype=np.int64)
        self._within: dict[int, Bits] = {}
        self._all: Bits | None = None
        # Rarest first: a group lives in the rows of its rarest member, which are few.
        self.order = [int(i) for i in np.lexsort((np.arange(len(self.windows)), self.counts))]

    def joint(self, secret: Windows) -> npt.NDArray[np.int64]:
        """Return for each term how many of the entity's windows hold it."""
        return np.array([len(self.meet(one, secret)) for one in self.windows], dtype=np.int64)

    @staticmethod
    def meet(one: Windows, other: Windows) -> Windows:
        """Return the windows in both sorted sets."""
        small, large = (one, other) if len(one) <= len(other) else (other, one)
        if not len(large):
            return large
        at = np.minimum(np.searchsorted(large, small), len(large) - 1)
        both: Windows = small[large[at] == small]
        return both

    def meet_all(self, terms: Sequence[int]) -> Windows:
        """Return the windows that hold all of some terms, the rarest looked up first."""
        first, *rest = sorted(terms, key=lambda term: (self.counts[term], term))
        windows = self.windows[first]
        for term in rest:
            windows = self.meet(windows, self.windows[term])
        return windows

    def rows(self, rarest: int) -> Bits:
        """Return for every term its windows among those of one term, as bits; kept for the next entity."""
        if rarest not in self._within:
            if sum(one.nbytes for one in self._within.values()) > _MOST_BYTES:
                self._within.clear()
            own = self.windows[rarest]
            flags = np.zeros((len(self.windows), (len(own) + 63) // 64 * 64), dtype=np.uint8)
            word, bit = own >> 6, (own & 63).astype(np.uint64)
            flags[:, : len(own)] = (self._everywhere()[:, word] >> bit) & np.uint64(1)
            self._within[rarest] = np.packbits(flags, axis=1, bitorder="little").view(np.uint64)
        return self._within[rarest]

    def _everywhere(self) -> Bits:
        if self._all is None:
            width = (self.total + 63) // 64
            self._all = np.zeros((len(self.windows), width), dtype=np.uint64)
            for i, one in enumerate(self.windows):
                self._all[i] = pack(one, self.total)
        return self._all


class _Search:
    """One depth-first search for one entity."""

    def __init__(self, world: Cooccurrence, secret: Windows, rule: Rule, skip: frozenset[int], most: int) -> None:
        self.world, self.rule, self.most = world, rule, most
        self.secret = secret
        self.articles = world.article(secret)
        self.found: list[Group] = []
        self.masks: dict[int, list[int]] = {}
        self.weak = self.visited = 0
        self.x = np.zeros((len(world.windows), (len(secret) + 63) // 64), dtype=np.uint64)
        self.active: list[int] = []
        for term in world.order:
            if term in skip:
                continue
            inside = world.meet(world.windows[term], secret)
            if len(inside) >= rule.evidence.support:
                self.x[term] = pack(np.searchsorted(secret, inside), len(secret))
                self.active.append(term)

    def run(self) -> Found:
        for position in range(len(self.active) - 1, -1, -1):
            first = self.active[position]
            x_bits = self.x[first]
            joint, count = int(np.bitwise_count(x_bits).sum()), int(self.world.counts[first])
            if self.settle((first,), 1 << first, x_bits, joint, count):
                continue
            rest = self.active[position + 1 :]
            joints = self.joints(rest, x_bits)
            rest = [term for term, n in zip(rest, joints, strict=True) if n >= self.rule.evidence.support]
            if rest:
                rows = self.world.rows(first)
                self.extend((first,), 1 << first, x_bits, rows[first], count, rest, rows)
            if self.visited > self.most:
                return Found(tuple(self.found), self.weak, self.visited, complete=False)
        return Found(tuple(self.found), self.weak, self.visited)

    def joints(self, terms: list[int], x_bits: Bits) -> npt.NDArray[np.int64]:
        shared: npt.NDArray[np.int64] = np.bitwise_count(self.x[terms] & x_bits).sum(axis=1, dtype=np.int64)
        return shared

    def extend(
        self, terms: tuple[int, ...], mask: int, x_bits: Bits, n_bits: Bits, count: int, rest: list[int], rows: Bits
    ) -> None:
        """Try every further term, last first, then go deeper from those that are not risky."""
        joints = self.joints(rest, x_bits)
        counts = np.bitwise_count(rows[rest] & n_bits).sum(axis=1, dtype=np.int64)
        useful = (joints >= self.rule.evidence.support) & (counts < count)
        kept = [i for i in range(len(rest)) if useful[i]]
        tail: list[int] = []
        for i in reversed(kept):
            term = rest[i]
            larger = mask | 1 << term
            if not any(one & larger == one for one in self.masks.get(term, ())):
                group = (*terms, term)
                x_next = x_bits & self.x[term]
                n = int(counts[i])
                if not self.settle(group, larger, x_next, int(joints[i]), n) and tail and self.visited <= self.most:
                    self.extend(group, larger, x_next, n_bits & rows[term], n, tail, rows)
            tail = [term, *tail]

    def settle(self, terms: tuple[int, ...], mask: int, x_bits: Bits, joint: int, count: int) -> bool:
        """Record the group if it is risky; tell whether it was."""
        self.visited += 1
        if not self.rule.exceeds(joint, count):
            return False
        articles = self.count_articles(x_bits)
        if articles < self.rule.evidence.articles or not self.rule.group(joint, count):
            self.weak += 1
            return False
        self.found.append(Group(tuple(sorted(terms)), joint, count, articles))
        for term in terms:
            self.masks.setdefault(term, []).append(mask)
        return True

    def count_articles(self, x_bits: Bits) -> int:
        flags = np.unpackbits(x_bits.view(np.uint8), bitorder="little")[: len(self.secret)]
        return len(np.unique(self.articles[flags.astype(bool)]))


def minimal_groups(
    world: Cooccurrence,
    secret: Windows,
    rule: Rule,
    *,
    skip: frozenset[int] = frozenset(),
    most: int = 2_000_000,
) -> Found:
    """Return every minimal risky group of a document's terms for one entity, single terms included.

    secret   the sorted windows of the entity (the union over its forms)
    skip     terms already known to be risky alone, which break every group they are in
    most     groups looked at before giving up; the answer then says it is not complete
    """
    found = _Search(world, secret, rule, skip, most).run()
    ordered = tuple(sorted(found.groups, key=lambda group: (len(group.terms), group.terms)))
    return Found(ordered, found.weak, found.visited, found.complete)
