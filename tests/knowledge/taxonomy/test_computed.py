"""Computed ladders: what is recognized, what the rungs are, and that each lies inside the next."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.knowledge.taxonomy.computed import ages, dates, numbers


@pytest.mark.parametrize(
    "term",
    [
        "12 March 2019",
        "March 12, 2019",
        "12th of March 2019",
        "Tuesday, 12 March 2019",
        "2019-03-12",
        "13/03/2019",
        "12 Mar. 2019",
    ],
)
def test_days_climb_to_month_year_decade_century(term: str) -> None:
    assert [r.name for r in dates(term)] == ["March 2019", "2019", "the 2010s", "the 21st century", "date"]


def test_days_are_counted() -> None:
    assert [r.volume for r in dates("29 February 2020")] == [29, 366, 3653, 36525, 73049]
    assert dates("12 March 2019")[0].bits == pytest.approx(math.log2(73049 / 31))


def test_a_date_that_reads_two_ways_has_no_month() -> None:
    assert dates("03/12/2019")[0].name == "2019"
    assert dates("03/03/2019")[0].name == "March 2019"


@pytest.mark.parametrize(
    ("term", "first"),
    [("March 2019", "2019"), ("2019", "the 2010s"), ("the 1990s", "the 20th century"), ("1905", "the 1900s")],
)
def test_coarser_dates_start_higher(term: str, first: str) -> None:
    assert dates(term)[0].name == first


@pytest.mark.parametrize("term", ["31 February 2019", "2019-13-40", "May", "march", "99/99/2019", ""])
def test_what_is_no_date_has_no_ladder(term: str) -> None:
    assert dates(term) == ()


@pytest.mark.parametrize(
    ("term", "names"),
    [
        ("34-year-old", ["person aged 30 to 34", "person in their thirties", "adult", "person"]),
        ("aged 34", ["aged 30 to 34", "in their thirties", "adult", "person"]),
        ("92 years old", ["person aged 90 or over", "adult", "person"]),
        ("103-year-old", ["person aged 90 or over", "adult", "person"]),
        ("age 7", ["aged 5 to 9", "child under ten", "young person", "person"]),
        ("15 yo", ["person aged 15 to 19", "teenager", "young person", "person"]),
        ("6-month-old", ["infant", "young person", "person"]),
    ],
)
def test_ages(term: str, names: list[str]) -> None:
    assert [r.name for r in ages(term)] == names


@given(st.integers(90, 130))
def test_ages_over_89_are_one_class(age: int) -> None:
    assert ages(f"{age}-year-old") == ages("90-year-old")


def test_numbers() -> None:
    assert [r.name for r in numbers("1,534")] == ["1,500 to 1,599", "1,000 to 1,999", "number of four digits", "number"]
    assert [r.name for r in numbers("$145 million")][:2] == ["$140 to $149 million", "$100 to $199 million"]
    assert numbers("12%")[-1].name == "percentage"
    # log10(1600/1500) of 12 decades.
    assert numbers("1534")[0].bits == pytest.approx(-math.log2(math.log10(1600 / 1500) / 12))


@given(st.integers(0, 10**15))
def test_every_rung_holds_the_one_before(number: int) -> None:
    rungs = numbers(str(number))
    assert [r.bits for r in rungs] == sorted((r.bits for r in rungs), reverse=True)
    assert [r.volume for r in rungs] == sorted(r.volume for r in rungs)


@given(st.dates())
def test_every_date_narrows_from_rung_to_rung(day: object) -> None:
    rungs = dates(str(day))
    assert [r.volume for r in rungs] == sorted(r.volume for r in rungs)
