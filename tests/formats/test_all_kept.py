"""A plan in which everything is kept gives the source back, for every registered format.

Text, JSONL, CSV and TSV come back byte for byte, whatever they hold. Formats that carry more than their text (comments,
properties, revisions) lose that even if every word is kept, so their files come back byte for byte once they are in the
form in which Tacenda writes them; before that the text is the same, word for word. A PDF is always built anew.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("lxml")

from tests.formats import samples, samples_msg, samples_open
from tests.formats.checks import bare
from tests.formats.samples import Person

from tacenda import Plan, Sanitizer
from tacenda.formats import File, names, open_bytes
from tacenda.model import Reading
from tacenda.policy import Policy

PIECES = "jo@example.org|Mary|(212) 555-0123|a|an|3 July 2024|Hanks'|films|4471-88213|é|\n".split("|")
WORDS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map(" ".join).filter(str.strip)
NAME = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=8).map(str.capitalize)
PEOPLE = st.builds(Person, NAME, NAME, NAME.map(str.lower), st.just("zeb.quill@example.org"))


def rows(text: str, mark: str) -> str:
    quoted = '"' + text.replace('"', '""') + '"'
    return f"text{mark}id\n{quoted}{mark}7\n"


SAME: dict[str, Callable[[str], str]] = {
    "text": lambda text: text,
    "jsonl": lambda text: json.dumps({"text": text}) + "\n",
    "csv": lambda text: rows(text, ","),
    "tsv": lambda text: rows(text, "\t"),
}
REBUILT: dict[str, Callable[[Person], bytes]] = {
    "docx": samples.docx,
    "xlsx": samples.xlsx,
    "pptx": samples.pptx,
    "odt": samples_open.odt,
    "ods": samples_open.ods,
    "html": lambda who: samples_open.html(who).encode(),
    "eml": samples_open.eml,
    "mbox": samples_open.mbox,
}
COLUMNAR = ("parquet", "arrow", "arrows")
OTHERS = {"pdf", "msg", *COLUMNAR}  # each has a test of its own below


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer(Policy(name="p", annotate=("patterns",), risk={"entity": {}}), force_language=True)


def kept(sanitizer: Sanitizer, file: File) -> bytes:
    """Write a file under its plan with every decision changed to keep."""
    plan: Plan = sanitizer.plan(file.document)
    assert plan.changes or "@" not in file.document.text, "there is something to keep"
    for number in range(len(plan.decisions)):
        plan = plan.override(number, action="keep")
    (data,) = sanitizer.write([file], plan)
    return data


def test_every_registered_format_is_held_to_it() -> None:
    assert {*names()} == {*SAME, *REBUILT, *OTHERS}


@pytest.mark.parametrize("name", list(SAME))
@settings(max_examples=30)
@given(text=WORDS)
def test_byte_for_byte(sanitizer: Sanitizer, name: str, text: str) -> None:
    data = SAME[name](text).encode()
    reading = Reading(keep=("id",) if name in ("csv", "tsv") else ())
    assert kept(sanitizer, open_bytes(data, name="in", format=name, reading=reading)) == data


@settings(max_examples=30)
@given(text=WORDS)
def test_markdown_byte_for_byte(sanitizer: Sanitizer, text: str) -> None:
    data = f"# {text}\n\n* **{text}**\n\n| {text} | `x` |\n|---|---|\n".encode()
    assert kept(sanitizer, open_bytes(data, name="in.md")) == data


@pytest.mark.parametrize("name", list(REBUILT))
@settings(max_examples=6)
@given(who=PEOPLE)
def test_word_for_word_and_then_byte_for_byte(sanitizer: Sanitizer, name: str, who: Person) -> None:
    file = open_bytes(REBUILT[name](who), name=f"in.{name}", format=name)
    first = kept(sanitizer, file)
    again = open_bytes(first, name=f"in.{name}", format=name)
    assert bare(again.document.text) == bare(file.document.text)
    assert kept(sanitizer, again) == first


@settings(max_examples=6)
@given(who=PEOPLE)
def test_an_outlook_message_becomes_a_mail_with_the_same_words(sanitizer: Sanitizer, who: Person) -> None:
    pytest.importorskip("oxmsg")
    file = open_bytes(samples_msg.msg(who), name="in.msg", format="msg")
    first = kept(sanitizer, file)
    again = open_bytes(first, name="in.eml", format="eml")
    assert bare(again.document.text) == bare(file.document.text)
    assert kept(sanitizer, again) == first


@pytest.mark.parametrize("name", COLUMNAR)
@settings(max_examples=12)
@given(texts=st.lists(st.none() | WORDS, min_size=1, max_size=6))
def test_tables_of_columns_hold_the_same_rows(sanitizer: Sanitizer, name: str, texts: list[str | None]) -> None:
    pa = pytest.importorskip("pyarrow")
    from tests.formats.samples_columns import packed, unpacked

    held = pa.table({"text": pa.array(texts, pa.string()), "id": pa.array(range(len(texts)), pa.int16())})
    reading = Reading(fields=("text",), keep=("id",))
    first = kept(sanitizer, open_bytes(packed(held, name), name=f"in.{name}", format=name, reading=reading))
    assert unpacked(first, name).equals(held)
    assert kept(sanitizer, open_bytes(first, name=f"in.{name}", format=name, reading=reading)) == first


@settings(max_examples=6)
@given(lines=st.lists(st.sampled_from([piece for piece in PIECES if piece.isascii()]), min_size=2, max_size=12))
def test_a_pdf_has_the_same_text(sanitizer: Sanitizer, lines: Sequence[str]) -> None:
    pytest.importorskip("pikepdf")
    canvas: Any = pytest.importorskip("reportlab.pdfgen.canvas")
    out = io.BytesIO()
    page = canvas.Canvas(out)
    for number, line in enumerate(lines):
        page.drawString(72, 700 - 40 * number, line.strip() or "-")
    page.save()
    file = open_bytes(out.getvalue(), name="in.pdf", format="pdf")
    again = open_bytes(kept(sanitizer, file), name="in.pdf", format="pdf")
    assert again.document.text.split() == file.document.text.split()
    assert file.document.dropped, "what does not come back is named"
