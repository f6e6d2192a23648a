"""Privacy of a released collection measured on Spark: each user on one worker, the mean on the driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tacenda.errors import InputError

if TYPE_CHECKING:
    from tacenda.measures.sensitivity import SensitivityModel
    from tacenda.measures.spi import Privacy

_VALUES = ("jsd", "spi_printed", "spi_withheld", "kld", "wkld", "pel", "shown", "original")
_SCHEMA = "user string, " + ", ".join(f"{name} double" for name in _VALUES) + ", released boolean"


def measure(
    original: Any,
    released: Any,
    *,
    user: str = "user",
    text: str = "text",
    sensitivity: SensitivityModel | float = 0.5,
) -> Privacy:
    """Measure a release against the original collection, both DataFrames of users and texts: SPI and its kin.

    sensitivity     a trained model, or one value in [0, 1] for all texts

    Texts are compared whole (the level "document"). The other levels look at all users at once, for the weight of a
    word or to settle ties in the order of the collection: measure them on one machine.
    """
    from pyspark.sql import functions

    sides = [
        one.select(functions.col(user).cast("string").alias("user"), functions.col(text).alias("text"))
        for one in (original, released)
    ]
    groups = [side.groupBy("user") for side in sides]
    found = groups[0].cogroup(groups[1]).applyInArrow(_measuring(sensitivity), _SCHEMA).toArrow()
    return _summary(found.sort_by("user"))


def _measuring(sensitivity: SensitivityModel | float) -> Callable[[Any, Any], Any]:
    def one_user(before: Any, after: Any) -> Any:
        import numpy as np
        import pyarrow as pa

        from tacenda.measures.collection import compare, logs_of

        texts, shown = (side.column("text").to_pylist() for side in (before, after))
        who = (before if texts else after).column("user")[0].as_py()
        if not texts or None in texts or None in shown:
            # What is wrong is told on the driver: errors of workers print the rows they failed on.
            nothing = {name: [float("nan")] for name in _VALUES}
            return pa.table({"user": [who], **nothing, "released": pa.array([None], pa.bool_())})
        first, (second,) = logs_of({"": texts}, {"": shown})
        weights = (
            np.full(len(first.texts), sensitivity) if isinstance(sensitivity, int | float) else sensitivity(first.texts)
        )
        held = compare(first, second, weights).by_user
        return pa.table({"user": [who], **{n: getattr(held, n) for n in _VALUES}, "released": held.released})

    return one_user


def _summary(table: Any) -> Privacy:
    import numpy as np

    from tacenda.measures.spi import ByUser, summarize

    if not table.num_rows:
        raise InputError("the original collection holds no documents")
    wrong = table.column("released").null_count
    if wrong:
        raise InputError(
            f"{wrong} user(s) of the release are not in the original collection, or have a row without a text;"
            " leave such rows out"
        )
    values = {name: table.column(name).to_numpy().astype(np.float64) for name in _VALUES}
    return summarize([ByUser(**values, released=np.array(table.column("released").to_pylist(), dtype=np.bool_))])
