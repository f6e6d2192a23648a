"""Search a written PDF for words that must not be in it. Shares no code with reading or writing.

Three views: every string, name and decoded stream of every object (bytes, UTF-16, hexadecimal); what pdfium extracts;
what pdfminer extracts. A word is looked for as a word, and as a sequence of letters that spaces tear apart.
"""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

LONG = 9  # letters from which torn words are told whatever their pieces
TORN = 4  # letters from which words set letter by letter are told
BINARY = 6  # letters from which a word in binary data is no accident
LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xad": None})


def search(data: bytes, words: Sequence[str]) -> list[str]:
    """Return the places where one of the words stands, in words without the text; nothing if the file is clean."""
    wanted = _Words(words)
    if not wanted.forms:
        return []
    found: list[str] = []
    for view in (_objects, _pdfium, _pdfminer):
        try:
            found += view(data, wanted)
        except Exception as error:  # a file that cannot be searched is not clean
            found.append(f"cannot be searched ({view.__name__.strip('_')}: {type(error).__name__})")
    return list(dict.fromkeys(found))


class _Words:
    """Words as patterns."""

    def __init__(self, words: Sequence[str]) -> None:
        self.forms = sorted({form for word in words if (form := _plain(word)) and any(c.isalnum() for c in form)})
        self.letters = {"".join(form.split()): form for form in self.forms}
        pattern = "|".join(
            (r"(?<!\w)" if form[0].isalnum() else "")
            + r"\s+".join(map(re.escape, form.split()))
            + (r"(?!\w)" if form[-1].isalnum() else "")
            for form in sorted(self.forms, key=len, reverse=True)
        )
        self.pattern = re.compile(pattern) if pattern else None

    def in_text(self, text: str) -> bool:
        """Tell whether a word stands in a text, whole or torn."""
        text = _plain(text)
        if self.pattern is not None and self.pattern.search(text):
            return True
        joined = re.sub(r"[-‐]\s*\n\s*", "", text)
        if joined != text and self.pattern is not None and self.pattern.search(joined):
            return True
        return any(self._torn(text, form) for form in self.letters if len(form) >= TORN)

    def _torn(self, text: str, form: str) -> bool:
        pieces = text.split()
        squeezed = "".join(pieces)
        if form not in squeezed:
            return False
        starts, ends, at = set[int](), set[int](), 0
        for piece in pieces:
            starts.add(at)
            at += len(piece)
            ends.add(at)
        edges = sorted(ends)
        for match in re.finditer(re.escape(form), squeezed):
            begin, end = match.span()
            inner = sum(begin < edge < end for edge in edges)
            if begin in starts and inner:
                aligned = end in ends or not squeezed[end : end + 1].isalnum()
                if aligned and (len(form) >= LONG or (inner + 1) >= 0.75 * len(form)):
                    return True
        return False

    def in_bytes(self, data: bytes) -> bool:
        """Tell whether a word stands in bytes in any usual coding, not as a part of another word."""
        low = data.lower()
        for form in self.forms:
            if len(form) < BINARY:
                continue
            for code, step in (("utf-8", 1), ("latin-1", 1), ("utf-16-be", 2), ("utf-16-le", 2)):
                raw = form.encode(code, "ignore")
                if len(raw) < BINARY:
                    continue
                if any(_stands(low, at, len(raw), step) for at in _places(low, raw)):
                    return True
                if raw.hex().encode() in low:
                    return True
        return False


def _places(data: bytes, raw: bytes) -> Iterator[int]:
    at = data.find(raw)
    while at >= 0:
        yield at
        at = data.find(raw, at + 1)


def _stands(data: bytes, at: int, length: int, step: int) -> bool:
    """Tell whether no letter touches what was found."""
    before = data[max(0, at - step) : at].strip(b"\0")
    after = data[at + length : at + length + step].strip(b"\0")
    return not (before.isalnum() or after.isalnum())


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(LIGATURES)).lower().strip()


