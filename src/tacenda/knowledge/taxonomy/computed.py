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

from tacenda.model import Concept
from tacenda.term import fold

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY = rf"(?:(?:{'|'.join(d.lower() for d in calendar.day_name)}),?\s+)?"
_DAY, _YEAR = r"(\d{1,2})(?:st|nd|rd|th)?", r"(1\d{3}|20\d{2})"
_DAY_FIRST = re.compile(rf"{_WEEKDAY}(?:the\s+)?{_DAY}\s+(?:of\s+)?({_MONTH})\.?,?\s+{_YEAR}")
_MONTH_FIRST = re.compile(rf"{_WEEKDAY}({_MONTH})\.?\s+{_DAY},?\s+{_YEAR}")
_ISO = re.compile(rf"{_YEAR}-(\d{{2}})-(\d{{2}})(?:[t ][\d:.]+z?)?")
_NUMERIC = re.compile(rf"(\d{{1,2}})[/.-](\d{{1,2}})[/.-]{_YEAR}")
_MONTH_YEAR = re.compile(rf"(?:(?:early|mid|late)[\s-]+)?({_MONTH})\.?,?\s+(?:of\s+)?{_YEAR}")
_JUST_YEAR = re.compile(rf"{_YEAR}")
_DECADE = re.compile(r"(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?(1\d{2}|20\d)0'?s")

DAYS = 73_049  # of two centuries, 1900 to 2099
AGES = 100
DIGITS = 12

_AGE = re.compile(
    r"(?P<lead>aged|age[: ]+(?:of )?|at the age of )\s*(?P<a>\d{1,3})|"
    r"(?P<b>\d{1,3})[\s-]*(?:years?[\s-]+old|years? of age|y[/.]?o\.?|yr[\s-]old)"
)
_BABY = re.compile(r"(\d{1,2})[\s-]*(?:day|week|month)s?[\s-]+old")
_TENS = ("", "", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties")
_NUMBER = re.compile(
    r"(?P<sign>[$€£]?)\s?(?P<n>\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?P<unit>\s?%|\s(?:percent|thousand|million|billion|trillion))?"
)
_DIGITS = "one two three four five six seven eight nine ten eleven twelve".split()


def dates(term: str) -> Sequence[Concept]:
    """Rungs above a date: month, year, decade, century; nothing if the term is no date.

    A numeric date that can be read in two ways, such as 03/12/2019, has no month.
    """
    text = fold(term).strip()
    parsed = _parse_date(text)
    if parsed:
        day, month, year = parsed
        rungs = []
        if day and month:
            rungs.append((f"{calendar.month_name[month]} {year}", f"{year}-{month:02d}", _days(year, month)))
        if day or month:
            rungs.append((str(year), str(year), _days(year)))
        first = year // 10 * 10
        rungs.append((f"the {first}s", f"{first}s", sum(_days(y) for y in range(first, first + 10))))
    elif match := _DECADE.fullmatch(text):
        year, rungs = 10 * int(match.group(1)), []
    else:
        return ()
    century = year // 100
    days = sum(_days(100 * century + y) for y in range(100))
    rungs.append((f"the {_ordinal(century + 1)} century", f"c{century + 1}", days))
    return _ladder("dates", [*rungs, ("date", "date", DAYS)], DAYS)


def _parse_date(text: str) -> tuple[int, int, int] | None:
    """Day, month and year, 0 where it is not told; None if the text is no valid date."""
    day = month = year = 0
    if match := _DAY_FIRST.fullmatch(text):
        day, month, year = int(match[1]), _MONTHS[match[2]], int(match[3])
    elif match := _MONTH_FIRST.fullmatch(text):
        day, month, year = int(match[2]), _MONTHS[match[1]], int(match[3])
    elif match := _ISO.fullmatch(text):
        year, month, day = int(match[1]), int(match[2]), int(match[3])
    elif match := _NUMERIC.fullmatch(text):
        return _either_order(int(match[1]), int(match[2]), int(match[3]))
    elif match := _MONTH_YEAR.fullmatch(text):
        month, year = _MONTHS[match[1]], int(match[2])
    elif match := _JUST_YEAR.fullmatch(text):
        year = int(match[1])
    else:
        return None
    return (day, month, year) if not day or _valid(day, month, year) else None


def _either_order(first: int, second: int, year: int) -> tuple[int, int, int] | None:
    readings = {(d, m) for d, m in ((first, second), (second, first)) if _valid(d, m, year)}
    if not readings:
        return None
    (day, month), *rest = sorted(readings)
    return (day, 0 if rest else month, year)


def _valid(day: int, month: int, year: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def _days(year: int, month: int = 0) -> int:
    return calendar.monthrange(year, month)[1] if month else 365 + calendar.isleap(year)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def ages(term: str) -> Sequence[Concept]:
    """Rungs above an age: five years, ten years, adult; everyone over 89 is one class."""
    text = fold(term).strip()
    if _BABY.fullmatch(text):
        return _ladder("ages", [("infant", "0", 1), *_young()], AGES)
    match = _AGE.fullmatch(text)
    if not match:
        return ()
    age = int(match["a"] or match["b"])
    who = "" if match["lead"] else "person "
    if age > 89:
        rungs = [(f"{who}aged 90 or over", "90+", 10)]
    else:
        low = age // 5 * 5
        rungs = [(f"{who}aged {low} to {low + 4}", f"{low}-{low + 4}", 5)]
    if age < 20:
        rungs.append(("child under ten", "0-9", 10) if age < 10 else ("teenager", "10-19", 10))
        return _ladder("ages", [*rungs, *_young()], AGES)
    if age <= 89:
        rungs.append((f"{who}in their {_TENS[age // 10]}", f"{age // 10}0-{age // 10}9", 10))
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
    word = f"number of {_DIGITS[len(digits) - 1]} digit{'s' if len(digits) > 1 else ''}"
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
