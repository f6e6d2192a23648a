"""Speed of vectors: phrases and training on a collection, and phrases looked up in the static table.

    python benchmarks/speed/vectors.py --data DIR               # DIR/k_actors: the paper's collection
    python benchmarks/speed/vectors.py --data DIR --sample 2000 # part of it, scaled up

The paper trained on 19,000 abstracts in 177 s on four cores, phrases not counted (AMD Athlon X4 860K). Printed are the
processor seconds of each stage and what they are on two cores, so that other work on the machine does not count.
The peer in the same run is the plain loop over words with gensim's own defaults (window 5, 100 dimensions).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import tempfile
import time
from itertools import pairwise
from pathlib import Path

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


def collection(texts: list[str], scale: float) -> None:
    """Time phrases and training."""
    start, wall = spent(), time.perf_counter()
    sequences = term_sequences(texts, processes=CORES)
    phrases, phrases_wall = spent() - start, time.perf_counter() - wall
    start, wall = spent(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        table = train(sequences, Path(folder) / "x.tvec", settings=Settings(workers=CORES))
        training, training_wall = spent() - start, time.perf_counter() - wall
        print(f"{len(texts)} documents, {sum(map(len, sequences))} terms, {len(table)} distinct")
        start = spent()
        words = [terms_of(text) for text in texts]
        train(words, Path(folder) / "y.tvec", settings=Settings(dimensions=100, window=5, workers=CORES))
        peer = spent() - start
    whole = (phrases + training) * scale / CORES
    print(f"phrases  {phrases * scale:7.0f} processor seconds ({phrases_wall:.0f} s on the clock)")
    print(f"training {training * scale:7.0f} processor seconds ({training_wall:.0f} s on the clock)")
    print(f"both on {CORES} cores {whole:.0f} s; the paper's training alone {PAPER:.0f} s: ratio {whole / PAPER:.2f}")
    print(f"finding phrases takes {phrases / (phrases + training):.0%} of it")
    print(f"peer: single words, 100 dimensions, window 5: {peer * scale / CORES:.0f} s on {CORES} cores")


def table() -> None:
    """Time opening and looking up phrases that were not asked before."""
    start = time.perf_counter()
    vectors = open_vectors()
    vectors.vectors(["warm"])
    print(f"static table: opened in {(time.perf_counter() - start) * 1000:.1f} ms")
    keys = [vectors.key(row) for row in range(0, len(vectors), 4)]
    phrases = [f"{a} {b}" for a, b in pairwise(keys)]
    start = time.process_time()
    vectors.vectors(phrases)
    print(f"static table: {len(phrases) / (time.process_time() - start):,.0f} phrases of two words a second")


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args()
    table()
    if options.data is None:
        return
    with gzip.open(options.data / "k_actors" / "actor_abstracts.jsonl.gz", "rt", encoding="utf-8") as source:
        texts = [json.loads(line)["text"] for line in source]
    chosen = texts[:: max(1, len(texts) // options.sample)] if options.sample else texts
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    collection(chosen, len(texts) / len(chosen))


if __name__ == "__main__":
    main()
