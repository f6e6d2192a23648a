"""Edits of a page: what stands in place of removed glyphs, and how the touched lines are set anew.

A line that keeps its gap tells how wide the removed name was. So every touched line is set again with the nominal
widths of its glyphs and spaces, from an edge that other lines share; nothing in it depends on what was removed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tacenda.formats.pdf.fonts import Font
from tacenda.formats.pdf.geometry import Area, overlap
from tacenda.formats.pdf.glyph_edits import Span, removed, spans
from tacenda.formats.pdf.glyphs import Glyph, Page
from tacenda.formats.pdf.lines import Line, PageText
from tacenda.formats.pdf.unreadable import Unwritable
from tacenda.model import Edit

GAP = 0.27  # em of a space that is a gap
CELL_GAP = 1.8  # em between what stood far apart and has no edge of its own
NARROWEST = 0.55


@dataclass(frozen=True, slots=True)
class Put:
    """Replacement text: where its anchor's operator would paint it."""

    text: str
    pen: float
    squeeze: float
    width: float  # em


@dataclass
class PageEdit:
    """What becomes of a page."""

    removed: set[int] = field(default_factory=set)
    moved: dict[int, tuple[float, float]] = field(default_factory=dict)  # glyph -> new pen, squeeze
    puts: dict[int, list[Put]] = field(default_factory=dict)  # before which glyph
    unpainted: set[tuple[int, int]] = field(default_factory=set)  # paths that told the width
    touched: list[Area] = field(default_factory=list)  # old and new boxes of changed lines and rules
    lines: list[tuple[Area, Area]] = field(default_factory=list)  # old and new box of each line set anew
    boxes: list[Area] = field(default_factory=list)  # of what was removed


Measure = Callable[[Font, str], float]  # width of a replacement in em, in the font chosen for it


def edit_page(page: Page, text: PageText, edits: Sequence[Edit], *, measure: Measure, width: float) -> PageEdit:
    """Plan the new look of a page; raise Unwritable where it cannot be set as text."""
    found = spans(text, edits)
    result = PageEdit(removed=removed(text, found))
    result.removed |= {i for i, g in enumerate(page.glyphs) if g.hidden}
    if not found:
        return result
    if page.uneditable:
        raise Unwritable(", ".join(sorted(page.uneditable)))
    if any(page.glyphs[g].text is None for span in found for g in span.glyphs):
        raise Unwritable("a removed glyph without Unicode")
    result.boxes = [page.glyphs[g].box() for span in found for g in span.glyphs]
    rows = _Rows(page, text, result, width)
    for line in rows.touched():
        _set_line(page, text, line, rows, found, result, measure)
    _unpaint(page, result)
    if any(overlap(mark.box, box) for mark in page.pictures for box in result.boxes):
        raise Unwritable("a picture behind removed text")
    return result


