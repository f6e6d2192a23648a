"""Columns of tables: pandas, polars, Arrow and DuckDB in one call.

    sanitize_column(df, "note", policy="health")

gives the same kind of table back, with the column sanitized and two columns beside it: NAME_error, null or the kind of
error, and with `plans=True` NAME_plan, the plan as JSON. A row that fails is null, never the original.
Rows are taken in order, in batches of bounded size; nothing else of the table is read or copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacenda import serialize
from tacenda.errors import InputError, TacendaError, UsageError
from tacenda.model import Case, Document, Part, Sanitized
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one value: its text (None: null or failed), the kind of error, and the plan as JSON.

    changes     (label, action) of each change; those of a case stand with its first row
    """

    text: str | None = field(default=None, repr=False)
    error: str | None = None
    plan: str | None = field(default=None, repr=False)
    changes: tuple[tuple[str, str], ...] = ()


def sanitize_values(
    values: Iterable[str | None],
    sanitizer: Sanitizer,
    *,
    known: Iterable[Sequence[str]] | None = None,
    cases: Iterable[object] | None = None,
    column: str = "",
    jobs: int = 1,
    plans: bool = False,
) -> Iterator[Row]:
    """Sanitize values one by one, in order; those of one case (equal keys) together, once all of them are read.

    known   what is known of the subject of each value; cases: the key of the case of each
    column  the name of the column, by which what stands in a cell is known (a name under "patient")
    """
    documents = (
        None if value is None else _cell(value, f"row {number}", tuple(held), column)
        for number, (value, held) in enumerate(zip(values, known or _nothing(), strict=False))
    )
    if cases is None:
        yield from _alone(documents, sanitizer, jobs, plans)
        return
    held = list(documents)
    rows: list[Row] = [Row()] * len(held)
    members: dict[object, list[int]] = {}
    for number, (document, key) in enumerate(zip(held, cases, strict=True)):
        if document is not None:
            members.setdefault((number, None) if key is None else key, []).append(number)
    together = (Case(tuple(d for n in own if (d := held[n]) is not None), f"row {own[0]}") for own in members.values())
    for own, result in zip(members.values(), sanitizer.pipe(together, jobs=jobs, on_error="skip"), strict=True):
        texts = () if isinstance(result, TacendaError) else result.texts or (result.text,)
        for place, number in enumerate(own):
            rows[number] = _row(result, plans, texts[place] if texts else None, counted=not place)
    yield from rows


def _cell(text: str, where: str, known: tuple[str, ...], column: str) -> Document:
    parts = (Part(0, len(text), "cell", column, column),) if column else ()
    return Document(text, where, known, parts=parts)


def _nothing() -> Iterator[Sequence[str]]:
    while True:
        yield ()


def _alone(documents: Iterable[Document | None], sanitizer: Sanitizer, jobs: int, plans: bool) -> Iterator[Row]:
    empty: list[bool] = []  # which of the rows read so far are null; results come in the order of the others

    def filled() -> Iterator[Document]:
        for document in documents:
            empty.append(document is None)
            if document is not None:
                yield document

    at = 0
    for result in sanitizer.pipe(filled(), jobs=jobs, on_error="skip"):
        while empty[at]:
            yield Row()
            at += 1
        yield _row(result, plans, None if isinstance(result, TacendaError) else result.text)
        at += 1
    yield from (Row() for _ in empty[at:])


def _row(result: Sanitized | TacendaError, plans: bool, text: str | None, *, counted: bool = True) -> Row:
    if isinstance(result, TacendaError):
        return Row(error=type(result).__name__)
    changes = tuple((d.label, d.action) for d in result.plan.changes) if counted else ()
    return Row(text, None, serialize.plan_to_json(result.plan) if plans else None, changes)


