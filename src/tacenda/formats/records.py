"""JSONL, CSV and TSV: each record is one case, its fields are the cells of one document.

Fields that were not named are dropped unless they are to be kept: what nobody looked at does not leave. A record that
nothing is dropped from and nothing is changed in leaves as the bytes it came in. Names of fields leave too, so they
are parts of their own: after the cells of a JSONL record, and in the head of a table, which is a document of its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from tacenda.errors import InputError, UsageError
from tacenda.formats import text as plain
from tacenda.formats.text import edited, encodable, not_valid, residue
from tacenda.model import Box, Document, Edit, Part, Reading
from tacenda.model.case import SEPARATOR

PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]{0,30}")
# Names of fields that a message may quote: they say what stands in a field, never whom it is about.
FIELD_NAMES = frozenset(
    "abstract address age author birthdate body case category city code comment comments content country date day "
    "description diagnosis dob doc document email gender history id key label language letter message mrn name "
    "narrative note notes number patient phone question reason record report sex source state status subject summary "
    "text time title type url user visit year zip".split()
)


@dataclass(frozen=True)
class Cell:
    """A field of a record: its name, its value, and whether it is sanitized or kept as it is."""

    name: str = field(repr=False)
    value: Any = field(repr=False)
    open: bool = False


@dataclass(frozen=True)
class Record:
    """One record, opened. `raw` is what it came as; `render` makes a line of names and values."""

    where: str
    cells: tuple[Cell, ...] = field(repr=False)
    raw: str = field(repr=False)
    whole: bool
    style: Style = field(repr=False)
    named: bool = False
    known: tuple[str, ...] = field(default=(), repr=False)
    subject: str = field(default="", repr=False)
    case: str = field(default="", repr=False)
    mark: bytes = b""

    def read(self) -> Document:
        """Return the open cells as parts of one document, then the names of the fields that leave."""
        pieces: list[str] = []
        parts: list[Part] = []
        at = 0
        for text, kind, name in self._parts():
            if pieces:
                pieces.append(SEPARATOR)
                at += len(SEPARATOR)
            shown = name if PLAIN_KEY.fullmatch(name) else "a field"
            parts.append(Part(at, at + len(text), kind, shown, name if kind == "cell" else ""))
            pieces.append(text)
            at += len(text)
        return Document("".join(pieces), self.where, self.known, self.subject, parts=tuple(parts), case=self.case)

    def _parts(self) -> Iterator[tuple[str, Any, str]]:
        yield from ((cell.value, "cell", cell.name) for cell in self.cells if cell.open)
        if self.named:
            yield from ((cell.name, "label", cell.name) for cell in self.cells)

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the record as a line, with the edits made."""
        if self.whole and not edits:
            return self.mark + self.raw.encode(self.style.encoding)
        texts = iter(self._edited(edits))
        values = [next(texts) if cell.open else cell.value for cell in self.cells]
        heads = [next(texts) if self.named else cell.name for cell in self.cells]
        return self.mark + self.style.line(distinct(heads), values).encode(self.style.encoding)

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written record gives."""
        texts = self._edited(edits)
        heads = len(self.cells) if self.named else 0
        split = len(texts) - heads
        return SEPARATOR.join([*texts[:split], *distinct(texts[split:])])

    @property
    def source(self) -> bytes:
        """The record as it came."""
        return self.mark + self.raw.encode(self.style.encoding)

    def _edited(self, edits: Sequence[Edit]) -> list[str]:
        document = self.read()
        texts = []
        for part in document.parts:
            own = [
                (a - part.start, b - part.start, encodable(new, self.style.encoding))
                for a, b, new in edits
                if part.start <= a and b <= part.end
            ]
            texts.append(edited(document.text[part.start : part.end], own))
        return texts

    def reopened(self, data: bytes) -> Record:
        """Read a written record."""
        rows = self.style.rows(data.removeprefix(self.mark).decode(self.style.encoding))
        return self.with_values(rows[0] if len(rows) == 1 else [])

    def with_values(self, values: Sequence[tuple[str, Any]]) -> Record:
        """Return the record with the names and values of a written one."""
        if len(values) != len(self.cells):
            raise InputError(f"{self.where}: the written record has {len(values)} fields, not {len(self.cells)}")
        cells = tuple(
            replace(cell, name=name if self.named else cell.name, value=value)
            for cell, (name, value) in zip(self.cells, values, strict=True)
        )
        return replace(self, cells=cells)

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Records have no pages."""
        return ()


@dataclass(frozen=True)
class Broken:
    """A record that cannot be read: asking what it holds raises what is wrong with it. `raw` is what it came as."""

    where: str
    raw: str = field(repr=False)
    encoding: str
    error: InputError

    def read(self) -> Document:
        """Raise what is wrong."""
        raise self.error

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Raise what is wrong."""
        raise self.error

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Records have no pages."""
        return ()

    @property
    def source(self) -> bytes:
        """The record as it came."""
        return self.raw.encode(self.encoding)