class _Rows:
    """Where lines begin and end on the page, for edges that touched lines may keep."""

    def __init__(self, page: Page, text: PageText, result: PageEdit, width: float) -> None:
        self.lines, self.page_width, self.result = text.lines, width, result
        self.hit = {n for n, line in enumerate(text.lines) if result.removed.intersection(line.places)}
        self.free = [line for n, line in enumerate(text.lines) if n not in self.hit]
        self.absorbed: set[int] = set()

    def touched(self) -> list[Line]:
        """Return the lines to set anew; those without an edge of their own follow the line to their left."""
        rows = []
        for n in sorted(self.hit, key=lambda n: self.lines[n].box[0]):
            if n in self.absorbed:
                continue
            line = self.lines[n]
            chars, places = list(line.chars), list(line.places)
            while (m := self._next(n)) is not None and not self._anchored(self.lines[m]):
                self.absorbed.add(m)
                self.result.touched.append(self.lines[m].box)
                chars += ["\t", *self.lines[m].chars]
                places += [-1, *self.lines[m].places]
                n = m
            rows.append(Line(chars, places, line.first, self.lines[n].last, line.box))
        return rows

    def _next(self, n: int) -> int | None:
        """Return the piece right of another on the same row, if it is the nearest and not turned."""
        line = self.lines[n]
        right = [
            m
            for m, other in enumerate(self.lines)
            if m != n and other.box[0] > line.box[2] - 1 and _same_row(line, other)
        ]
        return min(right, key=lambda m: self.lines[m].box[0], default=None)

    def _anchored(self, line: Line) -> bool:
        """Tell whether a piece stands at an edge that others share, so that its place does not depend on the left."""
        others = [other for other in self.free if other is not line and not _same_row(other, line)]
        if line.walled or self._lefts(line) or any(abs(o.box[2] - line.box[2]) < 1 for o in others):
            return True
        margin = max((o.box[2] for o in others), default=0.0)
        return abs(line.box[2] - margin) < 1.5 or abs(sum(line.box[::2]) / 2 - self.page_width / 2) < 1

    def _lefts(self, line: Line) -> int:
        """Count the lines in other rows that begin at the same edge, touched ones too: they keep it."""
        return sum(abs(o.box[0] - line.box[0]) < 1 and not _same_row(o, line) for o in self.lines)

    def start(self, line: Line, length: float) -> float:
        """Return where a line of this length begins, by the edge or center it shares with other lines."""
        left, right = line.box[0], line.box[2]
        others = [o for o in self.free if not _same_row(o, line)]
        rights = [o.box[2] for o in others if abs(o.box[2] - right) < 1]
        lefts = self._lefts(line)
        if lefts >= 2:
            return left
        if len(rights) >= 2:
            return max(rights) - length
        if lefts:
            return left
        middles = [self.page_width / 2]
        if others:
            middles.append((min(o.box[0] for o in others) + max(o.box[2] for o in others)) / 2)
        # a column has its own center: that of lines that reach beyond this one on both sides, or stand over it
        for group in (others, [o for o in self.lines if not _same_row(o, line)]):
            middles += sorted((o.box[0] + o.box[2]) / 2 for o in group if o.box[0] < left - 2 and o.box[2] > right + 2)
        middles += sorted((o.box[0] + o.box[2]) / 2 for o in others)
        for middle in middles:
            if abs((left + right) / 2 - middle) < 1.5:
                return middle - length / 2
        return left

    def room(self, line: Line) -> float:
        """Return how far right a touched line may reach: the margin, or what stands beside it."""
        em = line.start.show.size
        margins = [o.box[2] for o in self.free]
        limit = max(margins, default=0.0)
        limit = max(limit, self.page_width - max(24.0, min((o.box[0] for o in self.lines), default=24.0)))
        own = set(line.places)
        for n, other in enumerate(self.lines):
            if n in self.absorbed or own.intersection(other.places):
                continue
            apart = min(line.box[3], other.box[3]) - max(line.box[1], other.box[1])
            if other.box[0] > line.box[0] + 1 and apart > 0.2 * em:
                limit = min(limit, other.box[0] - 0.6 * em)
        return limit


def _same_row(a: Line, b: Line) -> bool:
    first, second = a.start, b.start
    if first.show.direction[0] < 0.99 or second.show.direction[0] < 0.99:
        return False
    return abs(first.origin[1] - second.origin[1]) < 0.3 * max(first.show.size, second.show.size)


Item = tuple[str, int, float, str]  # what ("glyph" or "put"), glyph, place along the line, text


def _squeeze(length: float, room: float) -> float:
    """Return by how much a line must be narrowed to fit its room, in coarse steps."""
    if length <= room or not length:
        return 1.0
    squeeze = math.floor(20 * room / length) / 20
    if squeeze < NARROWEST:
        raise Unwritable("no room for the line")
    return squeeze


def _set_line(
    page: Page,
    text: PageText,
    line: Line,
    rows: _Rows,
    found: Sequence[Span],
    result: PageEdit,
    measure: Measure,
) -> None:
    first = line.start
    if first.show.font.vertical:
        raise Unwritable("vertical text")
    items, length = _nominal(page, line, found, result, measure)
    upright = first.show.direction[0] > 0.999
    cos, sin = first.show.direction
    at = first.origin[0] * cos + first.origin[1] * sin
    squeeze, shift = 1.0, 0.0
    if upright:
        squeeze = _squeeze(length, rows.room(line) - line.box[0])
        shift = rows.start(line, length * squeeze) - line.box[0]
        at += shift
    elif length > 1.15 * _length(page, line):
        raise Unwritable("no room for a turned line")
    for kind, place, x, typed in items:
        glyph = page.glyphs[place]
        show = glyph.show
        here = glyph.origin[0] * cos + glyph.origin[1] * sin
        pen = glyph.pen + (at + x * squeeze - here) / show.unit
        if kind == "glyph":
            result.moved[place] = (pen, squeeze)
            for tied in text.tied.get(place, ()):
                _move_tied(page, place, tied, pen, squeeze, result)
        else:
            put = Put(typed, pen, squeeze, measure(show.font, typed))
            result.puts.setdefault(place, []).append(put)
    left, right = line.box[0] + shift, line.box[0] + shift + length * squeeze
    result.lines.append((line.box, (left, line.box[1], right, line.box[3])))
    reach = (min(line.box[0], left) - 1, line.box[1] - 1, max(line.box[2], right) + 1, line.box[3] + 1)
    result.touched.append(reach)


