"""Train the larger network on one thing: senses of nouns, or what a sentence discloses; write what it says of all text.

    python -m train.teach senses --data senses.npz --base mpnet0.npz mpnet1.npz --small base.npz --out NAME
    python -m train.teach meaning --data meaning.npz --base mpnet0.npz mpnet1.npz [--held-out] --out NAME

Writes NAME.soft.npy, which `train.fit` reads.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from train.fit import load_base
from train.heads import (
    Disclosures,
    Nouns,
    Reading,
    Senses,
    described,
    groups,
    read_all,
    reading_figures,
    reading_loss,
)
from train.model import Network


def schedule(parts: list[tuple[torch.nn.Module, float]], rate: float, steps: int) -> tuple:
    """AdamW with a short rise and a fall to nothing; the head learns faster than the network."""
    groups = [{"params": [p for p in part.parameters() if p.requires_grad], "lr": rate * k} for part, k in parts]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=torch.cuda.is_available())
    shape = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min(n / (0.08 * steps + 1), max(0.01, 1 - n / steps))
    )
    return optimizer, shape


def step(loss: torch.Tensor, network: Network, optimizer, shape) -> None:
    """One step of descent."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    shape.step()


def teach_meaning(args: argparse.Namespace, network: Network, device: str) -> None:
    """Pairs of sentence and description, read together."""
    data = Disclosures(args.data, device, held_out=args.held_out)
    head = Reading(network.base.width).to(device)
    rng = np.random.default_rng(1)
    plan = [g for _ in range(args.epochs) for g in groups(data.size, data.labeled, args.pieces, rng)]
    optimizer, shape = schedule([(network, 1.0), (head, 10.0)], args.rate, len(plan))
    for group in plan:
        at = torch.from_numpy(group).to(device)
        with torch.autocast(device, torch.bfloat16):
            logits = head.together(network, data, group, described(data, at))
        step(reading_loss(logits, data, at, None), network, optimizer, shape)
    print(args.out, json.dumps(reading_figures(network, head, data)), flush=True)
    logits = read_all(network, head, data, np.flatnonzero(data.table[:, 3] < 2), alone=False)
    np.save(f"{args.out}.soft.npy", (1 / (1 + np.exp(-logits))).astype(np.float16))


def teach_senses(args: argparse.Namespace, network: Network, device: str) -> None:
    """Nouns in context."""
    small = Network(6, 0.0).to(device)
    small.load_base(load_base([args.small]))
    small.eval()
    data = Nouns(args.data, device, small)
    head = Senses(data, network.base.width, 128).to(device)
    rng = np.random.default_rng(1)
    size = 160
    steps = args.epochs * (len(data.train) // size)
    optimizer, shape = schedule([(network, 1.0), (head, 15.0)], args.rate, steps)
    for n, windows in zip(range(steps), data.batches(size, rng), strict=False):
        loss = head.loss(network, data, windows)
        step(loss, network, optimizer, shape)
        if n % 200 == 0:
            print(args.out, n, steps, round(float(loss.detach()), 3), flush=True)
    print(args.out, json.dumps(head.figures(network, data)), flush=True)
    np.save(f"{args.out}.soft.npy", head.soft(network, data))


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("senses", "meaning"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, nargs="+", required=True)
    parser.add_argument("--small", type=Path, help="the base of the student, for vectors of glosses")
    parser.add_argument("--kind", default="mpnet")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--pieces", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--held-out", action="store_true", help="leave out what is kept for measuring")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    begun = time.time()
    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Network(args.layers, 0.1, args.kind).to(device)
    network.load_base(load_base(args.base))
    for table in network.shapes:
        torch.nn.init.zeros_(table.weight)
    {"senses": teach_senses, "meaning": teach_meaning}[args.what](args, network, device)
    print(args.out, "seconds", round(time.time() - begun), flush=True)


if __name__ == "__main__":
    main()
