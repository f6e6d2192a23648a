"""Calibrate the static table's threshold on attributes: the six articles of paper 001 with labels of our own.

    python benchmarks/quality/embeddings/attributes.py LABELS -o attributes.json

LABELS holds one JSON file an article, with the terms that tell of the protected entity and those that do not
(papers/labels). Each article is judged at the threshold that is best on the five others.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.knowledge.vectors import open_vectors
from tacenda.risk.similarity import Similarity, best_threshold

FORMS = {
    "catholicism": ("Catholicism", "Catholic", "Roman Catholic"),
    "hiv": ("HIV", "AIDS", "human immunodeficiency virus"),
    "homosexuality": ("homosexuality", "homosexual", "gay", "lesbian"),
    "los_angeles": ("Los Angeles", "LA"),
    "new_york": ("New York", "New York City", "NYC"),
    "std": ("STD", "sexually transmitted disease", "sexually transmitted infection"),
}


def terms(held: dict[str, Any]) -> list[tuple[str, bool]]:
    """Terms of an article and whether they tell of its subject."""
    sensitive = list(dict.fromkeys(held["sensitive"]))
    others = [t for key in ("not_sensitive", "harmless", "other", "rest") for t in held.get(key, ())]
    return [(t, True) for t in sensitive] + [(t, False) for t in dict.fromkeys(others) if t not in sensitive]


def main() -> None:
    """Calibrate and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    model = Similarity(embeddings=open_vectors())
    scored = {}
    for name, forms in FORMS.items():
        labeled = terms(json.loads((options.labels / f"{name}.json").read_text("utf-8")))
        scores = model.scores([t for t, _ in labeled], forms)
        scored[name] = [(s, right) for s, (_, right) in zip(scores, labeled, strict=True)]
    rows = {}
    for name, own in scored.items():
        threshold = best_threshold([s for n, s in scored.items() if n != name])[0]
        hit = [(s >= threshold, right) for s, right in own]
        found = sum(h and r for h, r in hit)
        precision, recall = found / max(1, sum(h for h, _ in hit)), found / sum(r for _, r in hit)
        rows[name] = {
            "terms": len(own),
            "threshold": round(threshold, 3),
            "precision": round(precision, 3),
            "recall": round(recall, 3),
            "f1": round(2 * precision * recall / (precision + recall), 3) if found else 0.0,
        }
        print(name, rows[name])
    mean = {k: round(float(np.mean([r[k] for r in rows.values()])), 3) for k in ("precision", "recall", "f1")}
    everything = best_threshold(list(scored.values()))
    results = {"articles": rows, "mean": mean, "threshold on all": round(everything[0], 3)}
    print(mean, results["threshold on all"])
    options.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
