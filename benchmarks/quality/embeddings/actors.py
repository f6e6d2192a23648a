"""Tables 1 to 5 and Figure 4 of paper 004 on the summaries of `actors50`.

    python benchmarks/quality/embeddings/actors.py DATA --trained FILE --index FILE [--annotations FILE]
        [--words FILE] [-o DIR]

DATA            folder with actors50 and tri_reid
--trained       vectors trained by train.py on k_actors without these documents
--words         vectors trained without phrases
--index         an index of counts that does not hold these documents (information content)
--annotations   mentions of the documents by encoders that were not trained on them; without it the shipped encoder
--output        folder for results.json and two_people.json, else beside this file

The experiments are in `papers`; `python -m papers.all --only 004` makes a report of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from papers.actors import annotate, annotators, load_actors
from papers.tables004 import tables
from papers.two_people import table4
from tacenda import knowledge
from tacenda.knowledge.vectors import Vectors

HERE = Path(__file__).parent


def main() -> None:
    """Compute and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--trained", type=Path, required=True)
    parser.add_argument("--words", type=Path)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--annotations", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=HERE)
    options = parser.parse_args()
    actors, parts = load_actors(options.data), annotators(options.annotations)
    trained, index = Vectors(options.trained), knowledge.open_index(str(options.index))
    held = {a.id: annotate(a.document(), parts) for a in actors}
    results = {
        "documents": len(actors),
        "encoder": "models that had not seen the documents" if options.annotations else "the shipped one",
        "trained": {k: trained.meta[k] for k in ("documents", "settings")} | {"terms": len(trained)},
        **tables(actors, held, index, trained, Vectors(options.words) if options.words else None),
    }
    (options.output / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    pairs = table4(actors, parts, trained, index)
    (options.output / "two_people.json").write_text(json.dumps(pairs, indent=1) + "\n")


if __name__ == "__main__":
    main()
