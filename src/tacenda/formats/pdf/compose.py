"""Build the new file: only what is listed here gets into it, so that nothing else can be left behind.

Fonts are cut, forms and patterns written anew, pictures and color spaces copied by their allowed keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tacenda.formats.pdf import cmap, images
from tacenda.formats.pdf.fonts import Font, standard_name
from tacenda.formats.pdf.geometry import number
from tacenda.formats.pdf.glyphs import Page, Stream
from tacenda.formats.pdf.painters import has_text
from tacenda.formats.pdf.refont import Fresh, fresh
from tacenda.formats.pdf.relay import PageEdit
from tacenda.formats.pdf.resources import Names, decimal
from tacenda.formats.pdf.unreadable import Unwritable
from tacenda.formats.pdf.writer import Writer
from tacenda.model import Layout

GRAPHICS_STATE = tuple(f"/{key}" for key in "LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK".split())
FORM = ("/BBox", "/Matrix")
FORM_DEPTH = 12


@dataclass
class Used:
    """Codes that are still shown, by font."""

    fonts: dict[int, Font] = field(default_factory=dict)
    codes: dict[int, dict[bytes, Any]] = field(default_factory=dict)
    robbed: set[int] = field(default_factory=set)  # fonts that showed something removed

    def count(self, page: Page, removed: set[int]) -> None:
        """Add what a page still shows."""
        for i, glyph in enumerate(page.glyphs):
            font = glyph.show.font
            self.fonts[id(font)] = font
            if i in removed:
                self.robbed.add(id(font))
            else:
                self.codes.setdefault(id(font), {})[glyph.char.raw] = glyph.char


class Composer:
    """Writes pages into a new file."""

    def __init__(self, target: Any, used: Used, *, layout: Layout) -> None:
        self.target, self.used, self.layout = target, used, layout
        self._fonts: dict[int, Fresh | Unwritable] = {}
        self._standard: dict[str, Any] = {}
        self._copies: dict[Any, Any] = {}
        self.jpeg_notes = 0

    # fonts

    def font(self, font: Font) -> Fresh:
        """Return the font cut to what is still shown of it; raise Unwritable if it cannot be."""
        key = id(font)
        if key not in self._fonts:
            codes = self.used.codes.get(key, {})
            try:
                if font.kind == "type3":
                    self._fonts[key] = self._type3(font, codes)
                else:
                    self._fonts[key] = fresh(self.target, font, codes)
            except Unwritable as problem:
                # a subset that lost nothing tells nothing
                self._fonts[key] = problem if key in self.used.robbed else self._verbatim(font, codes)
        found = self._fonts[key]
        if isinstance(found, Unwritable):
            raise found
        return found

    def _verbatim(self, font: Font, codes: Mapping[bytes, Any]) -> Fresh:
        return Fresh(self.copy(font.obj), {raw: raw for raw in codes}, {})

    def choose(self, font: Font, text: str) -> tuple[Fresh | None, str]:
        """Return the text's own font if it can show a replacement, else a standard font that looks like it."""
        try:
            own = self.font(font)
        except Unwritable:
            own = None
        if own is not None and all(c in own.texts for c in text) and not font.pictures and not font.guessed:
            return own, ""
        return None, standard_name(font)

    def measure(self, font: Font, text: str) -> float:
        """Return the width of a replacement in em."""
        from pdfminer.fontmetrics import FONT_METRICS

        own, name = self.choose(font, text)
        if own is not None:
            return sum(own.texts[c].width for c in text)
        table: Any = FONT_METRICS[name][1]
        return float(sum(table.get(c, 556) for c in text)) / 1000

    def standard(self, name: str) -> Any:
        """Return a standard font in the new file."""
        from pikepdf import Dictionary, Name

        if name not in self._standard:
            self._standard[name] = self.target.make_indirect(
                Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{name}"), Encoding=Name.WinAnsiEncoding)
            )
        return self._standard[name]

    def _type3(self, font: Font, codes: Mapping[bytes, Any]) -> Fresh:
        from pikepdf import Array, Dictionary, Name, Stream

        rows = sorted(codes.values(), key=lambda c: (c.text or "\U0010ffff", c.width, c.select))
        procs = font.obj.get("/CharProcs", Dictionary())
        names, made = Names(), Dictionary()
        widths, differences, pairs = Array(), Array([1]), []
        own = font.obj.get("/Resources", Dictionary())
        for code, char in enumerate(rows, 1):
            proc = procs.get(f"/{font.names.get(char.select, '.notdef')}")
            if isinstance(proc, Stream):
                if has_text(proc):
                    raise Unwritable("text inside a glyph")
                made[f"/g{code}"] = self.target.make_stream(self._bare(proc, own, names, 1))
            differences.append(Name(f"/g{code}"))
            widths.append(font.widths.get(char.select, font.missing_width))
            if char.text:
                pairs.append((code, char.text))
        obj = Dictionary(
            Type=Name.Font, Subtype=Name.Type3, FirstChar=1, LastChar=len(rows), Widths=widths,
            FontMatrix=Array([number(v) for v in font.obj.get("/FontMatrix", [0.001, 0, 0, 0.001, 0, 0])]),
            FontBBox=Array([number(v) for v in font.obj.get("/FontBBox", [0, 0, 0, 0])]),
            Encoding=Dictionary(Type=Name.Encoding, Differences=differences), CharProcs=made, Resources=names.obj,
        )  # fmt: skip
        if pairs:
            obj.ToUnicode = self.target.make_stream(cmap.write(pairs, 1))
        if len(rows) > 255:
            raise Unwritable("a Type 3 font of more than 255 glyphs")
        texts = {char.text: char for char in reversed(rows) if char.text}
        return Fresh(self.target.make_indirect(obj), {c.raw: bytes((n,)) for n, c in enumerate(rows, 1)}, texts)

    # resources

    def _bare(self, stream: Any, resources: Any, names: Names, depth: int) -> bytes:
        """Write a stream that shows no text: a glyph of Type 3, a pattern, a soft mask, a form inside of them."""
        import pikepdf

        items = list(pikepdf.parse_content_stream(stream))
        page = Page(0, [Stream(0, -1, -1, stream, resources, items)])
        return Writer(self, page, page.streams[0], PageEdit(), {}, names, depth).data()

    def copied_form(self, stream: Any, resources: Any, depth: int) -> Any:
        """Return a form without text in the new file."""
        if depth > FORM_DEPTH:
            raise Unwritable("forms nested too deep")
        key = ("form", stream.objgen) if stream.is_indirect else None
        if key is None or key not in self._copies:
            names = Names()
            data = self._bare(stream, stream.get("/Resources", resources), names, depth)
            made = self.form(stream, data, names)
            if key is None:
                return made
            self._copies[key] = made
        return self._copies[key]

    def form(self, source: Any, data: bytes, names: Names) -> Any:
        """Return a form in the new file with this content and the allowed keys of another."""
        from pikepdf import Array, Dictionary, Name

        made = self.target.make_stream(data)
        made.Type, made.Subtype = Name.XObject, Name.Form
        for key in FORM:
            if isinstance(source.get(key), Array):
                made[key] = Array([number(v) for v in source[key]])
        group = source.get("/Group")
        if isinstance(group, Dictionary):
            made.Group = self._group(group)
        made.Resources = names.obj
        return made

    def _group(self, group: Any) -> Any:
        from pikepdf import Dictionary, Name

        made = Dictionary(S=Name.Transparency)
        for key in ("/I", "/K"):
            if isinstance(group.get(key), bool):
                made[key] = group[key]
        if "/CS" in group:
            made.CS = self.copy(group.CS)
        return made

    def group(self, group: Any) -> Any:
        """Return the transparency group of a page."""
        return self._group(group)

    def image(self, stream: Any) -> Any:
        """Return a picture in the new file, without what hangs on it."""
        key = ("image", stream.objgen) if stream.is_indirect else None
        if key is not None and key in self._copies:
            return self._copies[key]
        made, notes = images.copy(self.target, stream, self.copy)
        self.jpeg_notes += notes
        if key is not None:
            self._copies[key] = made
        return made

    def copy(self, value: Any, depth: int = 0) -> Any:
        """Copy a plain value (a color space, a function, a shading): numbers, names, strings and streams of them."""
        import pikepdf

        if depth > 12:
            raise Unwritable("a color space nested too deep")
        if not isinstance(value, pikepdf.Object):
            return value
        key = ("copy", value.objgen) if value.is_indirect else None
        if key is not None and key in self._copies:
            return self._copies[key]
        made: Any
        if isinstance(value, pikepdf.Stream):
            made = self.target.make_stream(images.strip_icc(value.read_bytes()))
            for name, item in value.items():
                if name not in ("/Length", "/Filter", "/DecodeParms", "/Metadata", "/F", "/FFilter", "/FDecodeParms"):
                    made[name] = self.copy(item, depth + 1)
        elif isinstance(value, pikepdf.Dictionary):
            skipped = ("/Metadata", "/PieceInfo", "/Parent", "/StructParent", "/OC")
            made = pikepdf.Dictionary({k: self.copy(v, depth + 1) for k, v in value.items() if k not in skipped})
        elif isinstance(value, pikepdf.Array):
            made = pikepdf.Array([self.copy(item, depth + 1) for item in value])
        elif isinstance(value, pikepdf.Name):  # scalars too can stand as objects of their own
            return pikepdf.Name(str(value))
        elif isinstance(value, pikepdf.String):
            return pikepdf.String(bytes(value))
        else:
            return None
        if key is not None:
            made = made if isinstance(made, pikepdf.Stream) else self.target.make_indirect(made)
            self._copies[key] = made
        return made

    def graphics_state(self, state: Any, resources: Any, depth: int) -> Any:
        """Return an extended graphics state with its allowed keys."""
        from pikepdf import Dictionary, Name, Stream

        made = Dictionary(Type=Name.ExtGState)
        for key in GRAPHICS_STATE:
            if key in state:
                made[key] = self.copy(state[key])
        mask = state.get("/SMask")
        if isinstance(mask, Name):
            made.SMask = Name(str(mask))
        elif isinstance(mask, Dictionary) and isinstance(mask.get("/G"), Stream):
            if has_text(mask.G):
                raise Unwritable("text in a soft mask")
            made.SMask = Dictionary(
                S=Name(str(mask.get("/S", "/Luminosity"))), G=self.copied_form(mask.G, resources, depth + 1)
            )
            for key in ("/BC", "/TR"):
                if key in mask:
                    made.SMask[key] = self.copy(mask[key])
        return made

    def pattern(self, pattern: Any, resources: Any, depth: int) -> Any:
        """Return a pattern in the new file."""
        from pikepdf import Dictionary, Name, Stream

        if not isinstance(pattern, Stream):
            if not isinstance(pattern, Dictionary):
                raise Unwritable("a damaged pattern")
            state = pattern.get("/ExtGState")
            made = Dictionary(Type=Name.Pattern, PatternType=2, Shading=self.copy(pattern.get("/Shading")))
            if "/Matrix" in pattern:
                made.Matrix = self.copy(pattern.Matrix)
            if isinstance(state, Dictionary):
                made.ExtGState = self.graphics_state(state, resources, depth)
            return made
        if has_text(pattern):
            raise Unwritable("text in a pattern")
        if depth > FORM_DEPTH:
            raise Unwritable("patterns nested too deep")
        names = Names()
        stream = self.target.make_stream(self._bare(pattern, pattern.get("/Resources", resources), names, depth + 1))
        stream.Type, stream.PatternType, stream.Resources = Name.Pattern, 1, names.obj
        for key in ("/PaintType", "/TilingType", "/BBox", "/XStep", "/YStep", "/Matrix"):
            if key in pattern:
                stream[key] = self.copy(pattern[key])
        return stream

    # pages

    def content(self, page: Page, edit: PageEdit) -> tuple[bytes, Any]:
        """Return the new content of a page and its resources."""
        forms: dict[tuple[int, int], Any] = {}
        for stream in reversed(page.streams):  # what is painted comes after what paints it
            names = Names()
            data = Writer(self, page, stream, edit, forms, names, 0).data()
            if stream.parent < 0:
                return data, names.obj
            forms[(stream.parent, stream.parent_op)] = self.form(stream.obj, data, names)
        raise Unwritable("a page without content")


def page_dictionary(target: Any, *, box: Iterable[float], rotate: int, unit: float, data: bytes, resources: Any) -> Any:
    """Return a page with the allowed keys and nothing else."""
    from pikepdf import Array, Dictionary, Name

    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([decimal(v) for v in box]),
        Contents=target.make_stream(data),
        Resources=resources,
    )
    if rotate:
        made.Rotate = rotate
    if unit != 1:
        made.UserUnit = decimal(unit)
    return target.make_indirect(made)
