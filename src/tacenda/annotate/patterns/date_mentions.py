"""Dates, times, years and weekdays: how sure it is that each is one, by its form and the words before it."""

from __future__ import annotations

from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit
from tacenda.language import (
    CITED_DATE_WORDS,
    DATE_CUES,
    LONE_MONTH,
    PERSONAL_DATE_WORDS,
    PLAIN_MONTHS,
    WEEKDAY,
    date_at,
    tells_year,
)
from tacenda.language.around import words_before
from tacenda.language.calendar import WrittenDate

_BY_MARK = {"/": VALID, "-": LIKELY}


def find(text: str) -> Iterator[Hit]:
    """Yield weekdays and months that stand without a number."""
    for match in WEEKDAY.finditer(text):
        yield Hit(match.start(), match.end(), "DATETIME", FULL, "quasi")
    for match in LONE_MONTH.finditer(text):
        plain = match.group().lower() in PLAIN_MONTHS
        yield Hit(match.start(), match.end(), "DATETIME", LIKELY if plain else WEAK, "quasi")


def at_number(text: str, start: int, end: int) -> Hit | None:
    """The date, time or year that begins or ends with the number at `start`."""
    date = date_at(text, start, end)
    if date is None:
        return None
    if date.form == "year":
        # Safe Harbor lets a year stay, so its role is none.
        return Hit(date.start, date.end, "DATETIME", _year_confidence(text, start, date), "none")
    if date.form == "clock":
        half = text[date.end - 1].isalpha() or text[date.end - 1] == "."
        return Hit(date.start, date.end, "DATETIME", VALID if half else LIKELY, "quasi")
    confidence = VALID if date.form == "named" else _numeric_confidence(text, date)
    if confidence == VALID:
        words = words_before(text, date.start, 48)
        if not PERSONAL_DATE_WORDS.isdisjoint(words) and CITED_DATE_WORDS.isdisjoint(words[-6:]):
            confidence = FULL
    return Hit(date.start, date.end, "DATETIME", confidence, "quasi")


def _numeric_confidence(text: str, date: WrittenDate) -> float:
    cued = not DATE_CUES.isdisjoint(words_before(text, date.start, 24)[-4:])
    if date.form == "month":
        return VALID if cued else WEAK
    year = next(place for place in date.places if place.part == "year")
    if cued or year.end - year.start == 4:
        return FULL
    return _BY_MARK.get(text[date.places[0].end], WEAK)


def _year_confidence(text: str, start: int, date: WrittenDate) -> float:
    words = words_before(text, start, 24)
    if text[date.end - 1] == "s" or tells_year(words):
        return FULL
    return LIKELY if CITED_DATE_WORDS.isdisjoint(words) else WEAK
