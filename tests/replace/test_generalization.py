"""Generalization: simpler forms, then rungs, and nothing that gives the term or a protected entity away."""

from types import SimpleNamespace

import pytest

from tacenda.model import Concept, Context, Document, Mention, Protected
from tacenda.replace.generalization import Generalize, simpler_forms

LADDERS = {
    "breast cancer": ["breast neoplasm", "cancer", "disease of 1990", "illness"],
    "cancer": ["malignancy", "illness"],
    "smallpox": ["retrovirus", "virus", "AIDS virus", "Lentivirus", "organism"],
    "Sacramento": ["California", "state capital", "city"],
    "homosexuality": ["homosexual behavior", "orientation"],
    "12 March 2019": ["March 2019", "2019"],
    "lumbar pain": ["backache pain", "symptom"],
    "pain": ["symptom"],
    "AE": ["writer", "person"],
    "failure": ["event"],
    "time": ["measure"],
    "months": ["measure"],
    "movements": ["motion"],
    "lodge": ["house"],
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
        ("Genie Award for Best Actor", ["Genie Award", "Award"]),
        ("type 2 diabetes", ["diabetes"]),
        ("pain", []),
    ],
)
def test_simpler_forms(phrase, expected):
    assert simpler_forms(phrase) == expected


def test_no_word_of_the_term_no_name_no_digit():
    assert names("smallpox") == ["retrovirus", "virus", "organism"]
    assert names("Sacramento", "LOC") == ["state capital", "city"]
    assert names("Sacramento", "LOC", names=True) == ["California", "state capital", "city"]
    assert names("homosexuality") == ["orientation"]


def test_the_head_of_a_phrase_may_stay():
    assert names("lumbar pain") == ["pain", "backache pain", "symptom"]


def test_no_form_of_a_protected_entity():
    protected = (Protected("retrovirus", forms=("viral infection",)),)
    assert names("smallpox", protected=protected) == ["virus", "organism"]
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
    text = "He left. She used pox drugs at home."
    context = Context(Document(text), sentences=((0, 8), (9, 36)))
    list(Generalize(taxonomy).candidates(Mention(18, 21, "pox", "TERM"), context))
    assert taxonomy.asked[0] == ("she", "used", "drugs", "at", "home")


def test_no_name_stands_in_a_simpler_form():
    assert names("Peter Weir's thriller") == ["film"]
    assert names("advanced cancer of Smith") == ["advanced cancer", "cancer", "malignancy", "illness"]


def test_names_are_told_by_their_head_or_their_neighbors():
    assert names("Boston University", "ORG") == ["university", "organization"]
    text = "He played in the comedy The Mask (1994)."
    context = Context(Document(text), sentences=((0, len(text)),))
    made = Generalize(Small()).candidates(Mention(24, 39, "The Mask (1994)", "MISC"), context)
    assert [c.text for c in made] == ["film", "creative work"]


def test_rungs_that_say_nothing_are_left_out_and_nothing_stands_above_a_person():
    class Tall(Small):
        def generalizations(self, term, context=()):
            rungs = ["writer", "person", "causal agent", "organism", "entity"]
            return [Concept(name, "small", str(i), i + 1, 9.0 - i, 1) for i, name in enumerate(rungs)]

    context = Context(Document("the novelist"))
    made = Generalize(Tall()).candidates(Mention(4, 12, "novelist", "DEM"), context)
    assert [c.text for c in made] == ["writer", "person"]


def test_places_are_asked_for_locations_where_a_taxonomy_can_prefer():
    class Preferring(Small):
        def generalizations(self, term, context=(), *, prefer=""):
            self.asked.append(prefer)
            return super().generalizations(term, context)

        def sense(self, term, context=(), *, prefer=""):
            return None

    taxonomy = Preferring()
    list(Generalize(taxonomy).candidates(Mention(0, 10, "Sacramento", "LOC"), Context(Document("Sacramento"))))
    assert taxonomy.asked[0] == "places"


