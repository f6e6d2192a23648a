"""Choose the encoder's limits for masking, one per type, by what the product then masks.

    python -m train.limits --data DATA --silver silver.jsonl.gz --gold gold.npz --folds s0.npz [s1.npz ...]
        --model FOLDER --vocabulary vocabulary.txt --out limits.json

Every document is read with a model that was not trained on it. The limits are chosen three times: on one half of the
documents, on the other, and on everything. The last ones ship; what the first two give on the half they were not chosen
on is the honest figure.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from benchmarks.quality.detection import product, run
from benchmarks.quality.detection.texts import typed_texts
from tacenda.annotate.encoder import decode
from train.heldout import Folds, options

START = {
    "PERSON": 0.1,
    "LOC": 0.15,
    "ORG": 0.15,
    "DATETIME": 0.7,
    "CODE": 0.1,
    "DEM": 0.4,
    "QUANTITY": 0.3,
    "MISC": 0.25,
}
GRID = {
    "PERSON": (0.05, 0.1, 0.2, 0.3), "LOC": (0.05, 0.15, 0.3, 0.5), "ORG": (0.05, 0.1, 0.15, 0.25, 0.4, 0.6),
    "DATETIME": (0.1, 0.2, 0.4, 0.6, 0.7, 0.85), "CODE": (0.05, 0.1, 0.3), "DEM": (0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8),
    "QUANTITY": (0.1, 0.2, 0.3, 0.5, 0.7), "MISC": (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6),
}  # fmt: skip
ENTITY = 0.5
Limits = dict[str, float]


class Product:
    """What the product masks with given limits, scored on half of the documents or on all."""

    def __init__(self, data: Path, folds: Folds) -> None:
        self.data, self.folds, self.product = data, folds, product.Product()
        self.texts = typed_texts(data)
        self.patterns = cache(self.product.patterns.annotate)
        self.product.patterns = SimpleNamespace(annotate=self.patterns)  # the same for all limits

    @staticmethod
    def half(name: str) -> int:
        """0 or 1: the part of the documents that one belongs to."""
        return zlib.crc32(name.encode()) & 1

    def spans(self, limits: Limits) -> Iterator[tuple[str, int, product.Spans]]:
        """Every document's name, half and masked spans."""
        for source, doc, _, entities in self.folds.entities(ENTITY, limits):
            name = f"{source}:{doc}"
            if source in product.POLICY:
                yield name, self.half(name), self.product.spans(name, self.texts[name], entities)

    def figures(self, limits: Limits) -> dict[str, dict]:
        """Scores by part: "0", "1" and "all"."""
        found = list(self.spans(limits))
        result = {}
        for part in ("0", "1", "all"):
            masked = {name: spans for name, half, spans in found if part in (str(half), "all")}
            kept = {kind: {n for n in masked if n.startswith(kind)} for kind in ("tab:", "actors:", "asq:", "bios:")}
            result[part] = {
                "court_cases": run.court(self.data, masked, kept["tab:"]),
                "actor_summaries": run.actors(self.data, masked, kept["actors:"]),
                "clinical_queries": run.queries(self.data, masked, kept["asq:"]),
                "biographies": run.biographies(self.data, masked, kept["bios:"]),
            }
        return result


def value(figures: dict) -> float:
    """How far the goals are reached together; what goes beyond a goal counts no more."""
    court, actors = figures["court_cases"], figures["actor_summaries"]
    queries, lives = figures["clinical_queries"], figures["biographies"]
    return float(
        2 * min(court["mention_recall"], 0.93) - 3 * max(0, 0.885 - court["token_precision"])
        + 2 * min(actors["token_precision"], 0.925) + 2 * min(actors["token_recall"], 0.925)
        + 0.5 * lives["direct"] + 0.7 * min(lives["quasi"], 0.91) + 0.7 * min(lives["token_precision"], 0.82)
        + min(queries["recall"], 0.992) - 2 * max(0, queries["false_alarms"] - 0.02)
    )  # fmt: skip


def choose(scorer: Product, part: str) -> Limits:
    """Change one limit at a time while that helps, twice over all types."""
    rng = random.Random(3)
    best, reached = dict(START), value(scorer.figures(START)[part])
    for _ in range(2):
        for kind in rng.sample(sorted(GRID), len(GRID)):
            for limit in GRID[kind]:
                tried = {**best, kind: limit}
                gain = value(scorer.figures(tried)[part])
                if gain > reached + 1e-6:
                    best, reached = tried, gain
    return {kind: best[kind] for kind in decode.TYPES}


def main() -> None:
    """Write the limits chosen on each part and the figures they give."""
    args = options(__doc__).parse_args()
    scorer = Product(args.data, Folds(args))
    result = {}
    for part in ("0", "1", "all"):
        limits = choose(scorer, part)
        figures = scorer.figures(limits)
        result[f"chosen on {part}"] = {"limits": limits, **{f"measured on {p}": f for p, f in figures.items()}}
        print(part, json.dumps(limits), flush=True)
    args.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
