"""Walk the content of a page: every glyph with the operator and bytes that paint it and its place on the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tacenda.formats.pdf.fonts import Font
from tacenda.formats.pdf.geometry import (
    IDENTITY,
    Area,
    Matrix,
    Point,
    apply,
    around,
    mapped,
    matrix,
    multiply,
    number,
)
from tacenda.formats.pdf.glyphs import Glyph, Mark, Page, Show, Stream
from tacenda.formats.pdf.painters import SHOW, has_text, painters
from tacenda.formats.pdf.unreadable import Unreadable

MAX_OPERATORS = 3_000_000
MAX_GLYPHS = 400_000
MAX_DEPTH = 12
PAINT = frozenset(("S", "s", "f", "F", "f*", "B", "B*", "b", "b*"))
SPOKEN = ("/ActualText", "/Alt", "/E")


@dataclass(slots=True)
class _State:
    ctm: Matrix = IDENTITY
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    font: Font | None = None
    size: float = 0.0
    mode: int = 0
    rise: float = 0.0


class Walker:
    """Interprets one page. Fonts are shared between the pages of a file."""

    def __init__(
        self,
        page: Page,
        *,
        fonts: dict[Any, Font | Unreadable],
        layers_off: frozenset[tuple[int, int]],
        tick: Callable[[], None],
    ) -> None:
        self.page, self.fonts, self.layers_off, self.tick = page, fonts, layers_off, tick
        self.operators = 0

    def run(
        self,
        obj: Any,
        resources: Any,
        *,
        state: _State | None = None,
        parent: tuple[int, int] = (-1, -1),
        depth: int = 0,
        hidden: bool = False,
        more: Sequence[Any] = (),
    ) -> None:
        """Interpret one stream and all it paints; `more` are instructions to follow the stream's own."""
        import pikepdf

        self.tick()
        if depth > MAX_DEPTH:
            self.page.lost.add("forms nested too deep")
            return
        try:
            instructions = [*pikepdf.parse_content_stream(obj)]
        except (pikepdf.PdfError, ValueError, TypeError, RuntimeError):
            self.page.lost.add("a content stream that cannot be read")
            instructions = []
        if more:
            instructions += [*_closing(instructions), *more]
        self.operators += len(instructions)
        if self.operators > MAX_OPERATORS:
            self.page.lost.add("too many operators")
            return
        stream = Stream(len(self.page.streams), *parent, obj, resources, instructions)
        self.page.streams.append(stream)
        self._look_at(resources)
        _Run(self, stream, state or _State(), depth, hidden).all()

    def font(self, resources: Any, name: str) -> Font | Unreadable:
        """Return the font of a name, or why it cannot be read."""
        import pikepdf

        table = resources.get("/Font") if isinstance(resources, pikepdf.Dictionary) else None
        obj = table.get(name) if isinstance(table, pikepdf.Dictionary) else None
        if not isinstance(obj, pikepdf.Dictionary):
            return Unreadable("a font that is missing")
        key = obj.objgen if obj.is_indirect else obj.unparse()
        if key not in self.fonts:
            try:
                self.fonts[key] = Font(obj)
            except Unreadable as error:
                self.fonts[key] = error
            except Exception:  # a font dictionary may be damaged in any way
                self.fonts[key] = Unreadable("a damaged font")
        return self.fonts[key]

    def _look_at(self, resources: Any) -> None:
        """Text in patterns and soft masks is painted by no operator we follow."""
        for kind, stream in painters(resources):
            if kind == "font":
                self.page.lost.add("a font set by a graphics state")
            elif has_text(stream):
                self.page.lost.add(f"text in a {kind}")

    def off(self, properties: Any) -> bool:
        """Tell whether a layer (or a rule over layers) is switched off."""
        import pikepdf

        if not isinstance(properties, pikepdf.Dictionary):
            return False
        if str(properties.get("/Type", "")) != "/OCMD":
            return properties.objgen in self.layers_off
        groups = properties.get("/OCGs")
        shown = [
            g.objgen not in self.layers_off
            for g in (groups if isinstance(groups, pikepdf.Array) else [groups])
            if isinstance(g, pikepdf.Dictionary)
        ]
        rule = str(properties.get("/P", "/AnyOn"))
        if not shown:
            return False
        return not {"/AllOn": all(shown), "/AnyOff": not all(shown), "/AllOff": not any(shown)}.get(rule, any(shown))


