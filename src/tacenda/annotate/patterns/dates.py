"""Dates in all common written forms, times, years, decades and weekdays, validated by the calendar."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from typing import NamedTuple

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, before

_MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![^\W\d_])"
)
# The same without the first letter, which the engine looks for by itself.
_MONTH_TAIL = (
    r"(?i:an(?:uary)?|eb(?:ruary)?|ar(?:ch)?|pr(?:il)?|ay|une?|uly?|ug(?:ust)?|"
    r"ep(?:t(?:ember)?)?|ct(?:ober)?|ov(?:ember)?|ec(?:ember)?)(?![^\W\d_])"
)
_ORDINAL = r"(?:st|nd|rd|th|ST|ND|RD|TH)?+"
_YEAR = r"(?:1[5-9]|20)\d\d(?![\d])"
_TIME = (
    r"(?:(?:T|,?\s(?:at\s|@\s?)?)(?:[01]?\d|2[0-4])[:.][0-5]\d(?::[0-5]\d(?:\.\d{1,6}+)?)?"
    r"(?:\s?[ap]\.?m\b\.?|\s?[AP]\.?M\b\.?)?(?:Z|\s?[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = re.compile(
    rf"\d(?<![\w/]\d)\d?{_ORDINAL}(?P<range>\s?(?:-|to|and|&|or|/|,)\s?\d\d?{_ORDINAL})?+"
    rf"(?P<of>\s(?:day\s)?of)?+[\s./-]{{0,2}}(?P<month>{_MONTH})\.?"
    rf"(?:(?:,?\s{{1,2}}|[-/.]\s?)(?:of\s)?(?P<year>{_YEAR})|[-/](?P<short>\d\d)(?!\d)|\s?'(?P<quoted>\d\d)(?!\d))?"
    rf"{_TIME}"
)
_MONTH_FIRST = re.compile(
    rf"(?P<month>[JFMASONDjfmasond](?<!\w.){_MONTH_TAIL})\.?"
    rf"(?:[\s-](?:the\s)?(?P<day>\d\d?)(?!\d|[:.]\d){_ORDINAL}(?:\s?(?:-|to|and|&)\s?\d\d?(?!\d){_ORDINAL})?"
    rf"(?:(?:,\s?|\s{{1,2}}|\.\s|[-/])(?P<year>{_YEAR})|,?\s'(?P<short>\d\d)(?!\d))?"
    rf"|(?:,?\s|[-/.]|\sof\s){{1}}(?P<alone>{_YEAR}))?{_TIME}"
)
_NUMERIC = re.compile(
    rf"\d(?<![\w/.,:+-]\d)\d{{0,3}}+(?P<sep>[-/.])\d{{1,2}}+(?P=sep)\d{{1,4}}+(?![\w%]|[-/]\d|\.\d){_TIME}"
)
_MONTH_YEAR = re.compile(r"[01](?<![\w/.,:+-].)\d?+/(?:19|20)\d\d(?![\w/]|\.\d)")
_CLOCK = re.compile(
    r"\d(?<![\w:.,/-]\d)\d?+(?:[:.][0-5]\d(?::[0-5]\d)?)?"
    r"(?:\s?(?:[ap]\.m\.|[ap]m\b|[AP]\.M\.|[AP]M\b|o'clock\b|hrs?\b|hours\b))|"
    r"\d(?<![\w:.,/-]\d)\d?+:[0-5]\d(?::[0-5]\d)?(?![\w:])"
)
_BARE_YEAR = re.compile(
    r"[12](?<![\w/.,:$£€#+-][12])(?:(?<=1)[6-9]|(?<=2)0)\d\d(?:'?s(?!\w)|[-/](?:\d\d){1,2}(?![\d/-]))?+"
    r"(?![\w%]|[.,:/-]\d|\s?(?:km|kg|mg|ml|mm|cm|m|euros?|pounds|dollars|people|men|women)\b)"
)
_WEEKDAY = re.compile(r"[MTWFS](?<!\w.)(?:on|ues|ednes|hurs|ri|atur|un)days?\b")
_SHORT_DECADE = re.compile(r"'(?<![\w]')\d0s\b")

_DATE_CUE = re.compile(
    r"(?i)\b(?:born|birth|dob|d\.o\.b|date[ds]?|since|on|until|till|from|by|before|after|admitted|seen|visit\w*|"
    r"discharged|died|deceased|expir\w*|issued|effective|scheduled|appointment|diagnosed|evaluated|carried out|when|"
    r"performed|dos)\b[^\n]{0,12}$"
)
_YEAR_CUE = re.compile(
    r"(?i)(?:\b(?:in|since|until|till|during|year|years|early|mid|late|circa|by|from|before|after|"
    r"spring|summer|autumn|winter)|\b(?:spring|summer|autumn|fall|winter|end|beginning|start|course|middle) of|"
    r"\bbetween \d{4} and|\bfrom \d{4} (?:to|until))[\s-]{1,2}$"
)
_NO_YEAR_CUE = re.compile(
    r"(?i)\b(?:act|law|code|order|rules?|regulations?|convention|constitution|directive|no\.?)\s*$"
)
_SEASON = re.compile(
    r"(?i)\b(?:(?:early|mid|late)[\s-])?(?:(?:spring|summer|autumn|winter)(?: of)?\s|(?:early|mid|late)[\s-])$"
)
_PLAIN_MONTHS = frozenset("january february april june july august september october november december".split())
_NUMBERS = {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}


class Day(NamedTuple):
    """A reading of a written date; 0 where it does not say."""

    year: int
    month: int
    day: int


class Dated(NamedTuple):
    """A hit with every reading of it as a calendar date."""

    hit: Hit
    readings: tuple[Day, ...]


def find(text: str) -> Iterator[Hit]:
    """Yield dates and times of a text, unordered; overlaps are settled later."""
    for dated in find_dates(text):
        yield dated.hit
    yield from _clocks(text)
    yield from _weekdays(text)


def find_dates(text: str) -> Iterator[Dated]:
    """Yield dates with their readings (a numeric date may read day first or month first)."""
    yield from _day_first(text)
    yield from _month_first(text)
    yield from _numeric(text)
    yield from _years(text)


def _dated(start: int, end: int, confidence: float, *readings: Day) -> Dated:
    return Dated(Hit(start, end, "DATETIME", confidence, "quasi"), readings)


def month_number(name: str) -> int:
    """Number of a month by its name or abbreviation; 0 if it is none.

    >>> month_number("Sept"), month_number("Amarch")
    (9, 0)
    """
    return _NUMBERS.get(name[:3].lower(), 0)


def valid(day: Day) -> bool:
    """Tell whether the calendar has such a day (29 February is allowed where the year is not said)."""
    if not 1 <= day.month <= 12 or not 1500 <= (day.year or 2000) <= 2099:
        return False
    return 1 <= day.day <= calendar.monthrange(day.year or 2000, day.month)[1]


def full_year(digits: str) -> int:
    """Year of two or four digits: 30 to 99 are of the last century."""
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 30 else 1900)


def _day_first(text: str) -> Iterator[Dated]:
    for match in _DAY_FIRST.finditer(text):
        name = match["month"]
        said = match["year"] or match["short"] or match["quoted"]
        # "Article 5 may", "a 3 mar": a lower-case month needs a year or an ordinal to be one.
        if name.islower() and not said and not match["of"] and name not in _PLAIN_MONTHS:
            continue
        number = re.match(r"\d+", match.group())
        last = re.search(r"\d+", match["range"]) if match["range"] else None
        days = [int(n.group()) for n in (number, last) if n]
        year = full_year(said) if said else 0
        readings = [Day(year, month_number(name), day) for day in days]
        if all(map(valid, readings)):
            yield _dated(match.start(), _end(match), FULL, *readings)


def _end(match: re.Match[str]) -> int:
    """End of a match without a trailing dot that ends the sentence."""
    end = match.end()
    return end - 1 if match.group()[-1] == "." and "m" not in match.group()[-4:].lower() else end


def _month_first(text: str) -> Iterator[Dated]:
    for match in _MONTH_FIRST.finditer(text):
        name = match["month"]
        month = month_number(name)
        said = match["year"] or match["short"] or match["alone"]
        if not month or (name.islower() and not said and not match["day"]):
            continue
        if match["day"]:
            reading = Day(full_year(said) if said else 0, month, int(match["day"]))
            if valid(reading) and not (name.islower() and not said and name not in _PLAIN_MONTHS):
                yield _dated(match.start(), _end(match), FULL, reading)
        elif said:
            yield _dated(match.start(), _end(match), FULL, Day(int(said), month, 0))
        elif len(name) > 3 or name == "May":
            confidence = LIKELY if name.lower() in _PLAIN_MONTHS else WEAK
            yield _dated(match.start(), match.start("month") + len(name), confidence, Day(0, month, 0))


def _numeric(text: str) -> Iterator[Dated]:
    for match in _NUMERIC.finditer(text):
        a, b, c = re.split(r"[-/.]", re.match(r"[\d/.-]+", match.group()).group().rstrip(".-/"))[:3]  # type: ignore[union-attr]
        if len(a) == 3 or len(c) == 3:
            continue
        if len(a) == 4:
            readings = [Day(int(a), int(b), int(c)), Day(int(a), int(c), int(b))] if len(c) <= 2 else []
        elif len(c) in (2, 4):
            year = full_year(c)
            readings = [Day(year, int(b), int(a)), Day(year, int(a), int(b))]
        else:
            readings = []
        readings = [r for r in dict.fromkeys(readings) if valid(r)]
        if not readings:
            continue
        whole = len(a) == 4 or len(c) == 4
        sure = whole or before(text, match.start(), _DATE_CUE)
        guess = VALID if match["sep"] == "/" else LIKELY if match["sep"] == "-" else WEAK
        yield _dated(match.start(), match.end(), FULL if sure else guess, *readings)
    for match in _MONTH_YEAR.finditer(text):
        month, year = match.group().split("/")
        if 1 <= int(month) <= 12:
            sure = before(text, match.start(), _DATE_CUE)
            yield _dated(match.start(), match.end(), VALID if sure else WEAK, Day(int(year), int(month), 0))


def _years(text: str) -> Iterator[Dated]:
    for match in _BARE_YEAR.finditer(text):
        start = match.start()
        season = _SEASON.search(text, max(0, start - 20), start)
        if match.group()[-1] == "s" or season or before(text, start, _YEAR_CUE, 24):
            confidence = FULL
        elif before(text, start, _NO_YEAR_CUE, 16):
            confidence = WEAK
        else:
            confidence = LIKELY
        yield _dated(season.start() if season else start, match.end(), confidence, Day(int(match.group()[:4]), 0, 0))
    for match in _SHORT_DECADE.finditer(text):
        yield _dated(match.start(), match.end(), VALID)


def _clocks(text: str) -> Iterator[Hit]:
    for match in _CLOCK.finditer(text):
        hour = int(re.match(r"\d+", match.group()).group())  # type: ignore[union-attr]
        said = not match.group()[-1].isdigit()
        if hour > 24 or (match.group().endswith(("hr", "hrs", "hours")) and ":" not in match.group()):
            continue
        yield Hit(match.start(), match.end(), "DATETIME", VALID if said else LIKELY, "quasi")


def _weekdays(text: str) -> Iterator[Hit]:
    for match in _WEEKDAY.finditer(text):
        yield Hit(match.start(), match.end(), "DATETIME", VALID, "quasi")
