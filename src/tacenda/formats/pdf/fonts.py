"""Fonts as they are read: bytes of a show operator into codes with Unicode and width.

Tables of encodings, CMaps and standard metrics come from pdfminer.six; the rest is in the file.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tacenda.formats.pdf import cmap, programs, symbols
from tacenda.formats.pdf.geometry import matrix, number
from tacenda.formats.pdf.unreadable import Unreadable

PICTURE_FONTS = ("Symbol", "ZapfDingbats", "Wingdings", "Webdings")
CJK = ("Japan1", "GB1", "CNS1", "Korea1")


@dataclass(frozen=True, slots=True)
class Char:
    """One code of a font: its bytes, what it says (None: nobody knows), its width in em, what selects its glyph."""

    raw: bytes
    text: str | None
    width: float
    select: int  # CID of a composite font, code of a simple one
    space: bool  # word spacing is added after it


class Font:
    """One font dictionary, understood."""

    def __init__(self, obj: Any) -> None:
        import pikepdf

        self.obj = obj
        self.subtype = str(obj.get("/Subtype", ""))
        self.composite = self.subtype == "/Type0"
        if not self.composite and self.subtype not in ("/Type1", "/MMType1", "/TrueType", "/Type3"):
            raise Unreadable("a font of an unknown kind")
        self.base = str(obj.get("/BaseFont", "/")).removeprefix("/").split("+")[-1]
        self.cid_font: Any = _descendant(obj) if self.composite else None
        owner = self.cid_font if self.cid_font is not None else obj
        found = owner.get("/FontDescriptor")
        self.descriptor: Any = found if isinstance(found, pikepdf.Dictionary) else pikepdf.Dictionary()
        self.flags = int(number(self.descriptor.get("/Flags", 0)))
        self.kind = programs.kind(self.descriptor) if self.subtype != "/Type3" else "type3"
        self.pictures = self.base.startswith(PICTURE_FONTS)
        self.guessed = False  # widths are not those the viewer will use
        self.lies = False  # what codes are said to mean is not what they show
        self.vertical = False
        self.scale = 0.001
        self._seen: dict[bytes, Char] = {}
        self.to_unicode = _to_unicode(obj)
        self.widths: dict[int, float] = {}
        self.missing_width = 0.0
        self.names: dict[int, str] = {}
        self.by_select: dict[int, str] = {}
        if self.composite:
            self._read_composite()
        else:
            self._read_simple()
        ascent, descent = (number(self.descriptor.get(k, 0)) / 1000 for k in ("/Ascent", "/Descent"))
        self.ascent = ascent if 0.3 < ascent < 1.5 else 0.9
        self.descent = descent if -0.6 < descent < -0.05 else -0.25

    # simple fonts

    def _read_simple(self) -> None:
        import pikepdf

        obj = self.obj
        if self.subtype == "/Type3":
            shape = matrix(obj.get("/FontMatrix", [0.001, 0, 0, 0.001, 0, 0]))
            if shape[0] <= 0 or abs(shape[1]) > 1e-9:
                raise Unreadable("a turned Type 3 font")
            self.scale = shape[0]
        given = obj.get("/Encoding")
        base = ""
        if isinstance(given, pikepdf.Name):
            base = str(given)[1:]
        elif isinstance(given, pikepdf.Dictionary):
            base = str(given.get("/BaseEncoding", "/"))[1:]
        self.names = dict(encoding(base) or self._built_in() or {})
        if isinstance(given, pikepdf.Dictionary):
            self.names.update(_differences(given.get("/Differences")))
        self.by_select = {code: text for code, name in self.names.items() if (text := named(name))}
        if self.kind == "truetype" and (given is None or self.flags & 4) and not self.to_unicode:
            self.by_select.update(programs.truetype_codes(self.descriptor))
        first, widths = int(number(obj.get("/FirstChar", 0))), obj.get("/Widths")
        if isinstance(widths, pikepdf.Array):
            self.widths = {first + i: number(w) for i, w in enumerate(widths)}
            self.missing_width = number(self.descriptor.get("/MissingWidth", 0))
        elif self.subtype != "/Type3":
            self._standard_widths()

    def _built_in(self) -> dict[int, str] | None:
        built = programs.encoding(self.descriptor, self.kind)
        if built is not None:
            return built
        if self.pictures and self.kind == "none":
            return symbols.encoding(self.base.partition("-")[0].partition(",")[0])
        return encoding("WinAnsiEncoding" if self.subtype == "/TrueType" else "StandardEncoding")

    def _standard_widths(self) -> None:
        from pdfminer.fontmetrics import FONT_METRICS

        name = standard_name(self)
        self.guessed = self.base not in FONT_METRICS and self.base.replace(",", "-") != name
        by_text: Any = FONT_METRICS.get(self.base, FONT_METRICS[name])[1]
        if self.base == "ZapfDingbats":  # kept there by the number in their names
            keys = {code: chr(int(n[1:])) for code, n in self.names.items() if n[1:].isdigit()} | {32: " "}
        else:
            keys = self.by_select
        self.widths = {code: number(by_text[key]) for code, key in keys.items() if key in by_text}

    # composite fonts

    def _read_composite(self) -> None:
        import pikepdf

        given = self.obj.get("/Encoding")
        self.spaces: list[tuple[bytes, bytes]] = []
        self.cids: dict[cmap.Code, int] | None = None
        self.tree: dict[int, Any] = {}
        if isinstance(given, pikepdf.Name):
            self._named_cmap(str(given)[1:])
        elif isinstance(given, pikepdf.Stream):
            table = cmap.parse(given.read_bytes())
            parent = table.parent or str(given.get("/UseCMap", "/"))[1:]
            if parent not in ("", "Identity-H", "Identity-V") or not table.spaces:
                raise Unreadable("a CMap that builds on another")
            self.spaces, self.cids, self.vertical = table.spaces, table.cids or None, table.vertical
        else:
            raise Unreadable("a composite font without encoding")
        self.missing_width = number(self.cid_font.get("/DW", 1000), 1000)
        self.widths = _cid_widths(self.cid_font.get("/W"))
        if self.vertical:
            self.guessed = "/W2" in self.cid_font
            pair = self.cid_font.get("/DW2")
            self.down = number(pair[1], -1000) if isinstance(pair, pikepdf.Array) and len(pair) == 2 else -1000.0
        if not self.to_unicode:
            self.by_select = self._cid_texts()

    def _named_cmap(self, name: str) -> None:
        from pdfminer.cmapdb import CMapDB

        self.vertical = name.endswith("-V") or name == "V"
        if name in ("Identity-H", "Identity-V"):
            self.spaces = [(b"\0\0", b"\xff\xff")]
            return
        try:
            table: Any = CMapDB.get_cmap(name)
        except Exception as error:  # whatever the table says, it is not there
            raise Unreadable("a CMap that is not known") from error
        self.tree = table.code2cid

    def _cid_texts(self) -> dict[int, str]:
        import pikepdf
        from pdfminer.cmapdb import CMapDB

        info = self.cid_font.get("/CIDSystemInfo")
        if isinstance(info, pikepdf.Dictionary) and str(info.get("/Ordering", "")) in CJK:
            try:
                return dict(CMapDB.get_unicode_map(f"Adobe-{info.Ordering}", self.vertical).cid2unichr)
            except Exception as error:
                raise Unreadable("a collection of characters that is not known") from error
        return programs.cid_texts(self.descriptor, self.kind, self.cid_font.get("/CIDToGIDMap"))

    def _split(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield the bytes and CID of each code."""
        if self.tree:
            yield from _split_tree(data, self.tree)
            return
        lengths = sorted({len(low) for low, _ in self.spaces})
        at = 0
        while at < len(data):
            for length in lengths:
                part = data[at : at + length]
                if len(part) == length and any(_within(part, low, high) for low, high in self.spaces):
                    break
            else:
                raise Unreadable("codes outside their CMap")
            value = int.from_bytes(part)
            yield part, value if self.cids is None else self.cids.get((length, value), 0)
            at += length

    def decode(self, data: bytes) -> list[Char]:
        """Return the codes of a string in order."""
        if not self.composite:
            return [self._seen.get(data[i : i + 1]) or self._char(data[i : i + 1], data[i]) for i in range(len(data))]
        if self.spaces == [(b"\0\0", b"\xff\xff")] and self.cids is None:
            if len(data) % 2:
                raise Unreadable("half a code")
            pieces: Iterable[tuple[bytes, int]] = (
                (data[i : i + 2], data[i] << 8 | data[i + 1]) for i in range(0, len(data), 2)
            )
        else:
            pieces = self._split(data)
        return [self._seen.get(raw) or self._char(raw, select) for raw, select in pieces]

    def _char(self, raw: bytes, select: int) -> Char:
        text = self.to_unicode.get(int.from_bytes(raw)) or self.by_select.get(select)
        if self.to_unicode and self.composite:
            text = self.to_unicode.get(int.from_bytes(raw))
        if text is not None:
            text = readable(text)
        if self.vertical:
            width = self.down / 1000
        else:
            width = self.widths.get(select, self.missing_width) * self.scale
            self.lies = self.lies or (text is not None and self._doubtful(text, select))
        char = Char(raw, text, width, select, raw == b" ")
        self._seen[raw] = char
        return char

    def _doubtful(self, text: str, select: int) -> bool:
        """Tell whether a table lies: an accented letter as wide as no accent makes it, such as a ligature named û."""
        if self.kind == "none" or len(text) != 1 or text.isascii():
            return False
        base = unicodedata.normalize("NFD", text)[0]
        if base == text or not base.isascii() or not base.isalpha() or base in "dijltL":
            return False
        known = self._letters.get(base)
        return known is not None and abs(self.widths.get(select, self.missing_width) - known) * self.scale > 0.05

    @cached_property
    def _letters(self) -> dict[str, float]:
        """Widths of plain letters, as far as the tables tell them."""
        codes = {code: text for code, text in self.to_unicode.items() if len(text) == 1 and text.isascii()}
        if not self.composite:
            codes = {c: t for c, t in self.by_select.items() if len(t) == 1 and t.isascii()} | codes
        elif self.cids is not None or self.tree:
            return {}
        return {text: self.widths[code] for code, text in codes.items() if code in self.widths}


