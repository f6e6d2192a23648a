"""Rank correlation of information content with Google's page counts of 2020.

    python benchmarks/quality/information/run.py DATA --index eval.tix -o benchmarks/quality/information/results.json

DATA holds actors50/google_hits.json (published with Hassan, Sanchez, Domingo-Ferrer 2021, "Automatic anonymization of
textual documents"). The index must not hold the 20 summaries the terms come from (scripts/build_index.py --exclude).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.knowledge.index import open_index

Floats = npt.NDArray[np.float64]


def ranks(values: Floats) -> Floats:
    """Ranks, equal values sharing their mean."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[where]


def spearman(first: Floats, second: Floats) -> float:
    """Spearman's rank correlation."""
    return round(float(np.corrcoef(ranks(first), ranks(second))[0, 1]), 4)


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--index", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    index = open_index(arguments.index)
    hits = json.loads((arguments.data / "actors50" / "google_hits.json").read_text())
    # -1: not asked, 0: none found. A nine-digit tail is a database number the authors sent along, no term.
    found = {name.replace("_", " "): count for name, count in hits.items() if count > 0}
    names = list(found)
    pages = -np.log2(np.array([found[name] for name in names], dtype=np.float64))
    ours = np.array([index.information(name) for name in names])
    length = np.array([len(term.content_words(name)) for name in names])
    numbered = np.array([any(len(w) >= 9 and w.isdigit() for w in term.words(name)) for name in names])
    rare = np.array([found[name] < 6 for name in names])
    conjunction = np.array([index.count(name).number or 0 for name in names])
    known = conjunction > 0
    result = {
        "index": {"digest": index.digest, "windows": index.total, "articles": index.meta["articles"]},
        "terms asked by the authors": len(hits),
        "terms with a page count": len(names),
        "spearman": spearman(ours, pages),
        "spearman without numbered names": [int((~numbered).sum()), spearman(ours[~numbered], pages[~numbered])],
        "spearman with six pages or more": [int((~rare).sum()), spearman(ours[~rare], pages[~rare])],
        "spearman by content words": {
            str(n): [int((length == n).sum()), spearman(ours[length == n], pages[length == n])] for n in range(1, 6)
        },
        "spearman of conjunction counts, where known": [
            int(known.sum()), spearman(-np.log2(conjunction[known]), pages[known])
        ],
    }  # fmt: skip
    arguments.output.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
