"""Formats: bytes into documents, and documents with edits into bytes. One table; third parties add an entry point.

    [project.entry-points."tacenda.formats"]
    minutes = "my_package:Minutes"

A class behind the entry point follows `tacenda.protocols.Format`; `tacenda.testing.check_format` checks it.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, BinaryIO

from tacenda.errors import InputError, UsageError
from tacenda.model import AS_GIVEN, Document, Edit, Limits, Reading
from tacenda.protocols import Format, Opened, Promising, Reopening

__all__ = ["TABLE", "Entry", "File", "find", "names", "open_bytes", "open_file", "read", "suffixes"]


@dataclass(frozen=True)
class Entry:
    """A format in the table: where its class is, by what its files are known, and what it needs.

    target      "module:Class", imported when a file of the format is opened
    extra       the extra of the package that brings the libraries in `needs`
    writes      the ending of what is written, where it is of another kind than what was read
    """

    target: str
    suffixes: tuple[str, ...]
    magic: tuple[bytes, ...] = ()
    extra: str = ""
    needs: tuple[str, ...] = ()
    writes: str = ""


_ZIP = (b"PK\x03\x04",)
_TABLES = "tacenda.formats.columnar"
_OLE = (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",)

# name -> entry. The order decides between formats whose files begin alike.
TABLE: dict[str, Entry] = {
    "text": Entry("tacenda.formats.text:Text", (".txt", ".text", ".md", ".markdown", ".log")),
    "jsonl": Entry("tacenda.formats.jsonl:Jsonl", (".jsonl", ".ndjson")),
    "csv": Entry("tacenda.formats.tables:Csv", (".csv",)),
    "tsv": Entry("tacenda.formats.tables:Tsv", (".tsv", ".tab")),
    "parquet": Entry(f"{_TABLES}:Parquet", (".parquet", ".pq"), (b"PAR1",), "frames", ("pyarrow",)),
    "arrow": Entry(f"{_TABLES}:Arrow", (".arrow", ".feather", ".ipc"), (b"ARROW1",), "frames", ("pyarrow",)),
    "arrows": Entry(f"{_TABLES}:ArrowStream", (".arrows",), (b"\xff\xff\xff\xff",), "frames", ("pyarrow",)),
    "docx": Entry("tacenda.formats.office:Docx", (".docx", ".dotx"), _ZIP, "office", ("lxml",)),
    "xlsx": Entry("tacenda.formats.office:Xlsx", (".xlsx", ".xltx"), _ZIP, "office", ("lxml",)),
    "pptx": Entry("tacenda.formats.office:Pptx", (".pptx", ".potx", ".ppsx"), _ZIP, "office", ("lxml",)),
    "odt": Entry("tacenda.formats.office:Odt", (".odt", ".ott"), _ZIP, "office", ("lxml",)),
    "ods": Entry("tacenda.formats.office:Ods", (".ods", ".ots"), _ZIP, "office", ("lxml",)),
    "html": Entry("tacenda.formats.html:Html", (".html", ".htm", ".xhtml"), (), "html", ("lxml",)),
    "eml": Entry("tacenda.formats.mail:Eml", (".eml",), (), "mail", ("lxml",)),
    "mbox": Entry("tacenda.formats.mail:Mbox", (".mbox", ".mbx"), (), "mail", ("lxml",)),
    "msg": Entry("tacenda.formats.mail:Msg", (".msg",), _OLE, "mail", ("lxml", "oxmsg"), writes=".eml"),
    "pdf": Entry(
        "tacenda.formats.pdf:Pdf", (".pdf",), (b"%PDF-",), "pdf", ("pikepdf", "pypdfium2", "pdfminer", "fontTools")
    ),
}


@cache
def _outside() -> dict[str, Any]:
    return {point.name: point for point in entry_points(group="tacenda.formats")}


@cache
def _table() -> dict[str, Entry]:
    """Our formats and those of third parties, which are loaded to see by what their files are known."""
    table = dict(TABLE)
    for name, point in sorted(_outside().items()):
        if name not in table:
            made = point.load()
            table[name] = Entry(point.value, tuple(made.suffixes), tuple(made.magic))
    return table


def names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return tuple(_table())


def suffixes() -> tuple[str, ...]:
    """Return the endings of all files that can be read."""
    return tuple(dict.fromkeys(s for entry in _table().values() for s in entry.suffixes))


def written_suffix(suffix: str) -> str:
    """Return the ending of what is written for a file of this ending: the same, but .eml for .msg."""
    return next((e.writes for e in _table().values() if suffix.lower() in e.suffixes and e.writes), suffix)


def check_output(format: str, target: str) -> None:
    """Refuse a name for the output whose ending says that it is something else than what is written."""
    table = _table()
    suffix = Path(target).suffix.lower()
    said = [name for name, entry in table.items() if suffix in entry.suffixes]
    if not said or format not in table:
        return
    own = table[format]
    written = (own.writes,) if own.writes else own.suffixes
    # Kinds of plain text may be named as one likes: whoever opens them sees what they are.
    plain = not own.needs and not own.magic and not any(table[name].needs for name in said)
    if suffix not in written and not plain:
        raise UsageError(
            f"{target}: {format.upper()} is written as {written[0][1:].upper()}, not as {suffix[1:].upper()}."
            f" Name the output {Path(target).with_suffix(written[0]).name}"
        )


def named(name: str, *, where: str = "") -> Format:
    """Return the format of a name; the error lists what exists, or names the extra that is missing."""
    prefix = f"{where}: " if where else ""
    if name not in _table():
        near = difflib.get_close_matches(name, names(), n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise UsageError(f"{prefix}there is no format '{name}'. Formats: {', '.join(names())}.{hint}")
    entry = _table()[name]
    absent = [library for library in entry.needs if importlib.util.find_spec(library) is None]
    if absent:
        raise InputError(
            f"{prefix}reading {name.upper()} needs the extra tacenda[{entry.extra}]:"
            f" pip install 'tacenda[{entry.extra}]'"
        )
    if name in _outside() and name not in TABLE:
        made: Format = _outside()[name].load()()
        return made
    module, _, attribute = entry.target.partition(":")
    format: Format = getattr(importlib.import_module(module), attribute)()
    return format


def find(name: str, start: bytes = b"") -> Format:
    """Return the format of a file, by its first bytes, then by the ending of its name."""
    suffix = Path(name).suffix.lower()
    table = _table()
    by_suffix = [n for n, entry in table.items() if suffix in entry.suffixes]
    by_magic = [n for n, entry in table.items() if any(start.startswith(m) for m in entry.magic)]
    both = [n for n in by_suffix if n in by_magic or not table[n].magic]
    # What a file begins with is surer than its name, unless several formats begin alike.
    chosen = [n for n in by_magic if n in by_suffix] or (by_magic if len(by_magic) == 1 else []) or both
    if chosen:
        return named(chosen[0], where=name)
    if by_suffix and start:
        raise InputError(f"{name}: is not a {by_suffix[0].upper()} file, although its name says so")
    if by_suffix:
        return named(by_suffix[0], where=name)
    what = f"the ending '{suffix}' is" if suffix else "a file without an ending is"
    raise InputError(
        f"{name}: {what} not one that Tacenda reads ({', '.join(suffixes())})."
        f" If you know the format, name it: {', '.join(names())}"
    )


@dataclass(frozen=True)
class File:
    """One file, opened: its format, its document, and how it is written."""

    format: Format = field(repr=False)
    opened: Opened = field(repr=False)
    reading: Reading = field(default=AS_GIVEN, repr=False)

    @cached_property
    def document(self) -> Document:
        """The document, read once."""
        return self.opened.read()

    def again(self, data: bytes) -> str:
        """Read what was written, as a recipient would, and return its text."""
        if isinstance(self.opened, Reopening):
            return self.opened.reopened(data).read().text
        return self.format.open(data, replace(self.reading, password="")).read().text

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that the written file must have."""
        if isinstance(self.opened, Promising):
            return self.opened.promised(edits)
        text, pieces, done = self.document.text, [], 0
        for start, end, new in sorted(edits):
            pieces += [text[done:start], new]
            done = end
        return "".join([*pieces, text[done:]])


