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

from tacenda.bits import Windows, meet
from tacenda.risk.rules import Rule

Bits = npt.NDArray[np.uint64]
# Projections kept for the next entity and the next round take no more than this.
_MOST_BYTES = 1 << 28


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


class Projections:
    """Windows of one term among those of another, as bits; kept from one question to the next."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Bits] = {}
        self._bytes = 0

    def project(self, key: str, windows: Windows, onto_key: str, onto: Windows) -> Bits:
        """Return which of the windows `onto` are among `windows`."""
        found = self._kept.get((key, onto_key))
        if found is None:
            found = pack(np.searchsorted(onto, meet(windows, onto)), len(onto))
            if self._bytes > _MOST_BYTES:
                self._kept.clear()
                self._bytes = 0
            self._kept[key, onto_key] = found
            self._bytes += found.nbytes
        return found


class Cooccurrence:
    """The windows of a document's terms, ready to count any group; shared by all protected entities.

    keys          a name for each term, by which projections are kept
    windows       for each term the sorted numbers of its windows
    article       gives the article numbers of windows
    """

    def __init__(
        self,
        keys: Sequence[str],
        windows: Sequence[Windows],
        article: Callable[[Windows], Windows],
        projections: Projections | None = None,
    ) -> None:
        self.keys, self.windows, self.article = list(keys), list(windows), article
        self.counts = np.array([len(one) for one in self.windows], dtype=np.int64)
        self._projections = projections or Projections()
        # Rarest first: a group lives in the rows of its rarest member, which are few.
        self.order = [int(i) for i in np.lexsort((np.arange(len(self.windows)), self.counts))]

    def meet_all(self, terms: Sequence[int]) -> Windows:
        """Return the windows that hold all of some terms, the rarest looked up first."""
        first, *rest = sorted(terms, key=lambda term: (self.counts[term], term))
        windows = self.windows[first]
        for term in rest:
            windows = meet(windows, self.windows[term])
        return windows

    def rows(self, rarest: int, terms: Sequence[int]) -> Bits:
        """Return for some terms their windows among those of one term, as bits."""
        key, own = self.keys[rarest], self.windows[rarest]
        return np.array([self._projections.project(self.keys[t], self.windows[t], key, own) for t in terms])


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
            inside = meet(world.windows[term], secret)
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
            rest = np.array(self.active[position + 1 :], dtype=np.int64)
            if len(rest):
                rest = rest[self.joints(self.x[rest], x_bits) >= self.rule.evidence.support]
            if len(rest):
                rows = self.world.rows(first, rest.tolist())
                self.extend((first,), 1 << first, x_bits, None, count, rest, rows)
            if self.visited > self.most:
                return Found(tuple(self.found), self.weak, self.visited, complete=False)
        return Found(tuple(self.found), self.weak, self.visited)

    @staticmethod
    def joints(rows: Bits, x_bits: Bits) -> npt.NDArray[np.int64]:
        shared: npt.NDArray[np.int64] = np.bitwise_count(rows & x_bits).sum(axis=1, dtype=np.int64)
        return shared

    def extend(
        self,
        terms: tuple[int, ...],
        mask: int,
        x_bits: Bits,
        n_bits: Bits | None,
        count: int,
        rest: npt.NDArray[np.int64],
        rows: Bits,
    ) -> None:
        """Try every further term, last first, then go deeper from those that are not risky.

        rest and rows are the terms that may follow and their windows among those of the first member.
        """
        x_next = self.x[rest] & x_bits
        n_next = rows if n_bits is None else rows & n_bits
        joints = np.bitwise_count(x_next).sum(axis=1, dtype=np.int64)
        counts = np.bitwise_count(n_next).sum(axis=1, dtype=np.int64)
        kept = np.flatnonzero((joints >= self.rule.evidence.support) & (counts < count))
        rest, rows = rest[kept], rows[kept]
        for i in range(len(kept) - 1, -1, -1):
            term = int(rest[i])
            larger = mask | 1 << term
            if any(one & larger == one for one in self.masks.get(term, ())):
                continue
            at, group = kept[i], (*terms, term)
            joint, n = int(joints[at]), int(counts[at])
            risky = self.settle(group, larger, x_next[at], joint, n)
            if not risky and i + 1 < len(kept) and self.visited <= self.most:
                self.extend(group, larger, x_next[at], n_next[at], n, rest[i + 1 :], rows[i + 1 :])

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
