"""Text, Markdown, JSONL and CSV: each a stream of items that know how to be written back.

An item is the unit of output: a whole text file, or one record of a JSONL or CSV file. It holds the
documents to sanitize (one for each named field) and renders itself from their sanitized texts. Fields
that were not named are dropped unless they are to be kept: what nobody looked at does not leave.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from tacenda.errors import InputError, UsageError
from tacenda.model import Document

MAX_CHARACTERS = 32 * 1024 * 1024
FORMATS = {".txt": "text", ".text": "text", ".md": "text", ".markdown": "text", ".jsonl": "jsonl", ".csv": "csv"}
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True)
class Item:
    """One text file or one record: documents to sanitize, and how to write it back."""

    where: str
    documents: tuple[Document, ...]
    render: Callable[[Sequence[str]], str] = field(repr=False)


@dataclass(frozen=True)
class Source:
    """A file, opened lazily: its format, its items, and what precedes them in the output."""

    name: str
    format: str
    data: Callable[[], BinaryIO] = field(repr=False)
    fields: tuple[str, ...] = ("text",)
    keep: tuple[str, ...] = ()
    known_field: str = ""
    encoding: str = ""

    def items(self) -> Iterator[Item]:
        """Yield the items in order; raise InputError with the place of what cannot be read."""
        with self.data() as raw:
            encoding = self.encoding or _detect(raw, self.name)
            try:
                yield from _READERS[self.format](self, raw, encoding)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{self.name}: not valid {error.encoding} near byte {error.start}. If the file is in another"
                    " encoding, name it with --encoding (for example latin-1 or cp1252)"
                ) from None
            except LookupError as error:
                if isinstance(error, (KeyError, IndexError)):
                    raise
                raise UsageError(f"there is no encoding named '{encoding}'; examples: utf-8, utf-16, latin-1") from None

    def header(self) -> str:
        """Return the first line of a CSV output."""
        return _csv_line([*self.fields, *self.keep]) if self.format == "csv" else ""


def open_file(
    path: str | Path,
    *,
    format: str = "",
    fields: Sequence[str] = (),
    keep: Sequence[str] = (),
    known_field: str = "",
    encoding: str = "",
) -> Source:
    """Open a file by its ending (or by `format`); nothing is read yet but its first bytes."""
    path = Path(path)
    kind = format or FORMATS.get(path.suffix.lower(), "")
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it, or sanitize the folder as a whole")
    if not kind:
        raise InputError(
            f"{path}: the ending '{path.suffix}' is not one Tacenda reads ({', '.join(FORMATS)}). Name the format"
            " with --format text, jsonl or csv if you know it"
        )
    _check_options(kind, fields, keep, known_field, str(path))
    return Source(str(path), kind, lambda: _open(path), tuple(fields) or ("text",), tuple(keep), known_field, encoding)


def open_bytes(
    data: bytes,
    *,
    name: str = "standard input",
    format: str = "text",
    fields: Sequence[str] = (),
    keep: Sequence[str] = (),
    known_field: str = "",
    encoding: str = "",
) -> Source:
    """Treat bytes as a file, for standard input."""
    _check_options(format, fields, keep, known_field, name)
    return Source(
        name, format, lambda: io.BytesIO(data), tuple(fields) or ("text",), tuple(keep), known_field, encoding
    )


def _check_options(kind: str, fields: Sequence[str], keep: Sequence[str], known_field: str, name: str) -> None:
    if kind not in _READERS:
        raise UsageError(f"there is no format '{kind}'. Formats: {', '.join(sorted(_READERS))}")
    if kind == "text" and (fields or keep or known_field):
        raise UsageError(f"{name}: --field, --keep-field and --known-field go with JSONL and CSV; this is plain text")
    both = set(fields or ("text",)) & set(keep)
    if both and kind != "text":
        raise UsageError(f"field '{min(both)}' is both to be sanitized and to be kept as it is; choose one")


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def _detect(raw: BinaryIO, name: str) -> str:
    """Tell the encoding from a byte-order mark; refuse binary files."""
    start = raw.read(8192)
    raw.seek(0)
    if not start.strip():
        rest = raw.read(MAX_CHARACTERS)
        raw.seek(0)
        if not rest.strip():
            raise InputError(f"{name}: is empty; there is nothing to sanitize")
    for mark, encoding in _BOMS:
        if start.startswith(mark):
            return encoding
    if b"\0" in start:
        raise InputError(f"{name}: looks like a binary file. Tacenda reads text, Markdown, JSONL and CSV")
    return "utf-8"


def _read_text(source: Source, raw: BinaryIO, encoding: str) -> Iterator[Item]:
    data = raw.read(MAX_CHARACTERS * 4 + 1)
    if len(data) > MAX_CHARACTERS:
        text = data.decode(encoding, "ignore")
        if len(text) > MAX_CHARACTERS:
            raise InputError(_too_long(source.name))
    text = data.decode(encoding)
    _check_text(text, source.name)
    yield Item(source.name, (Document(text, source.name),), lambda texts: texts[0])


def _read_jsonl(source: Source, raw: BinaryIO, encoding: str) -> Iterator[Item]:
    with io.TextIOWrapper(raw, encoding, newline="\n") as lines:
        number = 0
        while line := lines.readline(MAX_CHARACTERS + 1):
            number += 1
            where = f"{source.name}, line {number}"
            if len(line) > MAX_CHARACTERS:
                raise InputError(_too_long(where))
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                # The message of the JSON parser may quote the text, so it is not passed on.
                raise InputError(f"{where}: not valid JSON. Each line must hold one JSON object") from None
            if not isinstance(record, dict):
                raise InputError(f"{where}: holds a {type(record).__name__}; each line must hold one JSON object")
            yield _record_item(source, record, where, _render_json)


def _read_csv(source: Source, raw: BinaryIO, encoding: str) -> Iterator[Item]:
    csv.field_size_limit(MAX_CHARACTERS)
    with io.TextIOWrapper(raw, encoding, newline="") as lines:
        reader = csv.reader(lines, strict=True)
        try:
            columns = next(reader, [])
            for row in reader:
                where = f"{source.name}, line {reader.line_num}"
                if not row:
                    continue
                if len(row) != len(columns):
                    raise InputError(f"{where}: has {len(row)} fields, the header has {len(columns)}")
                yield _record_item(source, dict(zip(columns, row, strict=True)), where, _render_csv)
        except csv.Error:
            raise InputError(
                f"{source.name}, line {reader.line_num}: not valid CSV (quotes, or a field too long)"
            ) from None


_READERS: dict[str, Callable[[Source, BinaryIO, str], Iterator[Item]]] = {
    "text": _read_text,
    "jsonl": _read_jsonl,
    "csv": _read_csv,
}


def _record_item(source: Source, record: dict[str, Any], where: str, render: Callable[[dict[str, Any]], str]) -> Item:
    for name in (*source.fields, *source.keep, *filter(None, (source.known_field,))):
        if name not in record:
            raise InputError(f"{where}: no field '{name}'. This record has: {', '.join(map(str, record)) or 'none'}")
    known = _known_values(record[source.known_field], where, source.known_field) if source.known_field else ()
    filled = [name for name in source.fields if record[name] is not None]
    documents = []
    for name in filled:
        value = record[name]
        if not isinstance(value, str):
            raise InputError(f"{where}: field '{name}' holds a {type(value).__name__}, not text. Name a text field")
        _check_text(value, where)
        documents.append(Document(value, f"{where}, field '{name}'" if len(source.fields) > 1 else where, known))

    def write(texts: Sequence[str]) -> str:
        clean: dict[str, Any] = dict.fromkeys(source.fields) | dict(zip(filled, texts, strict=True))
        order = (
            [n for n in record if n in clean or n in source.keep]
            if render is _render_json
            else [
                *source.fields,
                *source.keep,
            ]
        )
        return render({n: clean[n] if n in clean else record[n] for n in order})

    return Item(where, tuple(documents), write)


def _known_values(value: Any, where: str, name: str) -> tuple[str, ...]:
    values = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]
    if not all(isinstance(v, (str, int)) or v is None for v in values):
        raise InputError(f"{where}: field '{name}' must hold a text, a list of texts or an object of texts")
    return tuple(str(v) for v in values if v not in (None, ""))


def _render_json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _render_csv(record: dict[str, Any]) -> str:
    return _csv_line(["" if v is None else v for v in record.values()])


def _csv_line(values: Sequence[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def _check_text(text: str, where: str) -> None:
    if "\0" in text:
        raise InputError(f"{where}: holds NUL characters, as binary files do; it is not sanitized")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{where}: holds half of a surrogate pair at character {error.start}, which is no valid text; repair it"
        ) from None


def _too_long(where: str) -> str:
    return (
        f"{where}: longer than {MAX_CHARACTERS:,} characters, the most one document may have. Split it into parts"
        " (by chapter, by page, by record) and sanitize the folder that holds them"
    )
