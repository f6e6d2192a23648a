"""JSONL, CSV and TSV: each record is one case, its fields are the cells of one document.

Fields that were not named are dropped unless they are to be kept: what nobody looked at does not leave. A record that
nothing is dropped from and nothing is changed in leaves as the bytes it came in. Names of fields leave too, so they
are parts of their own: after the cells of a JSONL record, and in the head of a table, which is a document of its own.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from tacenda.errors import InputError, UsageError
from tacenda.formats import text as plain
from tacenda.formats.text import check_text, edited, encodable, encoding_of, residue, too_long
from tacenda.model import Box, Document, Edit, Part, Reading
from tacenda.model.case import SEPARATOR

_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]{0,30}")
_DELIMITERS = (",", ";", "\t", "|")


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
            shown = name if _PLAIN_KEY.fullmatch(name) else "a field"
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
        return self.mark + self.style.line(_distinct(heads), values).encode(self.style.encoding)

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written record gives."""
        texts = self._edited(edits)
        heads = len(self.cells) if self.named else 0
        split = len(texts) - heads
        return SEPARATOR.join([*texts[:split], *_distinct(texts[split:])])

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


def _distinct(names: Sequence[str]) -> list[str]:
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


@dataclass(frozen=True)
class JsonStyle(Style):
    """One JSON object a line."""

    encoding: str
    ending: str = "\n"

    def line(self, heads: Sequence[str], values: Sequence[Any]) -> str:
        """Return a record as a line."""
        return json.dumps(dict(zip(heads, values, strict=True)), ensure_ascii=False) + self.ending

    def rows(self, written: str) -> list[list[tuple[str, Any]]]:
        """Return the names and values of every record written."""
        return [list(json.loads(line).items()) for line in written.split("\n") if line.strip()]


@dataclass(frozen=True)
class TableStyle(Style):
    """One row a line."""

    encoding: str
    delimiter: str = ","
    ending: str = "\n"

    def line(self, heads: Sequence[str], values: Sequence[Any]) -> str:
        """Return a record as a line."""
        cells = ["" if value is None else str(value) for value in values]
        if cells == [""]:
            return f'""{self.ending}'  # an empty line would be no row at all
        return self.delimiter.join(map(self._quoted, cells)) + self.ending

    def _quoted(self, cell: str) -> str:
        # The csv module leaves a lone carriage return unquoted, which other readers take for the end of the row.
        if any(mark in cell for mark in (self.delimiter, '"', "\r", "\n")):
            return '"' + cell.replace('"', '""') + '"'
        return cell

    def rows(self, written: str) -> list[list[tuple[str, Any]]]:
        """Return the values of every row written; a row has no names."""
        reader = csv.reader(io.StringIO(written, newline=""), delimiter=self.delimiter, strict=True)
        return [[("", value) for value in row] for row in reader if row]


class _Records:
    """What JSONL and tables share: a whole file as one document, and a stream of records."""

    name = ""
    suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a whole file as one: every record together, for those who plan it as one case."""
        head = self.head(io.BytesIO(data), reading)
        records = ([head] if head else []) + list(self.records(io.BytesIO(data), reading))
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

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record]:
        """Yield the records in order."""
        raise NotImplementedError


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
        return b"".join(record.write(own) for record, own in self._shares(edits))

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written file gives."""
        return SEPARATOR.join(record.promised(own) for record, own in self._shares(edits))

    def reopened(self, data: bytes) -> Opened:
        """Read a written file."""
        style = self.records[0].style
        rows = style.rows(data.removeprefix(self.records[0].mark).decode(style.encoding))
        if len(rows) != len(self.records):
            raise InputError(f"{self.name}: the written file has {len(rows)} records, not {len(self.records)}")
        return replace(self, records=[one.with_values(row) for one, row in zip(self.records, rows, strict=True)])

    def _shares(self, edits: Sequence[Edit]) -> Iterator[tuple[Record, list[Edit]]]:
        at = 0
        for record in self.records:
            end = at + len(record.read().text)
            yield record, [(a - at, b - at, new) for a, b, new in edits if at <= a and b <= end]
            at = end + len(SEPARATOR)

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Records have no pages."""
        return ()


class Jsonl(_Records):
    """One JSON object a line."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record]:
        """Yield the records in order; raise InputError with the place of what cannot be read."""
        _check_reading(reading)
        mark, encoding = encoding_of(_start(file, reading), reading.encoding, reading.name)
        file.seek(len(mark))
        for number, line, style in _lines(file, reading, encoding):
            where = f"{reading.name or 'input'}, line {number}"
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                # The message of the JSON parser may quote the text, so it is not passed on.
                raise InputError(f"{where}: not valid JSON. Each line must hold one JSON object") from None
            if not isinstance(record, dict):
                raise InputError(f"{where}: holds a {type(record).__name__}; each line must hold one JSON object")
            made = _json_record(record, line, where, reading, style)
            yield replace(made, mark=mark) if mark else made
            mark = b""


