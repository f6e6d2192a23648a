"""`dates`: shift all dates of a person by the same secret number of weeks, or coarsen day, month, year, decade."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Mapping
from typing import Literal

from tacenda.errors import UsageError
from tacenda.language import MONTHS, find_dates, month_like, write_date
from tacenda.language.calendar import WrittenDate
from tacenda.model import Candidate, Context, Mention
from tacenda.replace.age_classes import age_candidates
from tacenda.replace.keys import Key
from tacenda.term import normalize

# Information of a date in bits, all days of a century being equally likely.
BITS = {"day": math.log2(36525), "month": math.log2(1200), "year": math.log2(100), "decade": math.log2(10)}

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
            raise UsageError("Shifting dates needs a key: without one, anyone could shift them back.")
        if most_weeks < 5:
            raise UsageError(f"most_weeks must be at least 5, or the shift is easily guessed; got {most_weeks}.")
        if finest not in _LEVELS:
            raise UsageError(f"finest is '{finest}'. Available: {', '.join(_LEVELS)}.")
        self._key, self.mode, self.most_weeks, self.finest = key, mode, most_weeks, finest

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the shifted date, or the coarser ones, nearest first; nothing for what is no date or age."""
        if mention.label == "AGE":
            return age_candidates(mention.text)
        found = list(find_dates(mention.text))
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

    def _shifted(self, text: str, found: list[WrittenDate], days: int) -> list[Candidate]:
        move = datetime.timedelta(days=days)

        def moved(written: WrittenDate) -> str:
            if written.decade:
                return text[written.start : written.end]  # some weeks more or less are the same decade
            first, until = written.readings[0].date + move, written.until
            return write_date(text, written, first, until.date + move if until else None)

        made = [moved(written) for written in found]
        if not all(made):
            return _coarser(text, found, self.finest)
        shifted = _changed(text, dict(zip(found, made, strict=True)))
        # A year alone may stay the same year: then it is coarsened instead.
        return [Candidate(shifted, "date", _bits(found))] if shifted != text else _coarser(text, found, self.finest)


def _changed(text: str, pieces: Mapping[WrittenDate, str]) -> str:
    made, position = [], 0
    for written, piece in pieces.items():
        made += [text[position : written.start], piece]
        position = written.end
    return "".join([*made, text[position:]])


def _bits(found: list[WrittenDate]) -> float:
    return max(BITS[_level(written)] for written in found)


def _level(written: WrittenDate) -> str:
    if written.decade:
        return "decade"
    reading = written.readings[0]
    return "day" if reading.day else "month" if reading.month else "year"


def _coarser(text: str, found: list[WrittenDate], finest: str) -> list[Candidate]:
    made = []
    for level in _LEVELS[_LEVELS.index(finest) :]:
        if BITS[level] < _bits(found):
            pieces = {written: _at_level(text, written, level) for written in found}
            if all(pieces.values()):
                made.append(Candidate(_joined(text, pieces), "date", BITS[level]))
    if not made and all(written.decade for written in found):
        return [Candidate(text, "date", BITS["decade"])]  # as coarse as can be already
    return made


def _joined(text: str, pieces: Mapping[WrittenDate, str]) -> str:
    """One date, or dates that have become one: that alone, for a weekday or time of day beside it tells more."""
    distinct = list(dict.fromkeys(pieces.values()))
    if len(distinct) > 1:
        return _changed(text, pieces)
    noun = _NOUN_AFTER.match(text, max(written.end for written in pieces))
    after = noun[0] if noun and noun[1] not in _TIMES else ""
    lead = _LEAD.match(text)
    word = lead[1] if lead else ""
    if word.lower() in _SPANS:
        word = "In" if word[0].isupper() else "in"
    return f"{word} {distinct[0]}{after}".lstrip()


def _at_level(text: str, written: WrittenDate, level: str) -> str:
    """A date at a coarser level, in its own form; empty where it does not say enough for that level."""
    first, last = written.readings[0], written.until or written.readings[0]
    if level == "month":
        if not first.month or written.ambiguous:
            return ""
        name = next((text[place.start : place.end] for place in written.places if place.part == "month"), "")
        month = month_like(name, first.month) if name else MONTHS[first.month - 1]
        return f"{month} {first.year}" if first.year else month
    if not first.year:
        return ""
    if level == "year" and not written.decade:
        return str(first.year)
    decades = list(dict.fromkeys(f"the {year // 10 * 10}s" for year in (first.year, last.year)))
    return "-".join(decades)
