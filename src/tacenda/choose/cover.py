"""Break every group at the least cost: weighted hitting set, exact where it is small, else with a proven gap.

A group is broken when one of its members is; a member is broken when all its items are changed (a word that
stands in two phrases is gone only when both are changed). Items cost what their change loses. With one item to
each member this is the weighted hitting set problem.

The lower bound is Lagrangian: a price y for every group such that no member is charged more than it costs. It
holds whatever y is, so it needs no exact arithmetic to be a proof, only an honest sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_ROUNDS = 400
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Cover:
    """The items to change, what they cost, and a proven lower bound on the cost of any solution."""

    items: tuple[int, ...]
    cost: float
    bound: float

    @property
    def exact(self) -> bool:
        """True if no cheaper solution exists."""
        return self.cost <= self.bound + _TOLERANCE * max(1.0, self.cost)

    @property
    def gap(self) -> float:
        """The share of the cost that is not proven necessary, a ratio."""
        return 0.0 if self.exact else (self.cost - self.bound) / self.cost


def cover(
    groups: Sequence[Sequence[int]],
    members: Sequence[Sequence[int]],
    costs: Sequence[float],
    *,
    most_nodes: int = 20_000,
) -> Cover:
    """Return the cheapest items that break every group. The answer does not depend on the order of the groups.

    groups      for each group its members, as numbers into `members`
    members     for each member the items that must all be changed, as numbers into `costs`
    most_nodes  search steps for each independent part before the best found is returned with its bound

    >>> cover([[0, 1], [1, 2]], [[0], [1], [2]], [1.0, 1.5, 1.0])
    Cover(items=(1,), cost=1.5, bound=1.5)
    """
    if any(cost <= 0 for cost in costs) or any(not group for group in groups):
        raise ValueError("costs must be positive and a group must have members")
    wanted = _minimal({frozenset(group) for group in groups})
    forced = {item for group in wanted if len(group) == 1 for w in group for item in members[w]}
    forced |= {
        item for item, cost in enumerate(costs) if cost == 0 and any(item in members[w] for g in wanted for w in g)
    }
    open_groups = [group for group in wanted if not _broken(group, members, forced)]
    chosen, bound = set(forced), float(sum(costs[item] for item in sorted(forced)))
    paid = [0.0 if item in forced else cost for item, cost in enumerate(costs)]
    for part in _parts(open_groups, members, forced):
        items, low = _Part(part, members, paid, most_nodes).solve()
        chosen |= items
        bound += low
    return Cover(tuple(sorted(chosen)), float(sum(costs[item] for item in sorted(chosen))), bound)


def _minimal(groups: set[frozenset[int]]) -> list[frozenset[int]]:
    """Drop every group that contains another: breaking the smaller one breaks it."""
    kept: list[frozenset[int]] = []
    holding: dict[int, list[frozenset[int]]] = {}
    for group in sorted(groups, key=lambda one: (len(one), sorted(one))):
        if not any(small <= group for w in group for small in holding.get(w, ())):
            kept.append(group)
            holding.setdefault(min(group), []).append(group)
    return kept


def _broken(group: frozenset[int], members: Sequence[Sequence[int]], changed: set[int]) -> bool:
    return any(changed.issuperset(members[w]) for w in group)


def _parts(
    groups: list[frozenset[int]], members: Sequence[Sequence[int]], settled: set[int]
) -> list[list[frozenset[int]]]:
    """Split the groups into parts that share no item."""
    root: dict[int, int] = {}

    def find(item: int) -> int:
        while root.setdefault(item, item) != item:
            root[item] = root[root[item]]
            item = root[item]
        return item

    anchors = []
    for group in groups:
        items = sorted({item for w in group for item in members[w]} - settled)
        for item in items[1:]:
            root[find(item)] = find(items[0])
        anchors.append(items[0])
    parts: dict[int, list[frozenset[int]]] = {}
    for group, anchor in zip(groups, anchors, strict=True):
        parts.setdefault(find(anchor), []).append(group)
    return [parts[key] for key in sorted(parts)]


class _Part:
    """One independent part of the problem."""

    def __init__(
        self, groups: list[frozenset[int]], members: Sequence[Sequence[int]], costs: list[float], most_nodes: int
    ) -> None:
        self.names = sorted({w for group in groups for w in group})
        number = {w: i for i, w in enumerate(self.names)}
        self.groups = [sorted(number[w] for w in group) for group in groups]
        self.items = [tuple(item for item in members[w] if costs[item] > 0) for w in self.names]
        self.costs, self.most_nodes = costs, most_nodes
        self.inside = np.zeros((len(self.groups), len(self.names)), dtype=bool)
        for g, group in enumerate(self.groups):
            self.inside[g, group] = True
        shared: dict[int, int] = {}
        for items in self.items:
            for item in items:
                shared[item] = shared.get(item, 0) + 1
        # An item's cost is split evenly among its members, so that no solution is charged twice for it.
        self.price = np.array([sum(costs[item] / shared[item] for item in items) for items in self.items])
        self.best: set[int] = set()
        self.best_cost = np.inf
        self.nodes = 0

    def solve(self) -> tuple[set[int], float]:
        """Return the items to change and a lower bound on their cost."""
        self.keep(self.greedy(self.price))
        low, charged = self.lagrange()
        if self.best_cost > low + _TOLERANCE:
            # Members whose reduced cost alone closes the gap are in no cheaper solution.
            slack = self.price - charged
            useful = low + slack <= self.best_cost + _TOLERANCE
            self.branch(set(), frozenset(range(len(self.groups))), ~useful)
            if self.nodes <= self.most_nodes:
                low = float(self.best_cost)
        closed = self.best_cost <= low + _TOLERANCE * max(1.0, self.best_cost)
        return self.best, float(self.best_cost) if closed else min(low, float(self.best_cost))

    def lagrange(self) -> tuple[float, Floats]:
        """Raise the prices of the groups by subgradient steps; return the best bound and what members are charged."""
        price = np.where(self.inside, self.price, np.inf)
        y = (price / np.maximum(self.inside.sum(axis=0), 1)).min(axis=1)
        best, best_charged, step = -np.inf, np.zeros(len(self.names)), 1.0
        stale = 0
        for _ in range(_ROUNDS):
            reduced = self.price - y @ self.inside
            value = float(y.sum() + np.minimum(reduced, 0).sum())
            if value > best + _TOLERANCE:
                best, best_charged, stale = value, self.price - np.maximum(reduced, 0), 0
            else:
                stale += 1
                if stale == 10:
                    step, stale = step / 2, 0
            if best >= self.best_cost - _TOLERANCE:
                break
            self.keep(self.greedy(np.maximum(reduced, 0) + 1e-6 * self.price))
            slope = 1 - self.inside @ (reduced < 0)
            norm = float(slope @ slope)
            if norm == 0:
                break
            y = np.maximum(0, y + step * (self.best_cost - value) / norm * slope)
        # The bound is a sum of floats: round it down by more than such a sum can err.
        return best - 1e-10 * max(1.0, abs(best)), best_charged

    def greedy(self, price: Floats) -> set[int]:
        """Break the groups one member at a time, the most groups per price first, then take back what is idle."""
        left = np.ones(len(self.groups), dtype=bool)
        taken: list[int] = []
        while left.any():
            gain = self.inside[left].sum(axis=0)
            best = int(np.argmin(np.where(gain > 0, (price + 1e-12) / np.maximum(gain, 1), np.inf)))
            taken.append(best)
            left &= ~self.inside[:, best]
        for member in sorted(taken, key=lambda w: (-self.price[w], w)):
            rest = [w for w in taken if w != member]
            if rest and self.inside[:, rest].any(axis=1).all():
                taken = rest
        return set(taken)

    def keep(self, taken: set[int]) -> None:
        """Remember a solution if it is cheaper, or equal and first in order."""
        items = {item for w in taken for item in self.items[w]}
        cost = sum(self.costs[item] for item in sorted(items))
        equal = abs(cost - self.best_cost) <= _TOLERANCE
        if cost < self.best_cost - _TOLERANCE or (equal and sorted(items) < sorted(self.best)):
            self.best, self.best_cost = items, min(cost, self.best_cost)

    def branch(self, changed: set[int], left: frozenset[int], barred: npt.NDArray[np.bool_]) -> None:
        """Try the members of the group with the fewest open ones, each time barring those tried before."""
        self.nodes += 1
        if self.nodes > self.most_nodes:
            return
        paid = sum(self.costs[item] for item in sorted(changed))
        if not left:
            self.keep({w for w in range(len(self.names)) if changed.issuperset(self.items[w])})
            return
        rows = sorted(left)
        usable = self.inside[rows] & ~barred
        if not usable.any(axis=1).all():
            return
        price = self._left_prices(changed)
        share = np.where(usable, price / np.maximum(usable.sum(axis=0), 1), np.inf)
        if paid + float(share.min(axis=1).sum()) >= self.best_cost - _TOLERANCE:
            return
        pick = int(np.argmin(usable.sum(axis=1)))
        barred = barred.copy()
        for member in sorted(np.flatnonzero(usable[pick]), key=lambda w: (price[w], w)):
            larger = changed | set(self.items[member])
            gone = {w for w in range(len(self.names)) if larger.issuperset(self.items[w])}
            self.branch(larger, frozenset(g for g in left if not gone.intersection(self.groups[g])), barred)
            barred[member] = True

    def _left_prices(self, changed: set[int]) -> Floats:
        if not changed:
            return self.price
        sharing: dict[int, int] = {}
        for items in self.items:
            for item in items:
                sharing[item] = sharing.get(item, 0) + 1
        return np.array([sum(self.costs[i] / sharing[i] for i in items if i not in changed) for items in self.items])
