"""Where a noun can stand in for a mention."""

import pytest

from tacenda.model import Context, Document, Mention
from tacenda.replace.slots import holds_noun, is_apposed, is_name, opens_in_plural, reads_everywhere


def at(text, part, label, **more):
    start = text.index(part)
    return Mention(start, start + len(part), part, label, **more)


@pytest.mark.parametrize(
    ("text", "part", "label", "holds"),
    [
        ("He is a Polish national.", "Polish", "DEM", False),
        ("The Pole is a Quaker.", "Quaker", "DEM", True),
        ("He moved to Warsaw in May.", "Warsaw", "LOC", True),
        ("the Warsaw office", "Warsaw", "LOC", False),
        ("the Acme Corporation won", "Acme", "ORG", False),  # a piece of a longer name
        ("plays for Deportivo de La Coruña", "Deportivo", "ORG", False),
        ("was the first of them", "first", "MISC", False),
        ("to launch the campaign", "launch", "MISC", False),
        ("is politically moderate", "moderate", "DEM", False),
        ("enjoys drinking wine", "drinking", "TERM", False),
        ("was re-elected", "re", "MISC", False),
        ("(Hangul: x)", "Hangul", "ORG", False),
        ("who does it", "does", "WORD", False),
        ("pain on palpation", "palpation", "WORD", False),
        ("the palpation", "palpation", "WORD", True),
        ("on 3 May 2001", "3 May 2001", "DATETIME", True),
        ("Its actors left.Acme has been sold.", "Acme", "ORG", True),  # no space behind the sentence
        ("near St.John", "John", "ORG", False),
        ("Acme rose to fame", "Acme", "ORG", True),
        ("her second Golden Heron nomination.", "Golden Heron nomination", "MISC", True),
    ],
)
def test_holds_noun(text, part, label, holds):
    assert holds_noun(at(text, part, label), text) is holds


def test_a_noun_must_read_wherever_the_mention_stands():
    text = "He lives in Ogden. She works in the Ogden office."
    first = Mention(12, 17, "Ogden", "LOC")
    second = Mention(36, 41, "Ogden", "LOC")
    assert text[36:41] == "Ogden"
    assert reads_everywhere(first, Context(Document(text), mentions=(first,)))
    assert not reads_everywhere(first, Context(Document(text), mentions=(first, second)))


def test_a_name_behind_what_it_is_takes_no_noun():
    text = "the comedy Tootsie"
    noun, name = Mention(4, 10, "comedy", "MISC"), Mention(11, 18, "Tootsie", "MISC")
    context = Context(Document(text), mentions=(noun, name))
    assert is_apposed(name, context)
    assert not is_apposed(noun, context)
    assert not reads_everywhere(name, context)


def test_a_capital_at_the_start_of_a_sentence_makes_no_name():
    lone = "Hypertension is common."
    assert not is_name(at(lone, "Hypertension", "MISC"), opens=True, text=lone)
    twice = "Weaver won. Later Weaver left."
    assert is_name(at(twice, "Weaver", "MISC"), opens=True, text=twice)


def test_plural_at_the_start_of_a_sentence():
    assert opens_in_plural(Mention(0, 10, "Colleagues", "TERM"))
    assert not opens_in_plural(Mention(0, 5, "Jones", "PERSON"))
    assert not opens_in_plural(Mention(0, 9, "Colleague", "TERM"))