_SYNTAX = re.compile(rb"/[A-Za-z]+|\b(?:end)?(?:obj|stream)\b|\b(?:startxref|trailer|xref)\b")


@cache
def _standard() -> frozenset[str]:
    """Names that every PDF holds: words of the format, not of a document."""
    return frozenset(
        """
        Type Subtype Length Filter DecodeParms Page Pages Catalog Kids Count Parent Root Size Index First Info ID Prev
        MediaBox CropBox Contents Resources Rotate UserUnit Group Transparency Annots Annot Link Rect Border Dest Fit
        URI Action Outlines Title Next Last Lang Version Font Type0 Type1 Type3 TrueType CIDFontType0 CIDFontType2
        CIDFontType0C DescendantFonts Encoding ToUnicode FontDescriptor FontName FontFile FontFile2 FontFile3 Flags
        FontBBox ItalicAngle Ascent Descent CapHeight StemV XHeight MissingWidth CIDSystemInfo Registry Ordering
        Supplement CIDToGIDMap Identity FirstChar LastChar Widths Differences BaseEncoding CharProcs FontMatrix
        BaseFont WinAnsiEncoding MacRomanEncoding StandardEncoding XObject Form Image BBox Matrix Width Height
        ColorSpace BitsPerComponent ImageMask Mask SMask Matte Decode Interpolate Intent Pattern PatternType PaintType
        TilingType XStep YStep Shading ShadingType Function FunctionType Functions Domain Range Coords Extend Background
        Bounds Encode Order ExtGState Luminosity Alpha Normal Multiply Screen Overlay Darken Lighten ColorDodge
        ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity Compatible None Default
        DeviceGray DeviceRGB DeviceCMYK CalGray CalRGB Lab ICCBased Indexed Separation DeviceN All Black Cyan Magenta
        Yellow White Alternate WhitePoint BlackPoint Gamma FlateDecode DCTDecode JPXDecode CCITTFaxDecode JBIG2Decode
        LZWDecode RunLengthDecode ASCIIHexDecode ASCII85Decode Columns Colors Rows Predictor BlackIs1 EndOfLine
        EncodedByteAlign EndOfBlock ColorTransform JBIG2Globals Perceptual RelativeColorimetric AbsoluteColorimetric
        Courier Helvetica Times Roman Bold Italic Oblique BoldItalic BoldOblique Unseen Adobe VerticesPerRow
        BitsPerCoordinate BitsPerFlag AntiAlias Process Colorants Components Spot NChannel
        """.split()
    )


def _objects(data: bytes, words: _Words) -> Iterator[str]:
    """Every object of the file after a full decode."""
    import pikepdf

    if words.in_bytes(_SYNTAX.sub(b" ", data)):
        yield "the bytes of the file"
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for obj in [pdf.trailer, *pdf.objects]:
            where = _kind(obj)
            texts = list(_strings(obj, 0))
            if words.in_text("\n".join(texts)):
                yield f"a string in {where}"
            if isinstance(obj, pikepdf.Stream) and str(obj.get("/Type", "")) not in ("/ObjStm", "/XRef"):
                yield from _stream(obj, where, words)  # objects in those two are searched one by one


def _kind(obj: Any) -> str:
    """Name an object by its type; only types the standard knows, so that no text slips out."""
    import pikepdf

    if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream):
        told = str(obj.get("/Subtype", obj.get("/Type", ""))).strip("/")
        if re.fullmatch(r"(Page|Pages|Catalog|Font|Form|Image|XML|Link|ObjStm|FontDescriptor|Metadata)", told):
            return f"an object of type {told}"
    return "an object"