def test_a_lower_case_word_is_no_place():
    class Places(Small):
        def generalizations(self, term, context=()):
            return [Concept("town", "places", "1", 1, 5.0, 9)]

    context = Context(Document("the dire need"))
    assert not list(Generalize(Places()).candidates(Mention(4, 8, "dire", "MISC"), context))


def test_a_place_in_lower_case_is_one_if_found_as_such_or_known_to_wordnet():
    class Preferring(Small):
        def sense(self, term, context=(), *, prefer=""):
            return SimpleNamespace(name="Brooklyn", taxonomy="places")

        def generalizations(self, term, context=(), *, prefer=""):
            kind, name = ("wordnet", "borough") if prefer == "wordnet" else ("places", "town")
            return [Concept(name, kind, "1", 1, 5.0, 9)]

    def proposed(label):
        context = Context(Document("in brooklyn now"))
        return [c.text for c in Generalize(Preferring()).candidates(Mention(3, 11, "brooklyn", label), context)]

    assert proposed("LOC") == ["town"]
    assert proposed("TERM") == ["borough"]


def test_a_body_is_no_person():
    assert names("AE", "ORG") == ["organization"]
    assert names("AE", "PERSON") == ["person"]


def test_ages_keep_their_form():
    assert names("27-year-old", "AGE") == ["20-to-29-year-old"]
    assert names("27\u2011year\u2011old", "AGE") == ["20-to-29\u2011year\u2011old"]


def test_plural_at_the_start_of_a_sentence():
    class One(Small):
        def generalizations(self, term, context=()):
            return [Concept("associate", "small", "1", 1, 5.0, 9)]

    (made,) = Generalize(One()).candidates(Mention(0, 10, "Colleagues", "TERM"), Context(Document("Colleagues know")))
    assert (made.text, made.noun) == ("associates", False)


@pytest.mark.parametrize(
    "text",
    [
        "She denies lumbar pain.",
        "No fever or lumbar pain.",
        "Negative for lumbar pain.",
        "He does not have lumbar pain.",
        "without nausea, lumbar pain",
        "There was no lumbar pain.",
    ],
)
def test_of_what_is_denied_nothing_wider_is_denied(text):
    start = text.index("lumbar pain")
    mention = Mention(start, start + 11, "lumbar pain", "TERM")
    context = Context(Document(text), sentences=((0, len(text)),))
    assert list(Generalize(Small()).candidates(mention, context)) == []


@pytest.mark.parametrize(
    "text", ["She denies nausea but has lumbar pain.", "No longer works; lumbar pain.", "He has lumbar pain."]
)
def test_what_is_said_may_be_wider(text):
    start = text.index("lumbar pain")
    mention = Mention(start, start + 11, "lumbar pain", "TERM")
    context = Context(Document(text), sentences=((0, len(text)),))
    assert list(Generalize(Small()).candidates(mention, context))


@pytest.mark.parametrize("phrase", ["the same time", "past two months", "congestive heart failure", "bowel movements"])
def test_phrases_that_say_something_else_when_shortened(phrase):
    assert phrase.split()[-1] not in [c.text for c in run(phrase)]
    assert [c.text for c in run("old lodge")][:1] == ["lodge"]


def test_what_follows_a_preposition_is_no_simpler_form():
    assert "epilepsy" not in names("suffers from epilepsy")


def test_streets_and_regions():
    def first(text, name):
        at = text.index(name)
        context = Context(Document(text), sentences=((0, len(text)),))
        return next(iter(Generalize(Small()).candidates(Mention(at, at + len(name), name, "LOC"), context))).text

    assert first("a house on Breton Blvd.", "Breton Blvd") == "street"
    assert first("sites across the Midwest.", "Midwest") == "region"
    assert first("sites in Midwestia.", "Midwestia") == "place"
