"""What was done on all workers, in numbers: accumulators of Spark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacenda.frames import Row


class Counters:
    """Counts over all workers: rows, rows without text, failed rows by kind of error, changes by label and action.

    Give it to `sanitize` and read `value` once an action has run. Spark adds what a task did when the task is done;
    work that it does twice (a second action on a frame that is not cached, a task of which a copy was started) is
    counted twice, so the counts tell how much was done, and the error column which rows failed.
    """

    def __init__(self, session: Any) -> None:
        from pyspark.accumulators import AccumulatorParam

        class Adding(AccumulatorParam[dict[str, int]]):
            def zero(self, value: dict[str, int]) -> dict[str, int]:
                return {}

            def addInPlace(self, one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
                return dict(Counter(one) + Counter(other))

        self.accumulator = session.sparkContext.accumulator({}, Adding())

    @property
    def value(self) -> dict[str, int]:
        """The counts by name: rows, null, failed, failed InputError, PERSON label, and so on."""
        return dict(sorted(self.accumulator.value.items()))


def counted(rows: Sequence[Row]) -> dict[str, int]:
    """Count what became of some rows."""
    found: Counter[str] = Counter(rows=len(rows))
    for row in rows:
        found["null"] += row.text is None and row.error is None
        if row.error:
            found.update(("failed", f"failed {row.error}"))
        found.update(f"{label} {action}" for label, action in row.changes)
    return {name: number for name, number in found.items() if number}
