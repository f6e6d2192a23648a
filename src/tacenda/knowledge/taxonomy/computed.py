"""Ladders that are computed, not stored: dates, ages, numbers.

    12 March 2019 -> March 2019 -> 2019 -> the 2010s -> the 21st century -> date
    34-year-old   -> person aged 30 to 34 -> person in their thirties -> adult -> person
    1,534         -> 1,500 to 1,599 -> 1,000 to 1,999 -> number of four digits -> number

The volume of a rung is the number of days, ages or integers it covers; its bits are -log2 of their share:
of the days of two centuries, of the ages 0 to 99, of the numbers up to 10^12 spread evenly over their
logarithm (Benford), so that "3" tells less than "3,141,592".
"""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Sequence

from tacenda.folding import fold, plain_with_offsets
from tacenda.language import DECADES, MONTHS, number_word, ordinal_ending, read_age, read_date
from tacenda.model import Concept

DAYS = 73_049  # of two centuries, 1900 to 2099
AGES = 100
DIGITS = 12

_NUMBER = re.compile(
    r"(?P<sign>[$€£]?)\s?(?P<n>\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?P<unit>\s?%|\s(?:percent|thousand|million|billion|trillion))?"
)


def dates(term: str) -> Sequence[Concept]:
    """Rungs above a date: month, year, decade, century; nothing if the term is no date.

    A numeric date that can be read in two ways, such as 03/12/2019, has no month.
    """
    written = read_date(plain_with_offsets(term)[0].strip())
    if written is None:
        return ()
    year, month, day = written.readings[0]
    if written.until or not year:
        return ()
    rungs = []
    if day and not written.ambiguous:
        rungs.append((f"{MONTHS[month - 1]} {year}", f"{year}-{month:02d}", _days(year, month)))
    if day or month:
        rungs.append((str(year), str(year), _days(year)))
    first = year // 10 * 10
    if not written.decade:
        rungs.append((f"the {first}s", f"{first}s", sum(_days(y) for y in range(first, first + 10))))
    century = year // 100
    days = sum(_days(100 * century + y) for y in range(100))
    rungs.append((f"the {century + 1}{ordinal_ending(century + 1)} century", f"c{century + 1}", days))
    return _ladder("dates", [*rungs, ("date", "date", DAYS)], DAYS)


def _days(year: int, month: int = 0) -> int:
    return calendar.monthrange(year, month)[1] if month else 365 + calendar.isleap(year)


def ages(term: str) -> Sequence[Concept]:
    """Rungs above an age: five years, ten years, adult; everyone over 89 is one class."""
    written = read_age(plain_with_offsets(term)[0].strip(), whole=True)
    if written is None:
        return ()
    if written.unit == "less":
        return _ladder("ages", [("infant", "0", 1), *_young()], AGES)
    age, who = written.value, "" if written.cue else "person "
    if age > 89:
        rungs = [(f"{who}aged 90 or over", "90+", 10)]
    else:
        low = age // 5 * 5
        rungs = [(f"{who}aged {low} to {low + 4}", f"{low}-{low + 4}", 5)]
    if age < 20:
        rungs.append(("child under ten", "0-9", 10) if age < 10 else ("teenager", "10-19", 10))
        return _ladder("ages", [*rungs, *_young()], AGES)
    if age <= 89:
        rungs.append((f"{who}in their {DECADES[age // 10]}", f"{age // 10}0-{age // 10}9", 10))
    return _ladder("ages", [*rungs, ("adult", "20+", AGES - 20), ("person", "any", AGES)], AGES)


def _young() -> list[tuple[str, str, int]]:
    return [("young person", "0-19", 20), ("person", "any", AGES)]


def numbers(term: str) -> Sequence[Concept]:
    """Rungs above a number: its first two digits, its first digit, how many digits it has."""
    match = _NUMBER.fullmatch(fold(term).strip())
    if not match:
        return ()
    digits = match["n"].replace(",", "").lstrip("0")
    sign, unit = match["sign"], match["unit"] or ""
    kind = "amount of money" if sign else "percentage" if unit.strip() in ("%", "percent") else "number"
    if not digits or len(digits) > DIGITS:
        return (Concept(kind, "numbers", kind, 1, 0.0, 10**DIGITS),)
    rungs = []
    for kept in (2, 1):
        if len(digits) > kept:
            step = 10 ** (len(digits) - kept)
            low = int(digits[:kept]) * step
            name = f"{sign}{low:,} to {sign}{low + step - 1:,}{unit}"
            rungs.append((name, f"{low}-{low + step - 1}", low, low + step))
    low = 10 ** (len(digits) - 1)
    word = f"number of {number_word(len(digits))} digit{'s' if len(digits) > 1 else ''}"
    name = f"{sign}{low:,} to {sign}{10 * low - 1:,}{unit}" if sign or unit else word
    rungs.append((name, f"{low}-{10 * low - 1}", low, 10 * low))
    found = [
        Concept(name, "numbers", id_, i, -math.log2(math.log10(high / low) / DIGITS), high - low)
        for i, (name, id_, low, high) in enumerate(rungs, 1)
    ]
    return (*found, Concept(kind, "numbers", kind, len(found) + 1, 0.0, 10**DIGITS))


def _ladder(taxonomy: str, rungs: Sequence[tuple[str, str, int]], total: int) -> tuple[Concept, ...]:
    """Concepts of nested ranges, with volume and the bits of their share."""
    return tuple(
        Concept(name, taxonomy, id_, i, math.log2(total / size), size) for i, (name, id_, size) in enumerate(rungs, 1)
    )


LADDERS = (dates, ages, numbers)
