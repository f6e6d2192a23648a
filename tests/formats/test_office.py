"""Office files in detail: revisions, fields, values, names of sheets, second readers."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest

pytest.importorskip("lxml")

from tests.formats import samples, samples_open
from tests.formats.checks import bare, sanitized
from tests.formats.samples import XML, ZEBULON, W, pack, paragraph, relations, run, types

from tacenda.formats.office import Docx, Ods, Xlsx
from tacenda.formats.office.table_heads import Heads, is_head
from tacenda.formats.office.values import as_displayed, plain_number, show, value_of
from tacenda.model import Reading


def word(body: str) -> bytes:
    return pack(
        {
            "[Content_Types].xml": types({"word/document.xml": "wordprocessingml.document.main"}),
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"{XML}<w:document {W}><w:body>{body}</w:body></w:document>",
        }
    )


def text_of(form: Any, data: bytes) -> str:
    return str(form.open(data, Reading()).read().text)


def entry(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


def test_revisions_are_accepted() -> None:
    gone = '<w:del w:id="1" w:author="x"><w:r><w:delText>gone</w:delText></w:r></w:del>'
    mark = '<w:pPr><w:rPr><w:del w:id="2" w:author="x"/></w:rPr></w:pPr>'
    row = '<w:tr><w:trPr><w:del w:id="3" w:author="x"/></w:trPr><w:tc>{}</w:tc></w:tr>'.format(paragraph(run("row")))
    body = paragraph(gone + run("kept")) + f"<w:p>{mark}{run('first ')}</w:p>" + paragraph(run("second"))
    body += f"<w:tbl>{row}<w:tr><w:tc>{paragraph(run('cell'))}</w:tc></w:tr></w:tbl>"
    text = text_of(Docx(), word(body))
    assert "gone" not in text
    assert "row" not in text
    assert "first second" in text
    assert "cell" in text


def test_fields_become_their_results_but_page_numbers_stay() -> None:
    def field(code: str, result: str) -> str:
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>'
            f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    nested = field('IF "' + "secret" + '" ' + "x", "shown")
    body = paragraph(field(" PAGE  \\* MERGEFORMAT", "7")) + paragraph(nested)
    opened = Docx().open(word(body), Reading())
    assert bare(opened.read().text) == "7shown"
    written = entry(opened.write([]), "word/document.xml")
    assert "<w:instrText> PAGE </w:instrText>" in written
    assert "secret" not in written


def test_an_edit_over_runs_keeps_the_format_of_the_first() -> None:
    body = paragraph(
        run("Dr ") + run("Zoe", "<w:rPr><w:b/></w:rPr>") + run("Kern", "<w:rPr><w:i/></w:rPr>") + run(" left")
    )
    opened = Docx().open(word(body), Reading())
    start = opened.read().text.index("Zoe")
    written = opened.write([(start, start + 7, "[person 1]")])
    assert '<w:b/></w:rPr><w:t xml:space="preserve">[person 1]</w:t>' in entry(written, "word/document.xml")
    assert text_of(Docx(), written).strip() == "Dr [person 1] left"


@pytest.mark.parametrize(
    ("before", "raised", "read"),
    [
        ("Porter", "1", "Porter\u200a1"), ("Porter", "a,b", "Porter\u200aa,b"), ("2019", "12", "2019\u200a12"),
        ("10", "th", "10th"), ("2", "e", "2e"), ("N", "o", "No"), ("Porter ", "1", "Porter 1"),
    ],
)  # fmt: skip
def test_a_raised_mark_of_a_note_does_not_join_the_word_before_it(before: str, raised: str, read: str) -> None:
    up = f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{raised}</w:t></w:r>'
    held = f'<w:r><w:t xml:space="preserve">{before}</w:t></w:r>'
    data = word(f"<w:p>{held}{up}{run(' was here')}</w:p>")
    opened = Docx().open(data, Reading())
    text = opened.read().text
    assert text.startswith(f"{read} was here")
    out = opened.write([(0, len(before.strip()), "[person 1]")])
    assert text_of(Docx(), out) == "[person 1]" + text[len(before.strip()) :]


def test_two_writes_start_from_the_same_file() -> None:
    opened = Docx().open(word(paragraph(run("Zoe"))), Reading())
    assert opened.write([(0, 3, "a")]) != opened.write([(0, 3, "b")])
    assert text_of(Docx(), opened.write([])).strip() == "Zoe"


def test_values_leave_as_they_are_shown() -> None:
    document, written, _ = sanitized(Xlsx(), samples.xlsx(ZEBULON), ZEBULON)
    sheet = entry(written, "xl/worksheets/sheet1.xml")
    cells = dict(re.findall(r'<c r="(\w+)"[^>]*><v>([^<]*)</v>', sheet))
    assert cells["B2"] == "26000"  # shown as a day: the time is gone
    assert cells["B3"] == "25993"  # shown as a month: its first day
    assert cells["C2"] == "3.14"
    assert "7 March 1971" in document.text or "March 1971" in document.text
    assert "<f>" not in sheet
    assert 'name="［person 1］ data"' in entry(written, "xl/workbook.xml")
    assert "'［person 1］ data'!$B$1" in entry(written, "xl/charts/chart1.xml")


def test_an_edited_date_stays_a_date_if_it_is_one() -> None:
    opened = Xlsx().open(samples.xlsx(ZEBULON), Reading())
    text = opened.read().text
    at = text.index("8 March 1971")
    shifted = entry(opened.write([(at, at + 12, "15 March 1971")]), "xl/worksheets/sheet1.xml")
    assert '<c r="B2" s="1"><v>26007</v>' in shifted
    year = entry(opened.write([(at, at + 12, "1971")]), "xl/worksheets/sheet1.xml")
    assert '<c r="B2" s="5"><v>1971</v>' in year
    words = entry(opened.write([(at, at + 12, "in spring")]), "xl/worksheets/sheet1.xml")
    assert re.search(r'<c r="B2" s="1" t="inlineStr"><is><t[^>]*>in spring', words)


def test_names_of_sheets_fit() -> None:
    opened = Xlsx().open(samples.xlsx(ZEBULON), Reading())
    document = opened.read()
    first, second = document.parts[:2]
    edits = [(first.start, first.end, "x" * 40), (second.start, second.end, "x" * 40)]
    promised = opened.promised(edits)
    written = opened.write(edits)
    assert text_of(Xlsx(), written) == promised
    names = re.findall(r'<sheet name="([^"]*)"', entry(written, "xl/workbook.xml"))
    assert len(set(names)) == 2
    assert all(len(name) <= 31 for name in names)


def test_cells_of_opendocument_keep_only_what_they_show() -> None:
    _, written, _ = sanitized(Ods(), samples_open.ods(ZEBULON), ZEBULON)
    content = entry(written, "content.xml")
    assert 'office:date-value="1971-03-14"' in content
    assert "T05:00:00" not in content
    assert content.count("1971-03-14") == 1  # a cell that shows a month is text
    assert 'office:value="3.14"' in content


@pytest.mark.parametrize(
    ("raw", "code", "text"),
    [
        ("3", "General", "3"), ("0.1", "General", "0.1"), ("1234.5", "#,##0.00", "1,234.50"), ("-5", "0;(0)", "(5)"),
        ("0.256", "0.0%", "25.6%"), ("123456789", "000-00-0000", "123-45-6789"),
        ("2075550142", "(###) ###-####", "(207) 555-0142"),
        ("43538", "yyyy-mm-dd", "2019-03-14"), ("43538.5", "m/d/yy h:mm", "3/14/19 12:00"),
        ("43538", "mmm-yy", "Mar-19"),
        ("1", "m/d/yyyy", "1/1/1900"), ("7", "00000", "00007"), ("5", '"EUR" 0', "EUR 5"), ("12", "[$€-407] 0", "€ 12"),
        ("0.75", "h:mm AM/PM", "6:00 PM"), ("abc", "0", "abc"), ("1e400", "0", "1e400"), ("NaN", "0", "NaN"),
    ],
)  # fmt: skip
def test_numbers_are_shown_as_their_format_says(raw: str, code: str, text: str) -> None:
    assert show(raw, code).text == text


def test_values_are_found_again() -> None:
    for raw, code in (("43538", "d mmmm yyyy"), ("1234.5", "#,##0.00"), ("123456789", "000-00-0000"), ("0.25", "0%")):
        shown = show(raw, code)
        assert value_of(shown.text, code) == shown.value
    assert value_of("[date 1]", "d mmmm yyyy") is None
    assert [plain_number(t) for t in ("1971", "007", "1.50", "-3", "x")] == [True, False, False, True, False]
    assert as_displayed("0.256", "26%", percent=True) == value_of("26%", "0%")


def test_heads_of_tables() -> None:
    assert Heads.of([["Name", "Born"], ["Fox", "1970"]]).column(0) == "Name"
    assert Heads.of([["Fox", "1970"], ["Ash", "1980"]]).column(0) == ""
    form = Heads.of([["Name", "Zoe Kern"], ["Date of birth", "3 May 1970"]])
    assert form.column(1, "Name") == "Name"
    assert form.column(1, "Date of birth") == "Date of birth"
    assert Heads().column(1, "Phone:") == "Phone"
    assert not is_head(["a" * 50])


def test_second_readers_see_the_same() -> None:
    docx = pytest.importorskip("docx")
    openpyxl = pytest.importorskip("openpyxl")
    pptx = pytest.importorskip("pptx")
    _, written, _ = sanitized(Docx(), samples.docx(ZEBULON), ZEBULON)
    read = docx.Document(io.BytesIO(written))
    assert read.paragraphs[0].text == "On 14 March 2019 Dr [person 1], a lecturer, was admitted."
    assert read.tables[0].cell(1, 0).text == "[person 1]"
    _, written, _ = sanitized(Xlsx(), samples.xlsx(ZEBULON), ZEBULON)
    book = openpyxl.load_workbook(io.BytesIO(written))
    assert book.worksheets[0]["A2"].value == "[person 1]"
    assert book.worksheets[0]["B2"].is_date
    from tacenda.formats.office import Pptx

    _, written, _ = sanitized(Pptx(), samples.pptx(ZEBULON), ZEBULON)
    shapes = pptx.Presentation(io.BytesIO(written)).slides[0].shapes
    assert shapes[0].text_frame.text.startswith("Case of [person 1]")


def test_shapes_of_a_sheet_do_not_name_it() -> None:
    from lxml import etree

    from tacenda.formats.office.odf_clean import clean, name

    shape = etree.Element(name("draw:frame"))
    shape.set(name("table:end-cell-address"), "'Quillfeather data'.I9")
    root = etree.Element(name("table:table"))
    root.append(shape)
    clean(root)
    assert b"Quillfeather" not in etree.tostring(root)
