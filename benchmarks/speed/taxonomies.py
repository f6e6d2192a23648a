"""How long it takes to open all taxonomies, how much memory, and how fast they climb.

    python -m benchmarks.speed.taxonomies

Opening and memory are measured in a fresh process each, after `import numpy`, so that what is counted is ours.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from benchmarks.speed.figures import Figures, options

OPENING = """
import resource, time, numpy
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start, busy = time.perf_counter(), time.process_time()
from tacenda.knowledge.taxonomy import open_taxonomy
imported = time.perf_counter()
taxonomy = open_taxonomy()
opened, worked = time.perf_counter(), time.process_time()
taxonomy.generalizations("HIV")
asked = time.perf_counter()
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(1000 * (imported - start), 1000 * (opened - imported), 1000 * (worked - busy), 1000 * (asked - opened))
print((after - before) / 1024)
"""
TERMS = (
    "HIV",
    "Sacramento",
    "nurse",
    "Catholic",
    "marijuana",
    "breast cancer",
    "heroin",
    "12 March 2019",
    "34-year-old",
)
RUNS = 7


def main() -> None:
    """Measure and print; the bars are 150 ms to open and 60 MB."""
    given, figures = options(__doc__), Figures()
    rows = [_fresh() for _ in range(RUNS)]
    loading, opening, work, first, memory = (statistics.median(column) for column in zip(*rows, strict=True))
    figures.add("taxonomies", "import", loading, "ms", clock=True)
    figures.add("taxonomies", "open all", opening, "ms", clock=True)
    figures.add("taxonomies", "both, processor time", work, "ms")
    figures.add("taxonomies", "first question", first, "ms", clock=True)
    figures.add("taxonomies", "memory", memory, "MB")
    from tacenda.knowledge.taxonomy import open_taxonomy

    taxonomy = open_taxonomy()
    for label in ("cold", "warm"):
        start = time.perf_counter()
        rounds = 1 if label == "cold" else 50
        for _ in range(rounds):
            for term in TERMS:
                taxonomy.generalizations(term, ("patient", "pain"))
        took = 1000 * (time.perf_counter() - start) / rounds / len(TERMS)
        figures.add("taxonomies", f"one ladder, {label}", took, "ms", clock=True)
    figures.write(given.json)


def _fresh() -> tuple[float, ...]:
    done = subprocess.run([sys.executable, "-c", OPENING], capture_output=True, text=True, check=True)
    return tuple(float(figure) for figure in done.stdout.split())


if __name__ == "__main__":
    main()
