"""Train the reader of sentences and write what the product loads.

    python -m train.meaning DATA OUT --tune FILE [--seeds 2] [--epochs 10] [--without NAME,NAME]

OUT gets network.npz and trained.txt. FILE (JSON lines: category, discloses, text) calibrates the probabilities.
OUT/without gets weights that never saw the categories named, to measure what a description alone is good for.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tacenda.risk.meaning.network import compress
from train.meaning.calibrate import calibrate
from train.meaning.features import Maker, items
from train.meaning.fit import Item, train, weights

UNSCALED = {"0/scale_known": np.array([1.0, 0.0]), "0/scale_described": np.array([1.0, 0.0])}


def write(out: Path, maker: Maker, made: Sequence[Item], left_out: frozenset[str], given: Any) -> None:
    """Train on what is not left out, calibrate, write; after every network, so that nothing is lost."""
    kept = [item for item in made if item.own < 0 or maker.names[item.own] not in left_out]
    mean = np.concatenate([item.states for item in kept]).astype(np.float32).mean(axis=0)
    described = maker.described()
    rows = [json.loads(line) for line in given.tune.read_text("utf-8").splitlines()]
    out.mkdir(parents=True, exist_ok=True)
    trained = ["-" if name in left_out else name for name in maker.names]
    (out / "trained.txt").write_text("\n".join(trained) + "\n", "utf-8")
    arrays: dict[str, Any] = {}
    for seed in range(given.seeds):
        net = train(kept, described, mean, shipped=len(maker.names), seed=seed, epochs=given.epochs)
        arrays |= {f"{seed}/{name}": value for name, value in weights(net, mean).items()}
        arrays["count"] = np.array([seed + 1])
        np.savez_compressed(out / "network.npz", **compress(arrays | UNSCALED))
        scales = calibrate(rows, out)
        np.savez_compressed(out / "network.npz", **compress(arrays | scales))
        print("trained", out.name, seed, {name: value.round(2).tolist() for name, value in scales.items()}, flush=True)


def main() -> None:
    """Make items, train, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tune", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--without", default="")
    given = parser.parse_args()
    torch.set_num_threads(1)
    maker, made = items(given.data)
    print(len(made), "items", flush=True)
    write(given.out, maker, made, frozenset(), given)
    if given.without:
        write(given.out / "without", maker, made, frozenset(given.without.split(",")), given)


if __name__ == "__main__":
    main()
