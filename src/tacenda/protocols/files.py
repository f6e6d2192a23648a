"""How files are read and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol, runtime_checkable

from tacenda.model import Box, Document, Edit, Reading


class Opened(Protocol):
    """One file, opened: keeps its nodes, glyphs or entries to itself."""

    def read(self) -> Document:
        """Return the text with its parts; raise InputError where the file cannot be read safely."""
        ...

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the file with these edits made (offsets into the text that `read` gave) and nothing else left."""
        ...

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Return where a stretch of the text stands on pages; nothing if there are none."""
        ...


@runtime_checkable
class Promising(Protocol):
    """An opened file whose written text is not simply its text with the edits made (a black bar instead of words,
    letters that an encoding lacks). Without: it is.
    """

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that the written file must have; white space is not compared."""
        ...


@runtime_checkable
class Reopening(Protocol):
    """An opened file that says how to read what it wrote. Without: its format opens the bytes."""

    def reopened(self, data: bytes) -> Opened:
        """Open what was written, where that needs more than the bytes (a record of a table)."""
        ...


@runtime_checkable
class Placed(Protocol):
    """An opened record that says where it stands. Without: messages name the file only."""

    @property
    def where(self) -> str:
        """Name of the file and the place in it, for messages."""
        ...


class Format(Protocol):
    """Reads bytes into a document and writes bytes from edits.

    suffixes    endings of file names, with their point, in lower case
    magic       what a file of this kind may begin with; empty if nothing can be told from it
    """

    name: str
    suffixes: tuple[str, ...]
    magic: tuple[bytes, ...]

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a whole file."""
        ...

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written file where one of these words still stands, in words without the text.

        Shares no code with writing: it searches all that the file holds, whatever a reader would show.
        """
        ...


@runtime_checkable
class Sourced(Protocol):
    """A record that can be set aside as it came. Without: only its place is told."""

    @property
    def source(self) -> bytes:
        """The record as it came."""
        ...


@runtime_checkable
class RecordFormat(Format, Protocol):
    """A format of many records, which are read one by one: each is a case of its own unless something joins them."""

    def head(self, file: BinaryIO, reading: Reading) -> Opened | None:
        """Return what precedes the records (the header of a table), whose names are labels; None without one."""
        ...

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Opened]:
        """Yield the records in order. `Document.case` is the same for records that belong together.

        A record that cannot be read is yielded too and raises InputError when it is read: the others go on.
        """
        ...


class TableBatch(Protocol):
    """Some rows of a table of columns."""

    @property
    def records(self) -> Sequence[Opened]:
        """The rows, each opened."""
        ...

    def written(self, head: bytes, lines: Sequence[bytes]) -> bytes:
        """Return a piece of the output, of what head and rows wrote; an empty line is a row that failed."""
        ...


@runtime_checkable
class TableFormat(RecordFormat, Protocol):
    """A format of records whose file is not one record after another: a table kept by columns."""

    def batches(self, file: BinaryIO, reading: Reading) -> Iterator[TableBatch]:
        """Yield the rows some at a time, always cut alike; first a batch without rows."""
        ...

    def finish(self, pieces: BinaryIO, out: BinaryIO) -> None:
        """Make the file of all pieces, one after another; raise GuaranteeError if it does not read as they do."""
        ...
