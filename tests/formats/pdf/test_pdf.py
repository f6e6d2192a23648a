"""PDF: what is removed is gone, what is kept is there, and nothing tells what was removed."""

from __future__ import annotations

import io
import re
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pikepdf = pytest.importorskip("pikepdf")
pytest.importorskip("pypdfium2")
pytest.importorskip("pdfminer")
pytest.importorskip("fontTools")

from PIL import Image  # noqa: E402
from tests.formats.pdf import making  # noqa: E402

from tacenda.errors import GuaranteeError, InputError, PlanError  # noqa: E402
from tacenda.formats.pdf import Pdf, render  # noqa: E402
from tacenda.formats.pdf.opened import OpenedPdf  # noqa: E402
from tacenda.model import Edit, Layout, Limits, Reading  # noqa: E402

KINDS = ("standard", "truetype", "cff", "type3")
LINES = [
    "In March Zebulon Quillfeather was admitted to the hospital",
    "with fever and a long letter of his wife that nobody read",
    "until the officer in charge asked what it was about today",
]


def edits_of(text: str, pairs: dict[str, str]) -> list[Edit]:
    """Return edits that replace every occurrence of these words."""
    return [(m.start(), m.end(), new) for old, new in pairs.items() for m in re.finditer(re.escape(old), text)]


def edited(data: bytes, pairs: dict[str, str], *, layout: Layout = "text") -> tuple[bytes, OpenedPdf]:
    """Read, replace, write."""
    opened = Pdf().open(data, Reading(name="file", layout=layout))
    assert isinstance(opened, OpenedPdf)
    document = opened.read()
    found = []
    for start, end, new in edits_of(document.text, pairs):
        part = document.part_at(start)
        assert part is not None
        found.append((part.start, part.end, "") if part.kind == "uri" else (start, end, new))
    return opened.write(found), opened


def text_of(data: bytes) -> str:
    """Return what is read in a file."""
    return Pdf().open(data, Reading()).read().text


