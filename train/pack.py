# ruff: noqa: E501
"""Turn examples into arrays a training run can carry: pieces, shapes and labels, in windows.

    python -m train.pack --data DATA --silver silver.jsonl.gz --plain plain.jsonl.gz --vocabulary vocabulary.txt --splits benchmarks/quality/splits.json --out DIR

Labels stand on the first piece of each word; 255 (or an empty set of allowed entity labels) gives no loss.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tacenda.annotate.encoder.pieces import Pieces, split, windows
from tacenda.annotate.encoder.wordpiece import WordPiece
from train import augment, corpora
from train.example import ROLES, TYPES, UPOS, Example
from train.synthetic import Writer, documents, templates

NONE = 255
FOLDS = 4
UNTRAINED = {"actors"}  # their labels may not be redistributed (GPL-3.0): scored, never learned
HELD_OUT = {"syn_minutes", "syn_police"}  # genres that fold 0 does not learn: what transfers?
COPIES = {"tab": 9, "asq": 9, "presidio": 6, "wikigold": 7, "wnut": 1}
SHORT = {"tab": (48, 80, 120)}
SYNTHETIC = {"words": 2800, "seed": 5}  # words written from each text


def spread(labels: np.ndarray, spans: list[tuple[int, int]], values: list[int]) -> None:
    """Write a value over each span of characters."""
    for (start, end), value in zip(spans, values, strict=True):
        labels[start:end] = value


def word_labels(example: Example, pieces: Pieces) -> dict[str, np.ndarray]:
    """Labels of every piece for every task."""
    n = len(pieces)
    first = np.flatnonzero(pieces.first)
    start = pieces.start[first]
    end = pieces.end[np.concatenate((first[1:], [n])) - 1] if n else start
    out = {name: np.full(n, NONE, dtype=np.uint8) for name in ("upos", "phrase", "sentence", "role")}
    out["entity"] = np.zeros(n, dtype=np.uint32)
    if example.tags is not None:
        for (_, _, upos), piece in zip(
            example.tags, pieces.of_tokens([(a, b) for a, b, _ in example.tags]), strict=True
        ):
            if upos in UPOS and out["upos"][piece] == NONE:
                out["upos"][piece] = UPOS.index(upos)
    if example.phrases is not None:
        out["phrase"][first] = bio(example.phrases, start, end, len(example.text))
    if example.sentences is not None:
        out["sentence"][first] = 0
        for _, b in example.sentences:
            word = np.searchsorted(start, b) - 1
            if word >= 0:
                out["sentence"][first[word]] = 1
    if example.entities is not None:
        out["entity"][first] = allowed(example, start, end)
    if example.masks is not None:
        char = np.zeros(len(example.text) + 1, dtype=np.uint8)
        for a, b, role in example.masks:
            char[a:b] = NONE if role == "?" else ROLES.index(role)
        out["role"][first] = np.maximum(char[start], char[np.maximum(end - 1, start)])
    return out


def bio(spans: list[tuple[int, int]], start: np.ndarray, end: np.ndarray, size: int) -> np.ndarray:
    """0 outside, 1 first word of a span, 2 further words."""
    char = np.zeros(size + 1, dtype=np.int32)
    for n, (a, b) in enumerate(spans):
        char[a:b] = n + 1
    owner = np.where(char[start] > 0, char[start], char[np.maximum(end - 1, start)])
    before = np.concatenate(([0], owner[:-1]))
    return np.where(owner == 0, 0, np.where(owner == before, 2, 1)).astype(np.uint8)


def allowed(example: Example, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Bit sets of the entity labels (O, B-type, I-type, ...) each word may have."""
    spans = [(a, b) for a, b, _ in example.entities]
    place = bio(spans, start, end, len(example.text))
    char = np.zeros(len(example.text) + 1, dtype=np.int32)
    for n, (a, b) in enumerate(spans):
        char[a:b] = n + 1
    owner = np.where(char[start] > 0, char[start], char[np.maximum(end - 1, start)])
    outside = 1
    for kind in example.open:
        outside |= 0b11 << (1 + 2 * TYPES.index(kind))
    sets = np.full(len(start), outside, dtype=np.uint32)
    for n, (_, _, kinds) in enumerate(example.entities):
        words = np.flatnonzero(owner == n + 1)
        for word in words:
            bits = 1 if "O" in kinds else 0
            for kind in kinds:
                if kind != "O":
                    bits |= 1 << (1 + 2 * TYPES.index(kind) + (place[word] == 2))
            sets[word] = bits
    return sets


