"""Words found on bytes, many at once, are those found one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import term
from tacenda.knowledge.index import cut

PARTS = st.lists(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet="aB9'_-é’ \n\tsS\ud800", max_size=40),
        st.lists(st.sampled_from(["immunodeficiency", "immunodeficiencies", "HIV", "a", "x" * 40]), max_size=6).map(
            " ".join
        ),
    ),
    max_size=6,
)


def by_one(parts: list[str]) -> tuple[list[list[str]], list[bytes]]:
    plain = [text for part in parts if (text := term.written_text(part)) is not None]
    wanted = [words for words, written in map(term.written_words, parts) if written]
    return wanted, [text.encode("utf-8", "surrogatepass") for text in plain]


def check(parts: list[str]) -> None:
    wanted, plain = by_one(parts)
    known: dict[str, int] = {}
    numbers, sizes = cut.numbered(plain, lambda word: known.setdefault(word, len(known)))
    words = list(known)
    assert sizes.tolist() == [len(part) for part in wanted]
    assert [words[n] for n in numbers] == [word for part in wanted for word in part]


@given(PARTS)
def test_the_same_words_as_one_at_a_time(parts: list[str]) -> None:
    check(parts)


def test_each_different_word_is_asked_once() -> None:
    asked: list[str] = []
    cut.numbered([b"one two one", b"two immunodeficiency immunodeficiency"], lambda w: asked.append(w) or len(asked))
    assert sorted(asked) == ["immunodeficiency", "one", "two"]


def test_words_with_equal_hashes_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut, "_mixed", lambda data, starts, lengths: np.zeros(len(starts), dtype=np.uint64))
    check(["immunodeficiency immunodeficienc1 one", "two one"])
    check(["", " - "])
