"""Ages: over 89 they are direct identifiers (45 CFR 164.514(b)(2)(i)(C)), below quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, VALID, Hit
from tacenda.language import WrittenAge, age_at, spelled_ages

OVER = 89


def at_number(text: str, start: int, end: int) -> Hit | None:
    """The age that the number at `start` tells; `role` is direct for ages over 89."""
    age = age_at(text, start, end)
    return _hit(age) if age else None


def find(text: str) -> Iterator[Hit]:
    """Yield ages written in words ("ninety-two years old")."""
    return map(_hit, spelled_ages(text))


def _hit(age: WrittenAge) -> Hit:
    old = age.unit == "years" and age.value > OVER
    return Hit(age.start, age.end, "AGE", VALID if age.spelled else FULL, "direct" if old else "quasi")
