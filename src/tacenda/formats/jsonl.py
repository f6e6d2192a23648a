"""JSONL: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from tacenda.errors import InputError
from tacenda.formats import text as plain
from tacenda.formats.records import (
    FIELD_NAMES,
    Broken,
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

_MOST_BROKEN = 1000


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

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record | Broken]:
        """Yield the records in order, broken lines too; raise InputError where all lack a field asked for."""
        check_reading(reading)
        mark, encoding = encoding_of(start_of(file, reading), reading.encoding, reading.name)
        file.seek(len(mark))
        broken: list[Broken] = []  # before the first that is not: is a field asked for that no record has?
        sound = False
        for number, line, style in _lines(file, reading, encoding):
            where = f"{reading.name or 'input'}, line {number}"
            try:
                made = _json_record(_object(line, where), line, where, reading, style)
            except InputError as error:
                broken.append(Broken(where, line, encoding, error))
                if sound:
                    yield broken.pop()
                elif len(broken) >= _MOST_BROKEN:
                    break
                continue
            yield from broken
            broken, sound = [], True
            yield replace(made, mark=mark) if mark else made
            mark = b""
        for one in broken:
            if isinstance(one.error, _NoField):
                raise InputError(str(one.error))
        yield from broken


class _NoField(InputError):
    """A record lacks a field that was asked for."""


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        # The message of the JSON parser may quote the text, so it is not passed on.
        raise InputError(f"{where}: not valid JSON. Each line must hold one JSON object") from None
    if not isinstance(record, dict):
        raise InputError(f"{where}: holds a {type(record).__name__}; each line must hold one JSON object")
    return record


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
            raise _NoField(f"{where}: no field '{name}'. {_has(record)}")
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
    """Name the fields of a record whose names are everyday words of forms: others may be names of people."""
    shown = [name for name in record if name.lower() in FIELD_NAMES]
    if len(shown) == len(record) and shown:
        return f"This record has: {', '.join(shown)}"
    others = f" and {len(record) - len(shown)} more" if shown else ""
    return f"This record has {', '.join(shown)}{others}" if shown else "Name one that it has"
