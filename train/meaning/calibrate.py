"""Probabilities that mean what they say: Platt's scaling on sentences of other writers than the training's."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacenda import knowledge
from tacenda.annotate.encoder import Encoder
from tacenda.model import Protected
from tacenda.risk.meaning.reader import Reader
from tacenda.risk.meaning.signs import categories
from tacenda.term import fold

# The categories that each sentence without one of its own is asked about.
HARMLESS = "none"


def logit(p: np.ndarray) -> np.ndarray:
    """Inverse of the logistic function."""
    p = np.clip(p.astype(np.float64), 1e-7, 1 - 1e-7)
    return np.log(p / (1 - p))


def scores(rows: Sequence[dict[str, Any]], folder: Path) -> list[tuple[str, bool, int, float]]:
    """For each row: category, whether it has a lexicon, label, and logit of the probability."""
    encoder, embeddings = Encoder(), knowledge.open_vectors(None)
    readers: dict[str, Reader] = {}
    own = {fold(name): c.name for c in categories() for name in (c.name, *c.entities)}
    found = []
    for row in rows:
        asked = [row["category"]] if row["category"] != HARMLESS else [c.name for c in categories()]
        for name in asked:
            if name not in readers:
                readers[name] = Reader([Protected(name)], encoder, embeddings, folder)
            p = readers[name].probabilities(row["text"])
            found.append((name, fold(name) in own, int(row["discloses"]), float(logit(p)[0])))
    return found


def platt(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slope and shift of a logistic regression on one number, by Newton's method."""
    w = np.array([1.0, 0.0])
    design = np.stack((x, np.ones_like(x)), axis=1)
    target = np.where(y == 1, (y.sum() + 1) / (y.sum() + 2), 1 / ((1 - y).sum() + 2))
    for _ in range(200):
        p = 1 / (1 + np.exp(-np.clip(design @ w, -60, 60)))
        gradient = design.T @ (p - target) + w - np.array([1.0, 0.0])  # a prior of one pseudo-observation
        hessian = (design * (p * (1 - p))[:, None]).T @ design + np.eye(2)
        w = w - 0.5 * np.linalg.solve(hessian, gradient)
    return w


def calibrate(rows: Sequence[dict[str, Any]], folder: Path) -> dict[str, np.ndarray]:
    """Scales for categories with a lexicon, and for those that are only described."""
    found = scores(rows, folder)
    result = {}
    for key, known in (("0/scale_known", True), ("0/scale_described", False)):
        x = np.array([s for _, k, _, s in found if k == known])
        y = np.array([label for _, k, label, _ in found if k == known])
        result[key] = platt(x, y)
    return result


def main() -> None:
    """Calibrate the weights in a folder anew: python -m train.meaning.calibrate FOLDER FILE."""
    folder, tune = Path(sys.argv[1]), Path(sys.argv[2])
    with np.load(folder / "network.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    plain = {"0/scale_known": np.array([1.0, 0.0]), "0/scale_described": np.array([1.0, 0.0])}
    np.savez_compressed(folder / "network.npz", **(arrays | plain))
    rows = [json.loads(line) for line in tune.read_text("utf-8").splitlines()]
    np.savez_compressed(folder / "network.npz", **(arrays | calibrate(rows, folder)))


if __name__ == "__main__":
    main()
