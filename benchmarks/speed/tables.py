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


def main() -> None:
    """Measure and print."""
    given = options(__doc__, rows={"type": int, "default": 400}, policy={"default": "identifiers"})
    figures, texts = Figures(), notes(given.data, given.rows)
    words = sum(len(text.split()) for text in texts)
    table = pyarrow.table({"note": texts, "number": range(len(texts))})
    recipe = Recipe(policy_of(given.policy))
    run = Run(recipe, Reading(fields=("note",), keep=("number",)))
    sanitizer = run.worker.sanitizer
    sanitizer.sanitize(texts[0])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "notes.parquet"
        pyarrow.parquet.write_table(table, source)
        cold = cpu(lambda: list(sanitizer.pipe(texts, on_error="skip")))
        spent = {  # what was remembered the first time helps all three alike
            "library": cpu(lambda: list(sanitizer.pipe(texts, on_error="skip"))),
            "Arrow table": cpu(lambda: sanitize_arrow(table, "note", sanitizer)),
            "Parquet file": cpu(lambda: run.one(source, Path(folder) / "clean.parquet")),
        }
    name = f"library, {given.policy}"
    figures.add(name, "rows never seen", words / cold, "words per CPU second")
    figures.add(name, "CPU for a MB never seen", cold / sum(map(len, texts)) * 1e6, "s / MB")
    for name, seconds in spent.items():
        figures.add(f"{name}, {given.policy}", "the same rows again", words / seconds, "words per CPU second")
    for name in ("Arrow table", "Parquet file"):
        figures.add(f"{name}, {given.policy}", "against the library", spent["library"] / spent[name], "x")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures.add(f"tables, {given.policy}", "memory", peak, "MB")
    figures.write(given.json)


if __name__ == "__main__":
    main()
