"""Pages of a PDF under review, as pictures: the original, and the result as the decisions stand now."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tacenda.errors import UsageError
from tacenda.model import Box, Edit, Reading
from tacenda.plan.rewrite import splice

if TYPE_CHECKING:
    from tacenda.service.review.desk import Desk

SCALE = 1.5  # pixels to a point
KEPT = 40  # drawn pages that are held


@dataclass(frozen=True)
class Draft:
    """A page as it would be released: its picture, and for each decision where it stands on it."""

    edits: tuple[Edit, ...] = field(repr=False)
    picture: bytes = field(repr=False)
    boxes: dict[str, list[list[float]]] = field(repr=False)


def picture(data: bytes, number: int) -> bytes:
    """Draw a page of the original."""
    pdf: Any = importlib.import_module("tacenda.formats.pdf")  # an extra: there only if it is installed
    drawn: bytes = pdf.render(data, number, SCALE)
    return drawn


def draft(desk: Desk, number: int) -> Draft:
    """Draw a page of the result; a page whose decisions have not changed is drawn once."""
    spans = [(p.start, p.end) for p in desk.document.parts if p.where == f"page {number}"]
    if not spans:
        return Draft((), b"", {})
    start, end = spans[0][0], spans[-1][1]
    edits = tuple(edit for edit in desk.edits() if start <= edit[0] and edit[1] <= end)
    known = desk.drafts.get(number)
    if known is None or known.edits != edits:
        known = desk.drafts[number] = _drawn(desk, number, start, end, edits)
        while len(desk.drafts) > KEPT:
            desk.drafts.pop(next(iter(desk.drafts)))
    return known


def _drawn(desk: Desk, number: int, start: int, end: int, edits: tuple[Edit, ...]) -> Draft:
    pdf: Any = importlib.import_module("tacenda.formats.pdf")
    opened: Any = desk.files[0].opened
    if not hasattr(opened, "draft"):
        raise UsageError("this document has no pages")
    data = opened.draft(number, edits)
    own = [(a - start, b - start, text) for a, b, text in edits]
    promised, moved = splice(desk.document.text[start:end], own)
    made = pdf.Pdf().open(data, Reading(name="draft"))
    to = _places(promised, made.read().text)
    boxes: dict[str, list[list[float]]] = {}
    for item in desk.current.values():
        if start <= item.start and item.end <= end and to:
            first, last = (_moved(at - start, moved, last=last) for at, last in ((item.start, False), (item.end, True)))
            inside = [to[at] for at in range(first, last) if to[at] >= 0]
            found: Sequence[Box] = made.boxes(inside[0], inside[-1] + 1) if inside else ()
            boxes[item.id] = [[b.left, b.top, b.right, b.bottom] for b in found]
    return Draft(edits, pdf.render(data, 1, SCALE), boxes)


def _places(promised: str, read: str) -> list[int]:
    """Return for each character where it is in what is read again, -1 for spaces; nothing if other words are read."""
    there = [n for n, char in enumerate(read) if not char.isspace()]
    if [read[n] for n in there] != [char for char in promised if not char.isspace()]:
        return []
    following = iter(there)
    return [-1 if char.isspace() else next(following) for char in promised]


def _moved(at: int, moved: Sequence[tuple[int, int, int, int]], *, last: bool) -> int:
    """Return where an offset lies after edits; inside an edit it goes to its beginning, or to its end."""
    shift = 0
    for start, end, new_start, new_end in moved:
        if at < start or (at == start and not last):
            break
        if at < end or (at == end and last):
            return new_end if last else new_start
        shift = new_end - end
    return at + shift
