"""Tacenda on Spark: a column of a DataFrame sanitized on every worker, over Arrow batches.

    clean = tacenda.spark.sanitize(df, column="note", policy="health")

`build_index` builds an index on a cluster, `measure` measures a release (in modules of their own, named here).

One sanitizer is made in each worker process from the text of the policy, and kept; nothing of it is pickled, and a key
never travels: it is named, and read from the worker's own environment. Knowledge is memory-mapped, so the processes of
a machine share it. A row that fails is null with the kind of its error, so one poisoned row does not stop the job, and
running a partition again gives the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacenda.errors import InputError, UsageError
from tacenda.policy import Policy, from_dict, policy_of, to_dict
from tacenda.spark.counters import Counters
from tacenda.spark.spark_index import build_index
from tacenda.spark.spark_measure import measure

if TYPE_CHECKING:
    from tacenda.frames import Row
    from tacenda.sanitizer import Sanitizer

__all__ = ["Counters", "build_index", "measure", "sanitize"]


def sanitize(
    frame: Any,
    *,
    column: str,
    policy: Policy | str | Path | Sequence[Policy | str | Path],
    known: str | None = None,
    case: str | None = None,
    key: str | None = None,
    plans: bool = False,
    counters: Counters | None = None,
) -> Any:
    """Return a Spark DataFrame with a column sanitized, and COLUMN_error (and COLUMN_plan) beside it.

    known   a column of texts or of arrays of texts: what is known of the subject of each row
    case    a column whose equal values say that rows belong together; they are brought to one worker (a shuffle), so
            that a person has one number over all of them. Rows leave in the order of their case
    key     name of an environment variable of the workers that holds the key for pseudonyms, so that rows agree over
            the whole table
    counters   `Counters(session)`: what was done, counted on all workers

    A streaming DataFrame is welcome, row by row; with `case`, give `foreachBatch` a function that calls this for
    each micro-batch, since rows of a case that come later cannot be waited for.
    """
    names = list(frame.columns)
    for name in filter(None, (column, known, case)):
        if name not in names:
            raise InputError(f"there is no column '{name}'. This DataFrame has: {', '.join(names)}")
    recipe = (json.dumps(to_dict(policy_of(policy))), column, known or "", case or "", key or "", plans)
    schema = _schema(frame, column, plans)
    count = counters.accumulator if counters else None
    if case is None:
        return frame.mapInArrow(_batches(recipe, count), schema)
    if frame.isStreaming:
        raise UsageError(
            f"rows of a stream cannot be joined by '{case}': more of a case may always come."
            " Sanitize each micro-batch with foreachBatch, or leave the case out"
        )
    # Equal keys meet in one partition, and sorting puts them side by side: one case is held at a time.
    together = frame.repartition(frame[case]).sortWithinPartitions(frame[case])
    return together.mapInArrow(_cases(recipe, count), schema)


Recipe = tuple[str, str, str, str, str, bool]


def _schema(frame: Any, column: str, plans: bool) -> Any:
    from pyspark.sql.types import StringType, StructField, StructType

    added = [f"{column}_error", *([f"{column}_plan"] if plans else [])]
    kept = [f for f in frame.schema.fields if f.name not in added]
    return StructType([*kept, *(StructField(name, StringType(), True) for name in added)])


@lru_cache(maxsize=4)
def _sanitizer(policy: str, key: str) -> Sanitizer:
    """The sanitizer of this process, made once."""
    from tacenda.replace.keys import load_key
    from tacenda.sanitizer import Sanitizer

    return Sanitizer(from_dict(json.loads(policy)), key=load_key(variable=key) if key else None)


def _batches(recipe: Recipe, count: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def work(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield _done(recipe, batch, None, count)

    return work


def _cases(recipe: Recipe, count: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Hold back the last case of each batch: its next rows may come with the next one."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        held: Any = None
        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            table = table if held is None else pyarrow.concat_tables([held, table])
            keys = table.column(recipe[3]).to_pylist()
            start = next((i for i in range(len(keys), 0, -1) if keys[i - 1] != keys[-1]), 0) if keys else 0
            held = table.slice(start)
            if start:
                yield _done(recipe, table.slice(0, start), keys[:start], count)
        if held is not None and held.num_rows:
            yield _done(recipe, held, held.column(recipe[3]).to_pylist(), count)

    return work


def _done(recipe: Recipe, rows: Any, cases: list[Any] | None, count: Any) -> Any:
    import pyarrow

    from tacenda.frames import sanitize_arrow
    from tacenda.spark.counters import counted

    policy, column, known, _, key, plans = recipe
    table = rows if isinstance(rows, pyarrow.Table) else pyarrow.Table.from_batches([rows])
    held: list[Row] = []
    result = sanitize_arrow(
        table, column, _sanitizer(policy, key), known=known, cases=cases, plans=plans, on_row=held.append
    )
    if count is not None:
        count.add(counted(held))
    (whole,) = result.combine_chunks().to_batches() or [pyarrow.RecordBatch.from_pylist([], result.schema)]
    return whole