def sanitize_column(
    table: Any,
    column: str,
    *,
    policy: Policy | str | Path | Sequence[Policy | str | Path],
    known: str | None = None,
    case: str | None = None,
    jobs: int = 1,
    plans: bool = False,
    **options: Any,
) -> Any:
    """Return a table like the one given, with one column of text sanitized.

    table    a pandas or polars DataFrame, an Arrow table, or a DuckDB relation (given back as an Arrow table)
    known    a column with what is known of the subject of each row: a text or a list of texts
    case     a column whose equal values say that rows belong together: one person, one number over all of them
    options  those of `Sanitizer`, for example key

    >>> import pandas
    >>> frame = pandas.DataFrame({"note": ["Call (212) 555-0123.", None]})
    >>> sanitize_column(frame, "note", policy="identifiers")["note"].tolist()
    ['Call [phone number].', None]
    """
    cases = _columns(table, [case])[case] if case else None
    return _sanitized(table, column, Sanitizer(policy, **options), known or "", cases, plans, jobs)


def sanitize_arrow(
    table: Any,
    column: str,
    sanitizer: Sanitizer,
    *,
    known: str = "",
    cases: list[Any] | None = None,
    plans: bool = False,
    on_row: Callable[[Row], None] = lambda _: None,
) -> Any:
    """Return an Arrow table with a column sanitized by a sanitizer that is already made: one batch of many.

    on_row  called with what became of each row
    """
    return _sanitized(table, column, sanitizer, known, cases, plans, 1, on_row)


def _sanitized(
    table: Any,
    column: str,
    sanitizer: Sanitizer,
    known: str,
    cases: list[Any] | None,
    plans: bool,
    jobs: int,
    on_row: Callable[[Row], None] = lambda _: None,
) -> Any:
    taken = _columns(table, [name for name in (column, known) if name])
    rows = sanitize_values(
        _texts(taken[column], column),
        sanitizer,
        known=map(_known, taken[known]) if known else None,
        cases=cases,
        column=column,
        jobs=jobs,
        plans=plans,
    )
    made: dict[str, list[str | None]] = {column: [], f"{column}_error": []}
    if plans:
        made[f"{column}_plan"] = []
    for row in rows:
        on_row(row)
        made[column].append(row.text)
        made[f"{column}_error"].append(row.error)
        if plans:
            made[f"{column}_plan"].append(row.plan)
    return _with_columns(table, made)


def _texts(values: Iterable[object], column: str) -> Iterator[str | None]:
    for number, value in enumerate(values):
        if value is not None and not isinstance(value, str):
            raise InputError(f"column '{column}', row {number}: holds a {type(value).__name__}, not text")
        yield value


def _known(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(str(v) for v in value if v) if isinstance(value, (list, tuple)) else (str(value),)


def _kind(table: Any) -> str:
    for made in type(table).__mro__:
        room = made.__module__.partition(".")[0].lstrip("_")
        if room in ("pandas", "polars", "pyarrow", "duckdb"):
            return room
    raise UsageError(
        f"a table of type {type(table).__name__} is not supported: give a pandas or polars DataFrame, an Arrow"
        " table or a DuckDB relation"
    )


def _columns(table: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    kind = _kind(table)
    there = list(table.column_names if kind == "pyarrow" else table.columns)
    for name in names:
        if name not in there:
            raise InputError(f"there is no column '{name}'. This table has: {', '.join(map(str, there))}")
    if kind == "pandas":
        # Pandas has several ways to say that nothing is there.
        return {
            name: [None if gone else v for v, gone in zip(table[name], table[name].isna(), strict=True)]
            for name in names
        }
    if kind == "polars":
        return {name: table.get_column(name).to_list() for name in names}
    held = table if kind == "pyarrow" else _arrow_of(table)
    return {name: held.column(name).to_pylist() for name in names}


def _arrow_of(relation: Any) -> Any:
    found = relation.arrow()
    return found.read_all() if hasattr(found, "read_all") else found


def _with_columns(table: Any, made: dict[str, list[str | None]]) -> Any:
    kind = _kind(table)
    if kind == "pandas":
        import pandas

        return table.assign(**{n: pandas.Series(v, index=table.index, dtype=object) for n, v in made.items()})
    if kind == "polars":
        import polars

        return table.with_columns(**{n: polars.Series(n, v, dtype=polars.String) for n, v in made.items()})
    import pyarrow

    result = table if kind == "pyarrow" else _arrow_of(table)
    for name, values in made.items():
        array = pyarrow.array(values, pyarrow.string())
        at = result.schema.get_field_index(name)
        result = result.set_column(at, name, array) if at >= 0 else result.append_column(name, array)
    return result