def _descendant(obj: Any) -> Any:
    import pikepdf

    found = obj.get("/DescendantFonts")
    if not isinstance(found, pikepdf.Array) or not len(found) or not isinstance(found[0], pikepdf.Dictionary):
        raise Unreadable("a composite font without its descendant")
    return found[0]


def _to_unicode(obj: Any) -> dict[int, str]:
    import pikepdf

    stream = obj.get("/ToUnicode")
    if not isinstance(stream, pikepdf.Stream):
        return {}
    try:
        return {code[1]: text for code, text in cmap.parse(stream.read_bytes()).unicode.items()}
    except pikepdf.PdfError as error:
        raise Unreadable("a ToUnicode table that cannot be unpacked") from error


def _differences(items: Any) -> dict[int, str]:
    import pikepdf

    found, code = dict[int, str](), 0
    for item in items if isinstance(items, pikepdf.Array) else []:
        if isinstance(item, pikepdf.Name):
            found[code] = str(item)[1:]
            code += 1
        else:
            code = int(number(item))
    return found


def _cid_widths(items: Any) -> dict[int, float]:
    import pikepdf

    widths, at = dict[int, float](), 0
    rows = list(items) if isinstance(items, pikepdf.Array) else []
    while at + 1 < len(rows):
        first = int(number(rows[at]))
        if isinstance(rows[at + 1], pikepdf.Array):
            widths.update({first + i: number(w) for i, w in enumerate(rows[at + 1])})
            at += 2
        elif at + 2 < len(rows):
            last = int(number(rows[at + 1]))
            if last - first > cmap.RANGE_LIMIT:
                raise Unreadable("widths of an absurd range")
            widths.update(dict.fromkeys(range(first, last + 1), number(rows[at + 2])))
            at += 3
        else:
            break
    return widths


