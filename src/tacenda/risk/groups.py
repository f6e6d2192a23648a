"""Find every minimal risky group among the terms of a document, of any size.

Notation: c the entity, T a group of terms, x = n(cT), n = n(T), both in windows. PMI is not monotone in the group,
so nothing is pruned on risk. What is pruned:
    support        x never grows with T; below the least support no superset counts
    risky groups   whatever breaks a risky group breaks its supersets
    idle members   if adding t leaves n(T), then t adds nothing to any superset either
Groups are grown from their rarest member, in whose windows they lie, many of one size at once. Rarest members, and
parts of a size too large to be held at once, are taken from the last to the first: so all subsets of a group are
judged before it, hence each group reported is minimal and none is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacenda.arrays import window_sets
from tacenda.arrays.window_sets import Rows, Windows
from tacenda.risk.rules import Rule

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
# Rows kept for the next entity take no more than this.
_MOST_BYTES = 1 << 28
# Groups made at once, and words of bits that are counted first: most groups pass their limit there.
_BATCH, _FIRST_WORDS = 1 << 16, 8


@dataclass(frozen=True, slots=True)
class Group:
    """A risky group: its terms (numbers in the order given) and the counts behind it."""

    terms: tuple[int, ...]
    joint: int
    count: int
    articles: int


@dataclass(frozen=True)
class FoundGroups:
    """What a search brought: minimal risky groups by size, then terms, and how many groups are weak.

    weak      groups whose share passes the limit without the evidence asked for
    complete  False if the search was stopped at `most` groups looked at
    """

    groups: tuple[Group, ...]
    weak: int
    complete: bool = True


class TermSets:
    """The windows of a document's terms, ready to count any group; shared by all protected entities.

    windows       for each term the sorted numbers of its windows
    article       gives the article numbers of windows
    """

    def __init__(self, windows: Sequence[Windows], article: Callable[[Windows], Windows]) -> None:
        self.article = article
        self._sets = window_sets.Sets(windows, max((int(one[-1]) + 1 for one in windows if len(one)), default=0))
        self.counts = self._sets.sizes
        # Rarest first: a group lives in the rows of its rarest member, which are few.
        self.order = np.argsort(self.counts, kind="stable")
        self._kept: dict[int, tuple[Rows, Bools]] = {}
        self._bytes = 0

    def count(self, groups: Sequence[tuple[int, ...]], secret: Windows) -> tuple[Ints, Ints]:
        """Return n(cT) and n(T) of any groups."""
        if not groups:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        size = max(map(len, groups))
        members = np.array([[*group, *group[-1:] * (size - len(group))] for group in groups], dtype=np.int32)
        _, inside = self.inside(secret)
        return window_sets.intersection_counts(inside, members), window_sets.group_counts(self._sets, members)

    def inside(self, secret: Windows) -> tuple[Windows, Rows]:
        """Return the windows of an entity that can hold a term, and which of them each term is in."""
        secret = secret[: int(np.searchsorted(secret, self._sets.total))]
        return secret, self._sets.project(np.arange(len(self.counts)), secret)

    def among(self, term: int, others: Ints) -> Rows:
        """Return in which of the windows of one term others are; kept from one entity to the next."""
        windows = self._sets.sets[term]
        if term not in self._kept:
            rows = np.empty((len(self.counts), -(-len(windows) // 64)), dtype=np.uint64)
            if self._bytes + rows.nbytes > _MOST_BYTES:
                self._kept.clear()
                self._bytes = 0
            self._kept[term] = rows, np.zeros(len(rows), dtype=bool)
            self._bytes += rows.nbytes
        rows, known = self._kept[term]
        new = others[~known[others]]
        if len(new):
            rows[new] = self._sets.project(new, windows)
            known[new] = True
        return rows[others]


def minimal_groups(
    terms: TermSets,
    secret: Windows,
    rule: Rule,
    *,
    skip: frozenset[int] = frozenset(),
    most: int = 2_000_000,
) -> FoundGroups:
    """Return every minimal risky group of a document's terms for one entity, single terms included.

    secret   the sorted windows of the entity (the union over its forms)
    skip     terms already known to be risky alone, which break every group they are in
    most     groups looked at before giving up; the answer then says it is not complete
    """
    return _Search(terms, secret, rule, skip, most).run()


@dataclass(frozen=True)
class _Level:
    """Groups of one size with the same rarest member, in order.

    members   a line for each group: places in the list of the rarest member and its partners, itself (0) first
    rows      in which windows of the entity and the rarest member the group is
    joint     n(cT)
    above     n(cT) without the last member
    parent    the same number for groups that differ in the last member only; ascending
    """

    members: window_sets.Groups
    rows: Rows
    joint: Ints
    above: Ints
    parent: Ints

    def only(self, chosen: Bools) -> _Level:
        return _Level(
            self.members[chosen], self.rows[chosen], self.joint[chosen], self.above[chosen], self.parent[chosen]
        )

    def larger(self, barred: Bools, support: int) -> Iterator[_Level]:
        """Yield the groups one larger, in parts, the last first: every two groups with the same parent, joined.

        barred   pairs of places that are risky together
        """
        own = np.arange(len(self.parent))
        partners = np.searchsorted(self.parent, self.parent, side="right") - own - 1
        for start, end in reversed(list(_slices(partners))):
            number = partners[start:end]
            left = np.repeat(own[start:end], number)
            right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(number) - number, number)
            allowed = ~barred[self.members[left, -1], self.members[right, -1]]
            left, right = left[allowed], right[allowed]
            rows = self.rows[left] & self.rows[right]
            joint = window_sets.count(rows)
            kept = joint >= support
            if kept.any():
                left, right = left[kept], right[kept]
                members = np.concatenate((self.members[left], self.members[right, -1:]), axis=1)
                yield _Level(members, rows[kept], joint[kept], self.joint[left], left)


def _slices(sizes: Ints) -> Iterator[tuple[int, int]]:
    """Yield consecutive slices whose sizes add up to about one batch."""
    start, ends = 0, np.cumsum(sizes)
    while start < len(sizes):
        done = int(ends[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(ends, done + _BATCH, side="right")))
        yield start, end
        start = end


class _Search:
    """One search for one entity. Terms with enough support are called by their place, the rarest first."""

    def __init__(self, terms: TermSets, secret: Windows, rule: Rule, skip: frozenset[int], most: int) -> None:
        self.terms, self.rule, self.most = terms, rule, most
        self.support = rule.evidence.support
        secret, inside = terms.inside(secret)
        self.articles = terms.article(secret)
        fits = window_sets.count(inside) >= self.support
        fits[list(skip)] = False
        self.numbers = terms.order[fits[terms.order]]
        self.inside = inside[self.numbers]
        self.joint, self.count = window_sets.count(self.inside), terms.counts[self.numbers]
        self.found: list[Group] = []
        self.masks: dict[int, list[int]] = {}
        self.weak = self.visited = 0
        self.alone = np.zeros(len(self.numbers), dtype=bool)
        self.pairs = np.zeros((len(self.numbers), len(self.numbers)), dtype=bool)

    def run(self) -> FoundGroups:
        for first in range(len(self.numbers) - 1, -1, -1):
            self.visited += 1
            own = window_sets.positions(self.inside[first], len(self.articles))
            if self.settle((first,), self.articles[own], int(self.joint[first]), int(self.count[first])):
                self.alone[first] = True
            else:
                self.partners(first, own)
            if self.visited > self.most:
                break
        groups = sorted(self.found, key=lambda group: (len(group.terms), group.terms))
        return FoundGroups(tuple(groups), self.weak, self.visited <= self.most)

    def partners(self, first: int, own: Ints) -> None:
        """Find the groups whose rarest member is one term."""
        rest = np.flatnonzero(~self.alone[first + 1 :]) + first + 1
        joint = window_sets.count(self.inside[rest] & self.inside[first])
        kept = joint >= self.support
        rest, joint = rest[kept], joint[kept]
        if len(rest):
            rows = window_sets.pack(window_sets.unpack(self.inside[rest], len(self.articles))[:, own])
            members = np.zeros((len(rest), 2), dtype=np.int32)
            members[:, 1] = np.arange(1, len(rest) + 1)
            level = _Level(members, rows, joint, np.full(len(rest), self.joint[first]), np.zeros_like(rest))
            _Rarest(self, np.concatenate(([first], rest)), self.articles[own]).grow(level)

    def settle(self, places: tuple[int, ...], articles: Windows, joint: int, count: int) -> bool:
        """Record a group if it is risky; tell whether nothing that holds it can be minimal.

        articles   those of its windows with the entity
        """
        mask = sum(1 << place for place in places)
        if any(one & mask == one for place in places for one in self.masks.get(place, ())):
            return True
        if not self.rule.exceeds(joint, count):
            return False
        number = len(np.unique(articles))
        few = number < self.rule.evidence.articles and not self.rule.evidence.strict
        if few or not self.rule.group(joint, count):
            self.weak += 1
            return False
        self.found.append(Group(tuple(sorted(self.numbers[list(places)].tolist())), joint, count, number))
        self.masks.setdefault(places[0], []).append(mask)
        if len(places) == 2:
            self.pairs[places] = True
        return True


class _Rarest:
    """The groups with one rarest member: its place and those of its partners, its articles with the entity."""

    def __init__(self, search: _Search, places: Ints, articles: Windows) -> None:
        self.search, self.places, self.articles = search, places, articles
        self.rows = search.terms.among(int(search.numbers[places[0]]), search.numbers[places])
        self.barred = search.pairs[np.ix_(places, places)]
        # Rounded up, so that every group that passes the limit is asked; the rule itself decides on integers.
        self.limit = (1 + 1e-9) / float(search.rule.share)

    def grow(self, level: _Level) -> None:
        """Judge the groups of one size, then those one larger that hold none of the risky ones."""
        self.search.visited += len(level.joint)
        if self.search.visited > self.search.most:
            return
        for larger in level.only(~self.closed(level)).larger(self.barred, self.search.support):
            self.grow(larger)
            if self.search.visited > self.search.most:
                return

    def closed(self, level: _Level) -> Bools:
        """Tell which groups need not be extended: those that are risky, hold a risky one, or have an idle member."""
        closed = self.idle(level)
        asked = np.flatnonzero(~closed)
        counts = self.counts(level.members[asked], np.floor(level.joint[asked] * self.limit))
        for place, count in zip(asked[counts >= 0].tolist(), counts[counts >= 0].tolist(), strict=True):
            own = window_sets.positions(level.rows[place], len(self.articles))
            places = tuple(self.places[level.members[place]].tolist())
            closed[place] = self.search.settle(places, self.articles[own], int(level.joint[place]), count)
        return closed

    def counts(self, members: window_sets.Groups, limits: npt.NDArray[np.float64]) -> Ints:
        """Return n(T) where it does not pass the limit, else -1; most pass it in the first words already."""
        counts = np.full(len(members), -1)
        left = np.arange(len(members))
        if self.rows.shape[1] > _FIRST_WORDS:
            left = np.flatnonzero(
                window_sets.intersection_counts(self.rows[:, :_FIRST_WORDS], members[:, 1:]) <= limits
            )
        found = window_sets.intersection_counts(self.rows, members[left, 1:])
        counts[left] = np.where(found <= limits[left], found, -1)
        return counts

    def idle(self, level: _Level) -> Bools:
        """Tell which groups have the same n(T) without their last member; they have the same n(cT) too."""
        idle: Bools = level.joint == level.above
        words = self.rows.shape[1]
        for width in sorted({min(words, _FIRST_WORDS), words}):
            asked = np.flatnonzero(idle)
            rows, members = self.rows[:, :width], level.members[asked]
            idle[asked] = window_sets.intersection_counts(rows, members) == window_sets.intersection_counts(
                rows, members[:, :-1]
            )
        return idle
