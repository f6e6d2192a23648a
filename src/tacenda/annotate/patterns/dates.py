"""Dates in all common written forms, times, years, decades and weekdays, validated by the calendar."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from typing import NamedTuple

from tacenda.annotate.patterns.hit import FULL, LIKELY, NUMBER, VALID, WEAK, Hit, Role, word_before, words_before

_MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![^\W\d_])"
)
_TH = r"(?:st|nd|rd|th|ST|ND|RD|TH)?+"
_YEAR = r"(?:1[5-9]|20)\d\d(?!\d)"
_TIME = (
    r"(?:(?:T|,?\s(?:at\s|@\s?)?)(?:[01]?\d|2[0-4])[:.][0-5]\d(?::[0-5]\d(?:\.\d{1,6}+)?)?"
    r"(?:\s?[ap]\.?m\b\.?|\s?[AP]\.?M\b\.?)?(?:Z|\s?[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = re.compile(
    rf"(?P<day>\d\d?){_TH}(?:\s?(?:-|to|and|&|or|/|,)\s?(?P<last>\d\d?){_TH})?+"
    rf"(?P<of>\s(?:day\s)?of)?+[\s./-]{{0,2}}(?P<month>{_MONTH})\.?"
    rf"(?:(?:,?\s{{1,2}}|[-/.]\s?)(?:of\s)?(?P<year>{_YEAR})|[-/](?P<short>\d\d)(?!\d)|\s?'(?P<quoted>\d\d)(?!\d))?"
    rf"{_TIME}"
)
_MONTH_FIRST = re.compile(
    rf"(?P<month>{_MONTH})\.?(?:[\s-](?:the\s)?(?P<day>\d\d?)(?!\d|[:.]\d){_TH}"
    rf"(?:\s?(?:-|to|and|&)\s?\d\d?(?!\d){_TH})?"
    rf"(?:(?:,\s?|\s{{1,2}}|\.\s|[-/])(?P<year>{_YEAR})|,?\s'(?P<short>\d\d)(?!\d))?"
    rf"|(?:,?\s|[-/.]|\sof\s)(?P<alone>{_YEAR})){_TIME}"
)
_NUMERIC = re.compile(
    rf"(?P<a>\d{{1,4}}+)(?P<sep>[-/.])(?P<b>\d{{1,2}}+)(?P=sep)(?P<c>\d{{1,4}}+)(?![\w%]|[-/]\d|\.\d){_TIME}"
    rf"|(?P<iso>(?:19|20)\d\d-\d\d-\d\d)T\d\d:?\d\d(?::?\d\d(?:\.\d{{1,6}}+)?)?(?:Z|[+-]\d\d:?\d\d)?"
)
_MONTH_YEAR = re.compile(r"(?P<month>[01]?\d)/(?P<year>(?:19|20)\d\d)(?![\w/]|\.\d)")
_CLOCK = re.compile(
    r"(?P<hour>\d\d?)(?:[:.][0-5]\d(?::[0-5]\d)?)?"
    r"(?P<half>\s?(?:[ap]\.m\.|[ap]m\b|[AP]\.M\.|[AP]M\b|o'clock\b))|\d\d?:[0-5]\d(?::[0-5]\d)?(?![\w:])"
)
_BARE_YEAR = re.compile(
    r"(?:1[6-9]|20)\d\d(?P<more>'?s(?!\w)|[-/](?:\d\d){1,2}(?![\d/-]))?+"
    r"(?![\w%]|[.,:/-]\d|\s?(?:km|kg|mg|ml|mm|cm|m|euros?|pounds|dollars|people|men|women|words?|pages?)\b)"
)
_WEEKDAY = re.compile(r"[MTWFS](?<!\w.)(?:on|ues|ednes|hurs|ri|atur|un)days?\b")
_LONE_MONTH = re.compile(
    r"[JFMASOND](?<!\w.)(?:anuary|ebruary|arch|pril|ay|une|uly|ugust|eptember|ctober|ovember|ecember)(?!\w|\.?\s\d|,\s\d)"
)
_PERSONAL = frozenset(
    "born birth birthday birthdate dob died death deceased admitted admission discharge discharged seen visit visited "
    "visits appointment diagnosed evaluated surgery operated hospitalized hospitalised married divorced hired expires "
    "expired expiry dos patient patients pt hospital clinic treated medical dr mrn".split()
)
_CITED = frozenset("act law decree judgment decision directive code order convention § no nos".split())
_LAWS = frozenset("act acts law code rules regulations ordinance statute constitution".split())
_DATE_CUES = _PERSONAL | frozenset(
    "date dated dates since on until till from by before after issued effective scheduled carried when "
    "performed".split()
)
_YEAR_CUES = frozenset(
    "in since until till during year years early mid late circa spring summer autumn winter a".split()
)
_SEASON_ENDS = frozenset("spring summer autumn winter of early mid late -".split())
_YEAR_OF = frozenset("spring summer autumn fall winter end beginning start course middle".split())
_SEASON = re.compile(
    r"(?i)\b(?:(?:early|mid|late)[\s-])?(?:(?:spring|summer|autumn|winter)(?: of)?\s|(?:early|mid|late)[\s-])$"
)
# Written in lower case these are months only beside a day and a year: "may", "march", "mar", "dec".
_PLAIN_MONTHS = frozenset("january february april june july august september october november december".split())
_NUMBERS = {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
_SEPARATORS = "-/."
_MONTH_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Day(NamedTuple):
    """A reading of a written date; 0 where it does not say."""

    year: int
    month: int
    day: int


class Dated(NamedTuple):
    """A hit with every reading of it as a calendar date."""

    hit: Hit
    readings: tuple[Day, ...] = ()


def find(text: str) -> Iterator[Hit]:
    """Yield weekdays and months that stand without a number."""
    for match in _WEEKDAY.finditer(text):
        yield Hit(match.start(), match.end(), "DATETIME", FULL, "quasi")
    for match in _LONE_MONTH.finditer(text):
        plain = match.group().lower() in _PLAIN_MONTHS
        yield Hit(match.start(), match.end(), "DATETIME", LIKELY if plain else WEAK, "quasi")


def at_number(text: str, start: int, end: int) -> Hit | None:
    """The date, time or year that begins or ends with the number at `start`."""
    dated = date_at(text, start, end)
    return dated.hit if dated else None


def find_dates(text: str) -> Iterator[Dated]:
    """Yield dates with their readings (a numeric date may read day first or month first)."""
    for number in NUMBER.finditer(text):
        dated = date_at(text, *number.span())
        if dated is not None and dated.readings:
            yield dated


def date_at(text: str, start: int, end: int) -> Dated | None:
    """Read the number at `start` as part of a date, in the order of certainty of the forms."""
    previous = text[start - 1] if start else " "
    if previous.isalnum() or previous in "_$£€#" or end - start > 4:
        return None
    following = text[end : end + 1]
    found: Dated | None = None
    if end - start != 3 and following and following in _SEPARATORS and previous not in "/.,:":
        found = _numeric(text, start)
    if found is None and end - start <= 2:
        found = _day_first(text, start) if previous != "/" else None
    if found is None and previous in " -.,/\n\t":
        found = _month_first(text, start)
    if found is None and end - start == 4:
        found = _year(text, start, previous)
    if found is None and end - start <= 2 and previous not in ":.,/-":
        found = _clock(text, start, following)
    return found


def _dated(text: str, start: int, end: int, confidence: float, *readings: Day, role: Role = "quasi") -> Dated:
    if confidence == VALID:
        words = words_before(text, start, 48)
        if not _PERSONAL.isdisjoint(words) and _CITED.isdisjoint(words[-6:]):
            confidence = FULL
    return Dated(Hit(start, end, "DATETIME", confidence, role), readings)


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
    if day.month == 2 and day.day == 29:
        return not day.year or calendar.isleap(day.year)
    return 1 <= day.day <= _MONTH_DAYS[day.month]


def full_year(digits: str) -> int:
    """Year of two or four digits: 30 to 99 are of the last century."""
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 30 else 1900)


def _day_first(text: str, start: int) -> Dated | None:
    match = _DAY_FIRST.match(text, start)
    if match is None:
        return None
    name = match["month"]
    said = match["year"] or match["short"] or match["quoted"]
    # "Article 5 may", "a 3 mar": a lower-case month needs a year or an "of" to be one.
    if name.islower() and not said and not match["of"] and name not in _PLAIN_MONTHS:
        return None
    year = full_year(said) if said else 0
    readings = [Day(year, month_number(name), int(day)) for day in (match["day"], match["last"]) if day]
    return _dated(text, start, _end(match), VALID, *readings) if all(map(valid, readings)) else None


def _end(match: re.Match[str]) -> int:
    """End of a match without a trailing dot that ends the sentence."""
    written = match.group()
    return match.end() - (written[-1] == "." and written[-2:-1] not in "mM")


def _month_first(text: str, start: int) -> Dated | None:
    word = word_before(text, start, skip=(" the ", " of "))
    if word is None or not month_number(text[word : word + 3]):
        return None
    match = _MONTH_FIRST.match(text, word)
    if match is None or match.end() <= start:
        return None
    name = match["month"]
    said = match["year"] or match["short"] or match["alone"]
    if name.islower() and not said and name not in _PLAIN_MONTHS:
        return None
    reading = Day(full_year(said) if said else 0, month_number(name), int(match["day"] or 0))
    if match["day"] and not valid(reading):
        return None
    return _dated(text, word, _end(match), VALID, reading)


def _numeric(text: str, start: int) -> Dated | None:
    match = _NUMERIC.match(text, start)
    if match is None:
        return _month_year(text, start)
    a, b, c = match["iso"].split("-") if match["iso"] else (match["a"], match["b"], match["c"])
    readings: list[Day] = []
    if len(a) == 4 and len(c) <= 2:
        readings = [Day(int(a), int(b), int(c)), Day(int(a), int(c), int(b))]
    elif len(a) <= 2 and len(c) in (2, 4):
        year = full_year(c)
        readings = [Day(year, int(b), int(a)), Day(year, int(a), int(b))]
    readings = [r for r in dict.fromkeys(readings) if valid(r)]
    if not readings:
        return None
    sure = len(a) == 4 or len(c) == 4 or not _DATE_CUES.isdisjoint(words_before(text, start, 24)[-4:])
    guess = {"/": VALID, "-": LIKELY}.get(match["sep"] or "", WEAK)
    return _dated(text, start, match.end(), FULL if sure else guess, *readings)


def _month_year(text: str, start: int) -> Dated | None:
    match = _MONTH_YEAR.match(text, start)
    if match is None or not 1 <= int(match["month"]) <= 12:
        return None
    sure = not _DATE_CUES.isdisjoint(words_before(text, start, 24)[-4:])
    return _dated(text, start, match.end(), VALID if sure else WEAK, Day(int(match["year"]), int(match["month"]), 0))


def _year(text: str, start: int, previous: str) -> Dated | None:
    """A year or decade; Safe Harbor lets a year stay, so its role is none."""
    match = _BARE_YEAR.match(text, start)
    if match is None or previous in "/.,:+-":
        return None
    words = words_before(text, start, 24)
    if not _LAWS.isdisjoint(words[-1:] if words[-1:] != ["of"] else words[-2:-1]):
        return None  # "the Fair Employment Act 1976": part of a law's name
    if (match["more"] or "").endswith("s") or _tells_year(words):
        confidence = FULL
    else:
        confidence = LIKELY if _CITED.isdisjoint(words) else WEAK
    season = _SEASON.search(text, max(0, start - 20), start) if words and words[-1] in _SEASON_ENDS else None
    first = season.start() if season else start
    return _dated(text, first, match.end(), confidence, Day(int(match.group()[:4]), 0, 0), role="none")


def _tells_year(words: list[str]) -> bool:
    """Tell whether the words before say that a year follows: "in", "end of", "between 1990 and"."""
    last, second = words[-1:], words[-2:-1]
    if not last:
        return False
    if last[0] == "-":
        last = second
    linked = (last == ["and"] and "between" in words) or (last in (["to"], ["until"]) and "from" in words)
    return not _YEAR_CUES.isdisjoint(last) or (last == ["of"] and not _YEAR_OF.isdisjoint(second)) or linked


def _clock(text: str, start: int, following: str) -> Dated | None:
    if not following or following not in ":. apAPo":
        return None
    match = _CLOCK.match(text, start)
    if match is None or int(match["hour"] or 0) > 24:
        return None
    return Dated(Hit(start, match.end(), "DATETIME", VALID if match["half"] else LIKELY, "quasi"))
