"""The fallback: a page as a picture with the removed places burned in, and the kept words typed invisibly over it."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tacenda.formats.pdf import cmap
from tacenda.formats.pdf.geometry import Area, Matrix, inverse, mapped
from tacenda.formats.pdf.glyph_edits import Span, removed, spans
from tacenda.formats.pdf.glyphs import Page
from tacenda.formats.pdf.lines import Line, PageText
from tacenda.formats.pdf.resources import decimal
from tacenda.model import Edit, Layout

if TYPE_CHECKING:
    from tacenda.formats.pdf.source import Source

DPI = 200
PAD = 1.0  # points burned beyond the box of a glyph
MOST_PIXELS = 16_000_000  # a page of A2 at full resolution; larger ones are coarser


class PageImage:
    """A rendered page, and the way between its pixels and the page."""

    def __init__(self, source: Source, n: int, *, dpi: int = DPI) -> None:
        import pypdfium2

        box = source.box(n)
        width, height = box[2] - box[0], box[3] - box[1]
        turned = source.rotation(n)
        scale = dpi / 72
        scale = min(scale, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
        document = pypdfium2.PdfDocument(source.data, password=source.reading.password or None)
        try:
            document.init_forms()
            page = document[n]
            page.set_mediabox(*box)
            page.set_cropbox(*box)
            page.set_rotation(0)
            self.image = page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB")
        finally:
            document.close()
        self.turned, self.size = turned, (width, height)
        kx, ky = self.image.width / width, self.image.height / height
        self.to_pixels: Matrix = (kx, 0, 0, -ky, -box[0] * kx, box[3] * ky)
        back = inverse(self.to_pixels)
        assert back is not None
        self.from_pixels = back

    def crop(self, area: Area) -> tuple[int, int, Any]:
        """Return the left and top pixel of an area and its picture."""
        left, top, right, bottom = mapped(self.to_pixels, area)
        corner = (max(0, int(left)), max(0, int(top)))
        return *corner, self.image.crop(
            (*corner, min(self.image.width, int(right)), min(self.image.height, int(bottom)))
        )

    def to_page(self, box: tuple[int, int, int, int]) -> Area:
        """Return a box in pixels as one on the page."""
        return mapped(self.from_pixels, box)

    def burn(self, boxes: Sequence[Area], color: str) -> None:
        """Paint over every pixel of these boxes."""
        from PIL import ImageDraw

        draw = ImageDraw.Draw(self.image)
        for left, bottom, right, top in boxes:
            x0, y0, x1, y1 = mapped(self.to_pixels, (left - PAD, bottom - PAD, right + PAD, top + PAD))
            draw.rectangle((int(x0), int(y0), int(x1) + 1, int(y1) + 1), fill=color)


def make(target: Any, source: Source, n: int, page: Page, text: PageText, edits: Sequence[Edit], layout: Layout) -> Any:
    """Return the page as a picture in the new file."""
    from pikepdf import Array, Dictionary, Name

    found = spans(text, edits)
    gone = removed(text, found) | {i for i, g in enumerate(page.glyphs) if g.hidden}
    image = PageImage(source, n)
    boxes = [page.glyphs[i].box() for i in gone]
    image.burn(boxes, "black" if layout == "black" else "white")
    typist = _Typist(target)
    box = source.box(n)
    lines = [_line(page, text, line, found, gone, typist, layout) for line in text.lines]
    content = b"".join((
        f"q {image.size[0]:.2f} 0 0 {image.size[1]:.2f} {box[0]:.2f} {box[1]:.2f} cm /X1 Do Q\n".encode(),
        b"BT 3 Tr\n", typist.word(" ", box[0], box[1], 1.0, 0.0, (1.0, 0.0), visible=False), *lines, b"ET\n",
    ))  # fmt: skip
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([decimal(v) for v in box]),
        Contents=target.make_stream(content),
        Resources=Dictionary(XObject=Dictionary(X1=_stored(target, image.image)), Font=typist.fonts()),
    )
    if image.turned:
        made.Rotate = image.turned
    return target.make_indirect(made)


def _stored(target: Any, image: Any) -> Any:
    """Store a picture: losslessly if it is gray, as JPEG if it has colors."""
    from pikepdf import Name
    from PIL import ImageChops

    red, green, blue = image.split()
    apart: Any = ImageChops.difference
    if max(apart(green, other).getextrema()[1] for other in (red, blue)) < 3:
        stream = target.make_stream(zlib.compress(green.tobytes(), 6))
        stream.Filter, stream.ColorSpace = Name.FlateDecode, Name.DeviceGray
    else:
        held = io.BytesIO()
        image.save(held, "JPEG", quality=85)
        stream = target.make_stream(held.getvalue())
        stream.Filter, stream.ColorSpace = Name.DCTDecode, Name.DeviceRGB
    stream.Type, stream.Subtype = Name.XObject, Name.Image
    stream.Width, stream.Height, stream.BitsPerComponent = image.width, image.height, 8
    return stream


def _line(
    page: Page, text: PageText, line: Line, found: Sequence[Span], gone: set[int], typist: _Typist, layout: Layout
) -> bytes:
    """Type the kept stretches of a line and the replacements, each where it stands."""
    begin = {span.glyphs[0]: span for span in found}
    out: list[bytes] = []
    at = 0
    while at < len(line.places):
        place = line.places[at]
        if place in begin:
            boxes = [page.glyphs[g] for g in begin[place].glyphs if g in set(line.places)]
            out.append(_typed(typist, begin[place].text + " ", boxes, visible=layout != "black"))
        if place < 0 or place in gone:
            at += 1
            continue
        end = at
        while end < len(line.places) and line.places[end] not in gone and line.places[end] not in begin:
            end += 1
            if line.start.show.font.vertical:  # typed one by one, each where it stands
                break
        glyphs = [page.glyphs[p] for p in line.places[at:end] if p >= 0]
        words = "".join(line.chars[at:end])
        after = " " if words.strip() and end < len(line.places) and line.chars[end - 1] == " " else ""
        if words.strip():
            out.append(_typed(typist, words.strip() + after, glyphs, visible=False))
        at = max(end, at + 1)
    return b"".join(out)


def _typed(typist: _Typist, text: str, glyphs: Sequence[Any], *, visible: bool) -> bytes:
    shown = [g for g in glyphs if g.text != " "] or list(glyphs)
    first, last = shown[0], shown[-1]
    cos, sin = first.show.direction
    length = (last.origin[0] - first.origin[0]) * cos + (last.origin[1] - first.origin[1]) * sin + last.advance
    size, direction = first.show.size, first.show.direction
    if first.show.font.vertical:
        length, direction = size, (1.0, 0.0)
    x, y = first.origin
    return typist.word(text, x, y, size, length, direction, visible=visible)


class _Typist:
    """Types words: visible ones in Helvetica, the others in a font without shapes that knows every character."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.codes: dict[str, int] = {}
        self.visible = False

    def word(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        length: float,
        direction: tuple[float, float],
        *,
        visible: bool,
    ) -> bytes:
        """Return operators that type a text over a length of the page."""
        from pdfminer.fontmetrics import FONT_METRICS

        ink = text.rstrip(" ")
        widths: Any = FONT_METRICS["Helvetica"][1]
        visible = visible and all(c in widths for c in text)
        natural = sum(widths[c] for c in ink) / 1000 if visible else 0.5 * len(ink)
        stretch = max(0.5, min(400.0, 100 * length / (natural * size))) if natural and length > 0 else 100.0
        if visible:
            stretch = min(stretch, 100.0)
            self.visible = True
            raw, font, mode = text.encode("cp1252", "replace"), "F2", 0
        else:
            raw = b"".join(self.codes.setdefault(c, len(self.codes) + 1).to_bytes(2) for c in text)
            font, mode = "F1", 3
        a, b = direction
        return (
            f"/{font} {max(size, 0.5):.2f} Tf {stretch:.2f} Tz {mode} Tr "
            f"{a:.5f} {b:.5f} {-b:.5f} {a:.5f} {x:.2f} {y:.2f} Tm <{raw.hex()}> Tj\n"
        ).encode()

    def fonts(self) -> Any:
        """Return the fonts that were used."""
        from pikepdf import Array, Dictionary, Name, String

        program = self.target.make_stream(_no_shapes())
        descriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=Name("/Unseen"), Flags=4, FontBBox=Array([0, -200, 500, 800]),
            ItalicAngle=0, Ascent=800, Descent=-200, CapHeight=700, StemV=0, FontFile2=program,
        )  # fmt: skip
        inner = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name("/Unseen"), DW=500,
            CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
            FontDescriptor=self.target.make_indirect(descriptor),
            CIDToGIDMap=self.target.make_stream(b"\0\0" * (len(self.codes) + 1)),
        )  # fmt: skip
        pairs = sorted((code, text) for text, code in self.codes.items())
        made = Dictionary(
            F1=Dictionary(
                Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/Unseen"), Encoding=Name("/Identity-H"),
                DescendantFonts=Array([self.target.make_indirect(inner)]),
                ToUnicode=self.target.make_stream(cmap.write(pairs, 2)),
            )
        )  # fmt: skip
        if self.visible:
            made.F2 = Dictionary(
                Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
            )
        return made


def _no_shapes() -> bytes:
    """Return a TrueType font of one empty glyph."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._g_l_y_f import Glyph as Shape

    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef"])
    builder.setupCharacterMap({})
    builder.setupGlyf({".notdef": Shape()})
    builder.setupHorizontalMetrics({".notdef": (500, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    held = io.BytesIO()
    builder.font.save(held)
    return held.getvalue()
