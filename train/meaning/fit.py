"""Train the network that reads sentences, and write its weights.

    python -m train.meaning.fit features.npz -o model.npz

The torch module mirrors `tacenda.risk.meaning.network`, which runs without torch.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

SIZE, LEARNED, STATE, CUES = 96, 32, 384, 5


class Net(nn.Module):
    """u = gelu(W h + F f + C e), v = gelu(V u + b), attention and maximum over the pieces, logit."""

    def __init__(self, categories: int) -> None:
        super().__init__()
        self.state = nn.Linear(STATE, SIZE, bias=False)
        self.cue = nn.Linear(CUES, SIZE, bias=False)
        self.describe = nn.Linear(STATE, LEARNED, bias=False)
        self.learned = nn.Embedding(categories, LEARNED)
        self.category = nn.Linear(LEARNED, SIZE, bias=False)
        self.mix = nn.Linear(SIZE, SIZE)
        self.ask = nn.Linear(SIZE, 1, bias=False)
        self.ask_cue = nn.Linear(CUES, 1, bias=False)
        self.out = nn.Linear(2 * SIZE, 1)
        self.out_cue = nn.Linear(2 * CUES, 1, bias=False)
        nn.init.normal_(self.learned.weight, std=0.02)
        self.drop = nn.Dropout(0.3)

    def forward(self, states, cues, mask, describing, number, known):  # type: ignore[no-untyped-def]
        """states (B,T,384), cues (B,K,T,5), mask (B,T), describing (B,K,384), number and known (B,K)."""
        e = self.describe(describing) + self.learned(number) * known[..., None]
        u = nn.functional.gelu(
            self.state(self.drop(states))[:, None] + self.cue(cues) + self.category(e)[:, :, None], approximate="tanh"
        )
        v = nn.functional.gelu(self.mix(u), approximate="tanh")
        score = (self.ask(v) + self.ask_cue(cues)).squeeze(-1).masked_fill(~mask[:, None], -1e4)
        pooled = (score.softmax(-1)[..., None] * v).sum(2)
        top = v.masked_fill(~mask[:, None, :, None], -1e4).amax(2)
        mean = (cues * mask[:, None, :, None]).sum(2) / mask.sum(1)[:, None, None]
        joined = self.drop(torch.cat((pooled, top), -1))
        return (self.out(joined) + self.out_cue(torch.cat((cues.amax(2), mean), -1))).squeeze(-1)


@dataclass(frozen=True)
class Item:
    """A sentence as the network sees it, and what is known of it: category number -> 0 or 1."""

    states: np.ndarray
    cues: np.ndarray
    labels: dict[int, int]
    own: int = -1
    weight: float = 1.0


def batch(items: Sequence[Item], asked: Sequence[Sequence[int]], mean: torch.Tensor) -> tuple[Any, ...]:
    """Pad sentences; each is asked about the same number of categories."""
    longest = max(len(item.states) for item in items)
    states = torch.zeros(len(items), longest, STATE)
    cues = torch.zeros(len(items), len(asked[0]), longest, CUES)
    mask = torch.zeros(len(items), longest, dtype=torch.bool)
    for n, (item, chosen) in enumerate(zip(items, asked, strict=True)):
        size = len(item.states)
        states[n, :size] = torch.from_numpy(item.states).float() - mean
        cues[n, :, :size] = torch.from_numpy(item.cues[list(chosen)]).float()
        mask[n, :size] = True
    return states, cues, mask, torch.tensor(asked)


def pairs(item: Item, chance: random.Random, shipped: int, most: int) -> list[int]:
    """The categories that a sentence is asked about in one epoch: its own, and others."""
    rest = [c for c in item.labels if c != item.own]
    # Other categories whose cues the sentence has are what it is most easily taken for.
    cued = [c for c in rest if item.cues[c][:, :2].any()]
    near = [c for c in rest if c < shipped]
    chosen = ([item.own] if item.own in item.labels else []) + chance.sample(cued, min(2, len(cued)))
    chosen += chance.sample(near, min(3, len(near))) + chance.sample(rest, min(most, len(rest)))
    return list(dict.fromkeys(chosen))[:most]


def started(net: Net, known: Mapping[str, np.ndarray], rows: Sequence[int]) -> None:
    """Go on from weights written before; `rows` says which old row each category has, -1 where it has none."""
    names = {name.replace(".weight", "").replace("mix.bias", "mix_bias"): name for name in net.state_dict()}
    names["bias"] = names.pop("out.bias")
    state = net.state_dict()
    for name, target in names.items():
        if name != "learned":
            state[target] = torch.from_numpy(known[name]).reshape(state[target].shape)
    for new, old in enumerate(rows):
        if old >= 0:
            state["learned.weight"][new] = torch.from_numpy(known["learned"][old])
    net.load_state_dict(state)


def train(
    items: Sequence[Item], describing: np.ndarray, mean: np.ndarray, *, shipped: int, seed: int, epochs: int = 20,
    start: tuple[Mapping[str, np.ndarray], Sequence[int]] | None = None,
) -> Net:  # fmt: skip
    """Fit a network, or go on with one; `shipped` categories come first and have a vector of their own."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    net = Net(len(describing))
    if start is not None:
        started(net, *start)
    centre = torch.from_numpy(mean.astype(np.float32))
    table = torch.from_numpy(describing.astype(np.float32)) - centre
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
    size, most = 64, 5
    steps = epochs * (len(items) // size + 1)
    peak = 3e-3 if start is None else 1.5e-3
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, peak, total_steps=steps + 1, pct_start=0.1)
    for epoch in range(epochs):
        print("epoch", epoch, flush=True)
        order = sorted(items, key=lambda item: len(item.states) + chance.random() * 3)
        blocks = [order[at : at + size] for at in range(0, len(order), size)]
        chance.shuffle(blocks)
        for block in blocks:
            asked = [pairs(item, chance, shipped, most) for item in block]
            least = min(map(len, asked))
            asked = [chosen[:least] for chosen in asked]
            states, cues, mask, number = batch(block, asked, centre)
            known = ((number < shipped) & (torch.rand(number.shape) < 0.6)).float()
            cues *= (torch.rand(*cues.shape[:3], 1) > 0.15).float()  # a lexicon never holds everything
            logits = net(states, cues, mask, table[number], number, known)
            target = torch.tensor([[float(i.labels[c]) for c in a] for i, a in zip(block, asked, strict=True)])
            own = torch.tensor(
                [[i.weight * (1.0 if c == i.own else 0.4) for c in a] for i, a in zip(block, asked, strict=True)]
            )
            loss = nn.functional.binary_cross_entropy_with_logits(logits, 0.96 * target + 0.02, reduction="none")
            optimizer.zero_grad()
            (loss * own).mean().backward()
            optimizer.step()
            schedule.step()
    return net.eval()


