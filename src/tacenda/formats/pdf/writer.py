"""Write one stream anew: text with absolute places, everything else by a list of allowed operators.

Operators that move the pen by the width of a removed word would tell it; none of them is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacenda.formats.pdf import images
from tacenda.formats.pdf.content import PAINT, TEXT_OPERATORS
from tacenda.formats.pdf.geometry import multiply
from tacenda.formats.pdf.glyphs import Glyph, Page, Show, Stream
from tacenda.formats.pdf.painters import SHOW, has_text
from tacenda.formats.pdf.relay import PageEdit, Put
from tacenda.formats.pdf.resources import Names, decimal
from tacenda.formats.pdf.unreadable import Unwritable

if TYPE_CHECKING:
    from tacenda.formats.pdf.compose import Composer

PLAIN = frozenset("w J j M d ri i q Q cm m l c v y h re W W* n g G rg RG k K sc SC d0 d1".split())
NAMED = {"gs": "/ExtGState", "cs": "/ColorSpace", "CS": "/ColorSpace", "sh": "/Shading"}
DEVICE = ("/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/Pattern", "/G", "/RGB", "/CMYK", "/I", "/Indexed")


@dataclass
class _TextState:
    font: Any = None
    size: Any = None
    stretch: Any = None
    mode: Any = None


class Writer:
    """Writes one stream."""

    def __init__(
        self,
        composer: Composer,
        page: Page,
        stream: Stream,
        edit: PageEdit,
        forms: Mapping[tuple[int, int], Any],
        names: Names,
        depth: int,
    ) -> None:
        self.composer, self.page, self.stream, self.edit = composer, page, stream, edit
        self.forms, self.names, self.depth = forms, names, depth
        self.out: list[Any] = []
        self.state = _TextState()
        self.stack: list[_TextState] = []
        self.in_text = False
        self.run: list[Any] = []  # of the TJ being gathered
        self.pen = 0.0
        self.run_key: Any = None
        self.last_shown: tuple[Any, ...] = ()  # state of the last glyph: most follow one that is shown alike

    def data(self) -> bytes:
        """Return the new stream."""
        import pikepdf

        for at, item in enumerate(self.stream.instructions):
            op = str(item.operator)
            if op in SHOW:
                for i in self.stream.shows.get(at, ()):
                    self._glyph(i)
            elif op == "ET":
                self._end_text()
            elif op not in TEXT_OPERATORS:
                self._other(at, op, item)
        self._end_text()
        self.out += [([], pikepdf.Operator("Q"))] * len(self.stack)
        return pikepdf.unparse_content_stream(self.out)

    def _emit(self, op: str, *operands: Any) -> None:
        import pikepdf

        self.out.append((list(operands), pikepdf.Operator(op)))

    # text

    def _glyph(self, i: int) -> None:
        for put in self.edit.puts.get(i, ()):
            self._put(self.page.glyphs[i], put)
        if i in self.edit.removed:
            return
        glyph = self.page.glyphs[i]
        pen, squeeze = self.edit.moved.get(i, (glyph.pen, 1.0))
        show = glyph.show
        font = self.composer.font(show.font)
        name = self.names.add("/Font", id(show.font), lambda: font.obj)
        self._show(show, name, font.codes[glyph.char.raw], pen, squeeze, glyph.char.width, show.mode)

    def _put(self, anchor: Glyph, put: Put) -> None:
        show, composer = anchor.show, self.composer
        if composer.layout != "text":
            self._frame(show, put)
        mode = 3 if composer.layout == "black" else 0 if show.mode in (3, 7) else show.mode % 4
        own, standard = composer.choose(show.font, put.text)
        if own is not None:
            name = self.names.add("/Font", id(show.font), lambda: own.obj)
            pen, (across, _) = put.pen, _axes(show)
            for char in put.text:
                found = own.texts[char]
                self._show(show, name, own.codes[found.raw], pen, put.squeeze, found.width, mode)
                pen += found.width * show.size_given * across * put.squeeze
            return
        try:
            raw = put.text.encode("cp1252")
        except UnicodeEncodeError as error:
            raise Unwritable("a replacement that no font of the file can show") from error
        name = self.names.add("/Font", standard, lambda: composer.standard(standard))
        self._flush()
        self._show(show, name, raw, put.pen, put.squeeze, put.width, mode)
        self._flush()

    def _show(self, show: Show, name: Any, raw: bytes, pen: float, squeeze: float, width: float, mode: int) -> None:
        """Append a code to the run, or begin a new one where the text state or the line changes."""
        across, vertical = _axes(show)
        scale = show.size_given * across * (squeeze if not vertical else 1.0)
        goes_on = self.run_key is not None and self.last_shown == (id(show), name, squeeze, mode)
        key = self.run_key[0] if goes_on else _key(show, name, squeeze, mode)
        self.last_shown = (id(show), name, squeeze, mode)
        if self.run_key is None or key != self.run_key[0] or not self._same_line(show):
            self._flush()
            self._begin(show, name, pen, squeeze, mode)
            self.run_key = (key, show)
            self.pen = pen
        elif show is not self.run_key[1]:
            pen += self._offset(show)
        step = (self.pen - pen) * 1000 / scale if scale else 0.0
        if abs(step) >= 0.05:
            adjustment = decimal(step, 2)
            self.run.append(adjustment)
            self.pen -= float(adjustment) * scale / 1000
        if self.run and isinstance(self.run[-1], bytes):
            self.run[-1] += raw
        else:
            self.run.append(raw)
        self.pen += width * scale

    def _offset(self, show: Show) -> float:
        """Return how far along the line the text space of another operator begins."""
        first = self.run_key[1]
        return _along(first, show)[0]

    def _same_line(self, show: Show) -> bool:
        first = self.run_key[1]
        if first is show:
            return True
        if first.font.vertical:
            return False
        along, across = _along(first, show)
        return abs(across) < 0.004 * abs(show.size_given) and along + abs(show.size_given) > 0

    def _begin(self, show: Show, name: Any, pen: float, squeeze: float, mode: int) -> None:
        if not self.in_text:
            self._emit("BT")
            self.in_text = True
        size, stretch = decimal(show.size_given), decimal(show.stretch * squeeze * 100, 3)
        if (str(name), size) != (self.state.font, self.state.size):
            self._emit("Tf", name, size)
            self.state.font, self.state.size = str(name), size
        fresh = self.stream.parent < 0 and self.state.stretch is None  # a form inherits the state of what paints it
        if stretch != self.state.stretch and not (fresh and stretch == 100):
            self._emit("Tz", stretch)
        if mode != self.state.mode and not (fresh and mode == 0):
            self._emit("Tr", mode)
        self.state.stretch, self.state.mode = stretch, mode
        start = (1.0, 0.0, 0.0, 1.0, 0.0, pen) if show.font.vertical else (1.0, 0.0, 0.0, 1.0, pen, show.rise)
        place = multiply(start, show.text)
        digits = 3 if _plain(show) else 5
        self._emit("Tm", *(decimal(v, 5) for v in place[:4]), *(decimal(v, digits) for v in place[4:]))

    def _flush(self) -> None:
        import pikepdf

        if self.run:
            items = [pikepdf.String(x) if isinstance(x, bytes) else x for x in self.run]
            if len(items) == 1:
                self._emit("Tj", items[0])
            else:
                self._emit("TJ", pikepdf.Array(items))
        self.run, self.run_key = [], None

    def _end_text(self) -> None:
        self._flush()
        if self.in_text:
            self._emit("ET")
        self.in_text = False

    def _frame(self, show: Show, put: Put) -> None:
        """Paint a bar or a frame as wide as what is typed, never as what was removed."""
        self._end_text()
        if show.font.vertical:
            raise Unwritable("vertical text")
        size = show.size_given
        width = put.width * size * show.stretch * put.squeeze
        if put.text.endswith(" "):
            width -= 0.25 * size * show.stretch * put.squeeze
        self._emit("q")
        self._emit("cm", *(decimal(v, 5) for v in show.text))
        bottom, height = decimal(show.rise - 0.22 * size), decimal(1.1 * size)
        if self.composer.layout == "black":
            self._emit("g", 0)
            self._emit("re", decimal(put.pen), bottom, decimal(width), height)
            self._emit("f")
        else:
            self._emit("w", decimal(0.04 * size))
            self._emit("re", decimal(put.pen), bottom, decimal(width), height)
            self._emit("S")
        self._emit("Q")

    # everything else

    def _other(self, at: int, op: str, item: Any) -> None:
        import pikepdf

        operands = item.operands if op != "INLINE IMAGE" else []
        if op in PAINT or op == "n":
            gone = (self.stream.index, at) in self.edit.unpainted or at in self.stream.drop
            self._break()
            self._emit("n" if gone else op)
        elif at in self.stream.drop:
            return
        elif op in PLAIN:
            self._break()
            if not self._nest(op):
                return
            self._emit(op, *(v for v in operands if not isinstance(v, (pikepdf.String, pikepdf.Dictionary))))
        elif op in ("scn", "SCN"):
            self._break()
            self._emit(op, *(self._pattern(v) if isinstance(v, pikepdf.Name) else v for v in operands))
        elif op in NAMED:
            self._break()
            self._emit(op, self._resource(NAMED[op], operands[0]))
        elif op == "Do":
            self._end_text()
            self._paint_object(at, str(operands[0]))
        elif op == "INLINE IMAGE":
            self._end_text()
            stream = images.inline(self.composer.target, item, self._inline_space, self.composer.copy)
            self._emit("Do", self.names.add("/XObject", ("inline", at, self.stream.index), lambda: stream))

    def _break(self) -> None:
        self._flush()

    def _nest(self, op: str) -> bool:
        """Follow q and Q; surplus Q are left out."""
        if op == "q":
            self.stack.append(_TextState(**{k: getattr(self.state, k) for k in ("font", "size", "stretch", "mode")}))
        elif op == "Q":
            if not self.stack:
                return False
            self.state = self.stack.pop()
        return True

    def _lookup(self, category: str, name: str) -> Any:
        import pikepdf

        resources = self.stream.resources
        table = resources.get(category) if isinstance(resources, pikepdf.Dictionary) else None
        return table.get(name) if isinstance(table, pikepdf.Dictionary) else None

    def _resource(self, category: str, name: Any) -> Any:
        import pikepdf

        if category == "/ColorSpace" and str(name) in DEVICE:
            return name
        found = self._lookup(category, str(name))
        if found is None:
            raise Unwritable("a resource that is missing")
        if category == "/ExtGState":
            if not isinstance(found, pikepdf.Dictionary):
                raise Unwritable("a damaged graphics state")
            make = lambda: self.composer.graphics_state(found, self.stream.resources, self.depth)  # noqa: E731
        else:
            make = lambda: self.composer.copy(found)  # noqa: E731
        return self.names.add(category, (found.objgen if found.is_indirect else found.unparse()), make)

    def _pattern(self, name: Any) -> Any:
        found = self._lookup("/Pattern", str(name))
        if found is None:
            raise Unwritable("a pattern that is missing")
        key = found.objgen if found.is_indirect else found.unparse()
        make = lambda: self.composer.pattern(found, self.stream.resources, self.depth)  # noqa: E731
        return self.names.add("/Pattern", key, make)

    def _inline_space(self, name: Any) -> Any:
        return None if str(name) in DEVICE else self.composer.copy(self._lookup("/ColorSpace", str(name)))

    def _paint_object(self, at: int, name: str) -> None:
        import pikepdf

        if (form := self.forms.get((self.stream.index, at))) is not None:
            self._emit("Do", self.names.add("/XObject", ("form", form.objgen), lambda: form))
            return
        found = self.page.extra.get(name) if self.stream.index == 0 and name in self.page.extra else None
        found = found if found is not None else self._lookup("/XObject", name)
        if not isinstance(found, pikepdf.Stream):
            return
        kind = str(found.get("/Subtype", ""))
        key = found.objgen if found.is_indirect else ("direct", at)
        if kind == "/Image":
            self._emit("Do", self.names.add("/XObject", key, lambda: self.composer.image(found)))
        elif kind == "/Form":
            if has_text(found):
                raise Unwritable("text in a form that was not followed")
            made = self.composer.copied_form(found, self.stream.resources, self.depth + 1)
            self._emit("Do", self.names.add("/XObject", key, lambda: made))


def _axes(show: Show) -> tuple[float, bool]:
    """Return the stretch along the line, and whether the line runs down."""
    return (1.0, True) if show.font.vertical else (show.stretch, False)


def _key(show: Show, name: Any, squeeze: float, mode: int) -> tuple[Any, ...]:
    """Return what glyphs of one run have in common."""
    linear = tuple(round(v, 6) for v in show.text[:4])
    return (str(name), show.size_given, show.stretch * squeeze, mode, linear, show.font.vertical)


def _plain(show: Show) -> bool:
    """Tell whether thousandths of a unit of the stream are fine enough on the page."""
    return show.size >= 2 and abs(show.size_given) >= 0.2 * show.size


def _along(first: Show, other: Show) -> tuple[float, float]:
    """Return where another operator's text space begins, along and across, in the first one's text space."""
    a, b, c, d = first.text[:4]
    dx, dy = other.text[4] - first.text[4], other.text[5] - first.text[5]
    det = a * d - b * c
    if abs(det) < 1e-12:
        return 0.0, 1e9
    along = (dx * d - dy * c) / det
    across = (dy * a - dx * b) / det + other.rise - first.rise
    return along, across