def _lines(file: BinaryIO, reading: Reading, encoding: str) -> Iterator[tuple[int, str, JsonStyle]]:
    with _decoding(reading, encoding), _text(file, encoding, "\n") as lines:
        number = 0
        while line := lines.readline(plain.MAX_CHARACTERS + 1):
            number += 1
            if len(line) > plain.MAX_CHARACTERS:
                raise InputError(too_long(f"{reading.name or 'input'}, line {number}"))
            if line.strip():
                yield number, line, JsonStyle(encoding, "\r\n" if line.endswith("\r\n") else "\n")


@contextmanager
def _text(file: BinaryIO, encoding: str, newline: str) -> Iterator[io.TextIOWrapper]:
    """Read a file as text without taking it over: it is closed by whoever opened it."""
    lines = io.TextIOWrapper(file, encoding, newline=newline)
    try:
        yield lines
    finally:
        with suppress(ValueError):
            lines.detach()


def _json_record(record: dict[str, Any], raw: str, where: str, reading: Reading, style: JsonStyle) -> Record:
    fields = reading.fields or ("text",)
    for name in (*fields, *reading.keep, *_asked(reading)):
        if name not in record:
            raise InputError(f"{where}: no field '{name}'. {_has(record)}")
    cells = []
    for name, value in record.items():
        if name in fields and value is not None:
            if not isinstance(value, str):
                kind = type(value).__name__
                raise InputError(f"{where}: field '{name}' holds a {kind}, not text. Name a text field")
            check_text(value, where)
            cells.append(Cell(name, value, True))
        elif name in fields or name in reading.keep:
            cells.append(Cell(name, value))
    return _record(cells, raw, len(cells) == len(record), where, reading, style, record.get, named=True)


def _has(record: dict[str, Any]) -> str:
    shown = [name for name in record if _PLAIN_KEY.fullmatch(str(name))]
    return f"This record has: {', '.join(shown)}" if len(shown) == len(record) and shown else "Name one that it has"


def _record(
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


def _asked(reading: Reading) -> tuple[str, ...]:
    return tuple(filter(None, (reading.known_field, reading.subject_field, reading.case_field)))


def _check_reading(reading: Reading) -> None:
    both = set(reading.fields or ("text",)) & set(reading.keep)
    if both:
        raise UsageError(f"field '{min(both)}' is both to be sanitized and to be kept as it is; choose one")


def _start(file: BinaryIO, reading: Reading) -> bytes:
    start = file.read(8192)
    if not start.strip() and not (start + file.read(plain.MAX_CHARACTERS)).strip():
        raise InputError(f"{reading.name or 'input'}: is empty; there is nothing to sanitize")
    return start


@contextmanager
def _decoding(reading: Reading, encoding: str) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise InputError(
            f"{reading.name or 'input'}: not valid {encoding} near byte {error.start}. If the file is in another"
            " encoding, name it (for example latin-1 or cp1252)"
        ) from None


class Csv(_Records):
    """Comma-separated values with a header; semicolons, tabs and bars are recognized by the header."""

    name = "csv"
    suffixes: tuple[str, ...] = (".csv",)
    delimiters: tuple[str, ...] = _DELIMITERS

    def head(self, file: BinaryIO, reading: Reading) -> Record | None:
        """Return the names of the columns that leave, as a record of labels."""
        with self._table(file, reading) as table:
            columns, raw = table.header()
        chosen = table.chosen(columns)
        cells = [Cell(columns[i], columns[i]) for i in chosen]
        where = f"{reading.name or 'input'}, header"
        return Head(where, tuple(cells), raw, len(chosen) == len(columns), table.style, mark=table.mark)

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record]:
        """Yield the rows in order; raise InputError with the place of what cannot be read."""
        with self._table(file, reading) as table:
            yield from self._rows(table, reading)

    def _rows(self, table: _Table, reading: Reading) -> Iterator[Record]:
        columns, _ = table.header()
        chosen = table.chosen(columns)
        place = {name: i for i, name in reversed(list(enumerate(columns)))}
        fields = reading.fields or ("text",)
        for row, raw, number in table.rows():
            where = f"{reading.name or 'input'}, line {number}"
            if len(row) != len(columns):
                raise InputError(f"{where}: has {len(row)} fields, the header has {len(columns)}")
            cells = []
            for i in chosen:
                check_text(row[i], where)
                cells.append(Cell(columns[i], row[i], columns[i] in fields))
            values = row
            yield _record(
                cells, raw, len(cells) == len(columns), where, reading, table.style, lambda n, v=values: v[place[n]]
            )

    @contextmanager
    def _table(self, file: BinaryIO, reading: Reading) -> Iterator[_Table]:
        _check_reading(reading)
        mark, encoding = encoding_of(_start(file, reading), reading.encoding, reading.name)
        file.seek(len(mark))
        with _text(file, encoding, "") as lines:
            yield _Table(lines, reading, encoding, self.delimiters, mark)


