"""Tables of columns read row by row: which columns leave, rows as records, batches written anew."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.types as kinds

from tacenda.errors import GuaranteeError, InputError
from tacenda.formats.columnar.arrow_arrays import (
    Choice,
    as_words,
    compact,
    is_list,
    is_text,
    leaves,
    plain_field,
    relabeled,
    renewed,
)
from tacenda.formats.records import PLAIN_KEY, Cell, Record, Style, asked_fields, check_reading, record_of
from tacenda.formats.tables import Head
from tacenda.formats.text import check_text
from tacenda.model import Document, Reading


@dataclass(frozen=True)
class RowStyle(Style):
    """One JSON array a row: how the values of a row travel between the processes that work on it."""

    encoding: str = "utf-8"

    def line(self, heads: Sequence[str], values: Sequence[Any]) -> str:
        """Return the values as a line."""
        return json.dumps(list(values), ensure_ascii=False) + "\n"

    def rows(self, written: str) -> list[list[tuple[str, Any]]]:
        """Return the values of every line."""
        return [[("", value) for value in json.loads(line)] for line in written.split("\n") if line]


STYLE = RowStyle()


@dataclass(frozen=True)
class ColumnHead(Head):
    """The names of the columns that leave, and what is left out of the file besides columns."""

    dropped: tuple[str, ...] = ()

    def read(self) -> Document:
        """Return the names as labels."""
        return replace(super().read(), dropped=self.dropped)


@dataclass(frozen=True)
class Chosen:
    """What leaves of a table: for each column its choice, in the order of the table; and how it is called there."""

    choices: Mapping[str, Choice] = field(repr=False)
    schema: Any = field(repr=False)
    encoded: tuple[str, ...] = field(default=(), repr=False)

    @property
    def names(self) -> list[str]:
        """The names of all columns and children that leave, each once."""
        return list(dict.fromkeys(name for one in self.schema for name in _names(one)))

    def renamed(self, names: Mapping[str, str]) -> Chosen:
        """Return the same choice for a table whose columns have other names."""
        schema = pa.schema([_renamed(one, names) for one in self.schema])
        encoded = tuple(names[name] for name in self.encoded)
        return Chosen({names[n]: _choice_renamed(c, names) for n, c in self.choices.items()}, schema, encoded)


def _names(one: Any) -> Iterator[str]:
    yield one.name
    yield from _inner_names(one.type)


def _inner_names(type: Any) -> Iterator[str]:
    if kinds.is_struct(type):
        for child in type:
            yield from _names(child)
    elif is_list(type):
        yield from _inner_names(type.value_type)


def _renamed(one: Any, names: Mapping[str, str]) -> Any:
    return pa.field(names[one.name], _type_renamed(one.type, names), nullable=one.nullable)


def _type_renamed(type: Any, names: Mapping[str, str]) -> Any:
    if kinds.is_struct(type):
        return pa.struct([_renamed(child, names) for child in type])
    if is_list(type):
        item = pa.field(type.value_field.name, _type_renamed(type.value_type, names), type.value_field.nullable)
        if kinds.is_fixed_size_list(type):
            return pa.list_(item, type.list_size)
        return pa.large_list(item) if kinds.is_large_list(type) else pa.list_(item)
    return type


def _choice_renamed(choice: Choice, names: Mapping[str, str]) -> Choice:
    if isinstance(choice, bool):
        return choice
    return {names[name]: _choice_renamed(one, names) for name, one in choice.items()}


# ---- choosing ------------------------------------------------------------------------------------------


def choose(schema: Any, reading: Reading) -> Chosen:
    """Return what leaves of a table: the fields named, a child of a struct by "column.child"."""
    check_reading(reading)
    where = reading.name or "input"
    choices: dict[str, Any] = {}
    for name in reading.fields or ("text",):
        path, type = _path(schema, name, where)
        _check_text_type(type, name, where)
        _put(choices, path, True)
    for name in reading.keep:
        _put(choices, _path(schema, name, where)[0], False)
    for name in asked_fields(reading):
        if len(_path(schema, name, where)[0]) > 1:
            raise InputError(f"{where}: '{name}' is a child of a column; what is known of a row must be a column")
    ordered = {name: choices[name] for name in schema.names if name in choices}
    return chosen_of(schema, ordered, where)


def chosen_of(schema: Any, choices: Mapping[str, Choice], where: str) -> Chosen:
    """Return the choice with the schema of what leaves."""
    fields = []
    for name, choice in choices.items():
        try:
            fields.append(plain_field(schema.field(name), choice))
        except InputError as error:
            raise InputError(f"{where}: column {_shown(name)} {error}") from None
        except KeyError:
            raise InputError(f"{where}: two columns are called {_shown(name)}; give them names of their own") from None
    encoded = tuple(name for name in choices if kinds.is_dictionary(schema.field(name).type))
    return Chosen(choices, pa.schema(fields), encoded)


def _shown(name: str) -> str:
    return f"'{name}'" if all(map(PLAIN_KEY.fullmatch, name.split("."))) else "(of a name that is not shown)"


def _put(choices: dict[str, Any], path: Sequence[str], open: bool) -> None:
    *outer, last = path
    for name in outer:
        choices = choices.setdefault(name, {})
        if isinstance(choices, bool):
            return  # the whole column was named as well
    if isinstance(choices.get(last), dict) or last not in choices:
        choices[last] = open


def _path(schema: Any, name: str, where: str) -> tuple[tuple[str, ...], Any]:
    """Find a column by its name, or a child of it by a name with dots."""
    if name in schema.names:
        return (name,), _column(schema, name, where).type
    for at in (i for i, letter in enumerate(name) if letter == "."):
        if name[:at] in schema.names:
            type = _column(schema, name[:at], where).type
            found = _child(type, name[at + 1 :])
            if found:
                return (name[:at], *found[0]), found[1]
    shown = [n for n in schema.names if PLAIN_KEY.fullmatch(n)]
    has = f"This table has: {', '.join(shown)}" if len(shown) == len(schema.names) else "Name one that it has"
    raise InputError(f"{where}: there is no column '{name}'. {has}")


def _column(schema: Any, name: str, where: str) -> Any:
    if schema.names.count(name) > 1:
        raise InputError(f"{where}: two columns are called '{name}'; give them names of their own")
    return schema.field(name)


def _child(type: Any, name: str) -> tuple[tuple[str, ...], Any] | None:
    while is_list(type):
        type = type.value_type
    if not kinds.is_struct(type):
        return None
    for child in type:
        if child.name == name:
            return (name,), child.type
        if name.startswith(f"{child.name}."):
            found = _child(child.type, name[len(child.name) + 1 :])
            if found:
                return (child.name, *found[0]), found[1]
    return None


def _check_text_type(type: Any, name: str, where: str) -> None:
    while is_list(type):
        type = type.value_type
    if kinds.is_struct(type):
        for child in type:
            _check_text_type(child.type, f"{name}.{child.name}", where)
    elif not is_text(type):
        kind = str(type).partition("<")[0]
        raise InputError(f"{where}: column {_shown(name)} holds {kind}, not text. Name a text column")


# ---- batches -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Batch:
    """Some rows of a table, opened: a record for each, and the columns as they leave."""

    records: tuple[Record, ...] = field(repr=False)
    columns: tuple[Any, ...] = field(repr=False)
    chosen: Chosen = field(repr=False)

    def written(self, head: bytes, lines: Sequence[bytes]) -> bytes:
        """Return the rows as a stream of their own, with the names and texts written; an empty line is a failed row."""
        texts = [self._open_texts(record, line) for record, line in zip(self.records, lines, strict=True)]
        fresh = iter(self._by_leaf(texts))
        choices = list(self.chosen.choices.values())
        columns = [renewed(array, one, fresh) for array, one in zip(self.columns, choices, strict=True)]
        names = [value for _, value in STYLE.rows(head.decode())[0]]
        leaving = self.chosen.renamed(dict(zip(self.chosen.names, names, strict=True)))
        schema = leaving.schema.with_metadata({"encoded": json.dumps(leaving.encoded)})
        columns = [relabeled(array, one.type) for array, one in zip(columns, schema, strict=True)]
        out = io.BytesIO()
        with pa.ipc.new_stream(out, schema) as stream:
            if self.records:
                stream.write_batch(pa.record_batch(columns, schema=schema))
        _check(out.getvalue(), leaving, texts)
        return out.getvalue()

    @staticmethod
    def _open_texts(record: Record, line: bytes) -> list[str | None]:
        own = [cell.open for cell in record.cells]
        if not line:
            return [None] * sum(own)
        values = json.loads(line)
        return [value for value, open in zip(values, own, strict=True) if open]

    def _by_leaf(self, texts: Sequence[Sequence[str | None]]) -> Iterator[list[str | None]]:
        rows = [iter(own) for own in texts]
        for _, array, owners, open in self._leaves():
            if open:
                there = array.is_valid().to_pylist()
                yield [next(rows[row]) if valid else None for row, valid in zip(owners, there, strict=True)]

    def _leaves(self) -> Iterator[tuple[str, Any, Any, bool]]:
        return leaves_of(self.columns, self.chosen)


def _check(piece: bytes, leaving: Chosen, texts: Sequence[Sequence[str | None]]) -> None:
    """Read a piece that was made and compare it with what was written for each row."""
    table = pa.ipc.open_stream(piece).read_all()
    columns = [column.combine_chunks() for column in table.columns]
    found: list[list[str]] = [[] for _ in texts]
    for _, array, owners, open in leaves_of(columns, leaving):
        if open:
            for row, value in zip(owners, array.to_pylist(), strict=True):
                if value is not None:
                    found[row].append(value)
    if found != [[value for value in own if value is not None] for own in texts]:
        raise GuaranteeError("table: what was written does not read as promised. No output was written")


def leaves_of(columns: Sequence[Any], chosen: Chosen) -> Iterator[tuple[str, Any, Any, bool]]:
    """Yield the leaves of all columns."""
    rows = range(len(columns[0])) if columns else range(0)
    for (name, choice), array in zip(chosen.choices.items(), columns, strict=True):
        yield from leaves(array, choice, rows, name)


def opened_batch(batch: Any, chosen: Chosen, first: int, reading: Reading) -> Batch:
    """Open some rows; `first` is the number of the first of them, from 1."""
    columns = tuple(compact(batch.column(name), choice) for name, choice in chosen.choices.items())
    asked = {name: batch.column(name).to_pylist() for name in asked_fields(reading)}
    cells: list[list[Cell]] = [[] for _ in range(batch.num_rows)]
    for name, array, owners, open in leaves_of(columns, chosen):
        for row, value in zip(owners, array.to_pylist() if open else as_words(array), strict=False):
            if value is not None:
                cells[row].append(Cell(name, value, open))
    records = (
        _record(
            own, f"{reading.name or 'input'}, row {first + row}", reading, {n: held[row] for n, held in asked.items()}
        )
        for row, own in enumerate(cells)
    )
    return Batch(tuple(records), columns, chosen)


@dataclass(frozen=True)
class BrokenRow(Record):
    """A row that cannot be read: whoever asks for its text is told why, and the other rows go on."""

    problem: str = ""

    def read(self) -> Document:
        """Say what is wrong with the row."""
        raise InputError(self.problem)


def _record(cells: list[Cell], where: str, reading: Reading, asked: Mapping[str, Any]) -> Record:
    try:
        for cell in cells:
            if cell.open:
                check_text(cell.value, where)
        return record_of(cells, "", False, where, reading, STYLE, asked.get)
    except InputError as error:
        return BrokenRow(where, tuple(cells), "", False, STYLE, problem=str(error))
