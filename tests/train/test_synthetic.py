"""Texts of our own: slots are filled, labels stand where their words stand."""

import random
import re

import pytest

from train.example import TYPES
from train.synthetic import Writer, templates

POOLS = {"first": ["Ann"], "last": ["Berg"], "place": ["Oslo"], "country": ["France"]}


def labeled(text: str) -> list[tuple[str, tuple[str, ...]]]:
    example = Writer(random.Random(1), POOLS).write(text, "syn")
    return [(example.text[a:b], kinds) for a, b, kinds in example.entities]


def test_words_labeled_as_they_stand_with_slots_inside():
    found = labeled("He is <DEM:q mayor of Bergen> and <ORG:q Bank of {Bergen|Bergen}>.")
    assert found == [("mayor of Bergen", ("DEM",)), ("Bank of Bergen", ("ORG",))]


def test_a_numbered_person_is_the_same_throughout():
    names = labeled("{fullname1:d} left. {surname1:d} and {first1:d} came back.")
    full, last, first = (text for text, _ in names)
    assert full == f"{first} {last}"


def test_what_is_unsure_may_be_nothing():
    example = Writer(random.Random(1), POOLS).write("a <MISC:? dove on a poster> and {year:n}", "syn")
    assert example.entities[0][2] == ("MISC", "O")
    assert [role for _, _, role in example.masks] == ["?"]


@pytest.mark.parametrize("group", sorted({group for group, _ in templates()}))
def test_every_text_can_be_filled(group):
    writer = Writer(random.Random(2), POOLS)
    for text in (text for name, text in templates() if name == group):
        example = writer.write(text, group)
        # Braces of JSON stay; a slot that nothing fills would stay with its name or its role.
        assert not re.search(r"\{\w+(:[dqn?])?\}|\b[a-z]+\d*:[dqn?](?!\w)|<[A-Z]+:", example.text)
        assert {kind for _, _, kinds in example.entities for kind in kinds} <= {*TYPES, "O"}
        assert all(example.text[a:b].strip() == example.text[a:b] for a, b, _ in example.entities)
