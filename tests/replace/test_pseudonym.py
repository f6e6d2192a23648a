"""Pseudonyms: consistent, of the same form, keyed, and never a name of the document."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.language import CULTURES, given_names
from tacenda.model import Context, Document, Mention
from tacenda.replace.keys import Key
from tacenda.replace.pseudonym import Pseudonym
from tacenda.replace.same_form import luhn, same_form
from tacenda.term import fold, words

KEY, OTHER = Key(b"a" * 32), Key(b"b" * 32)


def document(*names):
    """A text made of (entity, label, name), and its mentions."""
    mentions, text = [], ""
    for entity, label, name in names:
        mentions.append(Mention(len(text), len(text) + len(name), name, label, entity=entity))
        text += name + " . "
    return mentions, Context(Document(text), mentions=tuple(mentions))


def run(mentions, context, key=KEY):
    replacer = Pseudonym(key)
    return [next((c.text for c in replacer.candidates(m, context)), None) for m in mentions]


def test_forms_of_one_person_stay_together():
    made = run(
        *document(*((1, "PERSON", n) for n in ("Mr John Smith", "Smith", "J. Smith", "John", "Smith's", "SMITH")))
    )
    full, family, initial, given, possessive, capitals = made
    title, first, last = full.split()
    assert (title, first, last) == ("Mr", given, family)
    assert initial == f"{first[0]}. {last}"
    assert possessive == f"{last}'s"
    assert capitals == last.upper()


def test_gender_and_culture_are_kept_where_they_can_be_told():
    made = run(*document((1, "PERSON", "María García"), (2, "PERSON", "Ivan Petrov"), (3, "PERSON", "Li Wei")))
    spanish, russian, chinese = (next(c for c in CULTURES if c.name == n) for n in ("spanish", "russian", "chinese"))
    first, last = made[0].split()
    assert (first in spanish.women, last in spanish.family) == (True, True)
    assert made[1].split()[0] in russian.men
    assert made[2].split()[0] in chinese.family


def test_a_title_tells_the_gender():
    (made,) = run(*document((1, "PERSON", "Mrs Zorblax Quux")))
    assert {g for _, g in given_names()[fold(made.split()[1])]} == {"f"}


def test_two_runs_agree_another_key_differs():
    names = [
        (i, "PERSON", f"{a} {b}") for i, (a, b) in enumerate([("John", "Smith"), ("Mary", "Jones"), ("Ann", "King")])
    ]
    assert run(*document(*names)) == run(*document(*names))
    assert run(*document(*names)) != run(*document(*names), OTHER)


def test_the_same_person_in_another_document():
    first = run(*document((1, "PERSON", "John Smith"), (2, "PERSON", "Mary Jones")))
    second = run(*document((5, "PERSON", "Carol White"), (9, "PERSON", "John Smith")))
    assert first[0] == second[1]


def test_the_order_of_mentions_changes_nothing():
    pairs = [(a, b) for a in ("John", "Mary", "Peter", "Susan") for b in ("Smith", "Jones", "Miller", "Clark", "Young")]
    mentions, context = document(*((i, "PERSON", f"{a} {b}") for i, (a, b) in enumerate(pairs)))
    expected = dict(zip(mentions, run(mentions, context), strict=True))
    shuffled = mentions[:]
    random.Random(4).shuffle(shuffled)
    again = run(shuffled, Context(context.document, mentions=tuple(shuffled)))
    assert dict(zip(shuffled, again, strict=True)) == expected


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_no_pseudonym_is_a_name_of_the_document_and_no_two_meet(seed):
    rng = random.Random(seed)
    english = CULTURES[0]
    families = rng.sample(english.family, 60)  # more than half of the table
    names = [(i, "PERSON", f"{rng.choice(english.men)} {family}") for i, family in enumerate(families)]
    mentions, context = document(*names)
    made = run(mentions, context)
    present = set(words(context.document.text))
    assert not any(present.intersection(words(name)) for name in made)
    assert len({name.split()[-1] for name in made}) == len(families)


def test_places_and_bodies_keep_their_kind():
    names = ["LOC:France", "ORG:University of Michigan", "ORG:St. Mary's Hospital", "LOC:Sacramento", "LOC:New York"]
    names.append("ADDRESS:12 Oak Street, Apt 4")
    mentions, context = document(*((i, *name.split(":")) for i, name in enumerate(names)))
    country, university, hospital, city, state, address = run(mentions, context)
    assert re.fullmatch(r"University of [A-Z]\w+", university)
    assert hospital.endswith(" Hospital")
    assert "Mary" not in hospital
    assert re.fullmatch(r"\d\d [A-Z]\w+ Street, Apt \d", address)
    assert len({"France", "Sacramento", "New York", country, city, state}) == 6
    assert city.isalpha()


def test_what_is_no_name_gets_none():
    assert run(*document((1, "TERM", "marijuana"), (2, "DEM", "French"))) == [None, None]


NUMBERS = ["4111 1111 1111 1111", "36244/06", "AB-12.34/x", "00123", "7", "MRN 0012345"]


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_keep_their_form(text):
    made = same_form(text, "CODE", KEY)
    assert re.sub(r"\d", "0", re.sub("[a-z]", "a", re.sub("[A-Z]", "A", made))) == re.sub(
        r"\d", "0", re.sub("[a-z]", "a", re.sub("[A-Z]", "A", text))
    )
    assert made != text
    assert made == same_form(text, "CODE", KEY)


@given(st.from_regex(r"[0-9]{13,19}", fullmatch=True))
def test_no_made_up_card_passes_luhn(digits):
    assert not luhn(list(same_form(digits, "CARD", KEY)))


def test_numbers_out_of_the_real_ranges():
    assert re.fullmatch(r"9\d\d-00-\d{4}", same_form("123-45-6789", "SSN", KEY))
    assert re.fullmatch(r"\(\d{3}\) 555-01\d\d", same_form("(415) 867-5309", "PHONE", KEY))
    assert re.fullmatch(r"[a-z]{8}@example\.(com|org|net)", same_form("john.smith@acme.co.uk", "EMAIL", KEY))
    assert re.fullmatch(r"https://example\.(com|org|net)/[a-z]{8}", same_form("https://www.acme.com/john", "URL", KEY))
    assert same_form("10.1.2.3", "IP", KEY).startswith(("192.0.2.", "198.51.100.", "203.0.113."))
    assert same_form("00:1A:2b:3c:4d:5e", "MAC", KEY).startswith("02:")


def test_separators_do_not_change_a_number():
    assert same_form("123 456 7890", "RECORD", KEY).replace(" ", "") == same_form("1234567890", "RECORD", KEY)