class _Run:
    """One stream being interpreted."""

    def __init__(self, walker: Walker, stream: Stream, state: _State, depth: int, hidden: bool) -> None:
        self.walker, self.stream, self.state, self.depth, self.hidden = walker, stream, state, depth, hidden
        self.outer = state.ctm
        self.page = walker.page
        self.stack: list[_State] = []
        self.marked: list[bool] = []
        self.path: list[Point] = []
        self.text = self.line = IDENTITY

    def all(self) -> None:
        """Interpret every instruction."""
        for at, item in enumerate(self.stream.instructions):
            if at % 5000 == 4999:
                self.walker.tick()
            op = str(item.operator)
            try:
                if op in SHOW:
                    self._show_operator(at, op, item.operands)
                elif (action := _TEXT.get(op)) is not None:
                    action(self, *item.operands)
                else:
                    self._other(at, op, item)
            except (IndexError, ValueError, TypeError, ArithmeticError):
                if op in SHOW or op in _TEXT or op in ("cm", "Do"):
                    self.page.uneditable.add("operators with wrong operands")

    # text state and position

    def begin(self) -> None:
        self.text = self.line = IDENTITY

    def set_font(self, name: Any, size: Any) -> None:
        found = self.walker.font(self.stream.resources, str(name))
        self.state.size = number(size)
        self.state.font = found if isinstance(found, Font) else None
        if isinstance(found, Unreadable):
            self.page.lost.add(str(found))

    def move(self, x: Any, y: Any) -> None:
        self.line = self.text = multiply((1, 0, 0, 1, number(x), number(y)), self.line)

    def move_and_lead(self, x: Any, y: Any) -> None:
        self.state.leading = -number(y)
        self.move(x, y)

    def next_line(self) -> None:
        self.move(0, -self.state.leading)

    def set_matrix(self, *values: Any) -> None:
        self.line = self.text = matrix(values)

    def _show_operator(self, at: int, op: str, operands: Any) -> None:
        if op == '"':
            self.state.word_space, self.state.char_space = number(operands[0]), number(operands[1])
        if op in ("'", '"'):
            self.next_line()
        self._show(at, operands[0] if op == "TJ" else [operands[-1]])

    def _show(self, at: int, items: Any) -> None:
        import pikepdf

        state = self.state
        if state.font is None:  # no viewer shows it; a font that is there but unreadable was noted when it was set
            return
        show = _show_state(state, self.text)
        if show is None:  # text of no size is not seen, and not written either
            return
        font, page = state.font, self.page
        if font.guessed:
            page.uneditable.add("a font without widths")
        base = multiply(self.text, state.ctm)
        across = 1.0 if font.vertical else state.stretch
        pen, glyphs = 0.0, self.stream.shows.setdefault(at, [])
        for item in items:
            if not isinstance(item, pikepdf.String):
                pen -= number(item) / 1000 * state.size * across
                continue
            try:
                chars = font.decode(bytes(item))
            except Unreadable as error:
                page.lost.add(str(error))
                return
            for char in chars:
                own = char.width * state.size * across
                origin = apply(base, 0, pen) if font.vertical else apply(base, pen, state.rise)
                glyphs.append(len(page.glyphs))
                page.glyphs.append(Glyph(self.stream.index, at, show, char, pen, origin, own * show.unit, self.hidden))
                pen += own + (state.char_space + (state.word_space if char.space else 0)) * across
        if font.lies:
            page.lost.add("a font whose table of characters cannot be true")
        if len(page.glyphs) > MAX_GLYPHS:
            raise Unreadable("too many glyphs")
        self.text = multiply((1, 0, 0, 1, 0, pen) if font.vertical else (1, 0, 0, 1, pen, 0), self.text)

    # the rest

    def _other(self, at: int, op: str, item: Any) -> None:
        operands = item.operands
        if op == "q":
            self.stack.append(replace(self.state))
        elif op == "Q":
            if self.stack:
                self.state = self.stack.pop()
        elif op == "cm":
            self.state.ctm = multiply(matrix(operands), self.state.ctm)
        elif op in ("re", "m", "l", "c", "v", "y"):
            self._extend(op, [number(v) for v in operands])
        elif op in PAINT or op == "n":
            self._paint(at, op)
        elif op in ("BDC", "BMC"):
            self._mark(op, operands)
        elif op == "EMC":
            self.hidden = self.marked.pop() if self.marked else self.hidden
        elif op == "INLINE IMAGE":
            self._picture(at)
        elif op == "sh" and self.hidden:
            self.stream.drop.add(at)
        elif op == "Do":
            self._do(at, str(operands[0]))

    def _extend(self, op: str, values: list[float]) -> None:
        if op == "re" and len(values) == 4:
            x, y, w, h = values
            corners = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
        else:
            corners = list(zip(values[::2], values[1::2], strict=False))
        if len(self.path) < 4096:
            self.path += [apply(self.state.ctm, *corner) for corner in corners]
        else:  # long drawings: only their extent matters
            self.path = [*_corners(around(self.path)), *(apply(self.state.ctm, *corner) for corner in corners)]

    def _paint(self, at: int, op: str) -> None:
        if self.path and op != "n":
            if self.hidden:
                self.stream.drop.add(at)
            else:
                self.page.paths.append(Mark(self.stream.index, at, around(self.path), op not in ("S", "s")))
        self.path = []

    def _mark(self, op: str, operands: Any) -> None:
        import pikepdf

        self.marked.append(self.hidden)
        if op != "BDC" or len(operands) < 2:
            return
        properties = operands[1]
        if isinstance(properties, pikepdf.Name):
            table = self.stream.resources.get("/Properties")
            properties = table.get(str(properties)) if isinstance(table, pikepdf.Dictionary) else None
        if isinstance(properties, pikepdf.Dictionary):
            self.page.spoken += sum(key in properties for key in SPOKEN)
            self.hidden = self.hidden or (str(operands[0]) == "/OC" and self.walker.off(properties))

    def _picture(self, at: int) -> None:
        if self.hidden:
            self.stream.drop.add(at)
        else:
            self.page.pictures.append(Mark(self.stream.index, at, mapped(self.state.ctm, (0, 0, 1, 1))))

    def _do(self, at: int, name: str) -> None:
        import pikepdf

        found = self.page.extra.get(name) if self.stream.index == 0 else None
        if found is None:
            table = self.stream.resources.get("/XObject")
            found = table.get(name) if isinstance(table, pikepdf.Dictionary) else None
        if not isinstance(found, pikepdf.Stream):
            self.stream.drop.add(at)
            return
        if self.hidden or self.walker.off(found.get("/OC")):
            self.stream.drop.add(at)
            return
        kind = str(found.get("/Subtype", ""))
        if kind == "/Image":
            self._picture(at)
        elif kind == "/Form":
            inner = replace(self.state, ctm=multiply(matrix(found.get("/Matrix", IDENTITY)), self.state.ctm))
            resources = found.get("/Resources", self.stream.resources)
            self.walker.run(found, resources, state=inner, parent=(self.stream.index, at), depth=self.depth + 1)
        else:
            self.stream.drop.add(at)


