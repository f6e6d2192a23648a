"""Exact t-PAT (paper 003, Definition 3): the least number of plausible originals that reaches t.

The answer is the least n >= t that is a product of one volume per term (1 = kept). Among the ways to make n, the
most even one is taken, the least sum of log2(volume)^2, which at a fixed product is the uniform cost.

With many terms n lies so close to t that t, t+1, ... are tried one by one: only volumes that divide n matter, so
each trial is small. Otherwise products below t are the states of a forward search; once a product >= t
is known, only states and volumes with a multiple between t and it can still help.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Volumes = Sequence[Sequence[int]]

# Fewer terms than this: products are sparse, and trying n one by one would be long.
_MANY_TERMS = 32
# So many n are tried before the forward search begins.
_TRIALS = 256
# Up to this t all products of two states fit 64 bits; above it Python's whole numbers take over, more slowly.
_FAST_T = 1 << 31
# Above so many states the search is given up; the caller answers with a gap.
_MOST_STATES = 4_000_000
_MOST_SLOW_STATES = 100_000
_MOST_WAYS = 200_000


def least_product(volumes: Volumes, t: int, distinct: frozenset[int] | None = None) -> list[int] | None:
    """Choose one volume per term so that the product is least but reaches t; None: too large to search.

    Every term may stay at 1 whether or not its list says so; the greatest product must reach t. `distinct` spares
    finding the set of all volumes again.

    >>> least_product([[4, 32], [2, 6], [2], [2]], 32)
    [4, 2, 2, 2]
    """
    if t == 1:
        return [1] * len(volumes)
    if len(volumes) >= _MANY_TERMS:
        chosen = _nearest_by_trial(volumes, t, distinct or frozenset(itertools.chain.from_iterable(volumes)))
        if chosen is not None:
            return chosen
    product = _forward(volumes, t)
    return None if product is None else most_even(volumes, product)


def least_product_from(volumes: Volumes, t: int) -> tuple[list[int], bool]:
    """As `least_product` where not every term may stay at 1: one listed volume per term. Also tells if it is proved.

    States are products of the terms so far, each made in the most even way; a state from which t cannot be reached is
    dropped, and of those that reach it anyway only the least. Past the limit of states the most even are kept.

    >>> least_product_from([[4, 32], [1, 2, 6], [2, 5]], 10)
    ([4, 2, 2], True)
    """
    most = [math.prod(max(ladder) for ladder in volumes[i:]) for i in range(len(volumes) + 1)]
    least = [math.prod(min(ladder) for ladder in volumes[i:]) for i in range(len(volumes) + 1)]
    states: dict[int, tuple[float, tuple[int, ...]]] = {1: (0.0, ())}
    proved = True
    for i, ladder in enumerate(volumes):
        made: dict[int, tuple[float, tuple[int, ...]]] = {}
        enough = math.inf  # the least product of a state that reaches t whatever follows
        for product, (weight, chosen) in states.items():
            for volume in sorted(set(ladder)):
                reached = product * volume
                sure = reached * least[i + 1] >= t
                if reached * most[i + 1] < t or (sure and reached > enough):
                    continue
                enough = min(enough, reached) if sure else enough
                new = (weight + _weight(volume), (*chosen, volume))
                made[reached] = min(made.get(reached, new), new)
        states = {p: way for p, way in made.items() if p * least[i + 1] < t or p <= enough}
        if len(states) > _MOST_SLOW_STATES:
            proved = False
            even = sorted(states, key=lambda p: (states[p][0], p))[:_MOST_SLOW_STATES]
            states = {p: states[p] for p in even}
    best = min(states)
    return list(states[best][1]), proved


def _nearest_by_trial(volumes: Volumes, t: int, distinct: frozenset[int]) -> list[int] | None:
    table = np.array(sorted(distinct - {1}), dtype=np.int64 if t < _FAST_T else object)
    for n in range(t, t + _TRIALS):
        factors = table[n % table == 0].tolist()
        if not factors:
            continue
        multiset = _cheapest_factors(n, factors)
        if multiset is None:
            continue
        chosen = _assign(volumes, multiset) or _even_by_divisors(volumes, n)
        if chosen is not None:
            return chosen
    return None


def most_even(volumes: Volumes, n: int) -> list[int] | None:
    """Make the product n with the least sum of log2(volume)^2; None: n cannot be made."""
    if n == 1:
        return [1] * len(volumes)
    factors = sorted({v for ladder in volumes for v in ladder if v > 1 and n % v == 0})
    multiset = _cheapest_factors(n, factors)
    if multiset is None:
        return None
    return _assign(volumes, multiset) or _even_by_divisors(volumes, n)


def _weight(volume: int) -> float:
    return math.log2(volume) ** 2


def _cheapest_factors(n: int, factors: Sequence[int]) -> list[int] | None:
    """Factor n as evenly as the volumes allow, each as often as wanted; None: impossible."""
    weights = [(factor, _weight(factor)) for factor in factors]
    best: dict[int, tuple[float, int]] = {1: (0.0, 0)}

    def solve(rest: int) -> float:
        known = best.get(rest)
        if known is not None:
            return known[0]
        least, by = math.inf, 0
        for factor, weight in weights:
            if factor > rest:
                break
            if rest % factor == 0:
                total = weight + solve(rest // factor)
                if total < least:
                    least, by = total, factor
        best[rest] = (least, by)
        return least

    if solve(n) == math.inf:
        return None
    made = []
    while n > 1:
        by = best[n][1]
        made.append(by)
        n //= by
    return sorted(made, reverse=True)


def _assign(volumes: Volumes, multiset: Sequence[int]) -> list[int] | None:
    """Give each factor a term of its own that has it, by augmenting paths in the order of the terms."""
    offers: dict[int, list[int]] = {factor: [] for factor in multiset}
    for term, ladder in enumerate(volumes):
        for factor in offers:
            if factor in ladder:
                offers[factor].append(term)
    holder: dict[int, int] = {}  # term -> place in the multiset

    def place(slot: int, tried: set[int]) -> bool:
        for term in offers[multiset[slot]]:
            if term not in tried:
                tried.add(term)
                if term not in holder or place(holder[term], tried):
                    holder[term] = slot
                    return True
        return False

    if not all(place(slot, set()) for slot in range(len(multiset))):
        return None
    chosen = [1] * len(volumes)
    for term, slot in holder.items():
        chosen[term] = multiset[slot]
    return chosen


# A way to a divisor: its weight, the step before it, the kind of ladder used and the volume taken.
_Way = tuple[float, "_Way | None", tuple[int, ...], int]


def _even_by_divisors(volumes: Volumes, n: int) -> list[int] | None:
    """As `most_even`, over the divisors of n; terms whose useful volumes agree are one kind."""
    kinds: dict[tuple[int, ...], list[int]] = {}
    for term, ladder in enumerate(volumes):
        useful = tuple(v for v in ladder if v > 1 and n % v == 0)
        if useful:
            kinds.setdefault(useful, []).append(term)
    ways: dict[int, _Way] = {1: (0.0, None, (), 1)}
    for kind, terms in kinds.items():
        for _ in range(min(len(terms), n.bit_length() - 1)):
            before = len(ways)
            improved = _one_more(ways, kind, n)
            if not improved and len(ways) == before:
                break
    return _trace(ways.get(n), kinds, len(volumes))


def _one_more(ways: dict[int, _Way], kind: tuple[int, ...], n: int) -> bool:
    improved = False
    for made in sorted(ways, reverse=True):  # downwards, so that this ladder is used once
        way = ways[made]
        for volume in kind:
            new = made * volume
            if n % new:
                continue
            weight = way[0] + _weight(volume)
            if new not in ways or weight < ways[new][0]:
                ways[new] = (weight, way, kind, volume)
                improved = True
    return improved


def _trace(way: _Way | None, kinds: dict[tuple[int, ...], list[int]], count: int) -> list[int] | None:
    if way is None:
        return None
    chosen, used = [1] * count, dict.fromkeys(kinds, 0)
    while way[1] is not None:
        kind = way[2]
        chosen[kinds[kind][used[kind]]] = way[3]
        used[kind] += 1
        way = way[1]
    return chosen


def _forward(volumes: Volumes, t: int) -> int | None:
    """Find the least product >= t; None when the states outgrow memory."""
    # A volume that reaches t by itself is best used alone.
    fast = t <= _FAST_T
    best = min((v for ladder in volumes for v in ladder if v >= t), default=t * t)
    ladders = sorted(ladder for ladder in (tuple(v for v in one if 1 < v < t) for one in volumes) if ladder)
    states = np.array([1], dtype=np.int64 if fast else object)
    for ladder, rest in zip(ladders, _reach(ladders, t), strict=True):
        useful = _with_multiple(np.array(ladder, dtype=states.dtype), t, best)
        made = (states[:, None] * useful).ravel()
        best = min(best, int(made[made >= t].min(initial=best)))
        if best == t:
            return t
        states = np.unique(np.concatenate([states, made[made < t]]))
        states = _with_multiple(states[states >= -(-t // rest)], t, best)
        if len(states) > (_MOST_STATES if fast else _MOST_SLOW_STATES):
            return None
    return best


def _with_multiple(numbers: Ints, t: int, best: int) -> Ints:
    """Those numbers that have a multiple from t up to best - 1."""
    return numbers[(best - 1) // numbers * numbers >= t]


def _reach(ladders: Sequence[Sequence[int]], t: int) -> list[int]:
    """For each term, the greatest factor the later terms can give (at most t)."""
    reach, product = [1] * len(ladders), 1
    for place in range(len(ladders) - 2, -1, -1):
        product = min(t, product * max(ladders[place + 1]))
        reach[place] = product
    return reach


def close_product(volumes: Volumes, start: Sequence[int], t: int) -> list[int]:
    """From an answer `start` that reaches t, come closer to t by choosing anew for a few dozen terms at once.

    The terms generalized by `start` with most options are dealt into two halves; all ways to choose each half are
    listed, and the pair whose product is least but reaches t is found by one sorted search.
    """
    wide = sorted(range(len(volumes)), key=lambda term: (start[term] == 1, -len(volumes[term]), term))
    halves = [_half(volumes, wide[side::2]) for side in (0, 1)]
    free = set(halves[0]) | set(halves[1])
    need = math.log2(t) - math.fsum(math.log2(v) for term, v in enumerate(start) if term not in free)
    sums = [_sums([volumes[term] for term in half]) for half in halves]
    order = np.argsort(sums[1], kind="stable")
    second = sums[1][order]
    # A hair above, so that rounding cannot take the product below t.
    at = np.searchsorted(second, need + 1e-11 - sums[0])
    total = np.where(at < len(second), sums[0] + second[np.minimum(at, len(second) - 1)], np.inf)
    left = int(np.argmin(total))
    chosen = list(start)
    if total[left] < np.inf:
        for half, index in zip(halves, (left, int(order[at[left]])), strict=True):
            for term in reversed(half):
                index, option = divmod(index, len(volumes[term]))
                chosen[term] = volumes[term][option]
    better = t <= math.prod(chosen) < math.prod(start)
    return chosen if better else list(start)


def _half(volumes: Volumes, terms: Sequence[int]) -> list[int]:
    taken: list[int] = []
    ways = 1
    for term in terms:
        ways *= len(volumes[term])
        if ways > _MOST_WAYS:
            break
        taken.append(term)
    return taken


def _sums(ladders: Volumes) -> npt.NDArray[np.float64]:
    sums = np.zeros(1)
    for ladder in ladders:
        sums = (sums[:, None] + np.array([math.log2(v) for v in ladder])).ravel()
    return sums
