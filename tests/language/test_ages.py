"""Ages in digits and words."""

from __future__ import annotations

import pytest

from tacenda.language import read_age
from tacenda.language.en.ages import find_ages


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a 45-year-old man", 45), ("aged 93", 93), ("Age: 7", 7), ("54 yo M", 54), ("she is 88 y/o", 88),
        ("ninety-two years old", 92), ("one hundred and four years old", 104), ("a seven-year-old", 7),
        ("turned 40 in", 40),
    ],
)  # fmt: skip
def test_found(text: str, value: int) -> None:
    assert [age.value for age in find_ages(text)] == [value]


@pytest.mark.parametrize("text", ["age 45%", "45 miles", "aged 1.5", "300 years old", "many years old", "$45-year-old"])
def test_not_found(text: str) -> None:
    assert not list(find_ages(text))


@pytest.mark.parametrize(
    ("text", "value"), [("93", 93), ("in his 40s, 45", 45), ("6 months", 0), ("3-week-old", 0), ("1.5", 0)]
)
def test_read_where_an_age_is_told(text: str, value: int) -> None:
    age = read_age(text)
    assert (age.value if age else 0) == value
