"""CSV and TSV: rows under a header, whose names leave too."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from tacenda.errors import InputError
from tacenda.formats import text as plain
from tacenda.formats.records import (
    Broken,
    Cell,
    Record,
    RecordFiles,
    Style,
    as_text,
    asked_fields,
    check_reading,
    decoding,
    distinct,
    record_of,
    start_of,
)
from tacenda.formats.text import check_text, encoding_of
from tacenda.model import Edit, Reading
from tacenda.model.case import SEPARATOR

_DELIMITERS = (",", ";", "\t", "|")


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


class Csv(RecordFiles):
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

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record | Broken]:
        """Yield the rows in order, broken ones too; raise InputError where the header lacks a column asked for."""
        with self._table(file, reading) as table:
            yield from self._rows(table, reading)

    def _rows(self, table: _Table, reading: Reading) -> Iterator[Record | Broken]:
        columns, _ = table.header()
        chosen = table.chosen(columns)
        place = {name: i for i, name in reversed(list(enumerate(columns)))}
        fields = reading.fields or ("text",)
        for row, raw, number in table.rows():
            where = f"{reading.name or 'input'}, line {number}"
            try:
                if isinstance(row, InputError):
                    raise row
                if len(row) != len(columns):
                    raise InputError(f"{where}: has {len(row)} fields, the header has {len(columns)}")
                cells = []
                for i in chosen:
                    check_text(row[i], where)
                    cells.append(Cell(columns[i], row[i], columns[i] in fields))
            except InputError as error:
                yield Broken(where, raw, table.encoding, error)
                continue
            values = row
            yield record_of(
                cells, raw, len(cells) == len(columns), where, reading, table.style, lambda n, v=values: v[place[n]]
            )

    @contextmanager
    def _table(self, file: BinaryIO, reading: Reading) -> Iterator[_Table]:
        check_reading(reading)
        mark, encoding = encoding_of(start_of(file, reading), reading.encoding, reading.name)
        file.seek(len(mark))
        with as_text(file, encoding, "") as lines:
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
        names = distinct(self._edited(edits))
        return self.mark + self.style.line(names, names).encode(self.style.encoding)

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written head gives."""
        return SEPARATOR.join(distinct(self._edited(edits)))

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
        for name in (*fields, *self.reading.keep, *asked_fields(self.reading)):
            if name not in columns:
                # The first line may be a row of a table without header, so it is not quoted.
                raise InputError(
                    f"{self.reading.name or 'input'}: the first line names {len(columns)} column(s), none of them"
                    f" '{name}'. A table needs a header; name the columns to sanitize exactly as the header does"
                )
        return [i for i, name in enumerate(columns) if name in fields or name in self.reading.keep]

    def rows(self) -> Iterator[tuple[list[str] | InputError, str, int]]:
        """Yield each row, or what is wrong with it, with the text it came as and its line."""
        while True:
            row: list[str] | InputError | None
            try:
                with self._failing():
                    row = next(self._reader, None)
            except _BrokenRow as error:
                row = InputError(str(error))
            if row is None:
                return
            raw = self._taken()
            if row:
                yield row, raw, self._reader.line_num

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            with decoding(self.reading, self.encoding):
                yield
        except csv.Error:
            at = self._reader.line_num if self._reader else 1
            raise _BrokenRow(
                f"{self.reading.name or 'input'}, line {at}: not a valid table (quotes, or a field too long)"
            ) from None


class _BrokenRow(InputError):
    """A row that cannot be read; the next one may be."""
