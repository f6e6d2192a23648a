"""Train the vectors of this benchmark on `k_actors` without the documents that are evaluated.

    python benchmarks/quality/embeddings/train.py DATA -o actors.tvec [--spans FILE] [--no-phrases]

--spans     phrases found beforehand, one JSON line a document: [id, [[start, end], ...]]; without it the encoder
            finds them now
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

from papers import actors as common
from tacenda.knowledge.vectors.term_sequences import terms_of
from tacenda.knowledge.vectors.train import Settings, train
from tacenda.studies.sequences import term_sequences


def main() -> None:
    """Find phrases and train."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--spans", type=Path)
    parser.add_argument("--no-phrases", action="store_true")
    parser.add_argument("--rate", type=float, default=Settings.rate)
    options = parser.parse_args()
    actors = common.load_actors(options.data)
    everything = list(common.lines(options.data / "k_actors" / "actor_abstracts.jsonl.gz"))
    records = common.without(everything, actors)
    print(f"{len(everything) - len(records)} of {len(everything)} abstracts left out")
    start = time.perf_counter()
    if options.no_phrases:
        sequences = [terms_of(r["text"]) for r in records]
    elif options.spans:
        spans = dict(map(json.loads, common.open_text(options.spans)))
        sequences = [terms_of(r["text"], [(s, e) for s, e in spans[r["doc_id"]]]) for r in records]
    else:
        sequences = term_sequences([r["text"] for r in records], processes=os.cpu_count() or 1)
    print(f"phrases: {time.perf_counter() - start:.0f} s, {sum(map(len, sequences))} terms")
    start = time.perf_counter()
    settings = Settings(workers=os.cpu_count() or 1, rate=options.rate)
    made = train(sequences, options.output, settings=settings)
    print(f"training: {time.perf_counter() - start:.0f} s, {len(made)} distinct terms")


if __name__ == "__main__":
    main()
