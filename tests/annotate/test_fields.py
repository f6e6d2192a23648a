"""Cells of tables and records in running text, and what their heads make of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import Sanitizer, policy
from tacenda.annotate.columns import Columns, meaning_of
from tacenda.annotate.fields import fields
from tacenda.model import Document, Part


def cells(text: str) -> list[tuple[str, str]]:
    return [(text[p.start : p.end], p.column) for p in fields(Document(text), meaning_of)]


def told(text: str) -> list[tuple[str, str]]:
    return [(m.text, m.label) for m in Columns().annotate(Document(text)).mentions]


def test_a_quoted_cell_holds_the_divider() -> None:
    text = 'name,address,note\n"Sowande, Bisi","14 Marl Pit Lane, Dudley","paid ""late"""\n'
    assert told(text) == [("Sowande, Bisi", "PERSON"), ("14 Marl Pit Lane, Dudley", "ADDRESS")]
    assert cells(text)[2] == ('paid ""late""', "note")


@pytest.mark.parametrize(
    "text",
    [
        "| Patient | City |\n|---|:--|\n| Ann Lee | Faro |",
        "Patient\tCity\nAnn Lee\tFaro",
        "Patient;City\nAnn Lee;Faro\n\nThen text; more text; and more.",
        'Log of the day:\nPatient,City\n"Ann Lee",Faro\nDone.',
        '{"patient": "Ann Lee", "city" : "Faro", "ward": "B"}',
    ],
)
def test_a_head_says_what_stands_below(text: str) -> None:
    assert told(text) == [("Ann Lee", "PERSON"), ("Faro", "LOC")]


@pytest.mark.parametrize(
    "text",
    [
        "Dear patient, doctor,\nplease come, soon,",
        "The patient, her doctor and a nurse came; nobody else.\nNext line; end.",
        '{"name": "left-pad", "version": "1.0.0"}',
        "Notes, remarks\nnone, none",
        "",
    ],
)
def test_prose_and_settings_are_no_tables_of_people(text: str) -> None:
    assert told(text) == []


def test_a_role_below_its_head_is_nobody_s_name() -> None:
    text = "Name,Role\nAyo Bello,Porter\nIrena Kos,Cook"
    assert told(text) == [("Ayo Bello", "PERSON"), ("Porter", "DEM"), ("Irena Kos", "PERSON"), ("Cook", "DEM")]
    assert Sanitizer(policy.load("identifiers")).sanitize(Document(text)).text == (
        "Name,Role\n[person 1],Porter\n[person 2],Cook"
    )


def test_first_and_last_in_a_record_are_names() -> None:
    assert told('{"first":"Noor","last":"Haddad","phone":"020 7946 0018"}') == [
        ("Noor", "PERSON"),
        ("Haddad", "PERSON"),
        ("020 7946 0018", "PHONE"),
    ]


def test_only_prose_is_searched() -> None:
    text = "Name;Town\nAnn Lee;Faro"
    document = Document(text, parts=(Part(0, 9, "label"), Part(10, 22, "code")))
    assert list(fields(document, meaning_of)) == []


@given(st.text(alphabet='ab ,;|\t"\n\\:{}name', max_size=120))
def test_cells_never_overlap_and_lie_in_the_text(text: str) -> None:
    found = list(fields(Document(text), lambda head: True))
    assert all(0 <= p.start <= p.end <= len(text) for p in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
