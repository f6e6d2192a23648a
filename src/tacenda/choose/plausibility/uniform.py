"""Uniform t-PAT (paper 003, Definition 4), exact or with a certified gap.

With x = H(w) - log2(t)/m the deviation of a term and X the sum of all x, the cost (1) is

    a * sum x^2 + b * X^2      with a = (1 - alpha)/m, b = alpha/m^2,      subject to X >= 0.

For every multiplier v the cost of any answer is the dual bound L(v) plus the *reduced costs* r >= 0 of its options
plus phi(X) >= 0, where phi(X) = b X^2 - v X + (v^2 / 4b if v > 0). At the best v the bound is close, so few options
have an r that fits between the bound and a known answer. The search starts from the options with r = 0
and opens the terms one by one, the cheapest change first. Its states are pairs (X, r); a state goes when its own bound
reaches the best known answer, or when another state is as good whatever follows. When no unopened term has
a change that fits, the answer is proved best. If the states outgrow `most_states`, the worst are dropped and
the least bound among them is the certified bound of the answer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Dual:
    """The multiplier, its bound, and what each option costs above it (inf: no such option)."""

    a: float
    b: float
    multiplier: float
    bound: float
    base: Ints
    reduced: Floats
    shift: Floats
    start: float

    def phi(self, total: Floats) -> Floats:
        """Cost above the bound that the sum X itself causes."""
        v = self.multiplier
        rest = v * v / (4.0 * self.b) if v > 0.0 else 0.0
        return self.b * total * total - v * total + rest


def deviations(volumes: Sequence[Sequence[int]], t: int, bits: Sequence[Sequence[float]] | None = None) -> Floats:
    """x of each option of each term, as a matrix padded with inf.

    An option that only repeats the entropy of a nearer one is none (inf). Without `bits` the entropy is log2 of the
    volume, taken once per distinct volume with the exact function of the C library: the same on every machine.
    """
    lengths = np.array([len(options) for options in volumes])
    inside = np.arange(lengths.max()) < lengths[:, None]
    table = np.full(inside.shape, np.inf)
    if bits is None:
        flat = list(itertools.chain.from_iterable(volumes))
        logarithm = {volume: math.log2(volume) for volume in set(flat)}
        table[inside] = [logarithm[volume] for volume in flat]
    else:
        table[inside] = list(itertools.chain.from_iterable(bits))
    order = np.argsort(table, axis=1, kind="stable")
    ordered = np.take_along_axis(table, order, axis=1)
    ordered[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = np.inf
    np.put_along_axis(table, order, ordered, axis=1)
    return table - math.log2(t) / len(volumes)


def best_dual(x: Floats, alpha: float) -> Dual:
    """Maximize L(v) = sum min(a x^2 + v x) - (v^2 / 4b if v > 0), which is concave, by bisection on its slope."""
    m = len(x)
    a, b = (1.0 - alpha) / m, alpha / m**2
    square = np.where(np.isfinite(x), a * x * x, np.inf)
    plain = np.where(np.isfinite(x), x, 0.0)
    rows = np.arange(m)

    def slope(v: float) -> float:
        at = np.argmin(square + v * plain, axis=1)
        # A running sum adds in one order everywhere; numpy's own sum depends on the processor.
        return float(np.cumsum(plain[rows, at])[-1]) - (v / (2.0 * b) if v > 0.0 else 0.0)

    low, high = -1.0, 0.0
    if b > 0.0 and slope(0.0) > 0.0:
        low, high = 0.0, 2.0 * b * math.fsum(plain.max(axis=1))
    else:
        while slope(low) < 0.0 and low > -1e9:
            low, high = 2.0 * low, low
    while high - low > 1e-13 * (high - low + abs(low)):
        v = 0.5 * (low + high)
        if v in (low, high):
            break
        low, high = (v, high) if slope(v) > 0.0 else (low, v)
    return _at(square, plain, a, b, min(high, 0.0) if b == 0.0 else 0.5 * (low + high))


def _at(square: Floats, plain: Floats, a: float, b: float, v: float) -> Dual:
    rows = np.arange(len(square))
    value = square + v * plain
    base = np.argmin(value, axis=1)
    least = value[rows, base]
    bound = math.fsum(least) - (v * v / (4.0 * b) if v > 0.0 else 0.0)
    kept = plain[rows, base]
    return Dual(a, b, v, bound, base, value - least[:, None], plain - kept[:, None], math.fsum(kept))
