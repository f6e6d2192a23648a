"""What a page paints: glyphs, paths and pictures, each with the stream and operator it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tacenda.formats.pdf.fonts import Char, Font
from tacenda.formats.pdf.geometry import Area, Matrix, Point, around


@dataclass(slots=True)
class Glyph:
    """One glyph on the page. `pen` is its place along the baseline in the text space of its operator."""

    stream: int
    op: int
    show: Show
    char: Char
    pen: float
    origin: Point
    advance: float  # its own width along the baseline, in points
    hidden: bool  # in a layer that is switched off

    @property
    def text(self) -> str | None:
        """What it says."""
        return self.char.text

    def box(self) -> Area:
        """Return its upright box from descent to ascent."""
        show, (x, y) = self.show, self.origin
        if show.font.vertical:
            half, tall = show.size / 2, abs(self.advance)
            return (x - half, y - tall, x + half, y)
        if show.direction == (1.0, 0.0) and show.up[0] == 0.0:  # most text: this is asked for every glyph
            low, high = y + show.up[1] * show.font.descent, y + show.up[1] * show.font.ascent
            return (x, min(low, high), x + self.advance, max(low, high))
        dx, dy = show.direction[0] * self.advance, show.direction[1] * self.advance
        ux, uy = show.up
        return around(
            [(x + ux * h + s * dx, y + uy * h + s * dy) for h in (show.font.ascent, show.font.descent) for s in (0, 1)]
        )


@dataclass(slots=True)
class Show:
    """The text state in which one operator shows its glyphs."""

    font: Font
    size_given: float  # operand of Tf
    stretch: float
    rise: float
    mode: int
    text: Matrix  # where its text space lies in the user space of its stream
    direction: Point  # of the baseline on the page
    unit: float  # points on the page of one unit along the baseline
    up: Point  # one em upwards on the page
    size: float  # one em in points on the page


@dataclass
class Stream:
    """One execution of one content stream: the page, or a form where it is painted."""

    index: int
    parent: int
    parent_op: int
    obj: Any
    resources: Any
    instructions: list[Any]
    shows: dict[int, list[int]] = field(default_factory=dict)  # operator -> its glyphs
    drop: set[int] = field(default_factory=set)  # operators in layers that are switched off


@dataclass(frozen=True, slots=True)
class Mark:
    """A painted path or picture: the operator and its box."""

    stream: int
    op: int
    box: Area
    filled: bool = False


@dataclass
class Page:
    """All that one page paints."""

    number: int
    streams: list[Stream] = field(default_factory=list)
    glyphs: list[Glyph] = field(default_factory=list)
    paths: list[Mark] = field(default_factory=list)
    pictures: list[Mark] = field(default_factory=list)
    uneditable: set[str] = field(default_factory=set)  # why the page cannot be edited as text
    lost: set[str] = field(default_factory=set)  # why text of the page cannot be read
    spoken: int = 0  # texts that are said instead of what is painted
    extra: dict[str, Any] = field(default_factory=dict)  # appearances of annotations, by the name they are painted by
