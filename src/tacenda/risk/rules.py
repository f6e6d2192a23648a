"""When a term or a group is risky: one `Rule` per protected entity, decided on integers.

All limits are a share θ of p(c|T) = n(cT)/n(T) that may not be reached:
    alpha        θ = p(c)^(1-1/α)                PMI(c;T) >= IC(c)/α            (001, Definition 6)
    reveal       θ = n(c)/n(g), must be passed   PMI(c;T) >  IC(g)              (limit in words)
    disclosure   θ = n(s)/n(s_min)               PMI(s;T) >= IC(s_min) = t_DR   (000, eq. 8)
`mode = "paper"` asks the literal rule from a minimum support on; `mode = "evidence"` also asks that the counts
be more than noise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import log2
from typing import Literal

from tacenda.errors import PolicyError
from tacenda.risk import formulas
from tacenda.risk.evidence import THETA_BITS, SupportTable, is_beyond_chance, theta_scaled

Mode = Literal["evidence", "paper"]


@dataclass(frozen=True)
class Evidence:
    """How much must be counted before a share is believed.

    single_support   least joint count of a single term
    single_count     least count of a single term; below it there is no evidence
    level            how often chance alone may look like this: for a single term if it had nothing to do with the
                     entity, for a group if its true share were just the limit
    support          least joint count of a group (of anything, in paper mode)
    articles         least number of different articles behind a group's joint count
    strict           what passes the limit is risky also where the counts may be chance
    """

    mode: Mode = "evidence"
    single_support: int = 2
    single_count: int = 5
    level: Fraction = Fraction(1, 1000)
    support: int = 5
    articles: int = 3
    strict: bool = False

    @classmethod
    def of(
        cls, mode: str, support: int | None = None, level: str | float = "1/1000", *, strict: bool = False
    ) -> Evidence:
        """Return the defaults of a mode, with another minimum support where one is given."""
        chance = Fraction(str(level))
        if not 0 < chance < 1:
            raise PolicyError(f"level is {level}; it must lie between 0 and 1, for example 0.001.")
        if support is not None and support < 1:
            raise PolicyError(f"support is {support}; it must be 1 or more.")
        if mode == "evidence":
            return cls(support=5 if support is None else support, level=chance, strict=strict)
        if mode == "paper":
            least = 3 if support is None else support
            return cls("paper", single_support=least, single_count=least, support=least, articles=1, strict=strict)
        raise PolicyError(f"no mode named {mode!r}. Available: evidence, paper.")


def check_choice(setting: str, value: str, available: tuple[str, ...]) -> None:
    """Raise unless a setting has one of its values."""
    if value not in available:
        raise PolicyError(f"no {setting} named {value!r}. Available: {', '.join(available)}.")


@dataclass(frozen=True)
class Rule:
    """Decides from counts whether something tells too much about one entity.

    secret    n(c), the windows of the entity
    total     N, all windows
    alpha     α of paper 001, or
    general   n(g), the windows of what may be revealed (strict), or
    least     n(s_min), the windows of the least informative sanitized term (000)
    """

    secret: int
    total: int
    alpha: Fraction | None = None
    general: int | None = None
    least: int | None = None
    evidence: Evidence = field(default_factory=Evidence)

    def __post_init__(self) -> None:
        given = [limit for limit in (self.alpha, self.general, self.least) if limit is not None]
        if len(given) != 1:
            raise ValueError("a rule has one limit: alpha, general or least")
        if not 1 <= self.secret <= self.total:
            raise ValueError(f"the entity is counted {self.secret} times in {self.total} windows: no rule can be made")

    def exceeds(self, joint: int, count: int) -> bool:
        """Tell whether the share passes the limit, on integers, evidence apart."""
        if self.alpha is not None:
            return formulas.is_risky(joint, self.secret, count, self.total, self.alpha)
        if self.general is not None:
            return formulas.reveals_more(joint, self.secret, count, self.general)
        assert self.least is not None
        return formulas.reaches_disclosure_limit(joint, self.secret, count, self.least)

    def single(self, joint: int, count: int) -> bool:
        """Tell whether a single term is risky."""
        need = self.evidence
        if joint < need.single_support or count < need.single_count or not self.exceeds(joint, count):
            return False
        if need.mode == "paper" or need.strict:
            return True
        return is_beyond_chance(joint, count, self.secret, self.total, need.level)

    def group(self, joint: int, count: int) -> bool:
        """Tell whether a group is risky, the number of articles apart."""
        if joint < self.evidence.support or not self.exceeds(joint, count):
            return False
        if self.evidence.mode == "paper" or self.evidence.strict:
            return True
        return joint >= self.table.need(count)

    @cached_property
    def share(self) -> Fraction:
        """θ, rounded down to 64 bits where it is irrational."""
        if self.alpha is not None:
            return Fraction(theta_scaled(self.secret, self.total, self.alpha), 1 << THETA_BITS)
        limit = self.general if self.general is not None else self.least
        assert limit is not None
        return min(Fraction(1), Fraction(self.secret, limit))

    @cached_property
    def table(self) -> SupportTable:
        """k(n), the joint count a group of n windows needs."""
        return SupportTable(self.share, self.evidence.level)

    def bits(self, joint: int, count: int) -> float:
        """Return PMI(c;T)."""
        return formulas.pmi(joint, self.secret, count, self.total)

    @cached_property
    def entity_bits(self) -> float:
        """IC(c)."""
        return formulas.information(self.secret, self.total)

    @cached_property
    def limit_bits(self) -> float:
        """The bits that may not be reached (passed, for a limit in words)."""
        if self.alpha is not None:
            return formulas.alpha_limit(self.entity_bits, self.alpha)
        limit = self.general if self.general is not None else self.least
        assert limit is not None
        return log2(self.total / limit)
