"""Parquet and Arrow files: tables of columns, read and written some rows at a time.

Columns that were not named are not even read. A row whose text cannot be sanitized has nulls in its place. While a
file is being made, its rows lie as small Arrow streams one after another, which a later run can go on with; in the end
they become one file. What a file says besides its rows (key-value metadata, notes on columns, statistics) is not
passed on. Needs pyarrow, the extra tacenda[frames].
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tacenda.errors import GuaranteeError, InputError
from tacenda.formats.columnar.arrow_arrays import as_words, compact, leaves
from tacenda.formats.columnar.table_rows import STYLE, Batch, Chosen, ColumnHead, choose, chosen_of, opened_batch
from tacenda.formats.records import Cell, Opened, Record, RecordFiles, asked_fields
from tacenda.model import Box, Document, Edit, Reading

ROWS = 256  # read, and written, at a time: what a run that is broken off may lose
_GROUP_ROWS, _GROUP_BYTES = 1 << 16, 64 << 20


class Columnar(RecordFiles):
    """What Parquet and both kinds of Arrow files share."""

    def head(self, file: BinaryIO, reading: Reading) -> ColumnHead:
        """Return the names of the columns that leave, and what is left out besides columns."""
        with _failing(self.name, reading.name):
            schema = self._schema(file)
        chosen = choose(schema, reading)
        self._check_writable(chosen, reading.name)
        cells = tuple(Cell(name, name) for name in chosen.names)
        where = f"{reading.name or 'input'}, columns"
        return ColumnHead(where, cells, "", False, STYLE, dropped=tuple(_metadata(schema)))

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Record]:
        """Yield the rows in order."""
        for batch in self.batches(file, reading):
            yield from batch.records

    def batches(self, file: BinaryIO, reading: Reading) -> Iterator[Batch]:
        """Yield the rows in order, some at a time; first none, with the columns of the table."""
        with _failing(self.name, reading.name):
            schema = self._schema(file)
            chosen = choose(schema, reading)
            file.seek(0)
            yield from self._opened(file, schema, chosen, reading)

    def _opened(self, file: BinaryIO, schema: Any, chosen: Chosen, reading: Reading) -> Iterator[Batch]:
        wanted = [name for name in schema.names if name in {*chosen.choices, *asked_fields(reading)}]
        empty = pa.RecordBatch.from_pylist([], schema=pa.schema([schema.field(name) for name in wanted]))
        first = 1
        for batch in itertools.chain([empty], self._batches(file, wanted)):
            batch.validate(full=True)
            for at in range(0, max(batch.num_rows, 1), ROWS):
                part = batch.slice(at, ROWS)
                yield opened_batch(part, chosen, first, reading)
                first += part.num_rows

    def finish(self, pieces: BinaryIO, out: BinaryIO) -> None:
        """Make one file of the pieces, then read it and compare its rows with theirs."""
        start = out.tell()
        schema = next(_tables(pieces)).schema
        encoded = json.loads((schema.metadata or {}).get(b"encoded", b"[]"))
        dictionaries = _dictionaries(pieces, encoded)
        whole = _encoded_schema(schema, dictionaries)
        promised = _Told()
        tables = (promised.saw(_encoded(table, whole, dictionaries)) for table in _tables(pieces))
        self._write(out, whole, tables)
        written = _Told()
        out.seek(start)
        with _failing(self.name, "output"):
            for batch in self._batches(out, whole.names):
                written.saw(pa.Table.from_batches([batch]))
        if written != promised:
            raise GuaranteeError("table: what was written does not read as promised. No output was written")
        out.seek(0, io.SEEK_END)

    def open(self, data: bytes, reading: Reading) -> Any:
        """Open a whole file as one: every row together, for those who plan it as one case."""
        head = self.head(io.BytesIO(data), reading)
        return TableFile(self, head, tuple(self.batches(io.BytesIO(data), reading)), reading)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return where one of the words still stands: in the bytes, or in the columns once they are unpacked."""
        found = super().residue(data, words)
        if found or not data.startswith(self.magic):
            return found
        with _failing(self.name, "output"):
            file = io.BytesIO(data)
            schema = self._schema(file)
            shown = [str(schema.names), str(schema.metadata)]
            file.seek(0)
            for batch in self._batches(file, schema.names):
                shown += [str(value) for column in batch.columns for value in column.to_pylist()]
        return super().residue("\n".join(shown).encode("utf-8", "ignore"), words)

    def _check_writable(self, chosen: Chosen, where: str) -> None:
        """Write an empty table first: hours of work must not end at a type that the format lacks."""
        try:
            self._write(io.BytesIO(), chosen.schema, [])
        except (pa.ArrowException, NotImplementedError):
            raise InputError(f"{where or 'input'}: a column has a type that a {self.name} file cannot hold") from None

    def _schema(self, file: BinaryIO) -> Any:
        raise NotImplementedError

    def _batches(self, file: BinaryIO, names: Sequence[str]) -> Iterator[Any]:
        raise NotImplementedError

    def _write(self, out: BinaryIO, schema: Any, tables: Iterable[Any]) -> None:
        raise NotImplementedError