def _within(part: bytes, low: bytes, high: bytes) -> bool:
    return len(part) == len(low) and all(a <= b <= c for a, b, c in zip(low, part, high, strict=True))


def _split_tree(data: bytes, tree: dict[int, Any]) -> Iterator[tuple[bytes, int]]:
    at = 0
    while at < len(data):
        node: Any = tree
        end = at
        while isinstance(node, dict) and end < len(data) and data[end] in node:
            node = node[data[end]]
            end += 1
        if isinstance(node, dict):
            raise Unreadable("codes outside their CMap")
        yield data[at:end], node
        at = end


def readable(text: str) -> str | None:
    """Return what a code says; None for private and control characters, which nobody can read."""
    if not text or any(0xE000 <= ord(c) < 0xF900 or ord(c) >= 0xF0000 or c == "�" for c in text):
        return None
    if text.isspace():
        return " "
    text = "".join(c for c in text if c >= " " and c != "\x7f" and c not in "\ufeff\u200b")
    return text or None


@cache
def encoding(name: str) -> dict[int, str]:
    """Return the glyph names of a base encoding by code; nothing for an unknown one."""
    from pdfminer.latin_enc import ENCODING

    column = {"StandardEncoding": 1, "MacRomanEncoding": 2, "WinAnsiEncoding": 3, "PDFDocEncoding": 4}.get(name)
    if column is None:
        return {}
    table = {code: str(row[0]) for row in ENCODING if isinstance(code := row[column], int)}
    if name == "WinAnsiEncoding":
        table |= {0xA0: "space", 0xAD: "hyphen"}
    return table


@cache
def named(name: str) -> str:
    """Return the Unicode of a glyph name; nothing if it says nothing."""
    from pdfminer.encodingdb import name2unicode

    try:
        return name2unicode(name)
    except (KeyError, ValueError, OverflowError, TypeError):
        return ""


def standard_name(font: Font) -> str:
    """Return the standard font that looks most like this one."""
    name, flags = font.base.lower(), font.flags
    bold = "bold" in name or "black" in name or bool(flags & 0x40000)
    italic = "italic" in name or "oblique" in name or bool(flags & 64)
    if flags & 1 or any(part in name for part in ("mono", "courier", "typewriter", "consol")):
        family, slanted, plain = "Courier", "Oblique", ""
    elif (flags & 2 and "sans" not in name) or (
        any(
            part in name for part in ("times", "serif", "roman", "georgia", "garamond", "cambria", "cmr", "lmr", "sfrm")
        )
        and "sans" not in name
    ):
        family, slanted, plain = "Times", "Italic", "-Roman"
    else:
        family, slanted, plain = "Helvetica", "Oblique", ""
    style = ("Bold" if bold else "") + (slanted if italic else "")
    return f"{family}-{style}" if style else family + plain
