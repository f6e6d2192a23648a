"""Train the reader of sentences and write what the product loads.

    python -m train.meaning DATA OUT --tune FILE [--seeds 4] [--epochs 12] [--without NAME,NAME] [--start FOLDER]

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

from tacenda.risk.meaning.network import compress, load
from train.meaning.calibrate import calibrate
from train.meaning.features import Maker, items
from train.meaning.fit import Item, train, weights

UNSCALED = {"0/scale_known": np.array([1.0, 0.0]), "0/scale_described": np.array([1.0, 0.0])}


def earlier(folder: Path | None, seed: int, names: Sequence[str]) -> Any:
    """Weights in a folder, and the row of each category in them."""
    if folder is None:
        return None
    weights = load(folder / "network.npz")
    rows = (folder / "trained.txt").read_text("utf-8").splitlines()
    own = {key.split("/", 1)[1]: value for key, value in weights.items() if key.startswith(f"{seed}/")}
    return own, [rows.index(name) if name in rows else -1 for name in names]


def write(
    out: Path, maker: Maker, made: Sequence[Item], left_out: frozenset[str], given: Any, start: Path | None
) -> None:
    """Train on what is not left out, calibrate, write; after every network, so that nothing is lost."""
    kept = [item for item in made if item.own < 0 or maker.names[item.own] not in left_out]
    known = earlier(start, 0, maker.names)
    mean = known[0]["mean"].reshape(-1) if known else np.mean([i.states.mean(0, np.float32) for i in kept], axis=0)
    described = maker.described()
    rows = [json.loads(line) for line in given.tune.read_text("utf-8").splitlines()]
    out.mkdir(parents=True, exist_ok=True)
    trained = ["-" if name in left_out else name for name in maker.names]
    (out / "trained.txt").write_text("\n".join(trained) + "\n", "utf-8")
    arrays: dict[str, Any] = {}
    for seed in range(given.seeds):
        before = earlier(start, seed, maker.names)
        net = train(kept, described, mean, shipped=len(maker.names), seed=seed, epochs=given.epochs, start=before)
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
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--without", default="")
    parser.add_argument("--start", type=Path, help="go on from the weights in this folder")
    parser.add_argument("--start-without", type=Path, help="the same for the weights that lack some categories")
    given = parser.parse_args()
    torch.set_num_threads(1)
    maker, made = items(given.data)
    print(len(made), "items", flush=True)
    write(given.out, maker, made, frozenset(), given, given.start)
    if given.without:
        write(given.out / "without", maker, made, frozenset(given.without.split(",")), given, given.start_without)


if __name__ == "__main__":
    main()
