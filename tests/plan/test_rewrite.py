"""Rewriting that reads well."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tacenda.language import article, countable
from tacenda.plan.rewrite import fit, lines, splice


@pytest.mark.parametrize(
    ("text", "mention", "replacement", "result"),
    [
        ("He lives in Sacramento now.", "Sacramento", "state capital", "He lives in a state capital now."),
        ("She bought marijuana.", "marijuana", "drug", "She bought a drug."),
        ("for the lumbar pain", "the lumbar pain", "pain", "for the pain"),
        ("A hospital in Leeds", "A hospital", "institution", "An institution in Leeds"),
        ("Smith's wife", "Smith's", "[person 1]", "[person 1]'s wife"),
        ("He took an aspirin.", "aspirin", "medicine", "He took a medicine."),
        ("On that long evening he took an aspirin.", "aspirin", "drug", "On that long evening he took a drug."),
        ("takes aspirins daily", "aspirins", "drug", "takes drugs daily"),
        ("Heroin kills.", "Heroin", "hard drug", "A hard drug kills."),
        ("his AIDS", "AIDS", "infectious disease", "his infectious disease"),
        ("a user of it", "user", "adult", "an adult of it"),
        ("the patient's HIV", "HIV", "viral disease", "the patient's viral disease"),
        ("two cities", "cities", "place", "two places"),
        ("caused by liver cancer", "liver cancer", "carcinoma", "caused by carcinoma"),
        ("He saw an HIV doctor", "HIV", "[...]", "He saw a [...] doctor"),
        ("Smiths' house", "Smiths'", "[person 1]", "[person 1]'s house"),
        ("lives in Gdynia.", "Gdynia", "city", "lives in a city."),
        ("On 14 May 1998 he", "14 May 1998", "1998", "In 1998 he"),
        ("lodged on 9 June 1998,", "9 June 1998", "the 1990s", "lodged in the 1990s,"),
        ("She, born 9 May 1941, won", "9 May 1941", "the 1940s", "She, born in the 1940s, won"),
        ("A practising Quaker, she", "Quaker", "religious person", "A practising religious person, she"),
        ("relied on Sacramento", "Sacramento", "city", "relied on a city"),
        ("lost at the 2011 election", "2011", "the 2010s", "lost at the 2010s election"),
        ("in Weir's 1985 film", "1985", "the 1980s", "in Weir's 1980s film"),
        ("since the 1970's and", "1970's", "the 1970s", "since the 1970s and"),
        ("(both 2014)", "2014", "the 2010s", "(both in the 2010s)"),
        ("won in A League of Men", "A League of Men", "film", "won in a film"),
        ("about historic preservation now", "historic preservation", "preservation", "about preservation now"),
        ("was previously the main host", "previously the main host", "main host", "was the main host"),
        ("is also a keen public speaker who", "also a keen public speaker", "speaker", "is a speaker who"),
        ("between the 1943 and 1949 seasons", "1943 and 1949", "the 1940s", "in the 1940s seasons"),
        ("Hanks' films have", "Hanks", "actor", "An actor's films have"),
        ("Tel. (916) 555-0123", "(916) 555-0123", "[phone number]", "Tel. [phone number]"),
        ("at 4 SW St. in town", "4 SW St", "[address]", "at [address] in town"),
        ("wrote a dozen plays", "dozen plays", "plays", "wrote plays"),
        ("won Golden Globe Awards", "Golden Globe Awards", "award", "won awards"),
        ("had hepatitis C. The man", "hepatitis C.", "liver disorder", "had a liver disorder. The man"),
        ("both groups (PRK) met", "(PRK)", "organization", "both groups (an organization) met"),
        ("hit a .225 average", "225 average", "[term]", "hit a [term]"),
        ("No fever, rash, or cough", "rash", "symptom", "No fever, symptom, or cough"),
        ("under-served youth", "served youth", "young person", "under-young person"),
        ("met two teachers", "teachers", "person", "met two people"),
        ("Acme's dog", "Acme", "company", "A company's dog"),
        ("IN THE CITY OF LEEDS TODAY", "LEEDS", "place", "IN THE CITY OF A PLACE TODAY"),
    ],
)
def test_fit(text: str, mention: str, replacement: str, result: str) -> None:
    start = text.index(mention)
    end = start + len(mention)
    shaped = fit(text, start, end, replacement)
    edits = [(start, end, shaped.text), *([shaped.fix] if shaped.fix else [])]
    assert splice(text, edits)[0] == result


def test_a_word_inside_a_phrase_takes_no_article() -> None:
    text = "HIV tests were done"
    assert fit(text, 0, 3, "disease", whole=False).text == "Disease"


@pytest.mark.parametrize(
    ("phrase", "right"),
    [
        *((p, "an") for p in ("hour", "umbrella", "X-ray", "heir", "uninsured man", "unmarried man", "MRI", "adult")),
        *((p, "a") for p in ("university", "user", "European", "one-off", "[...]", "union", "BMW", "urologist")),
    ],
)
def test_article(phrase: str, right: str) -> None:
    assert article(phrase) == right


def test_countable() -> None:
    assert countable("disorder")
    assert not countable("alcoholism")
    assert not countable("Asia")


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 10), st.text(max_size=5))))
def test_splice_places_every_edit(text: str, raw: list[tuple[int, int, str]]) -> None:
    edits, at = [], 0
    for start, length, new in sorted(raw):
        start, end = max(start, at), min(max(start, at) + length, len(text))
        if start <= len(text) and start < end:
            edits.append((start, end, new))
            at = end
    out, offsets = splice(text, edits)
    assert len(out) == len(text) + sum(len(n) - (e - s) for s, e, n in edits)
    for (start, end, new), (a, b, c, d) in zip(edits, offsets, strict=True):
        assert (start, end) == (a, b)
        assert out[c:d] == new


def test_no_edits_is_the_identity() -> None:
    assert splice("any text", []) == ("any text", ())


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        splice("abcdef", [(0, 3, "x"), (2, 4, "y")])


def test_lines() -> None:
    assert lines("one\n\n two\n") == ((0, 3), (5, 9))


def test_that_before_a_name_is_no_determiner():
    text = "You will see that Questar has asked."
    at = text.index("Questar")
    assert fit(text, at, at + 7, "organization").text == "an organization"
    assert fit("We own that house now.", 12, 17, "building").text == "building"


@pytest.mark.parametrize(
    ("text", "source", "noun", "expected"),
    [
        ("Normal gait. 3/5 strength of it", "3/5 strength", "strength", "Strength"),
        ("Knee: Bruise noted today", "Bruise", "injury", "An injury"),
        ("He has 3/5 strength of it", "3/5 strength", "strength", "strength"),
    ],
)
def test_a_sentence_opens_with_a_capital(text, source, noun, expected):
    at = text.index(source)
    assert fit(text, at, at + len(source), noun).text == expected


def test_a_span_of_years_in_one_decade_is_in_it():
    text = "a post he held from 2012 to 2015."
    at = text.index("2012")
    assert fit(text, at, len(text) - 1, "the 2010s").fix == (at - 5, at - 1, "in")
    assert fit("It grew from 2012 on.", 13, 17, "the 2010s").fix is None


def test_the_last_of_a_list_without_articles_takes_none():
    text = "a Canadian author, actor and playwright."
    at = text.index("playwright")
    assert fit(text, at, at + 10, "writer").text == "writer"
