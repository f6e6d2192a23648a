"""Dates: shifted with their intervals, coarsened step by step, written as before."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import UsageError
from tacenda.language import find_dates
from tacenda.model import Context, Document, Mention
from tacenda.replace.date_shift import Dates
from tacenda.replace.keys import Key

KEY = Key(b"k" * 32)
CONTEXT = Context(Document("x", id="letter", known=("John Smith",)))


def run(text, replacer, label="DATETIME", context=CONTEXT):
    return [c.text for c in replacer.candidates(Mention(0, len(text), text, label), context)]


COARSE = Dates()
SHIFT = Dates(KEY, mode="shift")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 March 2019", ["March 2019", "2019", "the 2010s"]),
        ("March 12, 2019", ["March 2019", "2019", "the 2010s"]),
        ("2019-03-12", ["March 2019", "2019", "the 2010s"]),
        ("Mar 3, 1990", ["Mar 1990", "1990", "the 1990s"]),
        ("Tuesday, 12 March 2019 at 10:30", ["March 2019", "2019", "the 2010s"]),
        ("14.03.2019", ["March 2019", "2019", "the 2010s"]),
        ("03/04/2019", ["2019", "the 2010s"]),  # April or March: the month would be a guess
        ("March 2019", ["2019", "the 2010s"]),
        ("2019", ["the 2010s"]),
        ("12 March", ["March"]),
        ("1988-1995", ["the 1980s-the 1990s"]),
        ("between 2012 and 2018", ["in the 2010s"]),
        ("1999 episode", ["the 1990s episode"]),
        ("the 1990s", ["the 1990s"]),
        ("yesterday", []),
    ],
)
def test_coarsen(text, expected):
    assert run(text, COARSE) == expected


def test_coarser_dates_hold_fewer_bits():
    bits = [c.bits for c in COARSE.candidates(Mention(0, 13, "12 March 2019", "DATETIME"), CONTEXT)]
    assert bits == sorted(bits, reverse=True)


DAYS = st.dates(datetime.date(1900, 6, 1), datetime.date(2090, 6, 1))
FORMS = ["{d:%Y-%m-%d}", "{d.day} {d:%B} {d.year}", "{d:%B} {d.day}, {d.year}", "{d:%A}, {d.day} {d:%B} {d.year}"]


@given(DAYS, DAYS, st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_shift_keeps_intervals_and_weekdays(one, two, form, other):
    (first,), (second,) = run(form.format(d=one), SHIFT), run(other.format(d=two), SHIFT)
    moved = [next(find_dates(text)).readings[0].date for text in (first, second)]
    assert moved[0] - moved[1] == one - two
    assert moved[0] != one
    assert (moved[0] - one).days % 7 == 0


@pytest.mark.parametrize(
    "text", ["the 3rd of May, 2020", "12 MARCH 2019", "3/14/19", "14.03.2019", "13-Apr-1999", "Sept. 2019"]
)
def test_shift_keeps_the_written_form(text):
    (made,) = run(text, SHIFT)
    assert made != text
    shape = ["9" if c.isdigit() else "a" if c.isalpha() else c for c in made]
    marks = [c for c in shape if c not in "9a"]
    assert marks == [c for c in text if not c.isalnum()]
    assert made.isupper() == text.isupper()


def test_shift_belongs_to_the_person_and_the_key():
    (mine,) = run("2019-03-12", SHIFT)
    (again,) = run("2019-03-12", SHIFT, context=Context(Document("other text", id="second", known=("john smith",))))
    assert mine == again
    others = {run("2019-03-12", SHIFT, context=Context(Document("x", known=(f"person {i}",))))[0] for i in range(30)}
    assert len(others) > 10
    assert run("2019-03-12", Dates(Key(b"z" * 32), mode="shift")) != [mine]


def test_a_year_that_would_stay_is_coarsened():
    assert run("1990", SHIFT) in (["1989"], ["1991"], ["the 1990s"])
    assert "1990" not in run("1990", SHIFT)


def test_shift_needs_a_key():
    with pytest.raises(UsageError, match="needs a key"):
        Dates(mode="shift")
    with pytest.raises(UsageError, match="at least 5"):
        Dates(KEY, mode="shift", most_weeks=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("93-year-old", ["over-89-year-old"]),
        ("aged 90", ["aged over 89"]),
        ("101 years old", ["over 89 years old"]),
        ("89", ["80 to 89"]),
        ("45-year-old", ["40-to-49-year-old"]),
        ("6 months", []),
        ("elderly", []),
    ],
)
def test_ages(text, expected):
    assert run(text, COARSE, label="AGE") == expected


def test_all_ages_over_89_are_one_class():
    assert len({run(f"{age} years old", COARSE, label="AGE")[0] for age in range(90, 120)}) == 1