def scores(
    net: Net, items: Sequence[Item], categories: Sequence[int], describing: np.ndarray, mean: np.ndarray, shipped: int
) -> np.ndarray:
    """Logits of sentences for some categories: (sentences, categories)."""
    centre = torch.from_numpy(mean.astype(np.float32))
    table = torch.from_numpy(describing.astype(np.float32)) - centre
    found = []
    with torch.no_grad():
        for at in range(0, len(items), 64):
            block = items[at : at + 64]
            states, cues, mask, number = batch(block, [list(categories)] * len(block), centre)
            found.append(net(states, cues, mask, table[number], number, (number < shipped).float()).numpy())
    return np.concatenate(found)


def weights(net: Net, mean: np.ndarray) -> dict[str, np.ndarray]:
    """The network's weights under the names that the product reads."""
    state = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    return {
        "mean": mean,
        "state": state["state.weight"],
        "cue": state["cue.weight"],
        "describe": state["describe.weight"],
        "learned": state["learned.weight"],
        "category": state["category.weight"],
        "mix": state["mix.weight"],
        "mix_bias": state["mix.bias"],
        "ask": state["ask.weight"][0],
        "ask_cue": state["ask_cue.weight"][0],
        "out": state["out.weight"][0],
        "out_cue": state["out_cue.weight"][0],
        "bias": state["out.bias"],
    }
