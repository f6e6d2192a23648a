"""Which groups of a document's terms disclose an entity: the minimal risky ones, and all closed ones.

Notation: c the entity, T a group of terms, x = n(cT), n = n(T), both in windows. Support x never grows when
T grows, nor does the number of articles; the risk may. So support and articles prune, risk does not; but a risky
group need not be extended, since whatever breaks it breaks its supersets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacenda import bits
from tacenda.bits import Groups, Rows, Windows

_BATCH = 1 << 16
_FIRST_WORDS = 8


class GroupRule(Protocol):
    """When a group is risky: iff x >= support, articles >= `articles` and n <= limits[x].

    All rules on counts have this form, because a rule that flags (x, n) flags (x, n - 1) too. `limits` has an
    entry for each x from 0 to n(c).
    """

    support: int
    articles: int
    limits: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of terms (their places in the list asked) and its counts: n(cT), n(T), articles of the first."""

    members: tuple[int, ...]
    joint: int
    count: int
    articles: int


class TermSets:
    """The windows of a document's terms, and how they meet; shared by all questions about the document."""

    def __init__(self, sets: Sequence[Windows], total: int, article_starts: npt.NDArray[np.int64]) -> None:
        self.sets = bits.Sets(sets, total)
        self._starts = article_starts
        self.sizes = self.sets.sizes
        # From the rarest to the most common term: the first member of an ordered group has the fewest windows.
        self.order = np.argsort(self.sizes, kind="stable")
        self.rows_of = lru_cache(maxsize=None)(self._rows_of)

    def _rows_of(self, rank: int) -> Rows:
        """All terms from the rank-th rarest on, projected on its windows."""
        later = self.order[rank:]
        return self.sets.project(later, self.sets.sets[later[0]])

    def inside(self, entity: Windows) -> Rows:
        """All terms projected on the windows of an entity."""
        return self.sets.project(np.arange(len(self.sizes)), entity)

    def articles(self, windows: Windows) -> int:
        """Number of articles among windows."""
        return len(np.unique(np.searchsorted(self._starts, windows, side="right")))


def minimal_groups(terms: TermSets, entity: Windows, rule: GroupRule, *, least: int = 1) -> list[Group]:
    """Find the minimal risky groups of at least `least` terms; sorted by size, then members.

    For each term, from the most common to the rarest, the groups of which it is the rarest member are grown
    level by level, all groups of a level at once.
    """
    inside = terms.inside(entity)
    found: list[Group] = []
    barred: set[int] = set()
    pairs = np.zeros((len(terms.sizes), len(terms.sizes)), dtype=bool)
    joint = bits.count(inside)
    for rank in range(len(terms.order) - 1, -1, -1):
        term = int(terms.order[rank])
        if joint[term] < rule.support:
            continue
        search = _Search(terms, entity, rule, rank, inside)
        if least <= 1 and (group := search.single()) is not None:
            found.append(group)
            barred.add(rank)
            continue
        found.extend(search.grow(barred, pairs))
    return _only_minimal(found)


