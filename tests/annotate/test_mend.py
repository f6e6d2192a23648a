"""What the words around make of a finding: trades, codes of diseases, initials, months, accounts."""

from __future__ import annotations

import pytest

from tacenda.annotate import combine
from tacenda.annotate.entities import tie
from tacenda.annotate.mend import mended, one_label, one_number
from tacenda.annotate.patterns import Patterns
from tacenda.model import Annotation, Document, Mention


def entity(text: str, phrase: str, label: str) -> Mention:
    start = text.index(phrase)
    return Mention(start, start + len(phrase), phrase, label, "entity", role="direct")


def after(text: str, phrase: str, label: str) -> list[str]:
    return [m.text for m in mended(text, [entity(text, phrase, label)])]


@pytest.mark.parametrize("text", ["Role: Porter", "Staff: Porter - 2, Cook - 1", "Position | Porter | nights"])
def test_a_trade_in_a_field_of_roles_is_nobody_s_name(text: str) -> None:
    assert after(text, "Porter", "PERSON") == []


@pytest.mark.parametrize("text", ["Mr Porter came", "Staff: Porter said no", "Patient: Porter", "Porter"])
def test_elsewhere_it_may_be_one(text: str) -> None:
    assert after(text, "Porter", "PERSON") == ["Porter"]


@pytest.mark.parametrize("text", ["The Bursar asked.", "our Matron came", "He saw the Porter, who left"])
def test_a_trade_after_an_article_is_nobody_s_name(text: str) -> None:
    assert after(text, next(w for w in ("Bursar", "Matron", "Porter") if w in text), "PERSON") == []


@pytest.mark.parametrize("text", ["the Porter family", "the Porter Report", "a Porter's widow", "the Porter boys"])
def test_unless_a_family_is_meant(text: str) -> None:
    assert after(text, "Porter", "PERSON") == ["Porter"]


def test_what_the_words_beside_it_make_a_person_is_one_whatever_was_read() -> None:
    for text, phrase, label in (("Owner: SdV.", "SdV", "MISC"), ("the middle Ashdown girl", "Ashdown", "DEM")):
        [found] = mended(text, [entity(text, phrase, label)])
        assert (found.label, found.role) == ("PERSON", "direct")
    [found] = mended("the youngest Polish boy", [entity("the youngest Polish boy", "Polish", "DEM")])
    assert found.label == "DEM"


def test_a_code_of_a_disease_is_whole_and_no_identifier_where_the_text_says_what_it_is() -> None:
    assert after("Diagnosis: F31.2", "F31", "CODE") == []
    assert after("Locker F31.2 is his", "F31", "CODE") == ["F31.2"]
    assert after("access code B12.34", "B12", "CODE") == ["B12.34"]
    assert after("ref 77123", "77123", "CODE") == ["77123"]


def test_a_span_of_years_is_a_life() -> None:
    for text, phrase, role in (("Bheem (1950–2006) was", "1950–2006", "quasi"), ("in 1950 it rained", "1950", "none")):
        read = entity(text, phrase, "DATETIME")
        [found] = mended(text, [Mention(*read.span, phrase, "DATETIME", "entity", role="none")])
        assert found.role == role


def test_an_office_of_a_relative_is_not_the_subject_s() -> None:
    assert after("the daughter of the former governor", "daughter of the former governor", "DEM") == ["former governor"]


def test_a_name_is_a_name_in_quotes_too() -> None:
    text = 'T-Bone drove. "T-Bone" ran.'
    second = Mention(15, 21, "T-Bone", "MISC", "entity", role="quasi")
    assert [m.label for m in one_label([entity(text, "T-Bone", "PERSON"), second])] == ["PERSON", "PERSON"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Action: TQ to call. Owner: RB/TQ", ["TQ", "RB", "TQ"]),
        ("Action: ALL to read. Action: TBC", []),
        ("Actions: RJ/PM to agree. Owner: SdV. Action: IT", ["RJ", "PM", "SdV"]),
        ("off work since May, back in March", ["May", "March"]),
        ("it may rain in May 2020", ["May 2020"]),
        ("The youngest Pargeter boy and the Pargeter twins", ["Pargeter", "Pargeter"]),
        ("the youngest boy", []),
        (r"C:\Users\mkowalski\notes and /home/jdoe/x.txt, /Users/Shared/y", ["mkowalski", "jdoe"]),
    ],
)
def test_found_by_what_stands_beside(text: str, found: list[str]) -> None:
    assert [m.text for m in Patterns().annotate(Document(text)).mentions] == found


