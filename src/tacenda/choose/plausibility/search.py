"""The search behind uniform t-PAT: states (X, r) above a dual bound; see `uniform` for the mathematics."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tacenda.choose.plausibility.uniform import Dual, Floats, Ints

# Sums of entropies closer than this are one state: different products of whole numbers up to 2^30 lie farther apart.
_GRID = 2.0**36
# States of all terms together: many terms share what few may use, so that a search ends within seconds.
_MOST_WORK = 4_000_000
# Differences of cost below this are rounding.
_TOLERANCE = 1e-15


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer: the option of each term, its cost above the dual bound, and the least such cost not ruled out."""

    options: Ints
    above: float
    certified: float


@dataclass(frozen=True, slots=True)
class _Order:
    """Terms in the order they are opened, and what the terms not yet opened can do after each.

    first       least reduced cost of a change of the term
    up, down    least reduced cost per bit, upwards and downwards, of the terms to come
    most        most bits upwards that the terms to come can add
    """

    rows: list[int]
    first: list[float]
    up: list[float]
    down: list[float]
    most: list[float]


def search(dual: Dual, *, slack: float, most_states: int, known: Solution | None = None) -> Solution:
    """Find the cheapest options with X >= -slack; exact unless more than `most_states` states were needed.

    known   an answer to start from: the closer it is, the fewer states survive
    """
    best = known or _single_change(dual, slack)
    order = _open_order(dual)
    most_states = max(1, min(most_states, _MOST_WORK // (len(order.rows) + 1)))
    total, reduced = np.array([dual.start]), np.zeros(1)
    steps: list[tuple[Ints, Ints]] = []
    dropped = math.inf
    for place, row in enumerate(order.rows):
        if order.first[place] >= best.above - _TOLERANCE or not len(total):
            break
        fits = np.flatnonzero(dual.reduced[row] < best.above)
        total = (total[:, None] + dual.shift[row, fits]).ravel()
        reduced = (reduced[:, None] + dual.reduced[row, fits]).ravel()
        value = np.where(total >= -slack, reduced + dual.phi(total), np.inf)
        least = int(np.argmin(value))
        steps.append((np.arange(len(total)) // len(fits), fits[np.arange(len(total)) % len(fits)]))
        if value[least] < best.above - _TOLERANCE:
            best = Solution(_trace(dual, order.rows, steps, least), float(value[least]), 0.0)
        bound = _bounds(dual, total, reduced, order, place, slack)
        kept = np.flatnonzero(bound < best.above - _TOLERANCE)
        kept = kept[_undominated(dual, total[kept], reduced[kept], best.above)]
        kept, lost = _at_most(most_states, kept, bound[kept])
        dropped = min(dropped, lost)
        total, reduced = total[kept], reduced[kept]
        steps[-1] = (steps[-1][0][kept], steps[-1][1][kept])
    return Solution(best.options, best.above, min(best.above, dropped))


def _open_order(dual: Dual) -> _Order:
    """Terms by their cheapest change, and what is left to do after each."""
    other = dual.reduced.copy()
    other[np.arange(len(other)), dual.base] = np.inf
    first = other.min(axis=1)
    rows = np.argsort(first, kind="stable")
    rows = rows[first[rows] < np.inf]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = other / np.abs(dual.shift)
    up = np.where(dual.shift > 0, ratio, np.inf).min(axis=1)
    down = np.where(dual.shift < 0, ratio, np.inf).min(axis=1)
    most = np.where(np.isfinite(other), dual.shift, 0.0).max(axis=1, initial=0.0)
    return _Order(
        rows.tolist(),
        first[rows].tolist(),
        _after(up[rows], np.minimum, np.inf),
        _after(down[rows], np.minimum, np.inf),
        _after(most[rows], np.add, 0.0),
    )


def _after(values: Floats, join: np.ufunc, nothing: float) -> list[float]:
    """For each place the values after it, joined."""
    found: list[float] = np.append(join.accumulate(values[::-1])[::-1], nothing)[1:].tolist()
    return found


def _bounds(dual: Dual, total: Floats, reduced: Floats, order: _Order, place: int, slack: float) -> Floats:
    """Least cost a state can end with: X moves, at the price of the terms to come, to where phi is least; X >= 0."""
    v, b = dual.multiplier, dual.b
    up, down = order.up[place], order.down[place]
    total = np.where(total >= -slack, np.maximum(total, 0.0), total)  # within the slack, below 0 is rounding
    lowest = _turn(v - up, b)
    highest = max(lowest, _turn(v + down, b))
    end = np.minimum(np.maximum(total, lowest), highest)
    move = end - total
    cost = np.zeros(len(total))
    rising, falling = move > 0.0, move < 0.0
    cost[rising] = up * move[rising]
    cost[falling] = -down * move[falling]
    cost[total + order.most[place] < -max(slack, _TOLERANCE)] = np.inf
    return reduced + dual.phi(end) + cost


def _turn(slope: float, b: float) -> float:
    """X >= 0 at which phi(X) less the price of moving turns: the zero of 2 b X - slope."""
    if slope <= 0.0:
        return 0.0
    return slope / (2.0 * b) if b > 0.0 else math.inf


def _undominated(dual: Dual, total: Floats, reduced: Floats, above: float) -> Ints:
    """Places of the states that no other beats whatever follows: one with X not less and r + s X not more.

    s bounds how much faster phi can grow from the larger X: b (2 Xmax + spread) - v, with phi(Xmax) = above.
    """
    if len(total) < 2:
        return np.arange(len(total))
    v, b = dual.multiplier, dual.b
    coarse = np.rint(total * _GRID) / _GRID
    s = -v
    if b > 0.0:
        constant = v * v / (4.0 * b) if v > 0.0 else 0.0
        reach = (v + math.sqrt(max(0.0, v * v - 4.0 * b * (constant - above)))) / (2.0 * b)
        s += b * (2.0 * reach + float(coarse.max() - coarse.min()))
    order = np.lexsort((reduced, -coarse))
    score = (reduced + s * coarse)[order]
    before = np.concatenate([[np.inf], np.minimum.accumulate(score)[:-1]])
    return np.sort(order[score < before - _TOLERANCE])


def _at_most(count: int, kept: Ints, bound: Floats) -> tuple[Ints, float]:
    """The `count` states of least bound (first come, first kept), and the least bound among the others."""
    if len(kept) <= count:
        return kept, math.inf
    cutoff = float(np.partition(bound, count)[count])
    below, level = np.flatnonzero(bound < cutoff), np.flatnonzero(bound == cutoff)
    return kept[np.sort(np.concatenate([below, level[: count - len(below)]]))], cutoff


def _trace(dual: Dual, rows: list[int], steps: list[tuple[Ints, Ints]], state: int) -> Ints:
    options = dual.base.copy()
    for place in range(len(steps) - 1, -1, -1):
        parent, option = steps[place]
        options[rows[place]] = option[state]
        state = int(parent[state])
    return options


def _single_change(dual: Dual, slack: float) -> Solution:
    """The best answer with at most one option changed; failing that, changes by their price until X >= -slack."""
    moved = dual.start + dual.shift
    possible = np.isfinite(dual.reduced) & (moved >= -slack)
    if possible.any():
        value = np.where(possible, np.where(np.isfinite(dual.reduced), dual.reduced, 0.0) + dual.phi(moved), np.inf)
        row, option = divmod(int(np.argmin(value)), value.shape[1])
        options = dual.base.copy()
        options[row] = option
        return Solution(options, float(value[row, option]), 0.0)
    return _cheapest_rise(dual, slack)


def _cheapest_rise(dual: Dual, slack: float) -> Solution:
    shift = np.where(np.isfinite(dual.reduced), dual.shift, -np.inf)
    top = np.argmax(shift, axis=1)
    rows = np.arange(len(top))
    with np.errstate(divide="ignore", invalid="ignore"):
        price = dual.reduced[rows, top] / shift[rows, top]
    options, total, above = dual.base.copy(), dual.start, 0.0
    for row in np.argsort(np.where(np.isnan(price), np.inf, price), kind="stable"):
        if total >= -slack:
            break
        options[row] = top[row]
        total += float(shift[row, top[row]])
        above += float(dual.reduced[row, top[row]])
    return Solution(options, above + float(dual.phi(np.array([total]))[0]), 0.0)
