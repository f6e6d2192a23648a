"""Sentences cover the text and end where a reader would end them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.language import sentences


@given(st.text(alphabet="aA1 .!?\n\"')", max_size=60), st.booleans())
def test_they_cover_all_but_space_in_order(text: str, lines: bool) -> None:
    spans = list(sentences(text, lines=lines))
    done = 0
    for start, end in spans:
        assert done <= start < end
        assert not text[done:start].strip()
        assert text[start:end] == text[start:end].strip()
        done = end
    assert not text[done:].strip()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Mr. Smith met Dr. A. B. Jones at St. Mary's. He left.", 2),
        ('"Stop!" he cried. "Why?" She laughed.', 3),
        ("It cost 3.50 dollars. 12 people came.", 2),
        ("The U.S. Navy came.", 1),
        ("one line\nanother line", 2),
        ("", 0),
    ],
)
def test_counted(text: str, count: int) -> None:
    assert len(list(sentences(text))) == count


def test_time_is_linear() -> None:
    began = time.perf_counter()
    for text in (" " * 200_000, "." * 200_000, ". " * 100_000, "\n" * 200_000, "a. " * 70_000):
        list(sentences(text))
    assert time.perf_counter() - began < 5
