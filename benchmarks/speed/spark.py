"""Spark against cores: the same rows on local[1] and local[2], and what it costs a worker process to start.

    python -m benchmarks.speed.spark [--data DIR] [--rows 1000] [--policy identifiers] [--cores 1 2]

Each number of cores runs in a session of its own. A first job starts the workers and loads the sanitizer in each; its
time is told by the workers themselves. Then the rows are sanitized `--rounds` times; the best time on the clock counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.speed.figures import Figures, options
from benchmarks.speed.texts import notes

ROOT = Path(__file__).resolve().parents[2]


def starting(policy: str) -> Any:
    """A job that tells how long the sanitizer of a process took to make and to sanitize a first sentence."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import os
        import time

        import pyarrow

        from tacenda.policy import policy_of, to_dict
        from tacenda.spark import _sanitizer

        for _ in batches:
            start = time.process_time()
            _sanitizer(json.dumps(to_dict(policy_of(policy))), "").sanitize("Ann Porter called (212) 555-0123.")
            yield pyarrow.record_batch([[os.getpid()], [time.process_time() - start]], names=["process", "seconds"])

    return work


def session(cores: int) -> Any:
    """A local Spark without its web page."""
    from pyspark.sql import SparkSession

    made = SparkSession.builder.master(f"local[{cores}]")
    for name, value in (
        ("spark.ui.enabled", "false"),
        ("spark.driver.bindAddress", "127.0.0.1"),
        ("spark.driver.host", "127.0.0.1"),
        ("spark.sql.execution.arrow.maxRecordsPerBatch", "64"),
    ):
        made = made.config(name, value)
    spark = made.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def measured(cores: int, texts: list[str], policy: str, rounds: int) -> dict[str, Any]:
    """Start, then sanitize all rows some times."""
    from tacenda import spark as tables

    spark = session(cores)
    frame = spark.createDataFrame(list(enumerate(texts)), "n long, note string").repartition(8 * cores).cache()
    frame.count()
    job = spark.range(cores * 4).repartition(cores * 4).mapInArrow(starting(policy), "process long, seconds double")
    started = [(row.process, row.seconds) for row in job.collect()]
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        tables.sanitize(frame, column="note", policy=policy).select("note").write.format("noop").mode(
            "overwrite"
        ).save()
        times.append(time.perf_counter() - begun)
    spark.stop()
    first = {}
    for process, seconds in started:
        first.setdefault(process, []).append(seconds)
    return {
        "seconds": min(times),
        "first": [max(own) for own in first.values()],
        "again": [min(own) for own in first.values() if len(own) > 1],
    }


def main() -> None:
    """Measure and print; each session in a process of its own."""
    given = options(
        __doc__,
        rows={"type": int, "default": 1000},
        policy={"default": "identifiers"},
        cores={"type": int, "nargs": "+", "default": [1, 2]},
        rounds={"type": int, "default": 3},
        one={"type": int, "default": 0, "help": "measure this number of cores, here"},
    )
    texts = notes(given.data, given.rows)
    if given.one:
        print(json.dumps(measured(given.one, texts, given.policy, given.rounds)))
        return
    figures, found = Figures(), {}
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment = {**os.environ, **single, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    for cores in given.cores:
        command = [sys.executable, "-m", "benchmarks.speed.spark", *sys.argv[1:], "--one", str(cores)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=ROOT)
        found[cores] = json.loads(done.stdout.splitlines()[-1])
        name = f"Spark local[{cores}], {given.policy}"
        figures.add(name, f"{len(texts)} rows", len(texts) / found[cores]["seconds"], "rows per second", clock=True)
        figures.add(name, "start of a worker, CPU", max(found[cores]["first"]), "s")
        if found[cores]["again"]:
            figures.add(name, "a sentence in a started worker, CPU", min(found[cores]["again"]) * 1000, "ms")
    least = min(given.cores)
    for cores in given.cores[1:]:
        gain = found[least]["seconds"] / found[cores]["seconds"]
        figures.add(f"Spark local[{cores}], {given.policy}", f"against local[{least}]", gain, "x", clock=True)
    figures.write(given.json)


if __name__ == "__main__":
    main()
