# ruff: noqa: E501
"""Train one network from packed arrays, or distil several into a shallower one; predict held-out documents.

    python -m train.fit --packed DIR --base base.npz --config train/config.toml --layers 3 --fold 0 --out NAME

Fold -1 trains on everything. A tagger trained on the treebanks alone (`--only ewt gum`) gives tags, phrases and sentences
to all other text (`--tagger`): without it these heads drift on kinds of text they have no labels for. With `--teachers A B`,
the mean of their probabilities on all text, plain text included, is learned beside the gold labels.
Writes NAME.log, NAME.npz (probabilities of the held-out fold and of the sets that are never trained on) and
NAME.words.npz with NAME.layers.npz (for `train.export`) or, with `--soft`, NAME.soft.npy (probabilities of all training text, which
`--tagger` and `--teachers` read).
"""

from __future__ import annotations

import argparse
import json
import time
import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional

from train.heads import Disclosures, Nouns, Reading, Senses, described, groups, reading_figures, reading_loss, width
from train.model import BASES, TASKS, Network

CLS, SEP, IGNORE = 101, 102, 255
FIELDS = ("ids", "shape", "first", "upos", "phrase", "sentence", "entity", "role")
EARLY = 40  # steps before the speed is measured, and while it is
GRAMMAR = ("upos", "phrase", "sentence")
OFFSETS = dict(zip(TASKS, np.cumsum([0, *TASKS.values()])[:-1].tolist(), strict=True))


class Data:
    """Flat arrays on the device and the windows in them."""

    def __init__(self, path: Path, device: str) -> None:
        with np.load(path) as arrays:
            self.rows = arrays["rows"]
            self.flat = {name: torch.from_numpy(_wide(arrays[name])).to(device) for name in FIELDS}
        self.starts = np.concatenate(([0], np.cumsum(self.rows[:, 0], dtype=np.int64)))[:-1]
        self.device = device

    def batch(self, windows: np.ndarray) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor]:
        """Pad some windows to one length, with the two special pieces; also return where each piece comes from."""
        longest = width(int(self.rows[windows, 0].max()) + 2) - 2
        place = torch.arange(longest, device=self.device)
        where = torch.from_numpy(np.stack((self.starts[windows], self.rows[windows, 0]))).to(self.device)
        start, length = where[0][:, None], where[1][:, None]
        inside = place[None] < length
        index = torch.where(inside, start + place[None], 0)
        pad = torch.nn.functional.pad
        out = {}
        for name, flat in self.flat.items():
            values = flat[index]
            if name == "shape":
                out[name] = pad(values * inside[..., None], (0, 0, 1, 1))
            else:
                empty = IGNORE if name in {"upos", "phrase", "sentence", "role"} else 0
                out[name] = pad(torch.where(inside, values, empty), (1, 1), value=empty)
        out["ids"][:, 0] = CLS
        out["ids"].scatter_(1, length + 1, SEP)
        mask = torch.arange(longest + 2, device=self.device)[None] < length + 2
        return out, mask, pad(torch.where(inside, index, -1), (1, 1), value=-1)


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.int64)