def _set(name: str, *, scale: float = 1.0, whole: bool = False) -> Callable[[_Run, Any], None]:
    def action(run: _Run, value: Any) -> None:
        given = number(value) * scale
        setattr(run.state, name, int(given) if whole else given)

    return action


_TEXT: Mapping[str, Callable[..., None]] = {
    "BT": _Run.begin,
    "ET": lambda run: None,
    "Tc": _set("char_space"),
    "Tw": _set("word_space"),
    "Tz": _set("stretch", scale=0.01),
    "TL": _set("leading"),
    "Tr": _set("mode", whole=True),
    "Ts": _set("rise"),
    "Tf": _Run.set_font,
    "Td": _Run.move,
    "TD": _Run.move_and_lead,
    "Tm": _Run.set_matrix,
    "T*": _Run.next_line,
}
TEXT_OPERATORS = frozenset(_TEXT)


def _show_state(state: _State, text: Matrix) -> Show | None:
    """Return how an operator shows text; None if it would be of no size."""
    assert state.font is not None
    base = multiply(text, state.ctm)
    x, y = (base[2], base[3]) if state.font.vertical else (base[0], base[1])
    unit = math.hypot(x, y)
    up = (base[2] * state.size, base[3] * state.size)
    if unit < 1e-9 or state.size == 0 or math.hypot(*up) < 1e-9:
        return None
    sign = 1.0 if state.font.vertical or state.size * state.stretch > 0 else -1.0
    direction = (sign * x / unit, sign * y / unit)
    return Show(
        state.font, state.size, state.stretch, state.rise, state.mode, text,
        direction, unit * sign, up, math.hypot(*up),
    )  # fmt: skip


def _corners(box: Area) -> list[Point]:
    return [(box[0], box[1]), (box[2], box[3])]


def _closing(instructions: list[Any]) -> list[Any]:
    """Return the Q operators that a stream left out."""
    import pikepdf

    depth = 0
    for item in instructions:
        op = str(item.operator)
        depth = depth + 1 if op == "q" else max(0, depth - 1) if op == "Q" else depth
    return [pikepdf.ContentStreamInstruction([], pikepdf.Operator("Q"))] * depth
