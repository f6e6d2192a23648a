"""Reading order: glyphs into lines, lines into paragraphs, and for every character the glyph that shows it."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field

from tacenda.formats.pdf.geometry import Area, join
from tacenda.formats.pdf.glyphs import Glyph, Page
from tacenda.formats.pdf.grid import cells
from tacenda.model import PartKind

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "ˇ": "\u030c",
    "˘": "\u0306", "˚": "\u030a", "˝": "\u030b", "¯": "\u0304", "^": "\u0302", "~": "\u0303",
}  # fmt: skip
SPACE = 0.14  # em between glyphs that reads as a space
FAR = 1.1  # em that separates cells; within one operator justified words may stand further apart
FAR_WITHIN = 1.6
ECHO_GRID = 8.0  # points; a glyph of ordinary size looks into one to four cells
_DOTLESS = {"ı": "i", "ȷ": "j"}  # what TeX sets an accent over is the letter it stands for
UNKNOWN = "•"  # a glyph that says nothing and stands alone: a bullet, an ornament


@dataclass
class Line:
    """A piece of a line without wide gaps: characters with the glyph of each (-1: a gap that reads as a space)."""

    chars: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    first: Glyph | None = None
    last: Glyph | None = None
    box: Area = (0, 0, 0, 0)
    walled: bool = False  # a ruled line stands before it, as between the cells of a table

    def add(self, text: str, place: int, glyph: Glyph) -> None:
        """Append what one glyph says."""
        self.chars += text
        self.places += [place] * len(text)
        self.first = self.first or glyph
        self.last = glyph

    def space(self) -> None:
        """Append a gap, unless there is a space already."""
        if self.chars and self.chars[-1] != " ":
            self.chars.append(" ")
            self.places.append(-1)

    @property
    def start(self) -> Glyph:
        """Its first glyph."""
        assert self.first is not None
        return self.first

    @property
    def end(self) -> Glyph:
        """Its last glyph."""
        assert self.last is not None
        return self.last

    @property
    def text(self) -> str:
        """What the line says."""
        return "".join(self.chars)


@dataclass
class PageText:
    """The text of a page in reading order.

    places  the glyph of each character, -1 between glyphs; line: its line, -1 between lines
    parts   stretches that no mention crosses, with the head of the column a cell stands under
    tied    glyphs that belong to another: accents set over a letter, what is painted twice to look bold
    """

    text: str = ""
    places: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    parts: list[tuple[int, int, PartKind, str]] = field(default_factory=list)
    tied: dict[int, list[int]] = field(default_factory=dict)


def arrange(page: Page) -> PageText:
    """Return the text of a page."""
    tied: dict[int, list[int]] = defaultdict(list)
    echoes = _echoes(page.glyphs, tied)
    lines = _rejoin(_lines(page.glyphs, echoes, tied, _Walls(page)))
    for line in lines:
        boxes = [page.glyphs[i].box() for i in line.places if i >= 0]
        line.box = join(boxes)
    return _paragraphs(lines, dict(tied), cells(lines))


def _echoes(glyphs: list[Glyph], tied: dict[int, list[int]]) -> set[int]:
    """Find glyphs painted again at the same place (shadows, poor man's bold)."""
    seen: dict[tuple[float, float, str], list[int]] = defaultdict(list)
    echoes = set()
    for i, glyph in enumerate(glyphs):
        text = glyph.text
        if text is None or text == " " or glyph.hidden:
            continue
        x, y = glyph.origin
        near = 0.12 * glyph.show.size
        same = _painted_before(glyphs, glyph, seen, near)
        if same is None:
            seen[(x // ECHO_GRID, y // ECHO_GRID, text)].append(i)
        else:
            echoes.add(i)
            tied[same].append(i)
    return echoes


def _painted_before(
    glyphs: list[Glyph], glyph: Glyph, seen: dict[tuple[float, float, str], list[int]], near: float
) -> int | None:
    (x, y), text = glyph.origin, glyph.text or ""
    left, right = (x - near) // ECHO_GRID, (x + near) // ECHO_GRID
    low, high = (y - near) // ECHO_GRID, (y + near) // ECHO_GRID
    for across in (left,) if left == right else (left, right):
        for up in (low,) if low == high else (low, high):
            for k in seen.get((across, up, text), ()):
                other = glyphs[k]
                close = abs(other.origin[0] - x) < near and abs(other.origin[1] - y) < near
                if close and (other.stream, other.op) != (glyph.stream, glyph.op):
                    return k
    return None


def _gap(before: Glyph, after: Glyph) -> tuple[float, float, bool]:
    """Return the way from the end of a glyph to the start of another, along and across in em; whether they agree."""
    a, b = before.show, after.show
    x = after.origin[0] - before.origin[0] - a.direction[0] * before.advance
    y = after.origin[1] - before.origin[1] - a.direction[1] * before.advance
    em = max(a.size, b.size, 1e-6)
    agree = a.direction[0] * b.direction[0] + a.direction[1] * b.direction[1] > 0.95
    return (x * a.direction[0] + y * a.direction[1]) / em, (y * a.direction[0] - x * a.direction[1]) / em, agree


class _Walls:
    """Upright rules and edges of boxes on a page, by their height: they part the cells of a table."""

    BAND = 32.0

    def __init__(self, page: Page) -> None:
        self.bands: dict[int, list[Area]] = defaultdict(list)
        for mark in page.paths[:20_000]:
            left, bottom, right, top = mark.box
            if not 6 < top - bottom < 2_000:
                continue
            for x in {left, right}:
                for band in range(int(bottom // self.BAND), int(top // self.BAND) + 1):
                    self.bands[band].append((x, bottom, x, top))

    def between(self, before: Glyph, after: Glyph) -> bool:
        """Tell whether a wall stands between two glyphs of a row."""
        if not self.bands or before.show.direction[0] < 0.99:
            return False
        start, end = before.origin[0] + before.advance, after.origin[0]
        middle = before.origin[1] + 0.25 * before.show.size
        slack = 0.1 * before.show.size
        return any(
            start - slack < x < end + slack and bottom < middle < top
            for x, bottom, _, top in self.bands.get(int(middle // self.BAND), ())
        )


def _lines(glyphs: list[Glyph], echoes: set[int], tied: dict[int, list[int]], walls: _Walls) -> list[Line]:
    """Cut the glyphs, in the order they are painted, into pieces of lines."""
    lines: list[Line] = []
    accent: tuple[int, Glyph] | None = None
    for i, glyph in enumerate(glyphs):
        if glyph.hidden or i in echoes:
            continue
        text = LIGATURES.get(glyph.text or UNKNOWN, glyph.text or UNKNOWN)
        text = "-" if text == "\xad" else text
        if text in ACCENTS and i + 1 < len(glyphs) and _over(glyph, glyphs[i + 1]):
            accent = (i, glyph)
            continue
        if accent is not None:
            base = _DOTLESS.get(text[:1], text[:1])
            combined = unicodedata.normalize("NFC", base + ACCENTS[accent[1].text or ""]) + text[1:]
            if len(combined) == len(text):
                text = combined
                tied[i].append(accent[0])
            else:
                _place(lines, accent[1].text or UNKNOWN, *accent, walls)
            accent = None
        _place(lines, text, i, glyph, walls)
    return [line for line in lines if line.text.strip()]


def _over(accent: Glyph, letter: Glyph) -> bool:
    """Tell whether an accent stands over the letter that follows it."""
    if letter.hidden or not (letter.text or " ").isalpha():
        return False
    a, b = accent.box(), letter.box()
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 * min(a[2] - a[0], b[2] - b[0]) > 0


def _place(lines: list[Line], text: str, place: int, glyph: Glyph, walls: _Walls) -> None:
    last = lines[-1].last if lines else None
    walled = False
    if last is not None:
        along, across, agree = _gap(last, glyph)
        if last.show.font.vertical:
            along, far = abs(along), 2.5
        else:
            far = FAR_WITHIN if (last.stream, last.op) == (glyph.stream, glyph.op) else FAR
        near = agree and abs(across) < 0.45 and -0.9 < along < far
        walled = agree and abs(across) < 0.45 and 0.3 < along < 200 and walls.between(last, glyph)
        if near and not walled:
            # a raised number is the mark of a note, no part of the word before it
            raised = text.isdigit() and glyph.show.size < 0.85 * last.show.size and across > 0.15
            if (along > SPACE or raised) and text != " " and not glyph.show.font.vertical:
                lines[-1].space()
            lines[-1].add(text, place, glyph)
            return
    lines.append(Line(walled=walled))
    lines[-1].add(text, place, glyph)


def _rejoin(lines: list[Line]) -> list[Line]:
    """Join pieces that continue each other on the page but were painted apart."""
    starts: dict[tuple[int, int], list[int]] = defaultdict(list)
    for n, line in enumerate(lines):
        starts[(round(line.start.origin[0] / 4), round(line.start.origin[1] / 4))].append(n)
    follows: dict[int, int] = {}
    for n, line in enumerate(lines):
        last = line.end
        x = (last.origin[0] + last.show.direction[0] * last.advance) / 4
        y = (last.origin[1] + last.show.direction[1] * last.advance) / 4
        near = (m for dx in (-1, 0, 1) for dy in (-1, 0, 1) for m in starts.get((round(x) + dx, round(y) + dy), ()))
        for m in sorted(near):
            if m != n and m not in follows.values() and not _reaches(follows, m, n):
                along, across, agree = _gap(last, lines[m].start)
                if agree and abs(across) < 0.15 and -0.2 < along < 0.35 and not last.show.font.vertical:
                    follows[n] = m
                    break
    joined, later = list[Line](), set(follows.values())
    for n, line in enumerate(lines):
        if n in later:
            continue
        at = n
        while at in follows:
            at = follows[at]
            if _gap(line.end, lines[at].start)[0] > SPACE and lines[at].chars[0] != " ":
                line.space()
            line.chars += lines[at].chars
            line.places += lines[at].places
            line.last = lines[at].last
        joined.append(line)
    return joined


def _reaches(follows: dict[int, int], start: int, goal: int) -> bool:
    while start in follows:
        start = follows[start]
        if start == goal:
            return True
    return False


def _paragraphs(lines: list[Line], tied: dict[int, list[int]], columns: dict[int, str]) -> PageText:
    page = PageText(lines=lines, tied=tied)
    chars: list[str] = []
    start, leading = 0, 0.0
    for n, line in enumerate(lines):
        before = lines[n - 1] if n else None
        if before is not None:
            follows, distance = _continues(before, line, leading)
            if follows and n not in columns and n - 1 not in columns:
                _join_lines(chars, page, before, line)
                leading = distance
            else:
                _close(page, chars, start, columns.get(n - 1))
                chars += "\n\n"
                page.places += [-1, -1]
                page.line += [-1, -1]
                start, leading = len(chars), 0.0
        chars += line.chars
        page.places += line.places
        page.line += [n] * len(line.chars)
    _close(page, chars, start, columns.get(len(lines) - 1))
    page.text = "".join(chars)
    return page


def _close(page: PageText, chars: list[str], start: int, column: str | None) -> None:
    if len(chars) > start:
        page.parts.append((start, len(chars), "prose" if column is None else "cell", column or ""))


def _continues(before: Line, line: Line, leading: float) -> tuple[bool, float]:
    """Tell whether a line goes on in the same paragraph, and how far below the other it stands."""
    a, b = before.start, line.start
    em = max(a.show.size, b.show.size, 1e-6)
    dx, dy = b.origin[0] - a.origin[0], b.origin[1] - a.origin[1]
    cos, sin = a.show.direction
    along, down = dx * cos + dy * sin, dx * sin - dy * cos
    if cos * b.show.direction[0] + sin * b.show.direction[1] < 0.95 or a.show.font.vertical != b.show.font.vertical:
        return False, 0.0
    if a.show.font.vertical:
        return True, 0.0
    ends = before.text.rstrip()[-1:] in ".!?:;"
    alike = 0.9 < a.show.size / b.show.size < 1.1 and a.show.font is b.show.font
    if down < -3 * em and along > 5 * em and alike and not ends:  # the next column
        return True, 0.0
    near = leading * 1.25 + 0.1 if leading else 1.75 * em
    if not 0.6 * em < down <= near or not 0.8 < a.show.size / b.show.size < 1.25:
        return False, 0.0
    if not -25 * em < along < 4 * em:
        return False, 0.0
    starts = line.text.lstrip()[:1] in "•◦▪–*●■" or (along > 0.8 * em and ends)
    return not (starts or (ends and along < -0.8 * em and leading and along < -8 * em)), down


def _join_lines(chars: list[str], page: PageText, before: Line, line: Line) -> None:
    """A hyphen at the end of a line before a small letter divides a word; before anything else it is part of it."""
    text, following = before.text, line.text.lstrip()[:1]
    if text[-1:] in ("-", "‐") and text[-2:-1].isalnum() and following.isalnum():
        if following.islower() and text[-2:-1].isalpha():
            chars.pop()
            page.places.pop()
            page.line.pop()
        return
    if not text.endswith(" "):
        chars.append(" ")
        page.places.append(-1)
        page.line.append(-1)
