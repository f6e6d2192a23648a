"""The verifier's own test of counts against a limit, on integers; it shares no code with `risk.rules`."""

from __future__ import annotations

from fractions import Fraction

from tacenda.certify.required import Evidence


class Rule:
    """The test for one entity, on integers. The share θ is `part` of `whole`."""

    def __init__(self, evidence: Evidence, secret: int, total: int, alpha: Fraction | None, general: int) -> None:
        self.secret, self.total, self.general = secret, total, general
        self.paper, self.strict = evidence.mode == "paper", evidence.strict
        self.support, self.level = evidence.support, evidence.level
        self.single_support, self.single_count = evidence.single_support, evidence.single_count
        if self.support < 1 or not 0 < self.level < 1:
            raise ValueError("the rule of evidence is not valid")
        if general:
            self.part, self.whole = secret, general
        else:
            if alpha is None or alpha < 1:
                raise ValueError("an entity needs alpha, 1 or more, or what may be revealed")
            self.p, self.q = alpha.numerator, alpha.denominator
            self.whole = 1 << 64
            self.part = _root(secret ** (self.p - self.q) * self.whole**self.p // total ** (self.p - self.q), self.p)
        # For each joint count: the greatest count known to be beyond chance, the least known not to be.
        self.known: dict[int, tuple[int, int]] = {}

    def exceeds(self, joint: int, count: int) -> bool:
        if self.general:
            return joint * self.general > self.secret * count
        p, more = self.p, self.p - self.q
        return bool(joint**p * self.total**more >= self.secret**more * count**p)

    def single(self, joint: int, count: int) -> bool:
        if joint < max(1, self.single_support) or count < self.single_count or not self.exceeds(joint, count):
            return False
        if self.paper or self.strict:
            return True
        return _tail_below(count, joint, self.secret, self.total, self.level, strict=True)

    def group(self, joint: int, count: int) -> bool:
        if joint < self.support or not self.exceeds(joint, count):
            return False
        if self.paper or self.strict or self.part >= self.whole:
            return self.paper or self.strict or joint == count
        low, high = self.known.get(joint, (0, 1 << 62))
        if low < count < high:
            if _tail_below(count, joint, self.part, self.whole, self.level, strict=False):
                low = count
            else:
                high = count
            self.known[joint] = (low, high)
        return count <= low


def _tail_below(trials: int, least: int, part: int, whole: int, level: Fraction, *, strict: bool) -> bool:
    """Tell exactly whether P(Bin(trials, part/whole) >= least) <= level (< if strict), through the other tail."""
    other = whole - part
    term_, total = other ** (least - 1), 0
    for hits in range(least):
        total += term_
        # The next term: C(n, j+1) part^(j+1) other^(least-2-j); the division is exact but for the last, unused one.
        term_ = term_ * (trials - hits) * part // ((hits + 1) * max(other, 1))
    everything = whole**trials
    tail = everything - total * other ** (trials - least + 1)
    left, right = tail * level.denominator, everything * level.numerator
    return bool(left < right if strict else left <= right)


def _root(value: int, degree: int) -> int:
    """Return the integer part of a root, by Newton's method from above."""
    guess = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better
