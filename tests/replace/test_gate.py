"""What is never climbed, as a class: shorthand, headings, fields, units, codes, verbs and adjectives."""

import pytest

from tacenda.language import is_heading, is_shorthand, says_nothing
from tacenda.model import Mention
from tacenda.replace.gate import may_climb


def at(text, word, **options):
    start = text.index(word)
    return Mention(start, start + len(word), word, options.pop("label", "TERM"), **options)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("A CT of the head was normal.", "CT"),
        ("Pt lives at home.", "Pt"),
        ("Meds include two tablets.", "Meds"),
        ("one tablet BID with food", "BID"),
        ("metoprolol 50 mg daily", "mg"),
        ("Cc: chest pain\nHPI: well", "Cc"),
        ("PLAN\nReturn in May.", "PLAN"),
        ("ASSESSMENT AND PLAN\nStable.", "PLAN"),
        ("Ears, Nose, Mouth and Throat: clear.", "Nose"),
        ("an MRI of the spine", "MRI"),
        ("she holds an M.A. in law", "M.A."),
        ("hx of HTN", "HTN"),
        ("LFTs were raised", "LFTs"),
        ("took vitamin B12 today", "vitamin B12"),
        ("Allergies: none known", "Allergies"),
        ("• Cardiovascular: no murmur", "Cardiovascular"),
        ("Subject: the offer", "Subject"),
        ("She is known to be HIV positive.", "HIV positive"),
        ("He is opioid-dependent.", "opioid-dependent"),
        ("weight 80 kg at last visit", "kg"),
    ],
)
def test_never_climbed(text, word):
    assert not may_climb(at(text, word), text)


@pytest.mark.parametrize("tag", ["VERB", "ADJ", "ADV", "AUX", "X", "NUM"])
def test_only_nouns_climb(tag):
    text = "he relapsed in the spring"
    assert not may_climb(at(text, "relapsed", tag=tag), text)
    assert may_climb(at(text, "spring", tag="NOUN"), text)


def test_a_word_that_no_annotator_marked_and_a_piece_of_a_phrase_do_not_climb():
    text = "his alcoholic father drove"
    assert not may_climb(at(text, "alcoholic", label="WORD"), text)
    assert not may_climb(at(text, "alcoholic", phrase=(4, 20)), text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the pain was severe", "pain"),
        ("She had a biopsy: it was benign, and the surgeon sent her home the same day.", "surgeon"),
        ("THE PATIENT'S HUSBAND\nHe is a plumber who works in the town near the river.", "plumber"),
        ("She studied history at college.", "history"),
    ],
)
def test_plain_nouns_climb(text, word):
    assert may_climb(at(text, word), text)


@pytest.mark.parametrize("word", ["Pt", "BID", "PRN", "Cc", "Meds", "hx", "s/p", "mg", "FYI", "vs"])
def test_words_of_forms_say_nothing(word):
    text = f"x {word} y"
    assert says_nothing(text, 2, 2 + len(word))


@pytest.mark.parametrize("word", ["HIV", "ETOH", "PTSD", "Art", "depression", "Hon", "IVDU", "AA"])
def test_what_may_say_something_of_a_person_is_no_word_of_a_form(word):
    text = f"about {word} here"
    assert not says_nothing(text, 6, 6 + len(word))


def test_a_heading_of_form_words_says_nothing_but_a_heading_that_tells_does():
    text = "SOCIAL HISTORY\nHIV CLINIC\n"
    assert says_nothing(text, 0, 14)
    assert not says_nothing(text, 15, 25)
    assert is_heading(text, 15, 25)


def test_shorthand_is_told_by_its_capitals_and_points():
    assert [is_shorthand(w) for w in ("USA", "PhD", "U.S.", "word", "Word", "LONGWORD")] == [True, True, True] + 3 * [
        False
    ]


def test_an_adjective_without_a_tag_does_not_climb():
    text = "He was syphilitic, with a bad tic."
    assert not may_climb(at(text, "syphilitic", label="PROTECTED"), text)
    assert may_climb(at("It was a chronic disease of the clinic.", "clinic"), "It was a chronic disease of the clinic.")
