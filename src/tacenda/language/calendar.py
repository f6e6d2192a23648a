"""A date as it is written, in any language: what it reads as, and where its day, month and year stand."""

from __future__ import annotations

import calendar
import datetime
from dataclasses import dataclass
from typing import Literal, NamedTuple

# named: with the name of a month; numeric: digits only; iso: digits, the year first; month: month and year in digits;
# year: a year, decade or span of years; clock: a time of day
Form = Literal["named", "numeric", "iso", "month", "year", "clock"]
Part = Literal["day", "nth", "month", "number", "year"]
_MONTH_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SOME_YEAR = 2001  # to reckon with where the text gives no year


class Day(NamedTuple):
    """A reading of a written date; 0 where it does not say."""

    year: int
    month: int
    day: int

    @property
    def date(self) -> datetime.date:
        """The day, or the middle of the month or year if no day is given."""
        return datetime.date(self.year or _SOME_YEAR, self.month or 7, self.day or (15 if self.month else 1))


class Place(NamedTuple):
    """Where a part of a date stands.

    part        day, nth ("rd" of "3rd"), month (its name), number (of the month), year
    until       it belongs to the end of a span
    """

    part: Part
    start: int
    end: int
    until: bool = False


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date, span of dates or time of day in a text.

    readings    how it can be read, the likelier first; none for a time of day
    until       the end of a span: 14 March of "12-14 March", 1995 of "1988-1995"
    decade      "1990s"
    places      where its parts stand, in order; empty for a time of day
    """

    start: int
    end: int
    form: Form
    readings: tuple[Day, ...] = ()
    until: Day | None = None
    decade: bool = False
    places: tuple[Place, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether the month cannot be told: 03/04/2019 is in March or in April. ISO dates are not."""
        return self.form != "iso" and len({reading.month for reading in self.readings}) > 1


def valid(day: Day) -> bool:
    """Tell whether the calendar has such a day (29 February is allowed where the year is not said).

    >>> valid(Day(2019, 2, 29)), valid(Day(0, 2, 29))
    (False, True)
    """
    if not 1 <= day.month <= 12 or not 1500 <= (day.year or 2000) <= 2099:
        return False
    if day.month == 2 and day.day == 29:
        return not day.year or calendar.isleap(day.year)
    return 1 <= day.day <= _MONTH_DAYS[day.month]


def full_year(digits: str) -> int:
    """Year of two or four digits: 30 to 99 are of the last century."""
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 30 else 1900)