class Tsv(Csv):
    """Tab-separated values with a header."""

    name = "tsv"
    suffixes = (".tsv", ".tab")
    delimiters = ("\t",)


@dataclass(frozen=True)
class Head(Record):
    """The head of a table: its names are both what is written and what is read."""

    def _parts(self) -> Iterator[tuple[str, Any, str]]:
        yield from ((cell.name, "label", cell.name) for cell in self.cells)

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the head as a line, with the edits made."""
        if self.whole and not edits:
            return self.mark + self.raw.encode(self.style.encoding)
        names = _distinct(self._edited(edits))
        return self.mark + self.style.line(names, names).encode(self.style.encoding)

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written head gives."""
        return SEPARATOR.join(_distinct(self._edited(edits)))

    def with_values(self, values: Sequence[tuple[str, Any]]) -> Record:
        """Return the head with the names of a written one."""
        if len(values) != len(self.cells):
            raise InputError(f"{self.where}: the written header has {len(values)} fields, not {len(self.cells)}")
        return replace(self, cells=tuple(Cell(value, value) for _, value in values))


class _Table:
    """A table being read: rows with the raw text each came as."""

    def __init__(
        self, lines: io.TextIOWrapper, reading: Reading, encoding: str, delimiters: Sequence[str], mark: bytes
    ) -> None:
        self.mark, self.reading, self.delimiters = mark, reading, delimiters
        self.encoding = encoding
        self._raw: list[str] = []
        self._lines = lines
        csv.field_size_limit(plain.MAX_CHARACTERS)
        self.style = TableStyle(encoding)
        self._reader: Any = None

    def _remembered(self) -> Iterator[str]:
        for line in self._lines:
            self._raw.append(line)
            yield line

    def _taken(self) -> str:
        raw = "".join(self._raw)
        self._raw.clear()
        return raw

    def header(self) -> tuple[list[str], str]:
        """Return the names of the columns and the line they came as."""
        with self._failing():
            lines = self._remembered()
            first = next(lines, "")
            self._raw.clear()
            delimiter = max(self.delimiters, key=lambda d: (first.count(d), -self.delimiters.index(d)))
            ending = "\r\n" if first.endswith("\r\n") else "\n"
            self.style = TableStyle(self.encoding, delimiter, ending)
            again = itertools.chain(self._once(first), lines)
            self._reader = csv.reader(again, delimiter=delimiter, strict=True)
            columns: list[str] = next(self._reader, [])
            return columns, self._taken()

    def _once(self, line: str) -> Iterator[str]:
        self._raw.append(line)
        yield line

    def chosen(self, columns: Sequence[str]) -> list[int]:
        """Return the places of the columns that leave, in the order of the table."""
        fields = self.reading.fields or ("text",)
        for name in (*fields, *self.reading.keep, *_asked(self.reading)):
            if name not in columns:
                # The first line may be a row of a table without header, so it is not quoted.
                raise InputError(
                    f"{self.reading.name or 'input'}: the first line names {len(columns)} column(s), and none is"
                    f" '{name}'. A table needs a header; name the columns to sanitize as it writes them"
                )
        return [i for i, name in enumerate(columns) if name in fields or name in self.reading.keep]

    def rows(self) -> Iterator[tuple[list[str], str, int]]:
        """Yield each row with the text it came as and its line."""
        with self._failing():
            for row in self._reader:
                raw = self._taken()
                if row:
                    yield row, raw, self._reader.line_num

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            with _decoding(self.reading, self.encoding):
                yield
        except csv.Error:
            at = self._reader.line_num if self._reader else 1
            raise InputError(
                f"{self.reading.name or 'input'}, line {at}: not a valid table (quotes, or a field too long)"
            ) from None
