"""Reading a collection: files, folders and dumps become (article number, text) pieces, a little at a time.

By name, after an optional .gz, .xz or .bz2: .jsonl one JSON object a line, .csv one record an article, .xml a
MediaWiki dump, everything else text or Markdown, one article a file.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from tacenda.errors import InputError
from tacenda.knowledge.index.mediawiki import read_dump

TEXT_SUFFIXES = frozenset({".txt", ".text", ".md", ".markdown", ".jsonl", ".ndjson", ".csv", ".xml"})
_OPEN: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
_BROKEN = (EOFError, OSError, lzma.LZMAError, zlib.error)
_PIECE = 1 << 20
_LONGEST_FIELD = 1 << 30


def read_pieces(
    paths: Iterable[str | os.PathLike[str]], *, field: str = "text", whole: bool = False
) -> Iterator[tuple[int, str]]:
    """Yield (article number, text) from files and folders, in the order given, folders sorted by name.

    `field` names the text in JSONL and CSV. `whole` keeps each article in one piece, as counting whole documents
    needs; otherwise a long text file comes in pieces that end between paragraphs.
    """
    number = 0
    for path in _files(paths):
        for starts_article, text in _read_file(path, field, whole):
            number += starts_article
            yield number - 1, text


def _files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise InputError(f"corpus {path}: no such file or folder.")
        if not path.is_dir():
            yield path
            continue
        found = sorted(p for p in path.rglob("*") if p.is_file() and _kind(p) in TEXT_SUFFIXES)
        if not found:
            raise InputError(f"corpus {path}: contains no file that can be read ({', '.join(sorted(TEXT_SUFFIXES))}).")
        yield from found


def _kind(path: Path) -> str:
    return Path(path.stem).suffix.lower() if path.suffix.lower() in _OPEN else path.suffix.lower()


def _read_file(path: Path, field: str, whole: bool) -> Iterator[tuple[bool, str]]:
    kind = _kind(path)
    lines = _Lines(path)
    try:
        with _OPEN.get(path.suffix.lower(), open)(path, "rb") as source:
            if kind == ".xml":
                for text in read_dump(source, str(path)):
                    yield True, text
            elif kind in (".jsonl", ".ndjson"):
                yield from _jsonl(lines.of(source), lines, field)
            elif kind == ".csv":
                yield from _csv(lines.of(source), lines, field)
            else:
                yield from _text(lines.of(source), whole)
    except _BROKEN as error:
        reason = getattr(error, "strerror", None) or "the compressed data is cut off or damaged"
        raise InputError(f"corpus {path}: breaks off after line {lines.number}: {reason}.") from None


class _Lines:
    """Decodes lines and remembers the number of the last one, for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0

    def of(self, source: IO[bytes]) -> Iterator[str]:
        for line in source:
            self.number += 1
            try:
                yield line.decode("utf-8-sig" if self.number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise self.error("not UTF-8") from None

    def error(self, problem: str) -> InputError:
        return InputError(f"corpus {self.path}, line {self.number}: {problem}.")


def _jsonl(source: Iterator[str], lines: _Lines, field: str) -> Iterator[tuple[bool, str]]:
    for line in source:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise lines.error(f"not a JSON object (column {error.colno}); the file may be cut off") from None
        if not isinstance(record, dict) or not isinstance(record.get(field), str):
            held = ", ".join(sorted(record)) if isinstance(record, dict) else "none"
            raise lines.error(f"no text in field '{field}'. Fields: {held}")
        yield True, record[field]


def _csv(source: Iterator[str], lines: _Lines, field: str) -> Iterator[tuple[bool, str]]:
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.DictReader(source, strict=True)
    try:
        if field not in (reader.fieldnames or ()):
            raise lines.error(f"no column '{field}'. Columns: {', '.join(reader.fieldnames or ())}")
        for record in reader:
            if record[field] is None or None in record:
                raise lines.error("a different number of columns from the first line")
            yield True, record[field]
    except csv.Error as error:
        raise lines.error(str(error)) from None


def _text(source: Iterator[str], whole: bool) -> Iterator[tuple[bool, str]]:
    """A text file in pieces of about a million characters that end at a blank line, or a line where there is none."""
    held = io.StringIO()
    first = True
    for line in source:
        held.write(line)
        if not whole and held.tell() >= (_PIECE if not line.strip() else 8 * _PIECE):
            yield first, held.getvalue()
            held, first = io.StringIO(), False
    yield first, held.getvalue()
