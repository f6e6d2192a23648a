"""Properties of reading and writing, over texts and edits that nobody thought of."""

from __future__ import annotations

from email.message import EmailMessage
from html import escape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("lxml")

from tests.formats import samples, samples_open
from tests.formats.checks import again, bare, spliced

from tacenda.formats import named
from tacenda.model import Reading

# Letters, marks, spaces, look-alikes and characters that mean something to a format.
USUAL = st.sampled_from("abc ABC &<>\"'_x0041_[]{}=?%;:,.-\u00ad\u200b\u00a0\u2011é𝒬日")
ANY = st.one_of(USUAL, st.characters(codec="utf-8"))
TEXT = st.text(ANY, max_size=30).map(lambda text: "".join(c for c in text if c.isprintable() or c == "\u00ad"))
RUNS = st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=6)


def docx(paragraphs: list[list[str]]) -> bytes:
    body = "".join(samples.paragraph("".join(samples.run(escape(t)) for t in runs)) for runs in paragraphs)
    return samples.pack(
        {
            "[Content_Types].xml": samples.types({"word/document.xml": "wordprocessingml.document.main"}),
            "_rels/.rels": samples.relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"{samples.XML}<w:document {samples.W}><w:body>{body}</w:body></w:document>",
        }
    )


def xlsx(paragraphs: list[list[str]]) -> bytes:
    rows = "".join(
        "<row>"
        + "".join(f'<c t="inlineStr"><is><t xml:space="preserve">{escape(t)}</t></is></c>' for t in runs)
        + "</row>"
        for runs in paragraphs
    )
    kinds = {"xl/workbook.xml": "spreadsheetml.sheet.main", "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet"}
    return samples.pack(
        {
            "[Content_Types].xml": samples.types(kinds),
            "_rels/.rels": samples.relations(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f"{samples.XML}<workbook {samples.S}><sheets>"
            '<sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": samples.relations(("rId1", "worksheet", "worksheets/sheet1.xml")),
            "xl/worksheets/sheet1.xml": f"{samples.XML}<worksheet {samples.S}><sheetData>{rows}"
            "</sheetData></worksheet>",
        }
    )


def odt(paragraphs: list[list[str]]) -> bytes:
    body = "".join(
        "<text:p>" + "".join(f"<text:span>{escape(t)}</text:span>{escape(t)}" for t in runs) + "</text:p>"
        for runs in paragraphs
    )
    return samples_open.package("text", samples.ZEBULON, f"<office:text>{body}</office:text>", "")


def html(paragraphs: list[list[str]]) -> bytes:
    body = "".join("<p>" + "".join(f"<b>{escape(t)}</b>{escape(t)}<br>" for t in runs) + "</p>" for runs in paragraphs)
    return f"<!DOCTYPE html><html><body>{body}</body></html>".encode()


def eml(paragraphs: list[list[str]]) -> bytes:
    message = EmailMessage()
    message["Subject"] = "".join(paragraphs[0])
    message.set_content("\n\n".join("\n".join(runs) for runs in paragraphs) + "\n")
    message.add_alternative(html(paragraphs).decode(), subtype="html")
    return bytes(message)


MAKERS = {"docx": docx, "xlsx": xlsx, "odt": odt, "html": html, "eml": eml}
FORMATS = pytest.mark.parametrize("name", list(MAKERS))


@FORMATS
@settings(max_examples=60, deadline=None)
@given(paragraphs=RUNS)
def test_all_kept_reads_the_same(name: str, paragraphs: list[list[str]]) -> None:
    form: Any = named(name)
    opened = form.open(MAKERS[name](paragraphs), Reading())
    text = opened.read().text
    assert again(form, opened.write([])) == text


@FORMATS
@settings(max_examples=60, deadline=None)
@given(paragraphs=RUNS, data=st.data())
def test_edits_are_made_where_they_were_meant(name: str, paragraphs: list[list[str]], data: st.DataObject) -> None:
    form: Any = named(name)
    opened = form.open(MAKERS[name](paragraphs), Reading())
    document = opened.read()
    edits = []
    for part in document.parts:
        if part.kind != "uri" and data.draw(st.booleans()):
            start = data.draw(st.integers(part.start, part.end))
            end = data.draw(st.integers(start, part.end))
            edits.append((start, end, data.draw(st.sampled_from(["[person 1]", "a town", "[x]", "2019"]))))
    promised = opened.promised(edits)
    assert bare(promised) == bare(spliced(document.text, edits)) or name == "xlsx"
    assert bare(again(form, opened.write(edits))) == bare(promised)
    assert opened.read().text == document.text


@FORMATS
@settings(max_examples=30, deadline=None)
@given(paragraphs=RUNS)
def test_parts_lie_in_order_and_cover_all_that_is_read(name: str, paragraphs: list[list[str]]) -> None:
    document = named(name).open(MAKERS[name](paragraphs), Reading()).read()
    at = 0
    for part in document.parts:
        assert part.start >= at
        assert not document.text[at : part.start].strip()
        at = part.end
    assert not document.text[at:].strip()


def test_a_quotation_mark_in_a_subject_stays() -> None:
    form: Any = named("eml")
    message = EmailMessage()
    message["Subject"] = 'The "old" file'
    message.set_content("hello\n")
    opened = form.open(bytes(message), Reading())
    assert opened.read().text.startswith('The "old" file')
    assert again(form, opened.write([(0, 3, "[x]")])).startswith('[x] "old" file')