class _Search:
    """The groups whose rarest member is one given term."""

    def __init__(self, terms: TermSets, entity: Windows, rule: GroupRule, rank: int, inside: Rows) -> None:
        self._terms, self._rule, self._rank = terms, rule, rank
        own = bits.positions(inside[terms.order[rank]], len(entity))
        self._met = entity[own]
        later = terms.order[rank:]
        flags = np.unpackbits(inside[later].view(np.uint8), axis=1, count=len(entity), bitorder="little")[:, own]
        self._inside = bits.pack(flags.astype(bool))

    def single(self) -> Group | None:
        joint, count = len(self._met), int(self._terms.sizes[self._terms.order[self._rank]])
        if count > self._rule.limits[joint]:
            return None
        articles = self._terms.articles(self._met)
        return (
            Group((int(self._terms.order[self._rank]),), joint, count, articles)
            if articles >= self._rule.articles
            else None
        )

    def grow(self, barred: set[int], pairs: npt.NDArray[np.bool_]) -> Iterator[Group]:
        """Grow groups level by level; ranks are relative to the first member, which is 0."""
        rows = self._inside
        joint = bits.count(rows)
        fits = joint >= self._rule.support
        fits[0] = False
        fits[[r - self._rank for r in barred if r >= self._rank]] = False
        members = np.flatnonzero(fits).astype(np.int32)[:, None]
        level = _Level(members, rows[members[:, 0]], joint[members[:, 0]], np.zeros(len(members), dtype=np.int64))
        while len(level.members):
            risky, closed = self._judge(level)
            for place in np.flatnonzero(risky):
                yield self._group(level, int(place))
            if level.members.shape[1] == 1:
                hit = level.members[risky, 0] + self._rank
                pairs[self._rank, hit] = True
            level = level.only(~closed).joined(pairs, self._rank, self._rule.support)

    def _judge(self, level: _Level) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which groups are risky, and which need no extension (risky, or too few articles to become so)."""
        limits = self._rule.limits[level.joint]
        dense = self._within_limits(level.members, limits)
        risky = np.zeros(len(limits), dtype=bool)
        for place in np.flatnonzero(dense):
            risky[place] = self._articles(level.rows[place]) >= self._rule.articles
        return risky, dense

    def _articles(self, row: Rows) -> int:
        return self._terms.articles(self._met[bits.positions(row, len(self._met))])

    def _within_limits(self, members: Groups, limits: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether n(T) <= limit; counting stops at the first words of bits for groups that pass their limit there."""
        rows = self._terms.rows_of(self._rank)
        within = np.ones(len(limits), dtype=bool)
        if rows.shape[1] > _FIRST_WORDS:
            within = bits.intersection_counts(rows[:, :_FIRST_WORDS], members) <= limits
        left = np.flatnonzero(within)
        within[left] = bits.intersection_counts(rows, members[left]) <= limits[left]
        return within

    def _group(self, level: _Level, place: int) -> Group:
        rows = self._terms.rows_of(self._rank)
        ranks = np.concatenate(([0], level.members[place]))
        count = int(bits.intersection_counts(rows, ranks[None, :].astype(np.int32))[0])
        members = tuple(sorted(int(self._terms.order[self._rank + r]) for r in ranks))
        return Group(members, int(level.joint[place]), count, self._articles(level.rows[place]))


@dataclass(frozen=True)
class _Level:
    """Groups of one size: members after the first, their bits on the windows of c and the first, n(cT), parent."""

    members: Groups
    rows: Rows
    joint: npt.NDArray[np.int64]
    parent: npt.NDArray[np.int64]

    def only(self, chosen: npt.NDArray[np.bool_]) -> _Level:
        return _Level(self.members[chosen], self.rows[chosen], self.joint[chosen], self.parent[chosen])

    def joined(self, pairs: npt.NDArray[np.bool_], rank: int, support: int) -> _Level:
        """Groups one larger: every two with the same parent, where they still meet often enough."""
        sizes = np.bincount(self.parent) if len(self.parent) else np.zeros(0, dtype=np.int64)
        ends = np.repeat(np.cumsum(sizes), sizes)
        partners = ends - np.arange(len(self.members)) - 1
        found: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Rows, npt.NDArray[np.int64]]] = []
        for start, end in _slices(partners, _BATCH):
            left = np.repeat(np.arange(start, end), partners[start:end])
            first = np.cumsum(partners[start:end]) - partners[start:end]
            right = left + 1 + np.arange(len(left)) - np.repeat(first, partners[start:end])
            allowed = ~pairs[self.members[left, -1] + rank, self.members[right, -1] + rank]
            left, right = left[allowed], right[allowed]
            rows = self.rows[left] & self.rows[right]
            joint = bits.count(rows)
            kept = joint >= support
            found.append((left[kept], right[kept], rows[kept], joint[kept]))
        if not found:
            return self.only(np.zeros(len(self.members), dtype=bool))
        left, right = (np.concatenate([part[n] for part in found]) for n in (0, 1))
        members = np.concatenate((self.members[left], self.members[right, -1:]), axis=1)
        rows, joint = np.concatenate([part[2] for part in found]), np.concatenate([part[3] for part in found])
        return _Level(members, rows, joint, np.unique(left, return_inverse=True)[1].astype(np.int64))


