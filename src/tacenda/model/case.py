"""What is released together: a Case of Documents made of Parts, and how offsets lead back to places.

    bytes -Format.open-> Opened -read-> Document(text, parts) -plan, edits-> Opened.write -> bytes

A document has one flat text to annotate; its parts say where each stretch of it stands. No mention crosses a part.
A case joins its documents to one flat document, so that persons are numbered and groups assessed over all of it.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

PartKind = Literal["prose", "cell", "uri", "code", "label", "name"]
Edit = tuple[int, int, str]
Layout = Literal["text", "label", "black"]
SEPARATOR = "\n\n"


def digest(text: str) -> str:
    """SHA-256 of a text, by which a plan recognizes its document."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document's text that no mention crosses: a paragraph, a cell, a link, a file name.

    kind    what is looked for in it: in prose and cell everything; in label (a field name, a column heading) and
            name (of a file) names and identifiers; uri and code only identifiers and known forms, and a hit
            takes the whole part away
    where   the place, for messages and review ("page 3", "footnote 2", "Sheet2!B4"); never source text
    column  the heading of the column or the name of the field that a cell belongs to, which says what it contains
    """

    start: int
    end: int
    kind: PartKind = "prose"
    where: str = ""
    column: str = field(default="", repr=False)


@dataclass(frozen=True)
class Document:
    """A text to sanitize, with a name for messages and what is already known about its subject.

    subject     the one person to protect in a text about several; "" protects everyone who is found
    parts       in reading order, not overlapping; empty: one part of prose. Text between parts is never edited
    unread      what the format could not read, as a message without source text ("page 4: 119 glyphs without Unicode")
    dropped     what the format leaves out of its output, as a message ("2 comments")
    case        shared by the records that belong together; "" if a record stands alone
    """

    text: str = field(repr=False)
    id: str = ""
    known: tuple[str, ...] = field(default=(), repr=False)
    subject: str = field(default="", repr=False)
    parts: tuple[Part, ...] = field(default=(), repr=False)
    unread: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    case: str = field(default="", repr=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return digest(self.text)

    def part_at(self, offset: int) -> Part | None:
        """Return the part that contains a character; None between parts, or if the document has none."""
        at = bisect_right(self.parts, offset, key=lambda part: part.start) - 1
        return self.parts[at] if at >= 0 and offset < self.parts[at].end else None


@dataclass(frozen=True)
class Case:
    """Documents that are released together, planned as one."""

    documents: tuple[Document, ...]
    id: str = ""

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each document begins in the flat text."""
        starts, at = [], 0
        for document in self.documents:
            starts.append(at)
            at += len(document.text) + len(SEPARATOR)
        return tuple(starts)

    @cached_property
    def flat(self) -> Document:
        """All documents as one; a case of one document is that document."""
        if len(self.documents) == 1:
            return self.documents[0]
        return Document(
            text=SEPARATOR.join(d.text for d in self.documents),
            id=self.id,
            known=tuple(dict.fromkeys(value for d in self.documents for value in d.known)),
            subject=next((d.subject for d in self.documents if d.subject), ""),
            parts=tuple(part for d, at in zip(self.documents, self.starts, strict=True) for part in _shifted(d, at)),
            unread=tuple(f"{d.id}: {what}" for d in self.documents for what in d.unread),
            dropped=tuple(f"{d.id}: {what}" for d in self.documents for what in d.dropped),
        )

    def split(self, edits: Iterable[Edit]) -> tuple[tuple[Edit, ...], ...]:
        """Give each document its own edits, with offsets into its own text."""
        shares: list[list[Edit]] = [[] for _ in self.documents]
        for start, end, text in edits:
            at = bisect_right(self.starts, start) - 1
            shares[at].append((start - self.starts[at], end - self.starts[at], text))
        return tuple(map(tuple, shares))


def _shifted(document: Document, by: int) -> list[Part]:
    parts = document.parts or (Part(0, len(document.text)),)
    where = f"{document.id}, " if document.id else ""
    return [replace(p, start=p.start + by, end=p.end + by, where=(where + p.where).rstrip(", ")) for p in parts]


@dataclass(frozen=True, slots=True)
class Box:
    """Where a stretch of text stands on a page: points from the upper left corner, pages numbered from 1."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Limits:
    """What a file may ask of the machine; past it, reading stops with a clear error.

    size        bytes of the file as given
    expanded    bytes of everything that compressed parts of it unpack to, together
    ratio       how many times larger than packed one part may become
    depth       archives in archives, mails in mails
    parts       paragraphs, cells, entries of an archive
    pages       pages of a paged document
    seconds     time for reading, and again for writing
    """

    size: int = 256 * 1024 * 1024
    expanded: int = 1024 * 1024 * 1024
    ratio: int = 200
    depth: int = 8
    parts: int = 2_000_000
    pages: int = 5_000
    seconds: float = 300.0


@dataclass(frozen=True)
class Reading:
    """How a file is to be read, and the form its output takes.

    name        for messages; never taken as content
    fields      fields or columns of records to sanitize; keep: those to pass on unchanged
    layout      what replaces removed text in a paged document: the replacement, its label, or a black bar
    ocr         whether pages without readable text may be read by optical character recognition
    """

    name: str = ""
    encoding: str = ""
    password: str = field(default="", repr=False)
    fields: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    known_field: str = ""
    subject_field: str = ""
    case_field: str = ""
    layout: Layout = "text"
    ocr: bool = False
    limits: Limits = Limits()


AS_GIVEN = Reading()  # nothing said: the format decides
