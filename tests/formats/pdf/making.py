"""PDFs made for the tests: fonts of every kind with box-shaped glyphs, letters, and one file with a name everywhere."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pikepdf
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import Image

NAME = "Quillfeather"


def _box(pen: Any, wide: int) -> None:
    pen.moveTo((40, 0))
    pen.lineTo((40, 700))
    pen.lineTo((wide - 40, 700))
    pen.lineTo((wide - 40, 0))
    pen.closePath()


def width(char: str) -> int:
    """Every letter has its own width, so that widths tell letters."""
    return 300 if char == " " else 350 + 11 * (ord(char) % 37)


def program(text: str, kind: str) -> tuple[bytes, list[str]]:
    """Return a font program with the letters of a text in the order of their first use, and that order."""
    order = list(dict.fromkeys(text))
    names = [".notdef", *(f"u{ord(c):04x}" for c in order)]
    builder = FontBuilder(1000, isTTF=kind == "truetype")
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(c): n for c, n in zip(order, names[1:], strict=True)})
    widths = {".notdef": (500, 0), **{f"u{ord(c):04x}": (width(c), 0) for c in order}}
    glyphs = {}
    for name, (wide, _) in widths.items():
        pen = TTGlyphPen(None) if kind == "truetype" else T2CharStringPen(wide, None)
        if name != "u0020":
            _box(pen, wide)
        glyphs[name] = pen.glyph() if kind == "truetype" else pen.getCharString()
    if kind == "truetype":
        builder.setupGlyf(glyphs)
    else:
        builder.setupCFF("Test", {}, glyphs, {})
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupPost()
    held = io.BytesIO()
    if kind == "truetype":
        builder.font.save(held)
    else:
        builder.font["CFF "].cff.compile(held, builder.font, isCFF2=False)
    return held.getvalue(), order


def composite(pdf: Pdf, text: str, kind: str) -> tuple[Any, dict[str, bytes]]:
    """Return a composite font whose codes follow the order of use, as many producers write them."""
    data, order = program(text, kind)
    stream = pdf.make_stream(data)
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name("/ABCDEF+Test"), Flags=4, FontBBox=Array([0, -200, 1000, 800]),
        ItalicAngle=0, Ascent=800, Descent=-200, CapHeight=700, StemV=80,
    )  # fmt: skip
    if kind == "truetype":
        descriptor.FontFile2 = stream
    else:
        stream.Subtype = Name.CIDFontType0C
        descriptor.FontFile3 = stream
    inner = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2 if kind == "truetype" else Name.CIDFontType0,
        BaseFont=Name("/ABCDEF+Test"), FontDescriptor=descriptor, DW=500,
        W=Array([1, Array([width(c) for c in order])]),
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
    )  # fmt: skip
    if kind == "truetype":
        inner.CIDToGIDMap = Name.Identity
    rows = "\n".join(f"<{n:04X}> <{ord(c):04X}>" for n, c in enumerate(order, 1))
    cmap = f"1 begincodespacerange <0000> <FFFF> endcodespacerange {len(order)} beginbfchar\n{rows}\nendbfchar"
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Test"), Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(inner)]), ToUnicode=pdf.make_stream(cmap.encode()),
    )  # fmt: skip
    return pdf.make_indirect(font), {c: n.to_bytes(2) for n, c in enumerate(order, 1)}


def type3(pdf: Pdf, text: str, *, unicode: bool = True) -> tuple[Any, dict[str, bytes]]:
    """Return a Type 3 font of boxes."""
    order = list(dict.fromkeys(text))
    procs, names = Dictionary(), []
    for n, char in enumerate(order):
        name = f"/u{ord(char):04X}" if unicode else f"/a{n}"
        names.append(Name(name.replace("/u", "/uni")) if unicode else Name(name))
        wide = width(char)
        shape = "" if char == " " else f" 40 0 {wide - 80} 700 re f"
        procs[str(names[-1])] = pdf.make_stream(f"{wide} 0 0 0 {wide} 700 d1{shape}".encode())
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
        FontBBox=Array([0, 0, 1000, 800]), FirstChar=1, LastChar=len(order), Widths=Array([width(c) for c in order]),
        Encoding=Dictionary(Differences=Array([1, *names])), CharProcs=procs, Resources=Dictionary(),
    )  # fmt: skip
    return pdf.make_indirect(font), {c: bytes((n,)) for n, c in enumerate(order, 1)}


def standard(pdf: Pdf, text: str) -> tuple[Any, dict[str, bytes]]:
    """Return Helvetica, not embedded."""
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    return pdf.make_indirect(font), {c: c.encode("cp1252") for c in set(text)}


def font(pdf: Pdf, text: str, kind: str) -> tuple[Any, dict[str, bytes]]:
    """Return a font of a kind that can show a text, and its codes."""
    if kind == "standard":
        return standard(pdf, text)
    return type3(pdf, text) if kind == "type3" else composite(pdf, text, kind)


def saved(pdf: Pdf, **options: Any) -> bytes:
    """Return the bytes of a file."""
    held = io.BytesIO()
    pdf.save(held, **options)
    return held.getvalue()


def letter(lines: Sequence[str], *, kind: str = "standard", justified: bool = False, pages: int = 1) -> bytes:
    """Return a file with these lines on every page; `justified` sets every line to the same width by word spacing."""
    pdf = Pdf.new()
    made, codes = font(pdf, "".join(lines), kind)
    for _ in range(pages):
        pdf.add_blank_page(page_size=(612, 792))
        page = pdf.pages[-1].obj
        page.Resources = Dictionary(Font=Dictionary(F=made))
        content = ["BT /F 12 Tf 14 TL 72 700 Td"]
        for line in lines:
            if justified and len(line.split()) > 1:
                spare = 400 - 12 * sum(width(c) for c in line) / 1000
                step = -1000 * spare / 12 / line.count(" ")
                words = [*(f"{word} " for word in line.split(" ")[:-1]), line.split(" ")[-1]]
                shown = [f"<{b''.join(codes[c] for c in word).hex()}>" for word in words]
                content.append(f"[{f' {step:.3f} '.join(shown)}] TJ T*")
            else:
                content.append(f"<{b''.join(codes[c] for c in line).hex()}> Tj T*")
        page.Contents = pdf.make_stream("\n".join([*content, "ET"]).encode())
    return saved(pdf)


def everywhere() -> bytes:
    """Return a file with the name in every corner a PDF has."""
    pdf = Pdf.new()
    pdf.add_blank_page(page_size=(612, 792))
    page = pdf.pages[0].obj
    plain, _ = standard(pdf, "")
    form = _forms(pdf, plain)
    picture = _photograph(pdf)
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(f"Layer {NAME}")))
    page.Resources = Dictionary(
        Font=Dictionary(F=plain), XObject=Dictionary(Fm=form, Im=picture), Properties=Dictionary(L=layer)
    )
    first = b"""q BT /F 12 Tf 14 TL 72 700 Td (Plain Quillfeather here) Tj (apostrophe Quillfeather next) '
