# ruff: noqa: E501
"""Sentences, descriptions and which belong together, as arrays that a training on a GPU can carry.

    python -m train.meaning.pack --data DATA --plain plain.jsonl.gz --vocabulary vocabulary.txt --tune TUNE.jsonl --out meaning.npz

A pair is a sentence and a description; its label is 1 (a reader concludes what is described), 0 (does not) or 255 (nobody
said: the teacher will). Sentences stand by themselves, between others, and with words masked.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.annotate.encoder.pieces import split
from tacenda.annotate.encoder.wordpiece import WordPiece
from tacenda.risk.meaning.signs import categories
from tacenda.term import STOP_WORDS, fold
from train import corpora
from train.meaning import data
from train.meaning.features import MASKS, real_text

OTHERS = 5  # categories besides its own that a written sentence is asked about
UNKNOWN = 255
MOST = 150  # pieces of a sentence with what stands around it
WORD = re.compile(r"[A-Za-z][\w'’-]*")
ALIAS = {
    "political opinion": "political opinions",
    "religious or philosophical belief": "religious or philosophical beliefs",
    "criminal convictions": "criminal convictions and offences",
}


class Pack:
    """Collects texts as word pieces, and pairs of them."""

    def __init__(self, tokenizer: WordPiece, seed: int) -> None:
        self.tokenizer, self.chance = tokenizer, random.Random(seed)
        self.texts: list[Any] = []
        self.stretch: list[tuple[int, int]] = []  # pieces of a text that are asked about
        self.pairs: list[tuple[int, int, int, int, int]] = []  # text, category, label, part, held out
        self.categories = data.all_categories()
        self.names = [c.name for c in self.categories]

    def text(self, whole: str, start: int = 0, end: int | None = None) -> int | None:
        """Add a text; `start` and `end` say which part of it is asked about."""
        pieces = split(whole, self.tokenizer)
        low = int(np.searchsorted(pieces.start, start))
        high = len(pieces) if end is None else int(np.searchsorted(pieces.start, end))
        if not 1 < high - low <= MOST:
            return None
        first = max(0, min(low, high - MOST))
        last = min(len(pieces), first + MOST)
        self.texts.append((pieces.ids[first:last], pieces.shape[first:last]))
        self.stretch.append((low - first, min(high, last) - first))
        return len(self.texts) - 1

    def written(self, example: data.Example, around: list[str], part: int) -> None:
        """A written sentence by itself, between others, and with words masked."""
        chance, own = self.chance, self.names.index(example.category)
        self.ask(self.text(example.text), example, own, part)
        before, after = chance.choice(around), chance.choice(around)
        start = len(before) + 1
        whole = f"{before} {example.text} {after}"
        self.ask(self.text(whole, start, start + len(example.text)), example, own, part)
        if example.discloses:
            emptied = self.text(self.masked(example.text, 1.0))
            if emptied is not None:
                for category in {own, *chance.sample(range(len(self.names)), 2)}:
                    self.pairs.append((emptied, category, 0, part, example.category in data.HELD_OUT))
        else:
            found = self.text(self.masked(example.text, 0.15))
            if found is not None:
                self.pairs.append((found, own, 0, part, example.category in data.HELD_OUT))

    def ask(self, text: int | None, example: data.Example, own: int, part: int) -> None:
        """Pair a sentence with its own category and with others."""
        if text is None:
            return
        held = example.category in data.HELD_OUT
        self.pairs.append((text, own, int(example.discloses), part, held))
        for category in self.chance.sample(range(len(self.names)), OTHERS):
            label = data.label(example, self.names[category])
            if category != own and label is not None:
                self.pairs.append((text, category, label, part, held or self.names[category] in data.HELD_OUT))

    def masked(self, text: str, share: float) -> str:
        """A text with some of its content words masked."""
        parts, at = [], 0
        for word in WORD.finditer(text):
            if word[0].lower() not in STOP_WORDS and self.chance.random() < share:
                parts += (text[at : word.start()], self.chance.choice(MASKS))
                at = word.end()
        return "".join((*parts, text[at:]))

    def tuned(self, path: Path) -> None:
        """Sentences of other writers, for measuring."""
        known = {fold(name): n for n, c in enumerate(categories()) for name in (c.name, *c.entities)}
        for row in corpora.lines(path):
            name = ALIAS.get(row["category"], row["category"])
            text = self.text(row["text"])
            if text is None or name == "none":
                continue
            number = known.get(fold(name), self.names.index(name) if name in self.names else -1)
            if number >= 0:
                self.pairs.append((text, number, int(row["discloses"]), 2, name in data.HELD_OUT))

    def descriptions(self) -> list[list[int]]:
        """Texts that describe each category: as written, and as the product makes one from a name."""
        found = []
        for category in self.categories:
            told = [category.description, f"A person has or is known for {category.name}.", category.name]
            found.append([n for text in told if (n := self.text(text)) is not None] or [0])
        return found

    def arrays(self) -> dict[str, Any]:
        """Everything as flat arrays."""
        described = self.descriptions()
        return {
            "ids": np.concatenate([ids for ids, _ in self.texts]).astype(np.uint16),
            "shape": np.concatenate([shape for _, shape in self.texts]),
            "length": np.asarray([len(ids) for ids, _ in self.texts], dtype=np.uint16),
            "stretch": np.asarray(self.stretch, dtype=np.uint16),
            "pairs": np.asarray(self.pairs, dtype=np.uint32),
            "described": np.asarray([(*d, d[0], d[0])[:3] for d in described], dtype=np.uint32),
            "shipped": np.asarray([len(categories())]),
        }


def plain(path: Path, chance: random.Random, count: int) -> Iterator[str]:
    """Sentences of encyclopedia, health pages and lives."""
    for record in corpora.lines(path):
        if chance.random() < 0.5:
            found = [s for s in re.split(r"(?<=[.?!])\s+", record["text"]) if 25 < len(s) < 260]
            for sentence in chance.sample(found, min(2, len(found))):
                yield sentence
                count -= 1
                if not count:
                    return


def main() -> None:
    """Write the arrays and the names of the categories."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "plain", "vocabulary", "tune", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--unlabeled", type=int, default=20_000)
    args = parser.parse_args()
    pack = Pack(WordPiece.load(args.vocabulary), 7)
    real = real_text(args.data, pack.chance, everyday=6000, medical=4000)
    around = real["everyday"][:1500]
    for example in data.examples():
        pack.written(example, around, 0)
    free = [*real["everyday"], *real["medical"], *plain(args.plain, pack.chance, args.unlabeled)]
    for sentence in free:
        text = pack.text(sentence)
        if text is not None:
            for category in pack.chance.sample(range(len(pack.names)), 3):
                pack.pairs.append((text, category, UNKNOWN, 1, pack.names[category] in data.HELD_OUT))
            category = pack.chance.randrange(len(categories()))
            pack.pairs.append((text, category, UNKNOWN, 1, 0))
    pack.tuned(args.tune)
    arrays = pack.arrays()
    np.savez_compressed(args.out, **arrays)
    args.out.with_suffix(".json").write_text(json.dumps(pack.names))
    print(
        len(pack.texts), "texts", len(pack.pairs), "pairs", len(pack.names), "categories", len(arrays["ids"]), "pieces"
    )


if __name__ == "__main__":
    main()
