"""Edges of names, fragments, titles, drugs, and one role for an entity."""

from __future__ import annotations

import pytest

from tacenda.annotate import combine
from tacenda.annotate.name_edges import one_role, tidied, without_eponyms
from tacenda.model import Annotation, Document, Mention


def entities(text: str, *marked: tuple[str, str]) -> list[Mention]:
    """Mentions of the given words, in reading order; of repeated words the first after the one before."""
    found, at = [], 0
    for words, label in marked:
        start = text.index(words, at)
        at = start + len(words)
        found.append(Mention(start, at, words, label, "entity", "test", role="quasi"))
    return found


@pytest.mark.parametrize(
    ("text", "marked", "left"),
    [
        ("Seen by Dr. John T. today.", [("John T", "PERSON")], ["Dr. John T"]),
        ("in Ann Reed's period epic", [("Ann Reed's period epic", "PERSON")], ["period epic", "Ann Reed"]),
        ("St. Mary O'Shea left", [("Mary O'Shea", "PERSON")], ["Mary O'Shea"]),
        ("Helen Marsh, MD", [("Helen Marsh", "PERSON"), ("MD", "LOC")], ["Helen Marsh"]),
        ("Baltimore, MD", [("Baltimore", "LOC"), ("MD", "LOC")], ["Baltimore", "MD"]),
        ("She saw Mrs  Reed.", [("Reed", "PERSON")], ["Mrs  Reed"]),
        ("The major Reed deal.", [("Reed", "PERSON")], ["Reed"]),
        ("Ask Mary E. about it.", [("Mary E", "PERSON")], ["Mary E"]),
        ("He read The Lord of the Rings.", [("The Lord of", "MISC"), ("the Rings", "MISC")], ["The Lord of the Rings"]),
        ("Films: Heat, Ronin.", [("Heat", "MISC"), ("Ronin", "MISC")], ["Heat", "Ronin"]),
        (
            "At Mayo Clinic in Rochester.",
            [("Mayo Clinic in", "ORG"), ("Rochester", "LOC")],
            ["Mayo Clinic", "Rochester"],
        ),
        ("Sent to St. Vincent's now.", [("St. Vincent's", "ORG")], ["St. Vincent's"]),
        ("It is Smith's dog.", [("Smith's", "PERSON")], ["Smith"]),
        ("Effects of Losartan?", [("Losartan", "PERSON")], []),
        ("Effects of Losartan?", [("Losartan", "ORG")], []),
        ("Ask Dr Losartan now.", [("Losartan", "PERSON")], ["Dr Losartan"]),
        ("April Sartan came.", [("April Sartan", "PERSON")], ["April Sartan"]),
    ],
)
def test_names_as_they_should_stand(text: str, marked: list[tuple[str, str]], left: list[str]) -> None:
    found = list(tidied(text, entities(text, *marked)))
    assert [m.text for m in found] == left
    assert all(text[m.start : m.end] == m.text for m in found)


def test_other_mentions_pass_untouched() -> None:
    term = Mention(0, 6, "in bed", "TERM")
    number = Mention(0, 8, "Losartan", "RECORD", "identifier")
    assert list(tidied("Losartan", [term, number])) == [term, number]


def test_an_entity_has_its_strongest_role() -> None:
    roles = ("none", "quasi", "none")
    numbers = (0, 0, 1)
    mentions = [
        Mention(n, n + 1, "x", "LOC", "entity", role=r, entity=e)
        for n, (r, e) in enumerate(zip(roles, numbers, strict=True))
    ]
    assert [m.role for m in one_role(mentions)] == ["quasi", "quasi", "none"]


def test_one_masked_mention_masks_all() -> None:
    text = "Leeds is old. He was born in Leeds."
    first, second = entities(text, ("Leeds", "LOC"), ("Leeds", "LOC"))
    plain = Mention(first.start, first.end, first.text, "LOC", "entity", "test", role="none")
    found = combine(Document(text), [Annotation((plain, second))]).mentions
    assert [m.role for m in found if m.kind == "entity"] == ["quasi", "quasi"]


DISEASES = {"Friedreich ataxia", "tetralogy of Fallot", "Tay-Sachs disease", "Parkinson's disease", "Lewy body type"}


@pytest.mark.parametrize(
    ("text", "name", "kept"),
    [
        ("He has Friedreich ataxia now.", "Friedreich", False),
        ("A tetralogy of Fallot was seen.", "Fallot", False),
        ("With Tay-Sachs disease.", "Tay", False),
        ("Parkinson's disease and tremor", "Parkinson", False),
        ("Dementia: Lewy body type", "Lewy", False),
        ("Smith's disease got worse", "Smith", True),
        ("Dr Friedreich ataxia clinic", "Dr Friedreich", True),
        ("Friedreich saw him. Ataxia followed.", "Friedreich", True),
        ("A tetralogy, of Fallot", "Fallot", True),
    ],
)
def test_names_in_names_of_diseases(text: str, name: str, kept: bool) -> None:
    found = entities(text, (name, "PERSON"))
    assert list(without_eponyms(text, found, DISEASES.__contains__)) == (found if kept else [])


def test_a_name_that_also_stands_alone_is_masked_everywhere() -> None:
    text = "Mr Friedreich has Friedreich ataxia."
    found = entities(text, ("Mr Friedreich", "PERSON"), ("Friedreich", "PERSON"))
    joined = combine(Document(text), [Annotation(tuple(found))], is_disease=DISEASES.__contains__)
    assert [m.text for m in joined.mentions] == ["Mr Friedreich", "Friedreich"]