1 .5 (quote Quillfeather next) " 0 Tw 0 Tc T* [(kern Qu) -40 (ill) 30 (fea) -5 (ther after)] TJ
T* 120 Tz (wide Quillfeather) Tj 100 Tz 5 Ts ( raised Quillfeather) Tj 0 Ts T*"""
    second = b"""3 Tr (invisible Quillfeather layer) Tj 0 Tr T* 1 1 1 rg (white Quillfeather) Tj 0 g T*
(bold Quillfeather twice) Tj ET BT /F 12 Tf 72.3 601.9 Td (bold Quillfeather twice) Tj ET
/Span <</ActualText (Quillfeather spoken)>> BDC BT /F 12 Tf 72 540 Td (Quillfeather shown) Tj ET EMC
/Span <</Alt (picture of Quillfeather) /E (Quillfeather)>> BDC BT /F 12 Tf 72 520 Td (other words) Tj ET EMC
/OC /L BDC BT /F 12 Tf 72 500 Td (hidden Quillfeather) Tj ET EMC
BT /F 12 Tf 0 1 -1 0 500 300 Tm (rotated Quillfeather text) Tj ET
BT /F 12 Tf 72 -50 Td (off the page Quillfeather) Tj ET
BT /F 12 Tf 72 480 Td (The end of a line is a place for Quill-) Tj 0 -14 Td (feather to be divided) Tj ET
0 0 1 RG 72 464 60 .6 re f q 1 0 0 1 72 430 cm /Fm Do Q q 1 0 0 1 72 410 cm /Fm Do Q
q 30 0 0 30 400 700 cm /Im Do Q q 20 0 0 20 450 700 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q Q"""
    page.Contents = Array([pdf.make_stream(first), pdf.make_stream(second)])
    page.Thumb, page.Metadata = picture, pdf.make_stream(NAME.encode())
    page.PieceInfo = Dictionary(X=Dictionary(Private=String(NAME)))
    _annotations(pdf, page, plain)
    _catalog(pdf, page, layer)
    return saved(pdf)


def _forms(pdf: Pdf, plain: Any) -> Any:
    inner = pdf.make_stream(b"BT /F 10 Tf 0 0 Td (nested Quillfeather form) Tj ET")
    inner.Subtype, inner.BBox = Name.Form, Array([0, -5, 300, 20])
    inner.Resources = Dictionary(Font=Dictionary(F=plain))
    outer = pdf.make_stream(b"q 1 0 0 1 0 0 cm /Inner Do Q")
    outer.Subtype, outer.BBox = Name.Form, Array([0, -5, 300, 20])
    outer.Resources = Dictionary(XObject=Dictionary(Inner=inner))
    outer.PieceInfo = Dictionary(App=Dictionary(Private=String(NAME)))
    return outer


def _photograph(pdf: Pdf) -> Any:
    image = Image.new("RGB", (30, 30), "blue")
    exif = image.getexif()
    exif[0x13B] = NAME
    held = io.BytesIO()
    image.save(held, "JPEG", exif=exif)
    stream = pdf.make_stream(held.getvalue())
    stream.Subtype, stream.Width, stream.Height, stream.BitsPerComponent = Name.Image, 30, 30, 8
    stream.ColorSpace, stream.Filter = Name.DeviceRGB, Name.DCTDecode
    stream.Metadata = pdf.make_stream(b"<x>Quillfeather</x>")
    return stream


def _annotations(pdf: Pdf, page: Any, plain: Any) -> None:
    def made(**keys: Any) -> Any:
        return pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=Array([300, 600, 430, 620]), **keys))

    look = pdf.make_stream(b"BT /F 9 Tf 2 5 Td (field Quillfeather) Tj ET")
    look.Subtype, look.BBox = Name.Form, Array([0, 0, 130, 20])
    look.Resources = Dictionary(Font=Dictionary(F=plain))
    field = made(
        Subtype=Name.Widget, FT=Name.Tx, T=String(f"f_{NAME}"), V=String(NAME), TU=String(NAME), AP=Dictionary(N=look)
    )
    page.Annots = Array(
        [
            made(Subtype=Name.Text, Contents=String(f"note {NAME}"), T=String(NAME), RC=String(f"<p>{NAME}</p>")),
            made(Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String(f"mailto:{NAME}@example.org"))),
            made(Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String("https://example.org/kept"))),
            field,
            made(Subtype=Name.Redact, QuadPoints=Array([0] * 8), OverlayText=String(NAME)),
        ]
    )
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]), XFA=pdf.make_stream(b"<x>Quillfeather</x>"))


def _catalog(pdf: Pdf, page: Any, layer: Any) -> None:
    root = pdf.Root
    root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    script = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{NAME}')"))
    root.Names = Dictionary(
        JavaScript=Dictionary(Names=Array([String("a"), script])),
        Dests=Dictionary(Names=Array([String(NAME), Array([page, Name.Fit])])),
    )
    root.OpenAction = script
    root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(NAME))]))
    tag = Dictionary(S=Name.Figure, Alt=String(NAME), ActualText=String(NAME), T=String(NAME))
    root.StructTreeRoot = Dictionary(Type=Name.StructTreeRoot, K=tag)
    root.PieceInfo = Dictionary(S=Dictionary(Private=String(NAME)))
    pdf.attachments["q.txt"] = pikepdf.AttachedFileSpec(pdf, NAME.encode(), filename="q.txt", description=NAME)
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(f"Chapter {NAME}", 0))
    with pdf.open_metadata() as metadata:
        metadata["dc:title"] = NAME
    pdf.docinfo["/Author"] = NAME
