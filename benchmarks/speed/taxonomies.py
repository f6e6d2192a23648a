"""How long it takes to open all taxonomies, how much memory, and how fast they climb.

    python benchmarks/speed/taxonomies.py

Opening and memory are measured in a fresh process each, after `import numpy`, so that what is counted is ours.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

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
    """Print the figures with the bar of each."""
    rows = [_fresh() for _ in range(RUNS)]
    loading, opening, work, first, memory = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"import our modules    {loading:8.1f} ms")
    print(f"open all taxonomies   {opening:8.1f} ms   (bar 150)")
    print(f"both, processor time  {work:8.1f} ms")
    print(f"first question        {first:8.1f} ms")
    print(f"memory, all pages     {memory:8.1f} MB   (bar 60)")
    from tacenda.knowledge.taxonomy import open_taxonomy

    taxonomy = open_taxonomy()
    for label in ("cold", "warm"):
        start = time.perf_counter()
        rounds = 1 if label == "cold" else 50
        for _ in range(rounds):
            for term in TERMS:
                taxonomy.generalizations(term, ("patient", "pain"))
        took = 1000 * (time.perf_counter() - start) / rounds / len(TERMS)
        print(f"one ladder, {label}      {took:8.2f} ms")


def _fresh() -> tuple[float, ...]:
    done = subprocess.run([sys.executable, "-c", OPENING], capture_output=True, text=True, check=True)
    return tuple(float(figure) for figure in done.stdout.split())


if __name__ == "__main__":
    main()