@pytest.mark.parametrize("kind", KINDS)
def test_removed_words_are_gone_and_kept_words_stay(kind: str) -> None:
    data = making.letter(LINES, kind=kind, pages=2)
    out, opened = edited(data, {"Zebulon Quillfeather": "a person"})
    assert not opened.pictured
    assert text_of(out).split() == text_of(data).replace("Zebulon Quillfeather", "a person").split()
    assert not Pdf().residue(out, ["Zebulon", "Quillfeather"])
    assert Pdf().residue(data, ["Quillfeather"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", ["text", "label", "black"])
def test_inputs_that_differ_only_in_the_name_give_the_same_bytes(kind: str, layout: Layout) -> None:
    outputs = set()
    for name in ("Zebulon Quillfeather", "Al Wu", "Wanda Mm", "Ijil Jillitij"):
        lines = [LINES[0].replace("Zebulon Quillfeather", name), *LINES[1:]]
        outputs.add(
            edited(making.letter(lines, kind=kind, justified=kind != "standard"), {name: "X"}, layout=layout)[0]
        )
    assert len(outputs) == 1


def test_a_name_in_every_corner_leaves_nothing() -> None:
    data = making.everywhere()
    opened = Pdf().open(data, Reading())
    document = opened.read()
    assert document.text.count("Quillfeather") >= 16
    out, written = edited(data, {"Quillfeather": "[name]"})
    assert not Pdf().residue(out, [making.NAME])
    assert b"Exif" not in out
    assert "kept" in text_of(out)
    text = text_of(out)
    for words in ("Plain [name] here", "nested [name] form", "field [name]", "Chapter [name]", "place for [name] to"):
        assert words in text
    told = " ".join(document.dropped)
    for word in ("attached", "scripts", "metadata", "thumbnail", "XFA", "hidden layer", "tags", "comments"):
        assert word in told
    assert not written.pictured


def test_a_divided_name_is_read_as_one_word() -> None:
    text = text_of(making.everywhere())
    assert "place for Quillfeather to be divided" in text


@pytest.mark.parametrize("kind", ["truetype", "cff", "type3"])
def test_subsets_lose_letters_and_the_order_of_use(kind: str) -> None:
    out, _ = edited(making.letter(LINES, kind=kind), {"Zebulon Quillfeather": "a person"})
    with pikepdf.open(io.BytesIO(out)) as pdf:
        found = pdf.pages[0].Resources.Font
        maps = [f.ToUnicode.read_bytes().decode() for _, f in found.items() if "/ToUnicode" in f]
    codes = [bytes.fromhex(h).decode("utf-16-be") for h in re.findall(r"\n<[0-9A-F]+> <([0-9A-F]+)>", maps[0])]
    assert codes == sorted(codes)
    assert "Z" not in codes
    assert "Q" not in codes


def test_the_same_file_and_plan_give_the_same_bytes() -> None:
    data = making.everywhere()
    assert edited(data, {"Quillfeather": "[name]"})[0] == edited(data, {"Quillfeather": "[name]"})[0]


def test_without_edits_every_word_stays() -> None:
    data = making.everywhere()
    out, opened = edited(data, {})
    assert not opened.pictured
    assert text_of(out).split() == text_of(data).split()


def test_replacement_longer_than_the_line_is_squeezed_or_becomes_a_picture() -> None:
    out, _ = edited(making.letter(LINES), {"Zebulon Quillfeather": "a very long replacement " * 3})
    assert "a very long replacement a very long" in " ".join(text_of(out).split())
    out, opened = edited(making.letter(LINES), {"Zebulon Quillfeather": "a very long replacement " * 30})
    assert opened.pictured


def test_a_picture_page_keeps_words_and_loses_the_name() -> None:
    data = making.letter(LINES)
    opened = OpenedPdf(data, Reading())
    document = opened.read()
    opened.pictured = {}
    shares = opened._shares(edits_of(document.text, {"Zebulon Quillfeather": "[person 1]"}))
    opened.pictured = {0: "asked for"}
    out = opened._compose(shares)
    assert not opened._check(out, shares)
    assert text_of(out).split() == document.text.replace("Zebulon Quillfeather", "[person 1]").split()
    assert not Pdf().residue(out, ["Quillfeather"])


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_nothing_is_seen_of_a_removed_name() -> None:
    from tacenda.formats.pdf.ocr import words

    data = making.letter(LINES)
    out, _ = edited(data, {"Zebulon Quillfeather": "somebody"})
    for shown, seen in ((data, True), (out, False)):
        page = Image.open(io.BytesIO(render(shown, 1, 300 / 72)))
        assert ("Quillfeather" in " ".join(word.text for word in words(page, seconds=60))) is seen


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_a_scan_is_refused_or_read_by_recognition() -> None:
    scan = _scan(making.letter(LINES))
    with pytest.raises(InputError, match="page 1 cannot be read: a picture without text"):
        Pdf().open(scan, Reading(name="scan")).read()
    opened = Pdf().open(scan, Reading(name="scan", ocr=True))
    document = opened.read()
    assert "Zebulon Quillfeather was admitted" in document.text
    out = opened.write(edits_of(document.text, {"Zebulon Quillfeather": "[person 1]"}))
    assert "[person 1] was admitted" in " ".join(Pdf().open(out, Reading(ocr=True)).read().text.split())
    assert not Pdf().residue(out, ["Quillfeather"])


def test_a_word_that_two_looks_read_differently_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from tacenda.formats.pdf import ocr

    def looks(image: Image.Image, *, seconds: float, dpi: int = ocr.DPI) -> list[ocr.Word]:
        k = dpi // 100
        large = ["Fyill", "was", "admitted", "to", "ourclinic"]
        small = ["Fjill", "was", "admitted", "to", "our", "clinic", "today"]
        wide = {"ourclinic": 9}
        at, found = 0, []
        for text in large if dpi == ocr.DPI else small:
            end = at + wide.get(text, len(text))
            found.append(ocr.Word(text, (at * k, 0, end * k, 10 * k), 90.0))
            at = end + (text != "our")
        return found

    monkeypatch.setattr(ocr, "words", looks)
    found = ocr.looked_twice(Image.new("L", (300, 60)), seconds=5)
    assert [w.text for w in found if not w.sure] == ["Fyill"]
    assert [w.text for w in found if w.sure] == ["was", "admitted", "to", "ourclinic", "today"]


def _scan(data: bytes) -> bytes:
    """Return the first page as a picture in a PDF."""
    held = io.BytesIO()
    Image.open(io.BytesIO(render(data, 1, 200 / 72))).save(held, "PDF", resolution=200)
    return held.getvalue()


def test_glyphs_without_unicode_are_refused() -> None:
    pdf = pikepdf.Pdf.new()
    font, codes = making.type3(pdf, "".join(LINES), unicode=False)
    pdf.add_blank_page(page_size=(612, 792))
    shown = b"".join(codes[c] for c in LINES[0]).hex()
    pdf.pages[0].obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
    pdf.pages[0].obj.Contents = pdf.make_stream(f"BT /F 12 Tf 72 700 Td <{shown}> Tj ET".encode())
    with pytest.raises(InputError, match="glyphs without Unicode"):
        Pdf().open(making.saved(pdf), Reading(name="file")).read()


def test_encrypted_files_need_their_password() -> None:
    with pikepdf.open(io.BytesIO(making.letter(LINES))) as pdf:
        data = making.saved(pdf, encryption=pikepdf.Encryption(owner="owner", user="user", R=6))
    with pytest.raises(InputError, match="password"):
        Pdf().open(data, Reading(name="file"))
    opened = Pdf().open(data, Reading(name="file", password="user"))
    out = opened.write(edits_of(opened.read().text, {"Zebulon Quillfeather": "X"}))
    assert "Quillfeather" not in text_of(out)
    assert any("encryption" in what for what in opened.read().dropped)


@pytest.mark.parametrize(
    ("data", "limits", "match"),
    [
        (b"%PDF-1.7\nnothing", Limits(), "not a PDF"),
        (b"", Limits(), "not a PDF"),
        (making.letter(LINES, pages=3), Limits(pages=2), "pages"),
        (making.letter(LINES), Limits(size=100), "limit"),
        (making.letter(LINES), Limits(seconds=-1.0), "seconds"),
    ],
)
def test_what_is_damaged_or_too_large_is_refused(data: bytes, limits: Limits, match: str) -> None:
    with pytest.raises(InputError, match=match):
        Pdf().open(data, Reading(name="file", limits=limits)).read()


def test_a_stream_that_unpacks_to_too_much_is_refused() -> None:
    pdf = pikepdf.Pdf.new()
    pdf.add_blank_page()
    pdf.pages[0].obj.Contents = pdf.make_stream(b"% " + b"0" * 3_000_000)
    data = making.saved(pdf, compress_streams=True)
    with pytest.raises(InputError):
        Pdf().open(data, Reading(name="file", limits=Limits(expanded=1_000_000))).read()
    Pdf().open(data, Reading(name="file")).read()


def test_edits_must_fit() -> None:
    opened = Pdf().open(making.letter(LINES, pages=2), Reading(name="file"))
    length = len(opened.read().text)
    with pytest.raises(PlanError):
        opened.write([(0, length, "X")])
    with pytest.raises(PlanError):
        opened.write([(0, 5, "X"), (3, 8, "Y")])


def test_a_replacement_no_font_can_show_is_still_typed() -> None:
    out, opened = edited(making.letter(LINES), {"Zebulon Quillfeather": "Łódź 東京"})
    assert opened.pictured
    assert "Łódź 東京" in text_of(out)


def test_a_raised_number_is_no_part_of_the_word_before_it() -> None:
    pdf = pikepdf.Pdf.new()
    font, codes = making.font(pdf, "Porter12 was here", "standard")
    pdf.add_blank_page(page_size=(612, 792))
    shown = lambda text: f"<{b''.join(codes[c] for c in text).hex()}> Tj"  # noqa: E731
    raised = f"/F 7 Tf 4 Ts {shown('12')} 0 Ts /F 12 Tf"
    pdf.pages[0].obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
    content = f"BT /F 12 Tf 72 700 Td {shown('Porter')} {raised} {shown(' was here')} ET"
    pdf.pages[0].obj.Contents = pdf.make_stream(content.encode())
    data = making.saved(pdf)
    assert text_of(data) == "Porter 12 was here"
    assert text_of(edited(data, {"Porter": "[person 1]"})[0]).split() == ["[person", "1]", "12", "was", "here"]


def table(rows: list[list[str]], *, x: tuple[int, ...] = (72, 220, 380)) -> bytes:
    """Return a page with words in rows and columns."""
    pdf = pikepdf.Pdf.new()
    font, codes = making.font(pdf, "".join(c for row in rows for cell in row for c in cell), "standard")
    pdf.add_blank_page(page_size=(612, 792))
    pdf.pages[0].obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
    shown = [
        f"1 0 0 1 {x[c]} {700 - 18 * r} Tm <{b''.join(codes[k] for k in cell).hex()}> Tj"
        for r, row in enumerate(rows) for c, cell in enumerate(row) if cell
    ]  # fmt: skip
    pdf.pages[0].obj.Contents = pdf.make_stream(f"BT /F 12 Tf {' '.join(shown)} ET".encode())
    return making.saved(pdf)


def test_cells_of_a_table_know_their_columns() -> None:
    rows = [["Name", "Town", "Phone"], ["Fox", "Reading", "555 0142"], ["Young", "Bath", "555 0199"]]
    data = table(rows)
    document = Pdf().open(data, Reading()).read()
    found = {document.text[p.start : p.end]: (p.kind, p.column) for p in document.parts}
    assert found["Fox"] == ("cell", "Name")
    assert found["Bath"] == ("cell", "Town")
    assert found["Phone"] == ("prose", "")
    out, _ = edited(data, {"Young": "[person 1]"})
    assert text_of(out).split() == text_of(data).replace("Young", "[person 1]").split()


@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "Town", "Phone"], ["Fox", "Reading", "555 0142"]],  # too few to be sure
        [["The first 2 lines", "of two columns", "of prose"], ["go on here", "and here", "too"], ["and", "so", "on"]],
        [["Name", "Town", "Phone"], ["A long cell that reaches far over its column", "", "x"], ["Fox", "Bath", "1"]],
    ],
)
def test_what_may_be_no_table_is_none(rows: list[list[str]]) -> None:
    assert {p.kind for p in Pdf().open(table(rows), Reading()).read().parts} == {"prose"}


