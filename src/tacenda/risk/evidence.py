"""When counts are evidence: binomial bounds in integers, the same on every machine.

A window that holds a term holds the protected entity with some probability. The bounds here ask how often
chance alone would give what was counted. All arithmetic is on integers scaled by 2**256 and rounded down, so
the same question has the same answer everywhere; the error is below n * 2**-250, far from any case that occurs.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

SCALE_BITS = 256
ONE = 1 << SCALE_BITS
THETA_BITS = 64


def integer_root(value: int, degree: int) -> int:
    """Return the greatest integer whose power does not exceed value.

    >>> integer_root(26, 3), integer_root(27, 3)
    (2, 3)
    """
    if value < 0 or degree < 1:
        raise ValueError("the root of a negative number, or a degree below 1, was asked for")
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low


def theta_scaled(secret: int, total: int, alpha: Fraction) -> int:
    """Return θ = p(c)^(1-1/α) times 2**64, rounded down: a smaller θ flags more, never less.

    >>> theta_scaled(1, 4, Fraction(2)) == 1 << 63
    True
    """
    p, q = alpha.numerator, alpha.denominator
    return integer_root((secret ** (p - q) << (THETA_BITS * p)) // total ** (p - q), p)


def tail(trials: int, least: int, share: Fraction) -> int:
    """Return P(Bin(trials, share) >= least) times 2**256, rounded down.

    >>> tail(2, 1, Fraction(1, 2)) == 3 * ONE // 4
    True
    """
    if least <= 0:
        return ONE
    if least > trials or share == 0:
        return 0
    if share >= 1:
        return ONE
    if least < trials * share:
        # Below the mean the masses grow, and with them the rounding: take the other tail, where they shrink.
        return ONE - tail(trials, trials - least + 1, 1 - share)
    a, whole = share.numerator, share.denominator
    b = whole - a
    mass = _power(ONE * b // whole, trials - least)
    for step in range(1, least + 1):
        mass = mass * (trials - least + step) * a // (step * whole)
    total = mass
    for hits in range(least, trials):
        mass = mass * (trials - hits) * a // ((hits + 1) * b)
        if mass == 0:
            break
        total += mass
    return min(total, ONE)


def _power(base: int, exponent: int) -> int:
    """Return a scaled number to a power, by squaring."""
    result = ONE
    while exponent:
        if exponent & 1:
            result = result * base >> SCALE_BITS
        base = base * base >> SCALE_BITS
        exponent >>= 1
    return result


def is_beyond_chance(joint: int, group: int, secret: int, total: int, level: Fraction) -> bool:
    """Tell whether P(Bin(n(t), p(c)) >= n(ct)) < level: chance alone does not explain the joint count."""
    return tail(group, joint, Fraction(secret, total)) * level.denominator < level.numerator << SCALE_BITS


class SupportTable:
    """k(n): the least x with P(Bin(n, θ) >= x) <= level, for all n, grown as it is asked.

    k never decreases in n, so the table is kept as the greatest n each x suffices for. At θ = 1 nothing is
    beyond chance; there the rule is x = n.

    >>> table = SupportTable(Fraction(1, 10), Fraction(1, 20))
    >>> [table.need(n) for n in (1, 2, 5, 10, 50)]
    [2, 2, 3, 4, 10]
    """

    def __init__(self, share: Fraction, level: Fraction) -> None:
        self.share = share
        self._limit = (level.numerator << SCALE_BITS) // level.denominator
        self._upto = [0]  # _upto[x]: the greatest n with k(n) <= x, for all x below _k
        # State of the recurrence at _n trials: the tail from _k on, and the mass at _k - 1.
        self._n, self._k = 0, 1
        self._tail, self._mass = 0, ONE

    def need(self, count: int) -> int:
        """Return k(count)."""
        if self.share >= 1:
            return count
        while self._n < count:
            self._grow()
        return bisect_left(self._upto, count) if count <= self._upto[-1] else self._k

    def _grow(self) -> None:
        """Go from n to n + 1 trials: the tail gains θ times the mass just below it."""
        a, whole = self.share.numerator, self.share.denominator
        b = whole - a
        self._tail += self._mass * a // whole
        self._n += 1
        below = self._k - 1
        self._mass = self._mass * self._n * b // ((self._n - below) * whole)
        if self._tail > self._limit:
            self._upto.append(self._n - 1)
            # Mass at k follows from the mass at k - 1.
            self._mass = self._mass * (self._n - below) * a // (self._k * b)
            self._tail = max(0, self._tail - self._mass)
            self._k += 1
