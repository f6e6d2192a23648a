"""The normalizer: golden forms, and properties that every stage relies on."""

from __future__ import annotations

import itertools

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tacenda import term
from tacenda.knowledge.index.word_forms import word_forms

TEXT = st.text(max_size=200)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Smith", "smith"),
        ("SMÍTH", "smith"),
        ("Ｓｍｉｔｈ", "smith"),
        ("Sm\u200bith", "smith"),
        ("Sm\u00adith", "smith"),
        ("Smіth", "smith"),  # Cyrillic і
        ("ﬁre", "fire"),
        ("straße", "strasse"),
        ("O’Brien", "o'brien"),
        ("e\u0301", "e"),
    ],
)
def test_fold_undoes_unicode_dress(written: str, folded: str) -> None:
    assert term.fold(written) == folded


@given(TEXT)
def test_offsets_lead_back_to_the_character(text: str) -> None:
    folded, offsets = term.fold_with_offsets(text)
    assert len(offsets) == len(folded) + 1
    assert offsets[-1] == len(text)
    assert all(a <= b for a, b in itertools.pairwise(offsets))
    for i, c in enumerate(folded):
        assert c in term.fold(text[offsets[i]])


@given(TEXT)
def test_tokens_and_words_agree(text: str) -> None:
    found = list(term.tokens(text))
    assert [t.word for t in found] == term.words(text)
    assert all(0 <= t.start < t.end <= len(text) for t in found)


@given(TEXT)
def test_case_and_width_do_not_change_the_words(text: str) -> None:
    assert term.words(text.swapcase().casefold()) == term.words(text.casefold())


def test_acronyms_are_kept_apart() -> None:
    assert term.normalize("AIDS") != term.normalize("aids")
    assert term.normalize("LA") != term.normalize("la")
    assert [t.key for t in term.tokens("HIV and Hiv")] == ["HIV", "and", "hiv"]


@pytest.mark.parametrize(
    "one", ["city", "box", "drug", "child", "diagnosis", "disease", "church", "virus", "wife", "toe", "nurse"]
)
def test_plural_and_singular_are_inverse(one: str) -> None:
    assert term.singular(term.plural(one)) == one


@pytest.mark.parametrize("word", ["diabetes", "aids", "hepatitis", "virus", "news", "series", "gas", "us"])
def test_words_that_only_look_plural_stay(word: str) -> None:
    assert term.singular(word) == word


def test_normalize_drops_stop_words_but_never_all() -> None:
    assert term.normalize("the history of the patients") == "history patient"
    assert term.normalize("the") == "the"


def test_digits_stay_with_their_letters() -> None:
    assert term.words("CD4 B12") == ["cd4", "b12"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the U.S. Senate", ["the", "US", "senate"]),
        ("J.R.R. Tolkien", ["JRR", "tolkien"]),
        ("in the U.S.", ["in", "the", "US"]),
        ("U.S.A", ["USA"]),
        ("at 9 a.m. sharp", ["at", "9", "a", "m", "sharp"]),
        ("Plan A.I like", ["plan", "a", "i", "like"]),
        ("E.g. this", ["e", "g", "this"]),
    ],
)
def test_dotted_initials_are_acronyms(text, expected):
    assert [token.key for token in term.tokens(text)] == expected
    words, written = term.written_words(text)
    assert [term.written_key(word) if written else word for word in words] == expected
    for token in term.tokens(text):
        assert term.fold(text[token.start : token.end].replace(".", "")) == token.word


def test_names_are_not_singularized():
    assert term.content_words("Steve Jobs", name=True) == ("steve", "Jobs")
    assert term.content_words("Orson Welles", name=True) == ("orson", "Welles")
    assert term.content_words("new jobs") == ("new", "job")
    assert not {"job", "welle"} & {form for word in ("Jobs", "Welles") for form in word_forms(word)}
