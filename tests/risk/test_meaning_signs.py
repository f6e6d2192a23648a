"""The lexicon: what is found, what is a look-alike, and that it is fit to be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.model import Protected
from tacenda.risk.meaning.signs import (
    NOT,
    STRONG,
    WEAK,
    Category,
    Lexicon,
    categories,
    category_named,
    without_everyday,
    words,
)

SMALL = Category(
    "drink",
    "A person drinks.",
    ("drink",),
    ((STRONG, "AA"), (STRONG, "fell off ... wagon"), (STRONG, "alcoholi*"), (WEAK, "sponsor"), (NOT, "AA batter*")),
)


def found(text: str) -> set[tuple[str, int]]:
    tokens = words(text)
    return {(text[tokens[a].start : tokens[b - 1].end], kind) for a, b, _, kind in Lexicon([SMALL]).find(tokens)}


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("He goes to AA.", {("AA", STRONG)}),
        ("He goes to aa.", set()),  # a sign with capitals matches as written
        ("AA batteries", {("AA", STRONG), ("AA batteries", NOT)}),
        ("He FELL off that old wagon.", {("FELL off that old wagon", STRONG)}),
        ("He fell off the big old red painted wagon.", set()),  # a gap is three words at most
        ("an alcoholic's sponsor's car", {("alcoholic's", STRONG), ("sponsor's", WEAK)}),
        ("nonalcoholic", set()),
        ("", set()),
    ],
)
def test_finds_signs(text: str, signs: set[tuple[str, int]]) -> None:
    assert found(text) == signs


@given(st.text(max_size=80))
def test_words_lie_where_they_say(text: str) -> None:
    for word in words(text):
        assert text[word.start : word.end].replace("’", "'") == word.text


def test_every_shipped_sign_is_found_in_itself() -> None:
    for category in categories():
        lexicon = Lexicon([category])
        for kind, phrase in category.signs:
            plain = phrase.replace(" *", " 802").replace("*", "").replace(" ... ", " ")
            hits = {k for _, _, _, k in lexicon.find(words(plain))}
            assert kind in hits or not words(plain), (category.name, phrase)


def test_names_of_policies_meet_their_category() -> None:
    assert category_named("HIV").name == "HIV"  # type: ignore[union-attr]
    assert category_named("ethnic group").name == "racial or ethnic origin"  # type: ignore[union-attr]
    assert category_named("left-handedness") is None


def test_everyday_names_are_withheld() -> None:
    entry = without_everyday(Protected("sexually transmitted disease", forms=("gonorrhea", "clap")))
    assert entry.forms == ("gonorrhea",)
    capitals = without_everyday(Protected("HIV", forms=("AIDS", "HIV disease")))
    assert (capitals.forms, capitals.signs) == (("HIV disease",), ("AIDS",))
    other = Protected("left-handedness", forms=("clap",))
    assert without_everyday(other) is other
