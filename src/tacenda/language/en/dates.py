"""Dates in all common written forms, times, years and decades, validated by the calendar: found, read and written."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from tacenda.language.around import word_before, words_before
from tacenda.language.calendar import Day, Form, Part, Place, WrittenDate, full_year, valid

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
# Written in lower case these are months by themselves; "may", "march", "mar" and "dec" only beside a day and a year.
PLAIN_MONTHS = frozenset("january february april june july august september october november december".split())
WEEKDAY = re.compile(r"[MTWFS](?<!\w.)(?:on|ues|ednes|hurs|ri|atur|un)days?\b")
LONE_MONTH = re.compile(
    r"[JFMASOND](?<!\w.)(?:anuary|ebruary|arch|pril|ay|une|uly|ugust|eptember|ctober|ovember|ecember)(?!\w|\.?\s\d|,\s\d)"
)
# Words by which a date is one of somebody's life.
PERSONAL_DATE_WORDS = frozenset(
    "born birth birthday birthdate dob died death deceased admitted admission discharge discharged seen visit visited "
    "visits appointment diagnosed evaluated surgery operated hospitalized hospitalised married divorced hired expires "
    "expired expiry dos patient patients pt hospital clinic treated medical dr mrn".split()
)
# Words by which a date or a year belongs to a law or ruling.
CITED_DATE_WORDS = frozenset("act law decree judgment decision directive code order convention § no nos".split())
# Words before a number that say it is a date, and before four digits that they are a year.
DATE_CUES = PERSONAL_DATE_WORDS | frozenset(
    "date dated dates since on until till from by before after issued effective scheduled carried when "
    "performed".split()
)
_YEAR_CUES = frozenset(
    "in since until till during year years early mid late circa spring summer autumn winter a".split()
)
_YEAR_OF = frozenset("spring summer autumn fall winter end beginning start course middle".split())
_LAWS = frozenset("act acts law code rules regulations ordinance statute constitution".split())
_SEASON_ENDS = frozenset("spring summer autumn winter of early mid late -".split())
_SEASON = re.compile(
    r"(?i)\b(?:(?:early|mid|late)[\s-])?(?:(?:spring|summer|autumn|winter)(?: of)?\s|(?:early|mid|late)[\s-])$"
)
_JOINED_TO_YEAR = ("mid-", "pre-", "post-", "early-", "late-")

_NUMBER = re.compile(r"[0-9]+")
_MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![^\W\d_])"
)
_TH = r"st|nd|rd|th|ST|ND|RD|TH"
_YEAR = r"(?:1[5-9]|20)\d\d(?!\d)"
_TIME = (
    r"(?:(?:T|,?\s(?:at\s|@\s?)?)(?:[01]?\d|2[0-4])[:.][0-5]\d(?::[0-5]\d(?:\.\d{1,6}+)?)?"
    r"(?:\s?[ap]\.?m\b\.?|\s?[AP]\.?M\b\.?)?(?:Z|\s?[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = re.compile(
    rf"(?P<day>\d\d?)(?P<nth>{_TH})?+(?:\s?(?:-|to|and|&|or|/|,)\s?(?P<last_day>\d\d?)(?P<last_nth>{_TH})?+)?+"
    rf"(?P<of>\s(?:day\s)?of)?+[\s./-]{{0,2}}(?P<month>{_MONTH})\.?"
    rf"(?:(?:,?\s{{1,2}}|[-/.]\s?)(?:of\s)?(?P<year>{_YEAR})|[-/](?P<short>\d\d)(?!\d)|\s?'(?P<quoted>\d\d)(?!\d))?"
    rf"{_TIME}"
)
_MONTH_FIRST = re.compile(
    rf"(?P<month>{_MONTH})\.?(?:[\s-](?:the\s)?(?P<day>\d\d?)(?!\d|[:.]\d)(?P<nth>{_TH})?+"
    rf"(?:\s?(?:-|to|and|&)\s?(?P<last_day>3[01]|[12]\d|0?[1-9])(?!\d)(?P<last_nth>{_TH})?+)?"
    rf"(?:(?:,\s?|\s{{1,2}}|\.\s|[-/])(?P<year>{_YEAR})|,?\s'(?P<short>\d\d)(?!\d))?"
    rf"|(?:,?\s|[-/.]|\sof\s)(?P<alone>{_YEAR})){_TIME}"
)
_NUMERIC = re.compile(
    rf"(?P<a>\d{{1,4}}+)(?P<sep>[-/.])(?P<b>\d{{1,2}}+)(?P=sep)(?P<c>\d{{1,4}}+)(?![\w%]|[-/]\d|\.\d){_TIME}"
    rf"|(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)T\d\d:?\d\d(?::?\d\d(?:\.\d{{1,6}}+)?)?(?:Z|[+-]\d\d:?\d\d)?"
)
_MONTH_YEAR = re.compile(r"(?P<number>[01]?\d)/(?P<year>(?:19|20)\d\d)(?![\w/]|\.\d)")
_CLOCK = re.compile(
    r"(?P<hour>\d\d?)(?:[:.][0-5]\d(?::[0-5]\d)?)?"
    r"(?P<half>\s?(?:[ap]\.m\.|[ap]m\b|[AP]\.M\.|[AP]M\b|o'clock\b))|\d\d?:[0-5]\d(?::[0-5]\d)?(?![\w:])"
)
_BARE_YEAR = re.compile(
    r"(?P<year>(?:1[6-9]|20)\d\d)(?P<more>'?s(?!\w)|[-/](?P<last_year>(?:\d\d){1,2})(?![\d/-]))?+"
    r"(?![\w%]|[.,:/-]\d|\s?(?:km|kg|mg|ml|mm|cm|m|euros?|pounds|dollars|people|men|women|words?|pages?)\b)"
)
_SEPARATORS = "-/."
_Order = tuple[Part, Part, Part]
_NUMBERS = {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
# What a whole phrase may hold beside its date.
_LEAD = re.compile(r"(?i)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?")


def find_dates(text: str) -> Iterator[WrittenDate]:
    """Yield the dates of a text in order; none lies in another.

    >>> [date.readings for date in find_dates("12 March 2019, then 1988-1995")]
    [(Day(year=2019, month=3, day=12),), (Day(year=1988, month=0, day=0),)]
    """
    done = 0
    for number in _NUMBER.finditer(text):
        if number.start() >= done and (date := date_at(text, *number.span())) and date.readings:
            yield date
            done = date.end


def read_date(text: str) -> WrittenDate | None:
    """Read a phrase that is a date from its first to its last character, with its weekday if there is one.

    >>> read_date("Tuesday, 12 March 2019").readings, read_date("12 March 2019 in Rome")
    ((Day(year=2019, month=3, day=12),), None)
    """
    date = next(find_dates(text), None)
    if date is None or date.end < len(text.rstrip(". ")) or not _LEAD.fullmatch(text, 0, date.start):
        return None
    return date


def date_at(text: str, start: int, end: int) -> WrittenDate | None:
    """Read the number at `start` as part of a date or time, in the order of certainty of the forms."""
    previous = text[start - 1] if start else " "
    if previous.isalnum() or previous in "_$£€#" or end - start > 4:
        return None
    following = text[end : end + 1]
    found: WrittenDate | None = None
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


def month_number(name: str) -> int:
    """Number of a month by its name or abbreviation; 0 if it is none.

    >>> month_number("Sept"), month_number("Amarch")
    (9, 0)
    """
    return _NUMBERS.get(name[:3].lower(), 0)


def _day_first(text: str, start: int) -> WrittenDate | None:
    match = _DAY_FIRST.match(text, start)
    if match is None:
        return None
    name = match["month"]
    said = match["year"] or match["short"] or match["quoted"]
    # "Article 5 may", "a 3 mar": a lower-case month needs a year or an "of" to be one.
    if name.islower() and not said and not match["of"] and name not in PLAIN_MONTHS:
        return None
    return _named(match, said)


def _month_first(text: str, start: int) -> WrittenDate | None:
    word = word_before(text, start, skip=(" the ", " of "))
    if word is None or not month_number(text[word : word + 3]):
        return None
    match = _MONTH_FIRST.match(text, word)
    if match is None or match.end() <= start:
        return None
    said = match["year"] or match["short"] or match["alone"]
    if match["month"].islower() and not said and match["month"] not in PLAIN_MONTHS:
        return None
    return _named(match, said)


def _named(match: re.Match[str], said: str | None) -> WrittenDate | None:
    year, month = full_year(said) if said else 0, month_number(match["month"])
    first = Day(year, month, int(match["day"] or 0))
    last = Day(year, month, int(match["last_day"])) if match["last_day"] else None
    if (match["day"] and not valid(first)) or (last and not valid(last)):
        return None
    written = match.group()
    # A dot that ends the sentence is not the date's; that of "p.m." is.
    end = match.end() - (written[-1] == "." and written[-2:-1] not in "mM")
    return WrittenDate(match.start(), end, "named", (first,), last, places=_places(match))


_PARTS: dict[str, Part] = {
    "day": "day", "nth": "nth", "last_day": "day", "last_nth": "nth", "month": "month", "number": "number",
    "year": "year", "short": "year", "quoted": "year", "alone": "year", "last_year": "year",
}  # fmt: skip


def _places(match: re.Match[str]) -> tuple[Place, ...]:
    found = [
        Place(_PARTS[name], *match.span(name), name.startswith("last"))
        for name in match.re.groupindex
        if name in _PARTS and match[name]
    ]
    return tuple(sorted(found, key=lambda place: place.start))


def _numeric(text: str, start: int) -> WrittenDate | None:
    match = _NUMERIC.match(text, start)
    if match is None:
        return _month_year(text, start)
    names = ("y", "m", "d") if match["y"] else ("a", "b", "c")
    a, b, c = (match[name] for name in names)
    form: Form = "iso" if len(a) == 4 and len(c) <= 2 else "numeric"
    if form == "numeric" and not (len(a) <= 2 and len(c) in (2, 4)):
        return None
    readings: dict[Day, _Order] = {}
    for order in _orders(form, match["sep"]):
        said = dict(zip(order, (a, b, c), strict=True))
        day = Day(full_year(said["year"]), int(said["number"]), int(said["day"]))
        if valid(day):
            readings.setdefault(day, order)
    if not readings:
        return None
    likeliest = next(iter(readings.values()))
    places = tuple(Place(part, *match.span(name)) for part, name in zip(likeliest, names, strict=True))
    return WrittenDate(start, match.end(), form, tuple(readings), places=places)


def _orders(form: Form, mark: str | None) -> tuple[_Order, _Order]:
    """The likelier order first: the day comes before the month with points, after it with other marks."""
    if form == "iso":
        return ("year", "number", "day"), ("year", "day", "number")
    day_first: _Order = ("day", "number", "year")
    month_first: _Order = ("number", "day", "year")
    return (day_first, month_first) if mark == "." else (month_first, day_first)


def _month_year(text: str, start: int) -> WrittenDate | None:
    match = _MONTH_YEAR.match(text, start)
    if match is None or not 1 <= int(match["number"]) <= 12:
        return None
    day = Day(int(match["year"]), int(match["number"]), 0)
    return WrittenDate(start, match.end(), "month", (day,), places=_places(match))


def _year(text: str, start: int, previous: str) -> WrittenDate | None:
    """A year, decade or span of years, with the season before it."""
    match = _BARE_YEAR.match(text, start)
    if match is None or previous in "/.,:+" or (previous == "-" and not _joined(text, start)):
        return None
    words = words_before(text, start, 24)
    if not _LAWS.isdisjoint(words[-1:] if words[-1:] != ["of"] else words[-2:-1]):
        return None  # "the Fair Employment Act 1976": part of a law's name
    season = _SEASON.search(text, max(0, start - 20), start) if words and words[-1] in _SEASON_ENDS else None
    first, last = int(match["year"]), match["last_year"]
    until = Day(int(match["year"][: 4 - len(last)] + last), 0, 0) if last else None
    decade = bool(match["more"]) and not last and first % 10 == 0  # "1997's" is of that year
    begin = season.start() if season else start
    return WrittenDate(begin, match.end(), "year", (Day(first, 0, 0),), until, decade, _places(match))


def _joined(text: str, start: int) -> bool:
    return text[max(0, start - 6) : start].lower().endswith(_JOINED_TO_YEAR)


def tells_year(words: list[str]) -> bool:
    """Tell whether the words before say that a year follows: "in", "end of", "between 1990 and"."""
    last, second = words[-1:], words[-2:-1]
    if not last:
        return False
    if last[0] == "-":
        last = second
    linked = (last == ["and"] and "between" in words) or (last in (["to"], ["until"]) and "from" in words)
    return not _YEAR_CUES.isdisjoint(last) or (last == ["of"] and not _YEAR_OF.isdisjoint(second)) or linked


def _clock(text: str, start: int, following: str) -> WrittenDate | None:
    if not following or following not in ":. apAPo":
        return None
    match = _CLOCK.match(text, start)
    if match is None or int(match["hour"] or 0) > 24:
        return None
    return WrittenDate(start, match.end(), "clock")


def month_like(written: str, month: int) -> str:
    """Name of a month in the form in which another is written.

    >>> month_like("SEPT", 1), month_like("May", 3)
    ('JAN', 'March')
    """
    name = MONTHS[month - 1]
    # "May" is whole and short at once; it is taken as whole.
    if len(written) <= 4 and written.lower() not in ("may", "june", "july"):
        name = name[:3]
    return name.upper() if written.isupper() else name.lower() if written.islower() else name


def ordinal_ending(number: int) -> str:
    """Ending of an ordinal number.

    >>> [ordinal_ending(n) for n in (1, 2, 3, 11, 23, 112)]
    ['st', 'nd', 'rd', 'th', 'rd', 'th']
    """
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def write_date(text: str, date: WrittenDate, first: datetime.date, last: datetime.date | None = None) -> str:
    """Write other days in the form of a date; "" where the form cannot hold them (a span that leaves its month).

    >>> text = "on 3rd May, 1999"
    >>> write_date(text, next(find_dates(text)), datetime.date(2001, 6, 11))
    '11th June, 2001'
    """
    one_month = any(place.part == "month" for place in date.places)
    if last and one_month and (last.year, last.month) != (first.year, first.month):
        return ""
    pieces, done = [], date.start
    for place in date.places:
        old, day = text[place.start : place.end], last if place.until and last else first
        pieces += [text[done : place.start], _part(place.part, old, day)]
        done = place.end
    return "".join([*pieces, text[done : date.end]])


def _part(part: str, old: str, day: datetime.date) -> str:
    if part == "year":
        return f"{day.year % 100:02}" if len(old) == 2 else str(day.year)
    if part == "month":
        return month_like(old, day.month)
    if part == "nth":
        return ordinal_ending(day.day).upper() if old.isupper() else ordinal_ending(day.day)
    value = day.day if part == "day" else day.month
    return f"{value:02}" if len(old) == 2 else str(value)