def distinct(names: Sequence[str]) -> list[str]:
    """Number names that became alike, so that no field is lost."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


class Style:
    """How a line is written and read."""

    encoding: str

    def line(self, heads: Sequence[str], values: Sequence[Any]) -> str:
        """Return a record as a line."""
        raise NotImplementedError

    def rows(self, written: str) -> list[list[tuple[str, Any]]]:
        """Return the names and values of every record written."""
        raise NotImplementedError


class RecordFiles:
    """What JSONL and tables share: a whole file as one document, and a stream of records."""

    name = ""
    suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a whole file as one: every record together, for those who plan it as one case."""
        head = self.head(io.BytesIO(data), reading)
        records = ([head] if head else []) + [_sound(r) for r in self.records(io.BytesIO(data), reading)]
        return Opened(records, reading.name)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return where one of the words still stands, escapes of JSON undone."""
        found = residue(data, words)
        if not found and b"\\" in data:
            found = residue(re.sub(rb"\\u([0-9a-fA-F]{4})", _unescaped, data), words)
        return found

    def head(self, file: BinaryIO, reading: Reading) -> Record | None:
        """Return the head of a table; None where there is none."""
        return None

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record | Broken]:
        """Yield the records in order."""
        raise NotImplementedError


def _sound(record: Record | Broken) -> Record:
    if isinstance(record, Broken):
        raise record.error
    return record


def _unescaped(match: re.Match[bytes]) -> bytes:
    return chr(int(match.group(1), 16)).encode("utf-8", "ignore")


@dataclass(frozen=True)
class Opened:
    """All records of a file as one document."""

    records: list[Record] = field(repr=False)
    name: str = ""

    def read(self) -> Document:
        """Return all records as one document."""
        texts, parts, at = [], [], 0
        for record in self.records:
            one = record.read()
            texts.append(one.text)
            parts += [replace(p, start=p.start + at, end=p.end + at) for p in one.parts]
            at += len(one.text) + len(SEPARATOR)
        known = tuple(dict.fromkeys(value for record in self.records for value in record.known))
        return Document(SEPARATOR.join(texts), self.name, known, parts=tuple(parts))

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the file with the edits made."""
        return b"".join(record.write(own) for record, own in self.shares(edits))

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written file gives."""
        return SEPARATOR.join(record.promised(own) for record, own in self.shares(edits))

    def reopened(self, data: bytes) -> Opened:
        """Read a written file."""
        style = self.records[0].style
        rows = style.rows(data.removeprefix(self.records[0].mark).decode(style.encoding))
        if len(rows) != len(self.records):
            raise InputError(f"{self.name}: the written file has {len(rows)} records, not {len(self.records)}")
        return replace(self, records=[one.with_values(row) for one, row in zip(self.records, rows, strict=True)])

    def shares(self, edits: Sequence[Edit]) -> Iterator[tuple[Record, list[Edit]]]:
        """Give each record its own edits, with offsets into its own text."""
        at = 0
        for record in self.records:
            end = at + len(record.read().text)
            yield record, [(a - at, b - at, new) for a, b, new in edits if at <= a and b <= end]
            at = end + len(SEPARATOR)

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Records have no pages."""
        return ()


def record_of(
    cells: list[Cell],
    raw: str,
    whole: bool,
    where: str,
    reading: Reading,
    style: Style,
    get: Any,
    *,
    named: bool = False,
) -> Record:
    known = _known_values(get(reading.known_field), where, reading.known_field) if reading.known_field else ()
    subject = get(reading.subject_field) if reading.subject_field else ""
    case = get(reading.case_field) if reading.case_field else ""
    return Record(where, tuple(cells), raw, whole, style, named, known, str(subject or ""), str(case or ""))


def _known_values(value: Any, where: str, name: str) -> tuple[str, ...]:
    values = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]
    if not all(isinstance(v, (str, int)) or v is None for v in values):
        raise InputError(f"{where}: field '{name}' must hold a text, a list of texts or an object of texts")
    return tuple(str(v) for v in values if v not in (None, ""))


def asked_fields(reading: Reading) -> tuple[str, ...]:
    return tuple(filter(None, (reading.known_field, reading.subject_field, reading.case_field)))


def check_reading(reading: Reading) -> None:
    both = set(reading.fields or ("text",)) & set(reading.keep)
    if both:
        raise UsageError(f"field '{min(both)}' is both to be sanitized and to be kept as it is; choose one")


def start_of(file: BinaryIO, reading: Reading) -> bytes:
    start = file.read(8192)
    if not start.strip() and not (start + file.read(plain.MAX_CHARACTERS)).strip():
        raise InputError(f"{reading.name or 'input'}: is empty; there is nothing to sanitize")
    return start


@contextmanager
def as_text(file: BinaryIO, encoding: str, newline: str) -> Iterator[io.TextIOWrapper]:
    """Read a file as text without taking it over: it is closed by whoever opened it."""
    lines = io.TextIOWrapper(file, encoding, newline=newline)
    try:
        yield lines
    finally:
        with suppress(ValueError):
            lines.detach()


@contextmanager
def decoding(reading: Reading, encoding: str) -> Iterator[None]:
    try:
        yield
    except UnicodeError as error:
        raise InputError(not_valid(error, encoding, reading.name or "input")) from None
