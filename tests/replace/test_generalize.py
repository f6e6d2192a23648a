"""Generalization: simpler forms, then rungs, and nothing that gives the term or a protected entity away."""

import pytest

from tacenda.model import Concept, Context, Document, Mention, Protected
from tacenda.replace.generalize import Generalize, simpler_forms

LADDERS = {
    "breast cancer": ["breast neoplasm", "cancer", "disease of 1990", "illness"],
    "cancer": ["malignancy", "illness"],
    "HIV": ["retrovirus", "virus", "AIDS virus", "Lentivirus", "organism"],
    "Sacramento": ["California", "state capital", "city"],
    "homosexuality": ["homosexual behaviour", "orientation"],
    "12 March 2019": ["March 2019", "2019"],
    "lumbar pain": ["backache pain", "symptom"],
    "pain": ["symptom"],
}


class Small:
    name = "small"

    def __init__(self):
        self.asked = []

    def generalizations(self, term, context=()):
        self.asked.append(tuple(context))
        kind = "dates" if "2019" in term else "small"
        rungs = LADDERS.get(term, [])
        return [Concept(name, kind, str(i), i + 1, 9.0 - i, 2**i) for i, name in enumerate(rungs)]


def run(text, label="TERM", protected=(), **options):
    context = Context(Document(text), protected=protected)
    return list(Generalize(Small(), **options).candidates(Mention(0, len(text), text, label), context))


def names(*args, **options):
    return [c.text for c in run(*args, **options)]


def test_simpler_forms_come_first_then_the_rungs_of_the_longest_known_form():
    assert names("metastatic breast cancer") == ["breast cancer", "cancer", "illness"]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("metastatic breast cancer", ["breast cancer", "cancer"]),
        ("cancer of the breast", ["cancer"]),
        ("type 2 diabetes", ["diabetes"]),
        ("pain", []),
    ],
)
def test_simpler_forms(phrase, expected):
    assert simpler_forms(phrase) == expected


def test_no_word_of_the_term_no_name_no_digit():
    assert names("HIV") == ["retrovirus", "virus", "organism"]
    assert names("Sacramento", "LOC") == ["state capital", "city"]
    assert names("Sacramento", "LOC", names=True) == ["California", "state capital", "city"]
    assert names("homosexuality") == ["orientation"]


def test_the_head_of_a_phrase_may_stay():
    assert names("lumbar pain") == ["pain", "backache pain", "symptom"]


def test_no_form_of_a_protected_entity():
    protected = (Protected("retrovirus", forms=("viral infection",)),)
    assert names("HIV", protected=protected) == ["virus", "organism"]
    assert names("metastatic breast cancer", protected=(Protected("cancer"),)) == ["illness"]


def test_names_are_not_stripped_and_unknown_ones_are_told_by_their_kind():
    assert names("New York", "LOC") == ["place"]
    assert names("Zorblax Quux", "PERSON") == ["person"]
    assert names("zorblax") == []


def test_dates_keep_their_digits():
    made = run("12 March 2019", "DATETIME")
    assert [c.text for c in made] == ["March 2019", "2019"]
    assert not any(c.noun for c in made)


def test_information_never_exceeds_the_original_and_never_rises():
    made = run("metastatic breast cancer", information=lambda term: {"cancer": 4.0}.get(term, 6.0))
    bits = [c.bits for c in made]
    assert max(bits) <= 6.0
    assert bits == sorted(bits, reverse=True)


def test_candidates_carry_concept_and_volume():
    first, *_ = run("Sacramento", "LOC")
    assert (first.concept, first.volume, first.noun, first.action) == ("small:1", 2, True, "generalize")


def test_the_sentence_helps_to_choose_a_sense():
    taxonomy = Small()
    text = "He left. She used HIV drugs at home."
    context = Context(Document(text), sentences=((0, 8), (9, 36)))
    list(Generalize(taxonomy).candidates(Mention(18, 21, "HIV", "TERM"), context))
    assert taxonomy.asked[0] == ("she", "used", "drugs", "at", "home")
