"""Tables beside the library: what Parquet files and data frames add to sanitizing the same texts one by one.

python -m benchmarks.speed.tables [--data DIR] [--rows 400] [--policy identifiers]
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pyarrow.parquet

from benchmarks.speed.figures import Figures, options
from benchmarks.speed.texts import notes
from tacenda.batch import Recipe, Run
from tacenda.frames import sanitize_arrow
from tacenda.model import Reading
from tacenda.policy import policy_of


def cpu(work: Callable[[], object]) -> float:
    """Processor seconds of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def costs(figures: Figures, policy: str, texts: list[str]) -> Run:
    """Note what rows cost that were never seen before, once the sanitizer is loaded; return the run that has it."""
    run = Run(Recipe(policy_of(policy)), Reading(fields=("note",), keep=("number",)))
    sanitizer = run.worker.sanitizer
    sanitizer.sanitize(texts[0])
    spent = cpu(lambda: list(sanitizer.pipe(texts[1:], on_error="skip")))
    figures.add(policy, "rows never seen", words(texts[1:]) / spent, "words per CPU second")
    figures.add(policy, "CPU for a MB", spent / sum(map(len, texts[1:])) * 1e6, "s / MB")
    return run


def words(texts: list[str]) -> int:
    """Count words."""
    return sum(len(text.split()) for text in texts)


def beside_the_library(figures: Figures, run: Run, texts: list[str]) -> None:
    """Note what tables add, on texts that were all seen before."""
    table = pyarrow.table({"note": texts, "number": range(len(texts))})
    sanitizer = run.worker.sanitizer
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "notes.parquet"
        pyarrow.parquet.write_table(table, source)
        library = cpu(lambda: list(sanitizer.pipe(texts, on_error="skip")))
        spent = {
            "Arrow table": cpu(lambda: sanitize_arrow(table, "note", sanitizer)),
            "Parquet file": cpu(lambda: run.one(source, Path(folder) / "clean.parquet")),
        }
    for name, seconds in spent.items():
        figures.add(name, "beside the library", library / seconds, "x")


def main() -> None:
    """Measure and print."""
    given = options(
        __doc__,
        rows={"type": int, "default": 200},
        policies={"nargs": "+", "default": ["identifiers", "court", "person", "health", "special-categories"]},
    )
    figures, texts = Figures(), notes(given.data, given.rows)
    for policy in given.policies:
        run = costs(figures, policy, texts)
        if policy == given.policies[0]:
            beside_the_library(figures, run, texts)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            figures.add(policy, "memory", peak, "MB")
    figures.write(given.json)


if __name__ == "__main__":
    main()
