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
from functools import cached_property

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
# An entity in no more than so many words of windows is asked for the groups of all rarest members at once.
_NARROW = 64


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
    masks         bit masks of windows, shared with the terms of other passages
    """

    def __init__(
        self, windows: Sequence[Windows], article: Callable[[Windows], Windows], masks: window_sets.Masks | None = None
    ) -> None:
        self.article, self.masks = article, masks or window_sets.Masks()
        self._sets = window_sets.Sets(windows, max((int(one[-1]) + 1 for one in windows if len(one)), default=0))
        self.counts = self._sets.sizes
        # Rarest first: a group lives in the rows of its rarest member, which are few.
        self.order = np.argsort(self.counts, kind="stable")
        self.rank = {number: place for place, number in enumerate(self.order.tolist())}
        self._kept: dict[int, tuple[Rows, Bools]] = {}
        self._bytes = 0
        self._bits: dict[int, tuple[Windows, npt.NDArray[np.uint8]]] = {}
        self._counted: dict[tuple[int, ...], int] = {}

    def count(self, groups: Sequence[tuple[int, ...]], inside: Rows) -> tuple[Ints, Ints]:
        """Return n(cT) and n(T) of any groups.

        inside   which of the windows of the entity each term is in
        """
        if not groups:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        size = max(map(len, groups))
        members = np.array([[*group, *group[-1:] * (size - len(group))] for group in groups], dtype=np.int32)
        rarest = (tuple(sorted(group, key=self.rank.__getitem__)) for group in groups)
        return window_sets.intersection_counts(inside, members), np.array([self.size(group) for group in rarest])

    def inside(self, secret: Windows) -> Rows:
        """Return which of the windows of an entity each term is in."""
        rows = [window_sets.pack(window_sets.members(secret, windows)[None]) for windows in self._sets.sets]
        return np.concatenate(rows) if rows else np.zeros((0, -(-len(secret) // 64)), dtype=np.uint64)

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

    def size(self, group: tuple[int, ...]) -> int:
        """Return n(T) of a group, its rarest member first; remembered, since every entity asks about the same."""
        if len(group) == 1:
            return int(self.counts[group[0]])
        known = self._counted.get(group)
        if known is None:
            first, *others = group
            if first not in self._bits:
                windows = self._sets.sets[first]
                self._bits[first] = windows >> 3, np.uint8(1) << (windows & 7).astype(np.uint8)
            place, bits = self._bits[first]
            for other in others:
                bits = bits & self.masks.of(self._sets.sets[other], self._sets.total)[place]
            known = self._counted[group] = int(np.count_nonzero(bits))
        return known


def minimal_groups(
    terms: TermSets,
    secret: Windows,
    rule: Rule,
    *,
    skip: frozenset[int] = frozenset(),
    most: int = 2_000_000,
    inside: Rows | None = None,
) -> FoundGroups:
    """Return every minimal risky group of a document's terms for one entity, single terms included.

    secret   the sorted windows of the entity (the union over its forms)
    skip     terms already known to be risky alone, which break every group they are in
    most     groups looked at before giving up; the answer then says it is not complete
    inside   which of the windows of the entity each term is in, where that is known
    """
    return _Search(terms, secret, rule, skip, most, terms.inside(secret) if inside is None else inside).run()


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

    def __init__(
        self, terms: TermSets, secret: Windows, rule: Rule, skip: frozenset[int], most: int, inside: Rows
    ) -> None:
        self.terms, self.secret, self.rule, self.most = terms, secret, rule, most
        self.support = rule.evidence.support
        joint = window_sets.count(inside)
        fits = joint >= self.support
        fits[list(skip)] = False
        self.numbers = terms.order[fits[terms.order]]
        self.inside = inside[self.numbers]
        self.joint, self.count = joint[self.numbers], terms.counts[self.numbers]
        self.found: list[Group] = []
        self.masks: dict[int, list[int]] = {}
        self.weak, self.visited = 0, len(self.numbers)
        self.pairs = np.zeros((len(self.numbers), len(self.numbers)), dtype=bool)
        # Rounded up, so that every group that passes the limit is asked; the rule itself decides on integers.
        self.limit = (1 + 1e-9) / float(rule.share)

    @cached_property
    def articles(self) -> Windows:
        """The article of each window of the entity."""
        return self.terms.article(self.secret)

    def run(self) -> FoundGroups:
        closed = np.zeros(len(self.numbers), dtype=bool)
        for place in np.flatnonzero(self.count <= np.floor(self.joint * self.limit)).tolist():
            own = window_sets.positions(self.inside[place], len(self.secret))
            closed[place] = self.settle((place,), own, int(self.joint[place]), int(self.count[place]))
        left = np.flatnonzero(~closed)
        if len(left) > 1 and self.visited <= self.most:
            self.together(left) if self.inside.shape[1] <= _NARROW else self.one_by_one(left)
        groups = sorted(self.found, key=lambda group: (len(group.terms), group.terms))
        return FoundGroups(tuple(groups), self.weak, self.visited <= self.most)

    def together(self, left: Ints) -> None:
        """Find the groups of all rarest members at once."""
        numbers = self.numbers[left]
        members = np.arange(len(left), dtype=np.int32)[:, None]
        level = _Level(members, self.inside[left], self.joint[left], np.zeros_like(left), np.zeros_like(left))
        barred = np.zeros((len(left), len(left)), dtype=bool)

        def size(group: tuple[int, ...]) -> int:
            return self.terms.size(tuple(numbers[list(group)].tolist()))

        no_rows = np.zeros((len(left), 0), dtype=np.uint64)
        branch = _Branch(self, left, np.arange(len(self.secret)), no_rows, barred, size)
        for pairs in level.larger(barred, self.support):
            branch.grow(pairs)

    def one_by_one(self, left: Ints) -> None:
        """Find the groups of one rarest member after the other: of many windows, those of one member are few."""
        for at in range(len(left) - 1, -1, -1):
            if self.visited > self.most:
                break
            first, rest = left[at], left[at + 1 :]
            joint = window_sets.count(self.inside[rest] & self.inside[first])
            kept = joint >= self.support
            rest, joint = rest[kept], joint[kept]
            if len(rest):
                self.partners(int(first), rest, joint)

    def partners(self, first: int, rest: Ints, joint: Ints) -> None:
        """Find the groups whose rarest member is one term."""
        own = window_sets.positions(self.inside[first], len(self.secret))
        places = np.concatenate(([first], rest))
        rows = self.terms.among(int(self.numbers[first]), self.numbers[places])

        def size(group: tuple[int, ...]) -> int:
            return int(np.bitwise_count(np.bitwise_and.reduce(rows[list(group)])).sum())

        members = np.zeros((len(rest), 2), dtype=np.int32)
        members[:, 1] = np.arange(1, len(rest) + 1)
        inside = window_sets.pack(window_sets.unpack(self.inside[rest], len(self.secret))[:, own])
        level = _Level(members, inside, joint, np.full(len(rest), self.joint[first]), np.zeros_like(rest))
        _Branch(self, places, own, rows, self.pairs[np.ix_(places, places)], size).grow(level)

    def settle(self, places: tuple[int, ...], own: Ints, joint: int, count: int) -> bool:
        """Record a group if it is risky; tell whether nothing that holds it can be minimal.

        own   its windows with the entity, as places among those of the entity
        """
        mask = sum(1 << place for place in places)
        if any(one & mask == one for place in places for one in self.masks.get(place, ())):
            return True
        if not self.rule.exceeds(joint, count):
            return False
        number = len(set(self.articles[own].tolist()))
        few = number < self.rule.evidence.articles and not self.rule.evidence.strict
        if few or not self.rule.group(joint, count):
            self.weak += 1
            return False
        self.found.append(Group(tuple(sorted(self.numbers[list(places)].tolist())), joint, count, number))
        self.masks.setdefault(places[0], []).append(mask)
        if len(places) == 2:
            self.pairs[places] = True
        return True


class _Branch:
    """The groups of one rarest member, or of all of them, from pairs on.

    places   the terms that members of groups are numbers of
    own      the windows that the rows of groups are made of, as places among those of the entity
    rows     windows of each term, all or some of them: whatever a group has there, it has in all
    barred   pairs that are risky together
    size     gives n(T) of a group
    """

    def __init__(
        self,
        search: _Search,
        places: Ints,
        own: Ints,
        rows: Rows,
        barred: Bools,
        size: Callable[[tuple[int, ...]], int],
    ) -> None:
        self.search, self.places, self.own, self.rows, self.barred, self.size = search, places, own, rows, barred, size

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
        limits = np.floor(level.joint[asked] * self.search.limit)
        for width in self.widths:
            few = window_sets.intersection_counts(self.rows[:, :width], level.members[asked]) <= limits
            asked, limits = asked[few], limits[few]
        for group, limit in zip(asked.tolist(), limits.tolist(), strict=True):
            members = tuple(level.members[group].tolist())
            count = self.size(members)
            if count <= limit:
                closed[group] = self.settle(members, level, group, count)
        return closed

    def settle(self, members: tuple[int, ...], level: _Level, group: int, count: int) -> bool:
        own = self.own[window_sets.positions(level.rows[group], len(self.own))]
        places = tuple(self.places[list(members)].tolist())
        risky = self.search.settle(places, own, int(level.joint[group]), count)
        if risky and len(members) == 2:
            self.barred[members] = True
        return risky

    @cached_property
    def widths(self) -> list[int]:
        """Words of bits that are looked at, few before all."""
        return sorted({min(self.rows.shape[1], _FIRST_WORDS), self.rows.shape[1]} - {0})

    def idle(self, level: _Level) -> Bools:
        """Tell which groups have the same n(T) without their last member; they have the same n(cT) too."""
        idle: Bools = level.joint == level.above
        for width in self.widths:
            asked = np.flatnonzero(idle)
            rows, members = self.rows[:, :width], level.members[asked]
            idle[asked] = window_sets.intersection_counts(rows, members) == window_sets.intersection_counts(
                rows, members[:, :-1]
            )
        for group in np.flatnonzero(idle).tolist():
            whole = tuple(level.members[group].tolist())
            idle[group] = self.size(whole) == self.size(whole[:-1])
        return idle
