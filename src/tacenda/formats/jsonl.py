"""JSONL: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from tacenda.errors import InputError
from tacenda.formats import text as plain
from tacenda.formats.records import (
    PLAIN_KEY,
    Cell,
    Record,
    RecordFiles,
    Style,
    as_text,
    asked_fields,
    check_reading,
    decoding,
    record_of,
    start_of,
)
from tacenda.formats.text import check_text, encoding_of, too_long
from tacenda.model import Reading


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


class Jsonl(RecordFiles):
    """One JSON object a line."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record]:
        """Yield the records in order; raise InputError with the place of what cannot be read."""
        check_reading(reading)
        mark, encoding = encoding_of(start_of(file, reading), reading.encoding, reading.name)
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
    with decoding(reading, encoding), as_text(file, encoding, "\n") as lines:
        number = 0
        while line := lines.readline(plain.MAX_CHARACTERS + 1):
            number += 1
            if len(line) > plain.MAX_CHARACTERS:
                raise InputError(too_long(f"{reading.name or 'input'}, line {number}"))
            if line.strip():
                yield number, line, JsonStyle(encoding, "\r\n" if line.endswith("\r\n") else "\n")


def _json_record(record: dict[str, Any], raw: str, where: str, reading: Reading, style: JsonStyle) -> Record:
    fields = reading.fields or ("text",)
    for name in (*fields, *reading.keep, *asked_fields(reading)):
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
    return record_of(cells, raw, len(cells) == len(record), where, reading, style, record.get, named=True)


def _has(record: dict[str, Any]) -> str:
    shown = [name for name in record if PLAIN_KEY.fullmatch(str(name))]
    return f"This record has: {', '.join(shown)}" if len(shown) == len(record) and shown else "Name one that it has"
