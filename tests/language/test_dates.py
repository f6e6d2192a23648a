"""Dates are read as the calendar has them and written back in their own form."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.language import find_dates, read_date, write_date
from tacenda.language.calendar import Day

FORMS = (
    "{d:%Y-%m-%d}", "{d.day} {d:%B} {d.year}", "{d:%B} {d.day}, {d.year}", "{d:%d.%m.%Y}", "{d:%d}-{d:%b}-{d.year}",
    "{d:%A}, {d.day} {d:%B} {d.year}", "{d:%B} {d.year}", "{d.year}",
)  # fmt: skip
DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31))


@given(
    DAYS, st.sampled_from(FORMS), st.sampled_from(["", "Seen on ", "born "]), st.sampled_from(["", ".", " and left"])
)
def test_a_date_is_found_read_and_written_back(day: datetime.date, form: str, before: str, after: str) -> None:
    text = before + form.format(d=day) + after
    (date,) = find_dates(text)
    reading = date.readings[0]
    assert reading.year == day.year
    assert reading.month in (0, day.month) or date.ambiguous
    if reading.day and not date.ambiguous:
        assert reading.date == day
        assert write_date(text, date, day) == text[date.start : date.end]


@given(DAYS, DAYS, st.sampled_from(FORMS[:4]))
def test_another_day_is_written_in_the_same_form(day: datetime.date, other: datetime.date, form: str) -> None:
    text = form.format(d=day)
    made = write_date(text, next(find_dates(text)), other)
    assert other in {reading.date for reading in next(find_dates(made)).readings}


@pytest.mark.parametrize(
    ("text", "first", "until"),
    [
        ("12-14 March 2019", Day(2019, 3, 12), Day(2019, 3, 14)),
        ("March 5 and 7, 1990", Day(1990, 3, 5), Day(1990, 3, 7)),
        ("1988-1995", Day(1988, 0, 0), Day(1995, 0, 0)),
        ("1998/99", Day(1998, 0, 0), Day(1999, 0, 0)),
        ("May 5 and 60 others", Day(0, 5, 5), None),
        ("mid-1990s", Day(1990, 0, 0), None),
    ],
)
def test_spans(text: str, first: Day, until: Day | None) -> None:
    (date,) = find_dates(text)
    assert (date.readings[0], date.until) == (first, until)


def test_a_span_that_leaves_its_month_cannot_be_written() -> None:
    text = "12-14 March 2019"
    (date,) = find_dates(text)
    assert write_date(text, date, datetime.date(2019, 4, 2), datetime.date(2019, 4, 4)) == "02-04 April 2019"
    assert write_date(text, date, datetime.date(2019, 4, 30), datetime.date(2019, 5, 2)) == ""


def test_only_a_decade_is_a_decade() -> None:
    assert next(find_dates("the 1990's")).decade
    assert not next(find_dates("in 1997's film")).decade


@pytest.mark.parametrize("text", ["31.02.2019", "the Employment Act 1976", "Room 1304.5", "$1990", "5 may rise"])
def test_no_dates(text: str) -> None:
    assert not list(find_dates(text))


@pytest.mark.parametrize("text", ["12 March 2019 in Rome", "31 February 2019", "from 2019", ""])
def test_a_phrase_with_more_is_not_read_as_a_date(text: str) -> None:
    assert read_date(text) is None
