"""Mentions stay inside their part, and each kind of part has its rule."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tacenda.annotate.columns import Columns, meaning_of
from tacenda.annotate.parts import within_parts
from tacenda.model import Annotation, Document, Mention, Part


def document(*pieces: tuple[str, str]) -> Document:
    parts, texts, at = [], [], 0
    for kind, text in pieces:
        parts.append(Part(at, at + len(text), kind))  # type: ignore[arg-type]
        texts.append(text)
        at += len(text) + 1
    return Document("\n".join(texts), parts=tuple(parts))


def mention(where: Document, text: str, label: str, kind: str = "entity", **more: str) -> Mention:
    start = where.text.index(text)
    return Mention(start, start + len(text), text, label, kind, **more)  # type: ignore[arg-type]


def left(source: Document, *mentions: Mention) -> list[tuple[str, str]]:
    return [(m.text, m.label) for m in within_parts(source, Annotation(mentions)).mentions]


def test_a_mention_that_crosses_parts_is_cut() -> None:
    source = document(("cell", "Mary"), ("cell", "Jones"), ("prose", "came"))
    assert left(source, mention(source, "Mary\nJones", "PERSON")) == [("Mary", "PERSON"), ("Jones", "PERSON")]


def test_without_parts_nothing_changes() -> None:
    source = Document("Mary Jones came")
    annotation = Annotation((mention(source, "Mary Jones", "PERSON"),), ((0, 15),))
    assert within_parts(source, annotation) is annotation


@pytest.mark.parametrize("kind", ["uri", "code"])
def test_a_hit_takes_the_whole_of_a_link_or_of_code(kind: str) -> None:
    source = document((kind, "https://x.org/jones/7"), ("prose", "Jones came"))
    assert left(source, mention(source, "jones", "PERSON", "known")) == [("https://x.org/jones/7", "PERSON")]
    assert left(source, mention(source, "jones", "PERSON", "entity", source="spread")) == [
        ("https://x.org/jones/7", "PERSON")
    ]
    assert left(source, mention(source, "jones", "PERSON", "entity", source="encoder")) == []
    assert left(source, mention(source, "jones", "TERM", "term")) == []


@pytest.mark.parametrize("kind", ["label", "name"])
def test_a_name_of_a_field_or_file_tells_only_names(kind: str) -> None:
    source = document((kind, "Mary Jones, visit notes"), ("prose", "x"))
    found = left(
        source,
        mention(source, "Mary Jones", "PERSON"),
        mention(source, "visit notes", "TERM", "term"),
    )
    assert found == [("Mary Jones", "PERSON")]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=6), st.integers(0, 3))
def test_no_mention_ever_crosses_a_part(spans: list[tuple[int, int]], kind: int) -> None:
    source = document(
        ("prose", "Mary Jones went"), (("prose", "cell", "uri", "name")[kind], "home by bus"), ("cell", "x y")
    )
    mentions = [
        Mention(a, min(a + n, len(source.text)), source.text[a : a + n], "PERSON", "known")
        for a, n in spans
        if a < len(source.text)
    ]
    for m in within_parts(source, Annotation(tuple(sorted(mentions, key=lambda m: m.start)))).mentions:
        part = source.part_at(m.start)
        assert part is not None
        assert m.end <= part.end
        assert source.text[m.start : m.end] == m.text


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("Name", "PERSON"), ("Patient", "PERSON"), ("patient_name", "PERSON"), ("First name", "PERSON"),
        ("Surname", "PERSON"), ("lastName", "PERSON"), ("DOB", "DATETIME"), ("Date of Birth", "DATETIME"),
        ("MRN", "RECORD"), ("Phone", "PHONE"), ("phone_number", "PHONE"), ("Address", "ADDRESS"),
        ("E-mail", "EMAIL"), ("SSN", "SSN"), ("Zip code", "ZIP"), ("City", "LOC"), ("Employer", "ORG"),
    ],
)  # fmt: skip
def test_heads_of_columns(head: str, label: str) -> None:
    meaning = meaning_of(head)
    assert meaning is not None
    assert meaning[0] == label


@pytest.mark.parametrize(
    "head", ["Notes", "Remarks", "text", "Diagnosis", "Visit", "Status", "Column 1", "Brand name?"]
)
def test_heads_that_tell_nothing(head: str) -> None:
    assert meaning_of(head) is None


@pytest.mark.parametrize(
    "content", ["n/a", "-", "", "None", "unknown", "a whole sentence that is surely no name of anybody"]
)
def test_cells_that_say_nothing_are_left(content: str) -> None:
    part = Part(0, len(content), "cell", column="Name")
    assert Columns().annotate(Document(content, parts=(part,))).mentions == ()


def test_what_was_drawn_over_several_cells_is_cut_and_small_numbers_left_alone() -> None:
    from tacenda.annotate.parts import cut

    text = "4\n\n2019-03-14\n\nGeorge"
    cells = (Part(0, 1, "cell"), Part(3, 13, "cell"), Part(15, 21, "cell"))
    drawn = Mention(0, 21, text, "DATETIME", "entity", "encoder")
    pieces = cut(Document(text, parts=cells), Annotation((drawn,))).mentions
    assert [piece.text for piece in pieces] == ["2019-03-14", "George"]


def test_a_column_says_more_than_the_encoder() -> None:
    from tacenda import load_policy
    from tacenda.sanitizer import Sanitizer

    text = "Helen Marsh\n\nhelen@example.org\n\nGeorge\n\ng@example.org"
    spans = ((0, 11, "Name"), (13, 30, "Email"), (32, 38, "Name"), (40, 53, "Email"))
    parts = tuple(Part(start, end, "cell", "", column) for start, end, column in spans)
    plan = Sanitizer(load_policy("identifiers"), force_language=True).plan(Document(text, parts=parts))
    assert {text[d.start : d.end]: d.label for d in plan.changes}["George"] == "PERSON"
