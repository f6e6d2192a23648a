"""`dates`: shift all dates of a person by the same secret number of weeks, or coarsen day, month, year, decade."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from tacenda.errors import UsageError
from tacenda.model import Candidate, Context, Mention
from tacenda.replace.ages import age_candidates
from tacenda.replace.keys import Key
from tacenda.term import normalize

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_SHORT = {name[:3].lower(): number for number, name in enumerate(_MONTHS, 1)}
_MONTH = r"(?P<month>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)\.?"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?P<nth>st|nd|rd|th)?"
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)"
_FORMS = (
    rf"\b{_DAY}(?: of)?[ -]{_MONTH},?[ -]{_YEAR}\b",
    rf"\b{_MONTH} {_DAY},? {_YEAR}\b",
    r"\b(?P<year>1[5-9]\d\d|20\d\d)-(?P<number>0?[1-9]|1[0-2])-(?P<day>0?[1-9]|[12]\d|3[01])\b",
    r"\b(?P<first>\d{1,2})(?P<mark>[/.-])(?P<second>\d{1,2})(?P=mark)(?P<year>1[5-9]\d\d|20\d\d|\d\d)\b",
    rf"\b{_MONTH},? (?:of )?{_YEAR}\b",
    rf"\b{_DAY}(?: of)? {_MONTH}(?![a-z])",
    rf"\b{_MONTH} {_DAY}\b",
    rf"\b{_YEAR}(?P<plural>s)?\b",
)
_PATTERNS = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
# Which years and months to reckon with where the text gives none: the middle of what is meant.
_SOME_YEAR = 2001
# Information of a date in bits, all days of a century being equally likely.
BITS = {"day": math.log2(36525), "month": math.log2(1200), "year": math.log2(100), "decade": math.log2(10)}

Change = Callable[["Written"], str]


class Written:
    """A date as it is written in a text: its parts, and the match that tells their places and form."""

    def __init__(self, match: re.Match[str]) -> None:
        self.match = match
        parts: Mapping[str, str | None] = match.groupdict()
        self.decade = bool(parts.get("plural"))
        self.year = _year(parts.get("year"))
        self.month, self.day, self.ambiguous = _month_and_day(parts)

    @property
    def date(self) -> datetime.date | None:
        """The day, or the middle of the month or year if no day is given; None: there is no such day."""
        try:
            return datetime.date(self.year or _SOME_YEAR, self.month or 7, self.day or (15 if self.month else 1))
        except ValueError:
            return None

    def rewritten(self, new: datetime.date) -> str:
        """The same form with another date."""
        parts, texts = self.match.groupdict(), {}
        for name, text in parts.items():
            if text is not None:
                texts[name] = self._part(name, text, new)
        pieces, position = [], self.match.start()
        for name in sorted(texts, key=self.match.start):
            pieces += [self.match.string[position : self.match.start(name)], texts[name]]
            position = self.match.end(name)
        return "".join([*pieces, self.match.string[position : self.match.end()]])

    def _part(self, name: str, text: str, new: datetime.date) -> str:
        if name == "year":
            return f"{new.year % 100:02}" if len(text) == 2 else str(new.year)
        if name == "month":
            return _month_like(text, new.month)
        if name == "nth":
            return _ordinal(new.day)
        if name in ("mark", "plural"):
            return text
        day = name == "day" or (name == "first") == self._day_first()
        value = new.month if name == "number" or not day else new.day
        return f"{value:02}" if len(text) == 2 else str(value)

    def _day_first(self) -> bool:
        return int(self.match["first"]) == self.day if "first" in self.match.re.groupindex else False


def _year(text: str | None) -> int:
    if text is None:
        return 0
    if len(text) == 2:
        return int(text) + (2000 if int(text) < 40 else 1900)
    return int(text)


def _month_and_day(parts: Mapping[str, str | None]) -> tuple[int, int, bool]:
    first, second = parts.get("first"), parts.get("second")
    if first and second:
        one, two = int(first), int(second)
        if one > 12 or (two <= 12 and parts.get("mark") == "."):
            return two, one, two <= 12 and one <= 12
        return one, two, two <= 12
    name, number, day = parts.get("month"), parts.get("number"), parts.get("day")
    month = _SHORT[name[:3].lower()] if name else int(number or 0)
    return month, int(day or 0), False


def _month_like(text: str, month: int) -> str:
    name = _MONTHS[month - 1]
    # "May" is whole and short at once; it is taken as whole.
    if len(text) <= 4 and text.lower() not in ("may", "june", "july"):
        name = name[:3]
    return name.upper() if text.isupper() else name.lower() if text.islower() else name


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def find_dates(text: str) -> list[Written]:
    """Dates in a text, in order, the fullest form of each."""
    found: list[Written] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            apart = all(match.end() <= f.match.start() or match.start() >= f.match.end() for f in found)
            if apart and (written := Written(match)).date is not None:
                found.append(written)
    return sorted(found, key=lambda written: written.match.start())


# "1999 episode": what is dated stays; a time of day goes.
_NOUN_AFTER = re.compile(r" ([a-z]{3,})$")
# What stands before a date inside a mention; of a span that becomes one decade, "between" becomes "in".
_LEAD = re.compile(r"(between|from|on|in|since|until|till|by|after|before|during|around) ", re.IGNORECASE)
_SPANS = frozenset(("between", "from", "on"))
_TIMES = frozenset("morning afternoon evening night noon midnight hours onwards".split())
_LEVELS = ("month", "year", "decade")


class Dates:
    """Shift or coarsen dates; ages over 89 become one class.

    mode        "shift": all dates of a document move by the same number of whole weeks, so intervals and weekdays stay;
                the number belongs to the person (what is known of the document's subject, else the document) and the
                key. "coarsen": month, year, decade.
    most_weeks  the farthest shift, either way
    finest      the most that a coarsened date may still tell: month, year or decade
    """

    name = "dates"

    def __init__(
        self,
        key: Key | None = None,
        *,
        mode: Literal["shift", "coarsen"] = "coarsen",
        most_weeks: int = 52,
        finest: Literal["month", "year", "decade"] = "month",
    ) -> None:
        if mode == "shift" and key is None:
            raise UsageError("Shifting dates needs a key: without one anybody could shift them back.")
        if most_weeks < 5:
            raise UsageError(f"most_weeks must be at least 5, or the shift is easily guessed; got {most_weeks}.")
        if finest not in _LEVELS:
            raise UsageError(f"finest is '{finest}'. Available: {', '.join(_LEVELS)}.")
        self._key, self.mode, self.most_weeks, self.finest = key, mode, most_weeks, finest

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the shifted date, or the coarser ones, nearest first; nothing for what is no date or age."""
        if mention.label == "AGE":
            return age_candidates(mention.text)
        found = find_dates(mention.text)
        if not found:
            return age_candidates(mention.text) if mention.label == "QUANTITY" else []
        if self.mode == "shift" and self._key is not None:
            return self._shifted(mention.text, found, self._days(self._key, context))
        return _coarser(mention.text, found, self.finest)

    def _days(self, key: Key, context: Context) -> int:
        document = context.document
        person = "|".join(sorted(map(normalize, document.known))) or document.id or document.digest
        least = 4  # a shift of a few weeks is soon guessed
        weeks = least + key.number(self.most_weeks - least + 1, "weeks", person)
        return 7 * weeks * (1 if key.number(2, "direction", person) else -1)

    def _shifted(self, text: str, found: list[Written], days: int) -> list[Candidate]:
        move = datetime.timedelta(days=days)

        def change(written: Written) -> str:
            date = written.date
            return written.match.group() if date is None else written.rewritten(date + move)

        made = _changed(text, found, change)
        # A year alone may stay the same year: then it is coarsened instead.
        return [Candidate(made, "date", _bits(found))] if made != text else _coarser(text, found, self.finest)


def _changed(text: str, found: list[Written], change: Change) -> str:
    pieces, position = [], 0
    for written in found:
        pieces += [text[position : written.match.start()], change(written)]
        position = written.match.end()
    return "".join([*pieces, text[position:]])


def _bits(found: list[Written]) -> float:
    return max(BITS[_level(written)] for written in found)


def _level(written: Written) -> str:
    if written.decade:
        return "decade"
    return "day" if written.day else "month" if written.month else "year"


def _coarser(text: str, found: list[Written], finest: str) -> list[Candidate]:
    made = []
    for level in _LEVELS[_LEVELS.index(finest) :]:
        if BITS[level] < _bits(found):
            pieces = {written: _at_level(written, level) for written in found}
            if all(pieces.values()):
                made.append(Candidate(_joined(text, pieces), "date", BITS[level]))
    return made


def _joined(text: str, pieces: Mapping[Written, str]) -> str:
    """One date, or dates that have become one: that alone, for a weekday or time of day beside it tells more."""
    distinct = list(dict.fromkeys(pieces.values()))
    if len(distinct) > 1:
        return _changed(text, list(pieces), pieces.__getitem__)
    noun = _NOUN_AFTER.match(text, max(written.match.end() for written in pieces))
    after = noun[0] if noun and noun[1] not in _TIMES else ""
    lead = _LEAD.match(text)
    word = lead[1] if lead else ""
    if word.lower() in _SPANS:
        word = "In" if word[0].isupper() else "in"
    return f"{word} {distinct[0]}{after}".lstrip()


def _at_level(written: Written, level: str) -> str:
    """A date at a coarser level, in its own form; empty where it does not say enough for that level."""
    if level == "month":
        if not written.month or written.ambiguous:
            return ""
        name = written.match.groupdict().get("month")
        month = _month_like(name, written.month) if name else _MONTHS[written.month - 1]
        return f"{month} {written.year}" if written.year else month
    if not written.year:
        return ""
    decade = f"the {written.year // 10 * 10}s"
    return str(written.year) if level == "year" and not written.decade else decade