def _move_tied(page: Page, place: int, tied: int, pen: float, squeeze: float, result: PageEdit) -> None:
    """An accent goes where its letter goes; what was painted twice is painted once."""
    letter, other = page.glyphs[place], page.glyphs[tied]
    if other.text == letter.text or other.show.unit != letter.show.unit:
        result.removed.add(tied)
    else:
        result.moved[tied] = (other.pen + pen - letter.pen, squeeze)


def _length(page: Page, line: Line) -> float:
    first, last = line.start, line.end
    return math.dist(first.origin, last.origin) + last.advance


def _nominal(
    page: Page, line: Line, found: Sequence[Span], result: PageEdit, measure: Measure
) -> tuple[list[Item], float]:
    """Lay the items of a line one after the other with nominal widths."""
    begin = {span.glyphs[0]: span.text for span in found}
    items: list[Item] = []
    x, before, seen = 0.0, None, set[int]()
    pending = 0.0  # a space that is due before the next item
    inside = _inside(line, found)
    for at, place in enumerate(line.places):
        if (place >= 0 and place in seen) or at in inside:
            continue
        seen.add(place)
        if place < 0 or (line.chars[at] == " " and place not in begin):
            size = page.glyphs[place].show.size if place >= 0 else _size_near(page, line, at)
            if place >= 0 and (not items or place in result.removed):
                result.removed.add(place)  # no line begins with a space
            elif place >= 0:
                items.append(("glyph", place, x, ""))
            if items:
                pending = max(pending, (CELL_GAP if line.chars[at] == "\t" else GAP) * size)
            before = None
            continue
        if place in begin or place not in result.removed:
            x, pending = x + pending, 0.0
        glyph = page.glyphs[place]
        if place in begin:
            typed = begin[place] + (" " if _gap_follows(line, at, inside) else "")
            items.append(("put", place, x, typed))
            x += measure(glyph.show.font, typed.rstrip(" ")) * glyph.show.size * _flat(glyph)
        elif place not in result.removed:
            x += _kern(before, glyph)
            items.append(("glyph", place, x, ""))
            x += glyph.advance
        before = glyph if place not in result.removed else None
    return items, x


def _inside(line: Line, found: Sequence[Span]) -> set[int]:
    """Return the positions of a line that a removed stretch covers after its first glyph, gaps included."""
    where = {place: at for at, place in reversed(list(enumerate(line.places))) if place >= 0}
    inside: set[int] = set()
    for span in found:
        here = sorted(where[g] for g in span.glyphs if g in where)
        if here:
            last = max(at for at, place in enumerate(line.places) if place == line.places[here[-1]])
            inside |= set(range(here[0] + (span.glyphs[0] in where), last + 1))
    return inside


def _gap_follows(line: Line, at: int, inside: set[int]) -> bool:
    """Tell whether a gap stands after the removed stretch that begins here: some readers need a real space there."""
    after = at + 1
    while after in inside:
        after += 1
    return after < len(line.places) and line.places[after] < 0


def _size_near(page: Page, line: Line, at: int) -> float:
    for k in (*range(at - 1, -1, -1), *range(at + 1, len(line.places))):
        if line.places[k] >= 0:
            return float(page.glyphs[line.places[k]].show.size)
    return 10.0


def _flat(glyph: Glyph) -> float:
    """Return how much wider than tall an em is painted."""
    show = glyph.show
    return float(abs(show.size_given * show.stretch * show.unit) / show.size)


def _kern(before: Glyph | None, glyph: Glyph) -> float:
    """Keep a wide gap or an overlap between kept neighbors, in coarse steps; fine kerning is left out."""
    if before is None:
        return 0.0
    cos, sin = before.show.direction
    way = (glyph.origin[0] - before.origin[0]) * cos + (glyph.origin[1] - before.origin[1]) * sin - before.advance
    step = 0.05 * glyph.show.size
    return float(round(way / step) * step) if abs(way) > 0.12 * glyph.show.size else 0.0


def _unpaint(page: Page, result: PageEdit) -> None:
    """Underlines, strikes and highlights of a touched line tell widths: they are painted no more."""
    lines = list(result.touched)
    for mark in page.paths:
        left, bottom, right, top = mark.box
        for line in lines:
            em = line[3] - line[1]
            inside = left > line[0] - 3 and right < line[2] + 3
            if not (inside and bottom > line[1] - 0.15 * em and top < line[3] + 0.3 * em):
                continue
            thin = top - bottom < 0.2 * em and right - left > 0.3 * em
            flat = mark.filled and top - bottom < 1.8 * em
            if thin or (flat and any(overlap(mark.box, box) for box in result.boxes)):
                result.unpainted.add((mark.stream, mark.op))
                result.touched.append((left - 1, bottom - 1, right + 1, top + 1))
                break