def batches(rows: np.ndarray, windows: np.ndarray, pieces: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Windows in batches of one width, in random order."""
    return groups(rows[:, 0] + 2, windows, pieces, rng)


def losses(scores: torch.Tensor, labels: dict[str, torch.Tensor], weights: dict[str, float]) -> torch.Tensor:
    """Sum of the tasks' mean losses; the entity loss is -log of the probability of the allowed labels together."""
    total = scores.new_zeros((), dtype=torch.float32)
    for task, size in TASKS.items():
        part = scores[..., OFFSETS[task] : OFFSETS[task] + size].float().flatten(0, 1)
        label = labels[task].flatten()
        if task == "entity":
            bits = (label[:, None] >> torch.arange(size, device=part.device)) & 1
            known = label > 0
            each = -(part.log_softmax(-1).masked_fill(bits == 0, -1e4).logsumexp(-1)) * known
        else:
            known = label != IGNORE
            each = functional.cross_entropy(part, label, ignore_index=IGNORE, reduction="none")
        total = total + weights[task] * each.sum() / known.sum().clamp(min=1)
    return total


def imitation(
    scores: torch.Tensor,
    target: torch.Tensor,
    words: torch.Tensor,
    weights: dict[str, float],
    tasks: tuple[str, ...],
) -> torch.Tensor:
    """Cross-entropy with the teachers' mean probabilities on some words."""
    total = scores.new_zeros((), dtype=torch.float32)
    for task in tasks:
        size = TASKS[task]
        part = slice(OFFSETS[task], OFFSETS[task] + size)
        log = scores[..., part].float().log_softmax(-1)
        each = (target[..., part].float() * log).sum(-1) * words
        total = total - weights[task] * each.sum() / words.sum().clamp(min=1)
    return total


def probabilities(network: Network, data: Data, windows: np.ndarray, pieces: int = 32768) -> torch.Tensor:
    """Probabilities of all tasks for every piece of some windows, flat (zeros elsewhere)."""
    out = torch.zeros(len(data.flat["ids"]), sum(TASKS.values()), dtype=torch.float16, device=data.device)
    network.eval()
    with torch.no_grad(), torch.autocast(data.device, torch.bfloat16):
        for group in batches(data.rows, windows, pieces, np.random.default_rng(0)):
            labels, mask, index = data.batch(group)
            scores, _ = network(labels["ids"], labels["shape"], mask)
            parts = [scores[..., OFFSETS[t] : OFFSETS[t] + n].float().softmax(-1) for t, n in TASKS.items()]
            known = index >= 0
            out[index[known]] = torch.cat(parts, -1)[known].half()
    network.train()
    return out


class Phrases:
    """Teaches the vector of a phrase in context to be the base model's vector of the phrase alone."""

    def __init__(self, base: dict[str, torch.Tensor], device: str, count: int) -> None:
        self.network = Network(6, 0.0).to(device)
        self.network.load_base(base)
        self.network.eval().requires_grad_(False)
        for table in self.network.shapes:
            table.weight.zero_()
        self.count = count

    def loss(
        self, network: Network, hidden: torch.Tensor, labels: dict[str, torch.Tensor], mask: torch.Tensor
    ) -> torch.Tensor:
        """One minus the cosine, over random spans of one to four words."""
        first = labels["first"]
        chance = torch.rand(first.shape, device=first.device) * (first == 1)
        flat = chance.flatten().topk(self.count).indices
        pick = torch.stack((flat // first.shape[1], flat % first.shape[1]), 1)
        order = first.cumsum(1)
        word = order[pick[:, 0], pick[:, 1]]
        words = torch.randint(1, 5, (self.count,), device=first.device)
        row = order[pick[:, 0]]
        length = mask.sum(1)[pick[:, 0]] - 1
        place = torch.arange(first.shape[1], device=first.device)[None]
        span = (row >= word[:, None]) & (row < (word + words)[:, None]) & (place < length[:, None]) & (place > 0)
        span &= span.cumsum(1) <= 14
        size = span.sum(1)
        mean = (hidden[pick[:, 0]].float() * span[..., None]).sum(1) / size[:, None].clamp(min=1)
        vector = network.vector(mean)
        with torch.no_grad():
            longest = 14
            begin = pick[:, 1][:, None] + torch.arange(longest, device=first.device)[None]
            inside = torch.arange(longest, device=first.device)[None] < size[:, None]
            ids = labels["ids"][pick[:, 0][:, None], begin.clamp(max=first.shape[1] - 1)] * inside
            ids = functional.pad(ids, (1, 1))
            ids[:, 0] = CLS
            ids.scatter_(1, size[:, None] + 1, SEP)
            seen = torch.arange(longest + 2, device=first.device)[None] < (size + 2)[:, None]
            _, states = self.network(ids, ids.new_zeros(*ids.shape, 5), seen)
            target = (states.float() * seen[..., None]).sum(1) / seen.sum(1, keepdim=True)
        return 1 - functional.cosine_similarity(vector, target, dim=-1).mean()


def load_base(paths: list[Path]) -> dict[str, torch.Tensor]:
    """Read pre-trained weights; large tables are stored as 8-bit rows with a scale."""
    weights: dict[str, torch.Tensor] = {}
    for path in paths:
        with np.load(path) as file:
            for name in (n for n in file.files if not n.endswith(".scale")):
                scale = file[name + ".scale"][:, None] if name + ".scale" in file.files else 1.0
                weights[name] = torch.from_numpy(file[name].astype(np.float32) * scale)
    return weights


def load_soft(path: str, device: str) -> torch.Tensor:
    """Read the probabilities that a tagger or teacher gives to all training text."""
    return torch.from_numpy(np.load(path)).to(device)


def train(args: argparse.Namespace, config: dict) -> None:
    """Run one training and write weights, log and predictions."""
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rng = np.random.default_rng(args.seed)
    data = Data(args.packed / "train.npz", device)
    base = load_base(args.base)
    network = Network(args.layers, config["dropout"], args.kind).to(device)
    network.load_base(base)
    sources = json.loads((args.packed / "sources.json").read_text())
    windows = np.flatnonzero((data.rows[:, 2] != args.fold) | (data.rows[:, 2] < 0))
    names = np.asarray(sources)[data.rows[windows, 1]]
    if args.only:
        windows = windows[np.isin(names, args.only)]
    elif not args.teachers:
        windows = windows[~np.char.startswith(names, "plain")]
    soft = [load_soft(path, device) for path in args.teachers]
    target = sum(soft[1:], soft[0]) / len(soft) if soft else None
    grammar = load_soft(args.tagger, device) if args.tagger else None
    phrases = Phrases(base, device, config["phrases"]) if args.vectors else None
    more = Further(args, config, network, base, device) if args.senses and args.meaning else None
    decay = [p for n, p in network.named_parameters() if p.ndim > 1]
    plain = [p for n, p in network.named_parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    rate = config["rate"][args.kind]
    if more is not None:
        groups.append({"params": list(more.parameters()), "weight_decay": 0.01, "lr": 3 * rate})
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=device == "cuda")
    pieces = args.pieces or config["pieces"]
    plan = [group for _ in range(args.epochs) for group in batches(data.rows, windows, pieces, rng)]
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: pace(n, len(plan), config["warmup"]))
    log = Path(f"{args.out}.log").open("w", encoding="utf-8")  # noqa: SIM115 (open until the process ends)
    begun, early = time.time(), 0.0
    for step, group in enumerate(plan):
        if step == EARLY:
            early = time.time()
        if step == 2 * EARLY and args.seconds:  # shorten the plan to what the time allows, at the speed of these steps
            each = (time.time() - early) / EARLY
            del plan[max(step + 1, step + int((args.seconds - time.time() + begun) / each)) :]
        labels, mask, index = data.batch(group)
        with torch.autocast(device, torch.bfloat16):
            scores, hidden = network(labels["ids"], labels["shape"], mask)
        loss = losses(scores, labels, config["weights"])
        words = (labels["first"] == 1) & (index >= 0)
        at = index.clamp(min=0)
        if grammar is not None:
            untagged = words & (labels["phrase"] == IGNORE)
            loss = loss + imitation(scores, grammar[at], untagged, config["weights"], GRAMMAR)
        if target is not None:
            loss = loss + config["imitate"] * imitation(scores, target[at], words, config["weights"], tuple(TASKS))
        if phrases is not None:
            with torch.autocast(device, torch.bfloat16):
                loss = loss + config["vectors"] * phrases.loss(network, hidden, labels, mask)
        if more is not None and step % config["further"]["every"] == 0:
            loss = loss + config["further"]["every"] * more.loss(network)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step == len(plan) - 1:
            value = float(loss.detach())
            print(
                json.dumps(
                    {"step": step, "of": len(plan), "loss": round(value, 4), "seconds": round(time.time() - begun, 1)}
                ),
                file=log,
                flush=True,
            )
    if more is not None:
        more.save(network, args.out, log)
    if not args.soft:
        save(network, args.out)
    else:
        held_in = np.flatnonzero((data.rows[:, 2] != args.fold) | (data.rows[:, 2] < 0))
        np.save(f"{args.out}.soft.npy", probabilities(network, data, held_in).cpu().numpy())
    predict(args, network, sources, device, log)


def pace(step: int, steps: int, warmup: float) -> float:
    """The learning rate's part of its peak: up, then down to almost nothing."""
    warm = warmup * steps
    return min(step / warm, max(0.02, (steps - step) / (steps - warm)))


class Further(torch.nn.Module):
    """Senses of nouns and what a sentence discloses, learned in the same steps from texts of their own."""

    def __init__(
        self, args: argparse.Namespace, config: dict, network: Network, base: dict[str, torch.Tensor], device: str
    ) -> None:
        super().__init__()
        whole = Network(6, 0.0).to(device)
        whole.load_base(base)
        whole.eval().requires_grad_(False)
        for table in whole.shapes:
            table.weight.zero_()
        self.nouns = Nouns(args.senses, device, whole)
        self.told = Disclosures(args.meaning, device, held_out=args.fold == 0)
        self.senses = Senses(self.nouns, network.base.width, 64).to(device)
        self.reading = Reading(network.base.width).to(device)
        self.soft_senses = load_soft(args.senses_teacher, device) if args.senses_teacher else None
        self.soft_meaning = load_soft(args.meaning_teacher, device) if args.meaning_teacher else None
        self.weights = config["further"]
        draw = np.random.default_rng(args.seed)
        self.windows = self.nouns.batches(self.weights["windows"], draw)
        self.pairs = self.told.batches(self.told.train, self.weights["pieces"], draw)
        self.device = device

    def loss(self, network: Network) -> torch.Tensor:
        """One batch of nouns; one of sentences, with their descriptions in front of them or apart."""
        w = self.weights
        loss = w["senses"] * self.senses.loss(network, self.nouns, next(self.windows), self.soft_senses)
        group = next(self.pairs)
        pairs = torch.from_numpy(group).to(self.device)
        told = described(self.told, pairs)
        for way, weight in ((self.reading.together, w["together"]), (self.reading.alone, w["alone"])):
            with torch.autocast(self.device, torch.bfloat16):
                logits = way(network, self.told, group, told)
            loss = loss + weight * reading_loss(logits, self.told, pairs, self.soft_meaning)
        return loss

    def save(self, network: Network, name: str, log) -> None:
        """Write what the product needs of senses, and print figures."""
        figures = {**reading_figures(network, self.reading, self.told), **self.senses.figures(network, self.nouns)}
        print(json.dumps(figures), file=log, flush=True)
        print(name, json.dumps(figures), flush=True)
        head = {f"reading.{k}": v.float().cpu().numpy() for k, v in self.reading.state_dict().items()}
        np.savez_compressed(f"{name}.senses.npz", **self.senses.table(self.nouns), **head)


def save(network: Network, name: str) -> None:
    """Write what `train.export` reads: the word table as 8-bit rows with a scale, the rest as 16-bit floats."""
    state = {k: v.float().cpu().numpy() for k, v in network.state_dict().items()}
    table = state.pop("words.weight")
    scale = np.maximum(np.abs(table).max(1), 1e-8) / 127
    words = {"words.weight": np.round(table / scale[:, None]).astype(np.int8), "words.scale": scale.astype(np.float32)}
    np.savez_compressed(f"{name}.words.npz", **words)
    np.savez_compressed(f"{name}.layers.npz", **{k: v.astype(np.float16) for k, v in state.items()})


def predict(args: argparse.Namespace, network: Network, sources: list[str], device: str, log) -> None:
    """Write probabilities of held-out windows, and print quick figures."""
    gold = Data(args.packed / "gold.npz", device)
    free = np.asarray([sources[s].endswith("_dev") or sources[s] == "bios" for s in gold.rows[:, 1]])
    windows = np.flatnonzero(free | (gold.rows[:, 2] == args.fold))
    flat = probabilities(network, gold, windows)
    upos = gold.flat["upos"]
    known = (upos != IGNORE) & (flat.sum(-1) > 0)
    figures = {
        "upos": float((flat[known][:, :17].argmax(-1) == upos[known]).float().mean()),
        "phrase_words": float((flat[known][:, 17:20].argmax(-1) == gold.flat["phrase"][known]).float().mean()),
    }
    role = gold.flat["role"]
    for number, source in enumerate(sources):
        rows = np.flatnonzero((gold.rows[:, 1] == number) & (gold.rows[:, 2] == args.fold))
        if (
            (source in {"tab", "actors", "asq", "presidio"} or source.startswith("syn_"))
            and len(rows)
            and args.fold >= 0
        ):
            index = np.concatenate([np.arange(gold.starts[r], gold.starts[r] + gold.rows[r, 0]) for r in rows])
            place = torch.from_numpy(index).to(device)
            place = place[role[place] != IGNORE]
            guess, truth = flat[place][:, 39:42].argmax(-1) > 0, role[place] > 0
            hit = float((guess & truth).sum())
            figures[source] = [round(hit / max(1, int(guess.sum())), 4), round(hit / max(1, int(truth.sum())), 4)]
    print(json.dumps(figures), file=log, flush=True)
    print(args.out, json.dumps(figures), flush=True)
    used = (flat.sum(-1) > 0).cpu().numpy()
    np.savez_compressed(
        f"{args.out}.npz",
        used=np.packbits(used),
        probabilities=(flat[torch.from_numpy(used).to(device)] * 255).round().byte().cpu().numpy(),
    )


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packed", type=Path, required=True)
    parser.add_argument("--kind", choices=BASES, default="minilm")
    parser.add_argument("--base", type=Path, nargs="+", required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--fold", type=int, default=-1)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=0, help="shorten the plan so that it ends in this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pieces", type=int, default=0, help="word pieces in a batch, if not as configured")
    parser.add_argument("--teachers", nargs="*", default=[], help="NAME.soft.npy of teachers")
    parser.add_argument("--tagger", default="", help="NAME.soft.npy of the tagger, for text without gold tags")
    parser.add_argument("--soft", action="store_true", help="write the probabilities of all training text")
    parser.add_argument("--only", nargs="*", default=[], help="train on these sets alone")
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--senses", type=Path, help="nouns in context (train.senses.pack), learned in the same steps")
    parser.add_argument("--senses-teacher", default="")
    parser.add_argument("--meaning", type=Path, help="sentences and descriptions (train.meaning.pack), likewise")
    parser.add_argument("--meaning-teacher", default="")
    args = parser.parse_args()
    train(args, tomllib.loads(args.config.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
