"""On a local Spark: the same bytes as the library for any number of partitions; one bad row does not stop the job."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tacenda
from tacenda import InputError, Sanitizer

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed (extra tacenda[spark])")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("no Java: Spark is not tested", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("default")

GREEK = "Ο ασθενής μένει στην οδό Σταδίου και τηλεφωνεί συχνά στο νοσοκομείο."
NOTES = [f"Ann Porter called (212) 555-01{n:02d} about ward {n}." for n in range(12)] + [GREEK, None]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    os.environ["PYTHONPATH"] = str(Path(tacenda.__file__).parents[1])
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()


def rows(session: Any) -> list[tuple[int, str, str | None]]:
    return [(n, f"case {n % 3}", note) for n, note in enumerate(NOTES)]


def test_parity_with_the_library_for_any_number_of_partitions(session: Any) -> None:
    from tacenda import spark

    library = [r if isinstance(r, str) else None for r in _library()]
    for partitions in (1, 2, 8):
        frame = session.createDataFrame(rows(session), "n int, who string, note string").repartition(partitions)
        found = sorted(spark.sanitize(frame, column="note", policy="identifiers").collect(), key=lambda row: row.n)
        assert [row.note for row in found] == library
        assert [row.note_error for row in found] == [None] * 12 + ["InputError", None]


def _library() -> list[object]:
    sanitizer = Sanitizer("identifiers")
    given = [note for note in NOTES if note is not None]
    done = [getattr(r, "text", r) for r in sanitizer.pipe(given, on_error="skip")]
    return [*done, None]


def test_rows_of_a_case_meet_on_one_worker(session: Any) -> None:
    from tacenda import spark

    texts = ["Ann Porter met Bob Hill.", "Then Bob Hill left.", "Nobody saw Ann Porter again."]
    given = [(n, "one", text) for n, text in enumerate(texts)] + [(9, "two", "Bob Hill was seen elsewhere.")]
    frame = session.createDataFrame(given, "n int, who string, note string").repartition(4)
    found = spark.sanitize(frame, column="note", policy="identifiers", case="who", plans=True).collect()
    by = {row.n: row.note for row in found}
    assert "[person 2]" in by[1]
    assert "[person 1]" in by[2]
    assert "[person 1]" in by[9]
    assert all(row.note_plan.startswith("{") for row in found)


def test_a_missing_column_is_told_before_any_work(session: Any) -> None:
    from tacenda import spark

    frame = session.createDataFrame([(1, "x")], "n int, note string")
    with pytest.raises(InputError, match="no column 'text'"):
        spark.sanitize(frame, column="text", policy="identifiers")