def open_bytes(data: bytes, *, name: str = "", format: str = "", reading: Reading = AS_GIVEN) -> File:
    """Open the bytes of a file; its format is told by `format`, its first bytes or the ending of its name."""
    _check_size(len(data), name, reading.limits)
    found = named(format, where=name) if format else find(name, data[:4096])
    reading = replace(reading, name=reading.name or name)
    return File(found, found.open(data, reading), reading)


def open_file(path: str | Path, *, format: str = "", reading: Reading = AS_GIVEN) -> File:
    """Open a file; its format is given by `format`, or found by its first bytes or its file name extension."""
    path = Path(path)
    _check_file(path)
    _check_size(path.stat().st_size, str(path), reading.limits)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return open_bytes(data, name=str(path), format=format, reading=reading)


def read(path: str | Path, *, format: str = "", reading: Reading = AS_GIVEN) -> Document:
    """Read a file into a document.

    To write it back in its own format use `open_file`, `Sanitizer.plan` of its document and `Sanitizer.write`.
    """
    return open_file(path, format=format, reading=reading).document


def format_of(path: str | Path, *, format: str = "") -> Format:
    """Return the format of a file without reading more than its first bytes."""
    path = Path(path)
    _check_file(path)
    with binary(path) as data:
        return named(format, where=str(path)) if format else find(str(path), data.read(4096))


def binary(path: Path) -> BinaryIO:
    """Open a file to read its bytes; an error says why it cannot be."""
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def _check_file(path: Path) -> None:
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it, or sanitize the folder as a whole")


def _check_size(size: int, name: str, limits: Limits) -> None:
    if size > limits.size:
        raise InputError(f"{name}: has {size:,} bytes; at most {limits.size:,} are read. Split it")
