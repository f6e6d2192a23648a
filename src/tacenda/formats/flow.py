"""The flat text of a file while it is read, and the way back: which node holds which stretch of it.

A format puts each piece of text with its holder, in reading order, and says where parts begin and end. Edits are
given back to the holders: the first one touched gets the replacement, the others lose their share.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from tacenda.errors import InputError, PlanError
from tacenda.formats.element import Element
from tacenda.model import Document, Edit, Limits, Part
from tacenda.model.case import SEPARATOR, PartKind


class Holder(Protocol):
    """Whatever holds a piece of text: the text of a node, an attribute, a cell."""

    def set(self, value: str) -> None:
        """Put another text in its place."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class NodeText:
    """The text directly inside an XML or HTML element."""

    node: Element

    def set(self, value: str) -> None:
        """Put another text in its place."""
        self.node.text = value


@dataclass(frozen=True, slots=True, eq=False)
class NodeTail:
    """The text that follows an element."""

    node: Element

    def set(self, value: str) -> None:
        """Put another text in its place."""
        self.node.tail = value


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One attribute, or the same one of several elements that hold the same text."""

    nodes: tuple[Element, ...]
    name: str

    def set(self, value: str) -> None:
        """Put another text in its place."""
        for node in self.nodes:
            node.set(self.name, value)


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """An element that stands for characters (a tab, a line break): an edit turns it into text.

    Left without text it is taken out last: the text after it may have an edit of its own to make.
    """

    node: Element
    text_tag: str

    def set(self, value: str) -> None:
        """Put another text in its place."""
        for child in list(self.node):
            self.node.remove(child)
        self.node.attrib.clear()
        self.node.tag = self.text_tag
        self.node.text = value


def take_out(node: Element) -> None:
    """Remove an element but not the text that follows it."""
    parent = node.getparent()
    if parent is None:
        return
    if node.tail:
        before = node.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + node.tail
        else:
            parent.text = (parent.text or "") + node.tail
        node.tail = None
    parent.remove(node)


class Clock:
    """Stops work that takes longer than the limits allow."""

    def __init__(self, limits: Limits) -> None:
        self._end = time.monotonic() + limits.seconds
        self._seconds = limits.seconds

    def check(self) -> None:
        """Raise InputError when the time is over."""
        if time.monotonic() > self._end:
            raise InputError(f"the file exceeds the time limit of {self._seconds:g} s")


@dataclass(frozen=True, slots=True)
class _Slot:
    start: int
    end: int
    holder: Holder
    at: int  # offset inside the whole text of the holder


@dataclass
class Guest:
    """A stretch of the text that belongs to a file inside the file, and the edits it is to make."""

    start: int
    end: int
    edits: list[Edit] = field(default_factory=list)


@dataclass
class Flow:
    """Pieces of text in reading order, with their holders and parts."""

    limits: Limits = field(default_factory=Limits)
    parts: list[Part] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list, repr=False)
    _slots: list[_Slot] = field(default_factory=list, repr=False)
    _whole: dict[int, str] = field(default_factory=dict, repr=False)
    _read: set[tuple[int, bool]] = field(default_factory=set, repr=False)
    _guests: list[Guest] = field(default_factory=list, repr=False)
    _length: int = 0

    def __post_init__(self) -> None:
        self.clock = Clock(self.limits)

    def put(self, text: str, holder: Holder, *, whole: str = "", at: int = 0) -> None:
        """Add a piece inside the open part; `whole` is what the holder holds if the piece is a stretch of it."""
        if not text:
            return
        self._pieces.append(text)
        self._slots.append(_Slot(self._length, self._length + len(text), holder, at))
        self._whole[id(holder)] = whole or text
        self._length += len(text)
        if isinstance(holder, NodeText | NodeTail):
            # The holder keeps the node alive, so its id stays its own.
            self._read.add((id(holder.node), isinstance(holder, NodeTail)))

    @contextmanager
    def part(self, kind: PartKind = "prose", where: str = "", column: str = "") -> Iterator[None]:
        """Everything put inside is one part; a separator follows it, also when it is empty."""
        start = self._length
        yield
        if self._length > start:
            self.parts.append(Part(start, self._length, kind, where, column))
        if len(self.parts) > self.limits.parts:
            raise InputError(f"the file has more than {self.limits.parts} paragraphs or cells, the limit")
        if len(self.parts) % 1024 == 0:
            self.clock.check()
        self._pieces.append(SEPARATOR)
        self._length += len(SEPARATOR)

    def holds(self, node: Element, *, tail: bool = False) -> bool:
        """Tell whether the text inside an element (or after it) was read; what was not read must not leave."""
        return (id(node), tail) in self._read

    def whole(self, text: str, holder: Holder, kind: PartKind = "prose", where: str = "", column: str = "") -> None:
        """Add a text that is a part of its own."""
        with self.part(kind, where, column):
            self.put(text, holder)

    @property
    def text(self) -> str:
        """All pieces and separators."""
        return "".join(self._pieces)

    def document(self, id: str, *, dropped: Iterable[str] = (), unread: Iterable[str] = ()) -> Document:
        """Return the text with its parts."""
        return Document(self.text, id, parts=tuple(self.parts), dropped=tuple(dropped), unread=tuple(unread))

    def embed(self, document: Document, where: str) -> Guest:
        """Add a whole document that writes itself; edits inside it are kept for it."""
        start = self._length
        self._pieces += (document.text, SEPARATOR)
        self._length += len(document.text) + len(SEPARATOR)
        whole = (Part(0, len(document.text)),) if document.text.strip() else ()
        for part in document.parts or whole:
            place = ", ".join(filter(None, (where, part.where)))
            self.parts.append(replace(part, start=part.start + start, end=part.end + start, where=place))
        guest = Guest(start, start + len(document.text))
        self._guests.append(guest)
        return guest

    def apply(self, edits: Sequence[Edit]) -> None:
        """Give every edit to the holders of its characters."""
        starts = [slot.start for slot in self._slots]
        part_starts = [part.start for part in self.parts]
        changes: dict[int, tuple[Holder, list[Edit]]] = {}
        done = 0
        for start, end, text in sorted(edits):
            at = bisect_right(part_starts, start) - 1
            if at < 0 or start < done or end < start or end > self.parts[at].end:
                raise PlanError(
                    f"an edit at {start}-{end} overlaps another edit or extends beyond its paragraph or cell"
                )
            done = end
            guest = next((g for g in self._guests if g.start <= start and end <= g.end), None)
            if guest is not None:
                guest.edits.append((start - guest.start, end - guest.start, text))
                continue
            for slot, low, high, new in self._shares(starts, start, end, text):
                mine = changes.setdefault(id(slot.holder), (slot.holder, []))[1]
                mine.append((low - slot.start + slot.at, high - slot.start + slot.at, new))
        emptied = []
        for holder, mine in changes.values():
            value = _spliced(self._whole[id(holder)], mine)
            if isinstance(holder, Mark) and not value:
                emptied.append(holder)
            try:
                holder.set(value)
            except ValueError:
                # lxml refuses control characters; its message would quote them.
                raise PlanError("a replacement contains a character that this format cannot store") from None
        # How many there were would tell the length of what was written with them.
        for mark in emptied:
            take_out(mark.node)

    def _shares(self, starts: list[int], start: int, end: int, text: str) -> Iterator[tuple[_Slot, int, int, str]]:
        first = max(bisect_right(starts, start) - 1, 0)
        stop = max(bisect_left(starts, end), first + 1)
        for slot in self._slots[first:stop]:
            low, high = max(start, slot.start), min(end, slot.end)
            if low < high or start == end:
                yield slot, low, high, text
                text = ""


def _spliced(text: str, edits: list[Edit]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, new in edits:
        pieces += (text[at:start], new)
        at = end
    return "".join((*pieces, text[at:]))