def test_the_account_stays_when_an_annotator_takes_the_path_for_a_name() -> None:
    text = "saved in /home/jdoe/notes.txt"
    document = Document(text)
    path = Annotation((entity(text, "home/jdoe/notes.txt", "MISC"),))
    assert [m.text for m in combine(document, [path, Patterns().annotate(document)]).mentions] == ["jdoe"]


def test_one_number_has_one_label_wherever_it_stands() -> None:
    found = [
        Mention(0, 10, "4471-88213", "CODE", "entity", "encoder", 0.99, role="direct"),
        Mention(20, 29, "447188213", "OTHER_ID", "identifier", "patterns", 1.0, role="direct"),
        Mention(40, 54, "(916) 555-0142", "CODE", "entity", "encoder", 0.99, role="direct"),
        Mention(60, 75, "+1 916 555 0142", "PHONE", "identifier", "patterns", 0.8, role="direct"),
        Mention(80, 84, "1979", "CODE", "entity", "encoder", 0.9),
        Mention(90, 94, "1979", "DATETIME", "identifier", "patterns", 0.9),
    ]
    assert [m.label for m in one_number(found)] == ["OTHER_ID", "OTHER_ID", "PHONE", "PHONE", "CODE", "DATETIME"]
    assert [m.entity for m in tie(one_number(found))] == [0, 0, 1, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "name"), [("Dear Sir,", "Sir"), ("Dear Sir or Madam", "Sir or Madam"), ("Yes, Madam.", "Madam")]
)
def test_a_word_of_address_names_nobody(text: str, name: str) -> None:
    at = text.index(name)
    assert not list(mended(text, [Mention(at, at + len(name), name, "PERSON", "entity")]))
    longer = Mention(at, at + len(name) + 5, f"{name} Kerr", "PERSON", "entity")
    assert list(mended(f"{text[: at + len(name)]} Kerr", [longer])) == [longer]


@pytest.mark.parametrize(
    ("text", "whole"), [("2,ORD-2232,", "ORD-2232"), ("see TKT/88-1 now", "TKT/88-1"), ("bug ABC#12.", "ABC#12")]
)
def test_capitals_before_digits_are_the_prefix_of_a_number(text: str, whole: str) -> None:
    at = text.index(whole)
    [found] = mended(text, [Mention(at, at + 3, text[at : at + 3], "PERSON", "entity")])
    assert (found.text, found.label, found.end) == (whole, "CODE", at + len(whole))


def test_a_name_that_goes_elsewhere_goes_from_an_office_too() -> None:
    text = "He lives in Pécs. His brother is mayor of Pécs and a friend of the mayor of Győr."
    place = Mention(12, 16, "Pécs", "LOC", "entity", role="quasi")
    offices = [
        Mention(text.index(t), text.index(t) + len(t), t, "DEM", "entity") for t in ("mayor of Pécs", "mayor of Győr")
    ]
    found = combine(Document(text), [Annotation((place, *offices))])
    assert [(m.text, m.label) for m in found.mentions if m.kind == "entity"] == [
        ("Pécs", "LOC"), ("mayor", "DEM"), ("Pécs", "LOC"), ("mayor of Győr", "DEM"),
    ]  # fmt: skip


def test_shorthand_in_lower_case_is_nobody() -> None:
    text = "CC: abd pain"
    found = list(mended(text, [Mention(4, 7, "abd", "PERSON", "entity", role="direct")]))
    assert found == []


def test_after_fluent_in_a_language_is_named_not_a_place() -> None:
    text = "She is fluent in Yoruba."
    (found,) = mended(text, [Mention(17, 23, "Yoruba", "LOC", "entity", role="quasi")])
    assert found.label == "DEM"
