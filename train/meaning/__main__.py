"""Train the reader of sentences and write what the product loads.

    python -m train.meaning DATA OUT [--seeds 3] [--epochs 20] [--leave-out NAME,NAME] [--tune FILE]

OUT gets network.npz and trained.txt. FILE (JSON lines: category, discloses, text) calibrates the probabilities.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from tacenda.risk.meaning.network import compress
from train.meaning.calibrate import calibrate
from train.meaning.features import items
from train.meaning.fit import train, weights


def main() -> None:
    """Make items, train, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--leave-out", default="")
    parser.add_argument("--tune", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    left_out = frozenset(filter(None, given.leave_out.split(",")))
    maker, made = items(given.data, left_out)
    mean = np.concatenate([item.states for item in made]).astype(np.float32).mean(axis=0)
    described = maker.described()
    print(len(made), "items", flush=True)
    arrays = {"count": np.array([given.seeds])}
    shipped = len(maker.names)
    for seed in range(given.seeds):
        net = train(made, described, mean, shipped=shipped, seed=seed, epochs=given.epochs)
        arrays |= {f"{seed}/{name}": value for name, value in weights(net, mean).items()}
        print("trained", seed, flush=True)
    arrays["0/scale_known"] = arrays["0/scale_described"] = np.array([1.0, 0.0])
    given.out.mkdir(parents=True, exist_ok=True)
    trained = ["-" if name in left_out else name for name in maker.names]
    (given.out / "trained.txt").write_text("\n".join(trained) + "\n", "utf-8")
    np.savez_compressed(given.out / "network.npz", **compress(arrays))
    if given.tune:
        rows = [json.loads(line) for line in given.tune.read_text("utf-8").splitlines()]
        scales = calibrate(rows, given.out)
        np.savez_compressed(given.out / "network.npz", **compress(arrays | scales))


if __name__ == "__main__":
    main()