class Parquet(Columnar):
    """Apache Parquet."""

    name = "parquet"
    suffixes = (".parquet", ".pq")
    magic = (b"PAR1",)

    def _schema(self, file: BinaryIO) -> Any:
        return pq.ParquetFile(file).schema_arrow

    def _batches(self, file: BinaryIO, names: Sequence[str]) -> Iterator[Any]:
        # Threads of Arrow would only contend with the processes that sanitize.
        parquet = pq.ParquetFile(file)
        if names:
            yield from parquet.iter_batches(ROWS, columns=list(names), use_threads=False)

    def _write(self, out: BinaryIO, schema: Any, tables: Iterable[Any]) -> None:
        with pq.ParquetWriter(out, schema) as writer:
            for table in tables:
                writer.write_table(table, row_group_size=max(table.num_rows, 1))


class Arrow(Columnar):
    """Arrow files, also called Feather (version 2)."""

    name = "arrow"
    suffixes = (".arrow", ".feather", ".ipc")
    magic = (b"ARROW1",)

    def _schema(self, file: BinaryIO) -> Any:
        return pa.ipc.open_file(file).schema

    def _batches(self, file: BinaryIO, names: Sequence[str]) -> Iterator[Any]:
        reader = pa.ipc.open_file(file)
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number).select(list(names))

    def _write(self, out: BinaryIO, schema: Any, tables: Iterable[Any]) -> None:
        with pa.ipc.new_file(out, schema) as writer:
            for table in tables:
                writer.write_table(table)


class ArrowStream(Columnar):
    """Arrow streams, as they go through pipes."""

    name = "arrows"
    suffixes = (".arrows",)
    magic = (b"\xff\xff\xff\xff",)

    def _schema(self, file: BinaryIO) -> Any:
        return pa.ipc.open_stream(file).schema

    def _batches(self, file: BinaryIO, names: Sequence[str]) -> Iterator[Any]:
        for batch in pa.ipc.open_stream(file):
            yield batch.select(list(names))

    def _write(self, out: BinaryIO, schema: Any, tables: Iterable[Any]) -> None:
        with pa.ipc.new_stream(out, schema) as writer:
            for table in tables:
                writer.write_table(table)


