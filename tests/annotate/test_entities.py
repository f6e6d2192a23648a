"""Tying of surface forms: one number for one entity, none shared by two."""

from __future__ import annotations

from tacenda.annotate.entities import fits, parse_name, tie
from tacenda.annotate.spread import spread
from tacenda.model import Mention


def numbers(*texts: str, label: str = "PERSON") -> list[int]:
    mentions = [Mention(i, i + 1, t, label, "entity") for i, t in enumerate(texts)]
    return [m.entity for m in tie(mentions)]


def test_forms_of_one_person() -> None:
    assert numbers("Mr John Smith", "Smith", "J. S.", "John", "Smith's", "Smith, John", "J. Smith", "JS") == [0] * 8


def test_short_form_before_the_full_one() -> None:
    assert numbers("Smith", "John Smith", "Dr. Smith") == [0, 0, 0]


def test_two_smiths_stay_apart_and_the_lone_surname_with_neither() -> None:
    assert numbers("John Smith", "Jane Smith", "Smith", "John", "Jane") == [0, 1, 2, 0, 1]


def test_title_tells_which() -> None:
    assert numbers("Mr John Smith", "Mrs Jane Smith", "Mr Smith", "Mrs Smith", "Smith") == [0, 1, 0, 1, 2]


def test_middle_names_and_initials() -> None:
    assert fits(("john", "smith"), ("john", "adam", "smith"))
    assert not fits(("adam", "smith"), ("john", "adam", "smith"))
    assert numbers("John Adam Smith", "John A. Smith", "John Smith") == [0, 0, 0]


def test_double_family_names() -> None:
    assert numbers("Olu Adebayo-Kerr", "Mr Adebayo-Kerr", "Adebayo-Kerr", "Kerr") == [0] * 4
    assert numbers("Ana García Ruiz", "Mrs García Ruiz", "Ruiz") == [0, 0, 0]


def test_titled_lone_name_and_plain_one() -> None:
    assert numbers("Ms Reed", "Reed") == [0, 0]


def test_names_are_parsed() -> None:
    assert parse_name("O’Brien, Ms Mary-Ann").parts == ("mary", "ann", "o", "brien")
    assert parse_name("Prof. Ann Lee Jr.").parts == ("ann", "lee")


def test_other_labels_are_tied_by_normal_form_and_acronym() -> None:
    mentions = [
        Mention(0, 1, "European Court of Human Rights", "ORG", "entity"),
        Mention(1, 2, "the European Court of Human Rights", "ORG", "entity"),
        Mention(2, 3, "ECHR", "ORG", "entity"),
        Mention(3, 4, "Leeds", "LOC", "entity"),
        Mention(4, 5, "202-456-1111", "PHONE", "identifier"),
        Mention(5, 6, "(202) 456 1111", "PHONE", "identifier"),
        Mention(6, 7, "the court", "TERM", "term"),
    ]
    assert [m.entity for m in tie(mentions)] == [0, 0, 0, 1, 2, 2, -1]


TEXT = """# SMYTH v. WILL
Jane Smyth met Will Young in Reading. Will reading help smyth's file? Jane's: jane_smyth@x, S\u00admyth.
| smyth | 12 |"""


def at(words: str, label: str, entity: int) -> Mention:
    start = TEXT.index(words)
    return Mention(start, start + len(words), words, label, "entity", entity=entity)


def test_every_surface_form_is_found_everywhere() -> None:
    found = spread(TEXT, [at("Jane Smyth", "PERSON", 0), at("Will Young", "PERSON", 1), at("Reading", "LOC", 2)])
    assert [(m.text, m.entity) for m in found] == [
        ("SMYTH", 0), ("WILL", 1), ("Jane Smyth", 0), ("Will Young", 1), ("Reading", 2), ("Will", 1),
        ("smyth", 0), ("Jane", 0), ("jane_smyth", 0), ("S\u00admyth", 0), ("smyth", 0),
    ]  # fmt: skip
    assert all(TEXT[m.start : m.end] == m.text for m in found)


def test_a_lone_kind_of_body_is_not_spread() -> None:
    text = "Union and Vantix sued. The Union won, Vantix lost."
    kept = [Mention(0, 5, "Union", "ORG", "entity", entity=0), Mention(10, 16, "Vantix", "ORG", "entity", entity=1)]
    assert [m.text for m in spread(text, kept)] == ["Union", "Vantix", "Vantix"]


def test_amounts_ages_and_terms_are_not_spread() -> None:
    text = "two dogs, aged 40, two cats, aged 40"
    kept = [Mention(0, 3, "two", "QUANTITY", "entity"), Mention(10, 17, "aged 40", "AGE", "identifier")]
    assert spread(text, kept) == kept


def test_initials_keep_their_dot_and_common_nouns_their_freedom() -> None:
    text = "M. and Mrs G. saw the applicant's brother. The applicant met Mrs G.'s aunt (M.), not J.M. or plan M"
    said = [
        Mention(0, 2, "M.", "PERSON", "entity", entity=0),
        Mention(7, 13, "Mrs G.", "PERSON", "entity", entity=1),
        Mention(22, 41, "applicant's brother", "PERSON", "entity", entity=2),
    ]
    assert [m.text for m in spread(text, said)] == ["M.", "Mrs G.", "applicant's brother", "Mrs G.", "M."]


def test_text_without_capitals_still_has_names() -> None:
    text = "jane smyth came; smyth left"
    said = [Mention(0, 10, "jane smyth", "PERSON", "entity", entity=0)]
    assert [m.text for m in spread(text, said)] == ["jane smyth", "smyth"]


def test_nicknames_short_names_and_names_left_out() -> None:
    assert numbers("Tino", "T. Pellegrini", "Mr Pellegrini", "Constantino Pellegrini") == [0] * 4
    assert numbers("Tino", "T. Pellegrini", "Pellegrini") == [0] * 3
    assert numbers("Angelina Jolie Voight", "Jolie", "Angelina Jolie", "Ms Jolie", "Jon Voight") == [0, 0, 0, 0, 1]
    assert numbers("Tom Hanks", "Thomas Jeffrey Hanks", "Hanks", "Seun", "Oluwaseun Ade") == [0, 0, 0, 1, 1]
    assert numbers("Ben Stiller", "Benjamin Edward Meara Stiller", "Ben") == [0, 0, 0]
    assert numbers("Tom", "Thomas Reed", "Thomas Marsh") == [0, 1, 2]  # either could be Tom
    assert numbers("Ann", "Joanne Reed", "Al", "Alan Marsh") == [0, 1, 2, 3]


def test_a_lone_surname_means_the_only_one_introduced_before_it() -> None:
    assert numbers("Ben Stiller", "Stiller", "Amy Stiller", "Stiller") == [0, 0, 1, 0]
    assert numbers("Ben Stiller", "Amy Stiller", "Stiller") == [0, 1, 2]


def test_a_name_is_found_where_it_was_read_as_a_common_phrase():
    text = "Zyx Qwob\n\nQwob is well and Zyx too"
    name = Mention(0, 8, "Zyx Qwob", "PERSON", "entity", entity=1)
    phrase = Mention(27, 30, "Zyx", "TERM", "term")
    found = {m.span: m for m in spread(text, [name, phrase])}
    assert text[27:30] == "Zyx"
    assert found[27, 30].label == "PERSON"
