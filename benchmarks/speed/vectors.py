"""Speed of vectors: phrases and training on a collection, and phrases looked up in the static table.

    python -m benchmarks.speed.vectors --data DIR               # DIR/k_actors: the paper's collection
    python -m benchmarks.speed.vectors --data DIR --sample 2000 # part of it, scaled up

The paper trained on 19,000 abstracts in 177 s on four cores, phrases not counted (AMD Athlon X4 860K). Printed are the
processor seconds of each stage and what they are on two cores, so that other work on the machine does not count.
The peer in the same run is the plain loop over words with gensim's own defaults (window 5, 100 dimensions).
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.speed.figures import Figures, options
from tacenda.knowledge.vectors import open_vectors
from tacenda.knowledge.vectors.term_sequences import terms_of
from tacenda.knowledge.vectors.train import Settings, train
from tacenda.studies.sequences import term_sequences

PAPER = 177.0
CORES = 2


def spent() -> float:
    """Processor seconds of this process and of those it started."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


def collection(texts: list[str], scale: float, figures: Figures) -> None:
    """Time phrases and training."""
    start = spent()
    sequences = term_sequences(texts, processes=CORES)
    phrases = spent() - start
    start = spent()
    with tempfile.TemporaryDirectory() as folder:
        table = train(sequences, Path(folder) / "x.tvec", settings=Settings(workers=CORES))
        training = spent() - start
        name = f"vectors, {len(texts)} documents scaled by {scale:.1f}, {len(table)} terms"
        start = spent()
        words = [terms_of(text) for text in texts]
        train(words, Path(folder) / "y.tvec", settings=Settings(dimensions=100, window=5, workers=CORES))
        peer = spent() - start
    whole = (phrases + training) * scale / CORES
    figures.add(name, "phrases, CPU", phrases * scale, "s")
    figures.add(name, "training, CPU", training * scale, "s")
    figures.add(name, f"both on {CORES} cores against the paper's {PAPER:.0f} s", whole / PAPER, "times")
    figures.add("single words, 100 dimensions, window 5", f"on {CORES} cores", peer * scale / CORES, "s")


def table(figures: Figures) -> None:
    """Time opening and looking up phrases that were not asked before."""
    start = time.perf_counter()
    vectors = open_vectors()
    vectors.vectors(["warm"])
    figures.add("static table", "open", (time.perf_counter() - start) * 1000, "ms", clock=True)
    keys = [vectors.key(row) for row in range(0, len(vectors), 4)]
    phrases = [f"{a} {b}" for a, b in pairwise(keys)]
    start = time.process_time()
    vectors.vectors(phrases)
    rate = len(phrases) / (time.process_time() - start)
    figures.add("static table", "phrases of two words", rate, "phrases per CPU second")


def main() -> None:
    """Run."""
    given, figures = options(__doc__, sample={"type": int, "default": 0}), Figures()
    table(figures)
    if given.data is None:
        figures.write(given.json)
        return
    with gzip.open(given.data / "k_actors" / "actor_abstracts.jsonl.gz", "rt", encoding="utf-8") as source:
        texts = [json.loads(line)["text"] for line in source]
    chosen = texts[:: max(1, len(texts) // given.sample)] if given.sample else texts
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    collection(chosen, len(texts) / len(chosen), figures)
    figures.write(given.json)


if __name__ == "__main__":
    main()