def test_boxes_tell_where_words_stand() -> None:
    opened = Pdf().open(making.letter(LINES), Reading())
    start = opened.read().text.index("admitted")
    (box,) = opened.boxes(start, start + len("admitted"))
    assert box.page == 1
    assert 72 < box.left < box.right < 540
    assert 792 - 715 < box.top < 792 - 700 < box.bottom < 792 - 690


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_boxes_of_turned_pages_lie_on_the_page_as_shown(turned: int) -> None:
    with pikepdf.open(io.BytesIO(making.letter(LINES))) as pdf:
        pdf.pages[0].obj.Rotate = turned
        data = making.saved(pdf)
    opened = OpenedPdf(data, Reading())
    text = opened.read().text
    (box,) = opened.boxes(0, len("In March"))
    page = Image.open(io.BytesIO(render(data, 1, 1.0))).convert("L")
    ink = page.crop((int(box.left), int(box.top), int(box.right) + 1, int(box.bottom) + 1))
    assert ink.getextrema()[0] < 100
    opened._shares([])
    opened.pictured = {0: "asked for"}
    shares = opened._shares(edits_of(text, {"Zebulon Quillfeather": "X"}))
    assert not opened._check(opened._compose(shares), shares)


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_any_edits_read_as_promised(data: st.DataObject) -> None:
    opened = OpenedPdf(making.letter(LINES, kind=data.draw(st.sampled_from(KINDS))), Reading())
    text = opened.read().text
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    words = st.text("abc xyz[]1", max_size=8)
    changes = [(a, b, data.draw(words)) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    pieces, at = [], 0
    for start, end, new in changes:
        pieces += [text[at:start], new]
        at = end
    promised = "".join([*pieces, text[at:]])
    assert "".join(text_of(opened.write(changes)).split()) == "".join(promised.split())


@pytest.mark.parametrize("changes", [
    [(58, 59, "zx")],
    [(0, 0, "ab"), (58, 59, " [x"), (116, 117, "yc]")],
    [(50, 58, "one"), (58, 59, "two"), (59, 63, "three")],
    [(0, 0, "ab"), (0, 2, "cd"), (59, 59, "ef"), (173, 173, "gh")],
])  # fmt: skip
def test_words_put_into_a_gap_between_lines_are_typed(changes: list[Edit]) -> None:
    opened = OpenedPdf(making.letter(LINES), Reading())
    text = opened.read().text
    promised = text
    for start, end, new in reversed(changes):
        promised = promised[:start] + new + promised[end:]
    assert "".join(text_of(opened.write(changes)).split()) == "".join(promised.split())


def test_pages_are_rendered() -> None:
    assert render(making.letter(LINES), 1, 0.5).startswith(b"\x89PNG")


def test_a_failed_check_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from tacenda.formats.pdf import second_reader

    monkeypatch.setattr(second_reader.Checker, "agrees", lambda *_: False)
    with pytest.raises(GuaranteeError, match="nothing was written"):
        edited(making.letter(LINES), {"Zebulon Quillfeather": "X"})


def test_no_source_text_in_errors() -> None:
    data = making.everywhere()
    for cut in range(200, len(data), len(data) // 40):
        broken = data[:cut] + data[cut + 7 :]
        said = ""
        try:
            opened = Pdf().open(broken, Reading(name="file"))
            opened.write(edits_of(opened.read().text, {"Quillfeather": "X"}))
        except (InputError, GuaranteeError, PlanError) as error:
            said = str(error)
        assert "uillfeather" not in said