class Pack:
    """Collects windows of examples into flat arrays."""

    def __init__(self, tokenizer) -> None:
        self.tokenizer = tokenizer
        self.parts: dict[str, list[np.ndarray]] = {}
        self.rows: list[tuple[int, int, int]] = []  # length, source, fold

    def add(self, example: Example, source: int, fold: int, size: int = 254) -> None:
        """Append all windows of one example; small ones teach that a text may be short."""
        pieces = split(example.text, self.tokenizer)
        if not len(pieces):
            return
        labels = word_labels(example, pieces)
        labels["ids"] = pieces.ids.astype(np.uint16)
        labels["shape"] = pieces.shape
        labels["first"] = pieces.first.astype(np.uint8)
        for window in windows(pieces, example.text, size=size, overlap=24 if size > 200 else 0):
            self.rows.append((window.end - window.start, source, fold))
            for name, array in labels.items():
                part = array[window.start : window.end].copy()
                if name in {"upos", "phrase", "sentence", "role"}:
                    part[: window.keep - window.start] = NONE
                elif name == "entity":
                    part[: window.keep - window.start] = 0
                self.parts.setdefault(name, []).append(part)

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything as flat arrays."""
        return {k: np.concatenate(v) for k, v in self.parts.items()} | {"rows": np.asarray(self.rows, dtype=np.int32)}


def splits(examples: list[Example], seed: int) -> dict[str, dict[str, int]]:
    """Document-wise folds of every set that is reported by folds."""
    rng = random.Random(seed)
    result: dict[str, dict[str, int]] = {}
    for source in ("tab", "actors", "asq", "presidio", "wikigold"):
        docs = sorted({e.doc for e in examples if e.source == source})
        rng.shuffle(docs)
        result[source] = {doc: n % FOLDS for n, doc in enumerate(docs)}
    return result


def sentence_groups(example: Example, rng: random.Random) -> Iterator[Example]:
    """One to four sentences at a time, as texts of their own."""
    sentences, at = example.sentences or [], 0
    while at < len(sentences):
        size = rng.choice((1, 1, 1, 2, 3, 4))
        group = sentences[at : at + size]
        yield example.part(group[0][0], group[-1][1])
        at += size


def load(data: Path, silver: list[dict]) -> list[Example]:
    """Every example before augmentation."""
    by_id = {r["kind"][5:]: r for r in silver if r["kind"].startswith("gold:")}
    return [
        *corpora.trees(data, by_id), *corpora.court(data), *corpora.actors(data, by_id), *corpora.queries(data),
        *corpora.sentences_with_pii(data), *corpora.conll(data / "wikigold/wikigold_dev.conll", "wikigold", corpora.CONLL),
        *corpora.conll(data / "wnut17/wnut17_train.conll", "wnut", corpora.WNUT),
    ]  # fmt: skip


def main() -> None:
    """Write train.npz (with augmentation), gold.npz (each gold text once, for scoring) and the splits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--silver", type=Path, required=True)
    parser.add_argument("--plain", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--splits", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--small", action="store_true", help="a few examples of each set, to try the code")
    args = parser.parse_args()
    tokenizer = WordPiece.load(args.vocabulary)
    silver = list(corpora.lines(args.silver))
    examples = load(args.data, silver)
    names = corpora.pools(silver)
    folds = splits(examples, args.seed)
    rng = random.Random(args.seed)
    writer = Writer(rng, names)
    if args.small:
        examples = [e for n, e in enumerate(examples) if n % 40 == 0 or e.source == "tab"]
    plain = [r for r in silver if not r["kind"].startswith("gold:")] + list(corpora.lines(args.plain))
    examples += [
        Example(r["text"], f"plain_{r['kind']}", str(n)) for n, r in enumerate(plain) if not args.small or n % 40 == 0
    ]
    sources = sorted({"bios"} | {e.source for e in examples} | {f"syn_{group}" for group, _ in templates()})
    pack, gold = Pack(tokenizer), Pack(tokenizer)
    for example in examples:
        number = sources.index(example.source)
        fold = folds.get(example.source, {}).get(example.doc, -1)
        if fold >= 0 or example.source.endswith("_dev"):
            gold.add(example, number, fold)
        if example.source.endswith("_dev") or example.source in UNTRAINED:
            continue
        if example.source in COPIES:
            for new in augment.variants(example, rng, writer, COPIES[example.source]):
                pack.add(new, number, fold)
        else:
            pack.add(augment.recase(example, rng, lower=0.06, upper=0.02), number, fold)
        if example.source in {"ewt", "gum"}:
            for group in sentence_groups(example, rng):
                pack.add(augment.recase(group, rng, lower=0.06, upper=0.02), number, fold)
        if example.source in SHORT:
            short = augment.recase(example, rng, lower=0.08, upper=0.03)
            pack.add(short, number, fold, size=rng.choice(SHORT[example.source]))
    for record in corpora.lines(args.data / "wiki_replace100/wiki_dev30.jsonl"):  # predicted only, never trained on
        gold.add(Example(record["text"], "bios", record["doc_id"]), sources.index("bios"), -1)
    words, least = (100, 1) if args.small else (SYNTHETIC["words"], 15)
    seen: dict[str, int] = {}
    for example in documents(SYNTHETIC["seed"], names, words, least=least):
        number, fold = sources.index(example.source), 0 if example.source in HELD_OUT else -1
        pack.add(augment.recase(example, rng, lower=0.12, upper=0.04), number, fold)
        seen[example.doc] = seen.get(example.doc, 0) + 1
        if fold == 0 and seen[example.doc] <= 3:
            gold.add(example, number, fold)
    args.out.mkdir(parents=True, exist_ok=True)
    for name, part in (("train", pack), ("gold", gold)):
        arrays = part.arrays()
        np.savez_compressed(args.out / f"{name}.npz", **arrays)
        rows = arrays["rows"]
        print(
            name,
            {s: (int((rows[:, 1] == n).sum()), int(rows[rows[:, 1] == n, 0].sum())) for n, s in enumerate(sources)},
        )
    (args.out / "sources.json").write_text(json.dumps(sources))
    known = json.loads(args.splits.read_text()) if args.splits.exists() else {}
    known["encoder"] = {"folds": FOLDS, "seed": args.seed, "sets": folds}
    args.splits.parent.mkdir(parents=True, exist_ok=True)
    args.splits.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