def _strings(obj: Any, depth: int) -> Iterator[str]:
    """Every string and name of an object, not following references."""
    import pikepdf

    if depth > 60:
        return
    if isinstance(obj, pikepdf.String):
        yield str(obj)
        raw = bytes(obj)
        yield raw.decode("latin-1")
        for code in ("utf-16-be", "utf-16-le"):
            if len(raw) >= 4 and b"\0" in raw:
                yield raw.decode(code, "ignore")
    elif isinstance(obj, pikepdf.Name):
        if str(obj)[1:] not in _standard():
            yield str(obj)[1:]
    elif isinstance(obj, pikepdf.Array):
        yield from (text for item in obj if not _refers(item) for text in _strings(item, depth + 1))
    elif isinstance(obj, pikepdf.Dictionary | pikepdf.Stream):
        for key, item in obj.items():
            if key[1:] not in _standard():
                yield key[1:]
            if not _refers(item):
                yield from _strings(item, depth + 1)


def _refers(item: Any) -> bool:
    import pikepdf

    return isinstance(item, pikepdf.Object) and item.is_indirect


def _stream(obj: Any, where: str, words: _Words) -> Iterator[str]:
    import pikepdf

    raw = obj.read_raw_bytes()
    try:
        data = obj.read_bytes()
    except pikepdf.PdfError:
        data = raw
    if words.in_bytes(data) or words.in_bytes(raw):
        yield f"the data of {where}"
    if _readable(data):
        shown: list[str] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # most of these streams are no content at all
                for item in pikepdf.parse_content_stream(obj):
                    for operand in getattr(item, "operands", ()):
                        shown += _strings(operand, 0)
        except Exception:
            shown = [data.decode("latin-1")]
        # word by word, and as pieces of one word that adjustments of the pen tear apart
        if words.in_text("\n".join(shown)) or words.in_text("".join(shown)):
            yield f"text shown by {where}"


def _readable(data: bytes) -> bool:
    sample = data[:4000]
    return bool(sample) and sum(32 <= b < 127 or b in (9, 10, 13) for b in sample) / len(sample) > 0.6


def _pdfium(data: bytes, words: _Words) -> Iterator[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        for n in range(len(document)):
            page = document[n]
            text = page.get_textpage()
            if words.in_text(text.get_text_bounded()):
                yield f"page {n + 1}, as pdfium reads it"
            text.close()
            page.close()
    finally:
        document.close()


def _pdfminer(data: bytes, words: _Words) -> Iterator[str]:
    from pdfminer.pdfdevice import PDFTextDevice
    from pdfminer.pdffont import PDFUnicodeNotDefined
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
    from pdfminer.pdfpage import PDFPage

    class Collector(PDFTextDevice):
        """Takes the glyphs in the order they are painted; boxes and layout, which cost most, are not made."""

        def begin_page(self, page: Any, ctm: Any) -> None:
            """Start anew."""
            self.text: list[str] = []
            self.at: tuple[float, float, float] | None = None  # where the last glyph ended, and how large it was

        def render_char(self, matrix: Any, font: Any, fontsize: float, scaling: float, *more: Any) -> float:
            """Keep what a glyph says, after a space or a line where it stands apart from the last."""
            rise, cid = more[0], more[1]
            advance = float(font.char_width(cid) * fontsize * scaling)
            a, b, c, d, e, f = matrix
            x, y = e + c * rise, f + d * rise
            size = max(abs(fontsize) * max(abs(a), abs(b), abs(c), abs(d)), 0.1)
            if self.at is not None:
                apart = abs(y - self.at[1]) > 0.5 * max(size, self.at[2])
                if apart or not -2 < (x - self.at[0]) / size < 0.15:
                    self.text.append("\n" if apart else " ")
            try:
                self.text.append(str(font.to_unichr(cid)))
            except PDFUnicodeNotDefined:
                self.text.append("?")
            self.at = (x + advance * a, y + advance * b, size)
            return advance

    resources = PDFResourceManager()
    device = Collector(resources)
    interpreter = PDFPageInterpreter(resources, device)
    for n, page in enumerate(PDFPage.get_pages(io.BytesIO(data)), 1):
        interpreter.process_page(page)
        if words.in_text("".join(device.text)):
            yield f"page {n}, as pdfminer reads it"