def _slices(sizes: npt.NDArray[np.int64], limit: int) -> Iterator[tuple[int, int]]:
    """Consecutive slices whose sizes add up to about `limit`."""
    start = 0
    ends = np.cumsum(sizes)
    while start < len(sizes):
        done = int(ends[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(ends, done + limit, side="right")))
        yield start, end
        start = end


def _only_minimal(found: Sequence[Group]) -> list[Group]:
    """Drop groups that hold another risky group."""
    kept: list[Group] = []
    seen: set[frozenset[int]] = set()
    by_member: dict[int, list[frozenset[int]]] = {}
    for group in sorted(found, key=lambda g: (len(g.members), g.members)):
        members = frozenset(group.members)
        if members in seen or any(other < members for m in group.members for other in by_member.get(m, ())):
            continue
        seen.add(members)
        by_member.setdefault(group.members[0], []).append(members)
        kept.append(group)
    return kept


def closed_groups(terms: TermSets, entity: Windows, *, support: int = 1) -> list[Group]:
    """List all closed groups: those to which no term can be added without losing windows of the entity.

    If any group with this support is risky under a rule of `GroupRule`'s form, a closed one is: the closure
    has the same n(cT) and no larger n(T). (Prefix-preserving closure extension, each group found once.)
    """
    flags = bits.unpack(terms.inside(entity), len(entity)).T.astype(np.float32)
    found: list[tuple[tuple[int, ...], npt.NDArray[np.int64]]] = []
    everywhere = np.flatnonzero(flags.all(axis=0)) if len(entity) else np.zeros(0, dtype=np.int64)
    stack = [(np.arange(len(entity)), everywhere, -1)] if len(entity) >= support else []
    while stack:
        windows, members, core = stack.pop()
        if len(members):
            found.append((tuple(members.tolist()), windows))
        stack.extend(_closed_children(flags, windows, members, core, support))
    counts = bits.group_counts(terms.sets, _rectangle([members for members, _ in found]))
    groups = [
        Group(members, len(windows), int(count), terms.articles(entity[windows]))
        for (members, windows), count in zip(found, counts, strict=True)
    ]
    return sorted(groups, key=lambda group: (len(group.members), group.members))


def _closed_children(
    flags: npt.NDArray[np.float32],
    windows: npt.NDArray[np.int64],
    members: npt.NDArray[np.int64],
    core: int,
    support: int,
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]]:
    here = flags[windows]
    held = here.sum(axis=0)
    candidates = np.setdiff1d(np.flatnonzero(held >= support), members)
    candidates = candidates[candidates > core]
    if not len(candidates):
        return
    # met[t, u]: windows here that hold t and u; u belongs to the closure of t iff that is all of t's.
    met = here[:, candidates].T @ here
    closures = met == held[candidates][:, None]
    inside = np.zeros(flags.shape[1], dtype=bool)
    inside[members] = True
    for term, closure in zip(candidates.tolist(), closures, strict=True):
        if not (closure[:term] & ~inside[:term]).any():
            yield windows[here[:, term] > 0], np.flatnonzero(closure), term


def _rectangle(groups: Sequence[tuple[int, ...]]) -> Groups:
    """Groups as lines of equal length, filled up with their last member."""
    width = max(map(len, groups), default=1)
    return np.array([[*g, *[g[-1]] * (width - len(g))] for g in groups], dtype=np.int32).reshape(len(groups), width)