@contextmanager
def _failing(name: str, where: str) -> Iterator[None]:
    """Say that a file is damaged without Arrow's own words, which may quote it."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        raise InputError(
            f"{where or 'input'}: is not a valid {name} file, is encrypted or is cut off ({type(error).__name__})"
        ) from None


def _metadata(schema: Any) -> Iterator[str]:
    if schema.metadata:
        yield f"{len(schema.metadata)} entries of metadata of the file"
    columns = sum(1 for one in schema if one.metadata and set(one.metadata) - {b"PARQUET:field_id"})
    if columns:
        yield f"metadata of {columns} columns"


def _tables(pieces: BinaryIO) -> Iterator[Any]:
    """Yield what the pieces hold, as many rows at a time as make a good row group; at least one table."""
    pieces.seek(0)
    held: list[Any] = []
    rows = size = 0
    while start := pieces.read(1):
        pieces.seek(-len(start), io.SEEK_CUR)
        table = pa.ipc.open_stream(pieces).read_all()
        held.append(table)
        rows, size = rows + table.num_rows, size + table.nbytes
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            yield pa.concat_tables(held).combine_chunks()
            held, rows, size = [table.slice(0, 0)], 0, 0
    if held:
        yield pa.concat_tables(held).combine_chunks()


def _dictionaries(pieces: BinaryIO, encoded: Sequence[str]) -> dict[str, Any]:
    """The values of each column that came as a dictionary and still stand in it, in the order they first appear."""
    found: dict[str, Any] = {}
    if encoded:
        for table in _tables(pieces):
            for name in encoded:
                own = pc.unique(table.column(name).combine_chunks().drop_null())
                found[name] = pc.unique(pa.concat_arrays([found[name], own])) if name in found else own
    return found


def _encoded_schema(schema: Any, dictionaries: dict[str, Any]) -> Any:
    fields = [
        pa.field(one.name, pa.dictionary(pa.int32(), one.type), one.nullable) if one.name in dictionaries else one
        for one in schema
    ]
    return pa.schema(fields)


def _encoded(table: Any, schema: Any, dictionaries: dict[str, Any]) -> Any:
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if name in dictionaries:
            indices = pc.index_in(column.combine_chunks(), value_set=dictionaries[name])
            columns.append(pa.DictionaryArray.from_arrays(indices, dictionaries[name]))
        else:
            columns.append(column)
    return pa.table(columns, schema=schema)


class _Told:
    """Digests of the texts of each column, whatever the batches they came in."""

    def __init__(self) -> None:
        self.rows = 0
        self._digests: dict[tuple[int, int], Any] = {}

    def saw(self, table: Any) -> Any:
        """Take in some rows, and give them back."""
        self.rows += table.num_rows
        for number, column in enumerate(table.columns):
            array = compact(column.combine_chunks(), False)
            for leaf, (_, values, _, _) in enumerate(leaves(array, False, range(len(array)), "")):
                digest = self._digests.setdefault((number, leaf), hashlib.sha256())
                for value in as_words(values):
                    digest.update(json.dumps(value).encode())
        return table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Told) and self._shown() == other._shown()

    def _shown(self) -> tuple[int, list[str]]:
        empty = hashlib.sha256().hexdigest()
        found = {key: digest.hexdigest() for key, digest in self._digests.items()}
        return self.rows, [found[key] for key in sorted(found) if found[key] != empty]


@dataclass(frozen=True)
class TableFile:
    """All rows of a table as one document."""

    format: Columnar = field(repr=False)
    head: ColumnHead = field(repr=False)
    batches: tuple[Batch, ...] = field(repr=False)
    reading: Reading = field(repr=False)

    @property
    def _together(self) -> Opened:
        return Opened([self.head, *(record for batch in self.batches for record in batch.records)], self.reading.name)

    def read(self) -> Document:
        """Return the names of the columns and all rows as one document."""
        return replace(self._together.read(), dropped=self.head.dropped)

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the file with the edits made."""
        lines = iter([record.write(own) for record, own in self._together.shares(edits)])
        head = next(lines)
        pieces = [batch.written(head, list(itertools.islice(lines, len(batch.records)))) for batch in self.batches]
        out = io.BytesIO()
        self.format.finish(io.BytesIO(b"".join(pieces)), out)
        return out.getvalue()

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written file gives."""
        return self._together.promised(edits)

    def reopened(self, data: bytes) -> TableFile:
        """Read a written file: the same columns, under the names they have now."""
        with _failing(self.format.name, self.reading.name):
            file = io.BytesIO(data)
            schema = self.format._schema(file)
            old = self.batches[0].chosen
            new = Chosen(old.choices, chosen_of(schema, dict.fromkeys(schema.names, False), "output").schema)
            chosen = old.renamed(dict(zip(old.names, new.names, strict=True)))
            file.seek(0)
            plain = Reading(name=self.reading.name)
            batches = tuple(self.format._opened(file, schema, chosen, plain))
        head = replace(self.head, cells=tuple(Cell(name, name) for name in chosen.names))
        return TableFile(self.format, head, batches, self.reading)

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Tables have no pages."""
        return ()
