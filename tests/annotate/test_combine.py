"""Joining annotators: edges of names, phrases around mentions, least confidence."""

from __future__ import annotations

import pytest

from tacenda.annotate import combine
from tacenda.model import Annotation, Document, Mention


def entity(text: str, words: str, label: str = "PERSON") -> Mention:
    start = text.index(words)
    return Mention(start, start + len(words), words, label, "entity", "test")


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("Peter in", ["Peter"]),
        ("Bank of", ["Bank"]),
        ("Tel", []),
        ("the Bank of Leeds", ["Bank of Leeds"]),
        ("May", ["May"]),
    ],
)
def test_names_are_cut_to_what_names_somebody(marked: str, left: list[str]) -> None:
    text = f"So {marked} came."
    found = combine(Document(text), [Annotation((entity(text, marked),))])
    assert [m.text for m in found.mentions] == left
    assert all(text[m.start : m.end] == m.text for m in found.mentions)


def test_what_is_too_unsure_is_left_out() -> None:
    mention = Mention(0, 5, "Peter", "PERSON", "entity", "test", confidence=0.4)
    assert combine(Document("Peter came."), [Annotation((mention,))], confidence=0.5).mentions == ()


def test_mentions_know_the_phrase_around_them() -> None:
    text = "He saw an old HIV doctor."
    phrase = Mention(7, 24, "an old HIV doctor", "TERM")
    hiv = Mention(14, 17, "HIV", "PROTECTED", "protected")
    found = {m.text: m for m in combine(Document(text), [Annotation((phrase, hiv))]).mentions}
    assert found["HIV"].phrase == (10, 24)
    assert not found["HIV"].opens
    assert not found["HIV"].closes


@pytest.mark.parametrize(
    ("text", "words", "label"),
    [
        ("a quick call after the close", "after", "CODE"),
        ("(Please visit us)", "Please", "MISC"),
        ("Vitamin D 2000 IU daily", "2000", "DATETIME"),
        ("Reports 1996-V, p. 1641, and", "1641", "DATETIME"),
        ("\nConstitutional: denies fever\n", "Constitutional", "PERSON"),
    ],
)
def test_what_an_annotator_takes_for_a_name_and_is_a_word_of_every_text(text: str, words: str, label: str) -> None:
    assert combine(Document(text), [Annotation((entity(text, words, label),))]).mentions == ()


def test_a_heading_is_no_part_of_the_phrase_below_it() -> None:
    text = "Medical\nHypercholesterolemia."
    phrase = Mention(0, 28, "Medical\nHypercholesterolemia", "TERM")
    assert [m.text for m in combine(Document(text), [Annotation((phrase,))]).mentions][-1] == "Hypercholesterolemia"


def test_who_signs_and_who_is_greeted_are_two() -> None:
    text = "See you.\nCindy\nDavid, please call."
    found = combine(Document(text), [Annotation((entity(text, "Cindy\nDavid"),))]).mentions
    assert [m.text for m in found] == ["Cindy", "David"]
    wrapped = "a letter from Anna\nBergman about it"
    assert [m.text for m in combine(Document(wrapped), [Annotation((entity(wrapped, "Anna\nBergman"),))]).mentions] == [
        "Anna\nBergman"
    ]


@pytest.mark.parametrize(
    ("text", "words", "label"),
    [
        ("born in 1641, he", "1641", "DATETIME"),
        ("\nBest: I did not see it.\n", "Best", "PERSON"),
        ("his code is seven", "seven", "CODE"),
    ],
)
def test_what_may_be_a_name_or_a_number_stays(text: str, words: str, label: str) -> None:
    assert combine(Document(text), [Annotation((entity(text, words, label),))]).mentions
