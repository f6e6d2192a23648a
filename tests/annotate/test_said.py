"""Other names that a text gives a person, and roles by which it calls one."""

from __future__ import annotations

import pytest

from tacenda.annotate import combine
from tacenda.annotate.said import roles, same_people
from tacenda.annotate.subject import find_subject
from tacenda.model import Annotation, Document, Mention


def persons(text: str, *names: str) -> list[Mention]:
    found = []
    for name in names:
        at = text.find(name)
        while at >= 0:
            found.append(Mention(at, at + len(name), name, "PERSON", "entity", role="direct"))
            at = text.find(name, at + len(name))
    return sorted(found, key=lambda m: m.start)


def numbers(text: str, *names: str) -> list[int]:
    found = combine(Document(text), [Annotation(tuple(persons(text, *names)))]).mentions
    return [m.entity for m in found if m.label == "PERSON"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Thomas (Tom, as he likes to be called) Hargreave saw it; Tom rang.", ("Thomas", "Tom", "Hargreave")),
        ("Margaret (she prefers Peg) Sowerby rang. Peg will ring again.", ("Margaret", "Peg", "Sowerby")),
        ("Theodora, or Teddy as she likes to be called, lives alone.", ("Theodora", "Teddy")),
        ("Everybody calls him Bunny, but his name is Barnaby Holt.", ("Bunny", "Barnaby Holt")),
        ("They knew Anton Dragic as Smokey. Anton Dragic, known as Smokey, left.", ("Anton Dragic", "Smokey")),
        ("Ines Duarte (born Ines Leal) sings.", ("Ines Duarte", "Ines Leal")),
        ("Ines, who goes by Nessa, sings.", ("Ines", "Nessa")),
    ],
)
def test_a_person_has_one_number_under_all_names_the_text_gives(text: str, names: tuple[str, ...]) -> None:
    assert set(numbers(text, *names)) == {0}


@pytest.mark.parametrize(
    "text",
    [
        "Ann called Bob.",
        "Ann and Bob came.",
        "Ann, Bob and others",
        "Ann (Bob was ill) came.",
        "Ann prefers tea, and Bob coffee.",
        "Ann said that she calls her dog Bob.",
    ],
)
def test_two_people_stay_two(text: str) -> None:
    assert numbers(text, "Ann", "Bob") == [0, 1]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("The applicant, Mr Kos, left. The applicant drove.", "The applicant drove"),
        ("Mr Kos ('the claimant') left. The claimant drove.", "The claimant drove"),
        ("Mr Kos (hereinafter called “the tenant”) left. The tenant drove.", "The tenant drove"),
        ("I act for Mr Kos. My client drove.", "My client drove"),
        ("Mr Kos is the defendant. The defendant drove.", "The defendant drove"),
    ],
)
def test_a_role_means_the_person_introduced_with_it(text: str, role: str) -> None:
    assert roles(text, [persons(text, "Mr Kos")])[text.index(role)] == 0


def test_a_role_of_two_people_means_neither() -> None:
    text = "The witness, Ann Lee, and the witness, Bob Ray, left. The witness drove."
    assert roles(text, [persons(text, "Ann Lee"), persons(text, "Bob Ray")]) == {}


def test_what_is_said_of_a_role_is_said_of_the_person() -> None:
    text = "The applicant, Ann Lee, sued. Bob Ray lives in Hull. Bob Ray is ill. The applicant lives in York."
    places = [Mention(text.index(p), text.index(p) + 4, p, "LOC", "entity") for p in ("Hull", "York")]
    mentions = sorted([*persons(text, "Ann Lee", "Bob Ray"), *places], key=lambda m: m.start)
    document = Document(text, subject="Ann Lee")
    annotation = combine(document, [Annotation(tuple(mentions))])
    subject = find_subject(document, annotation)
    assert subject is not None
    assert {annotation.mentions[i].text for i in subject.others} == {"Bob Ray", "Hull"}


def test_pairs_are_told_by_their_words() -> None:
    text = "Ines, known as Nessa"
    assert list(same_people(text, persons(text, "Ines", "Nessa"))) == [("Ines", "Nessa")]
