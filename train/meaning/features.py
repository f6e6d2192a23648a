"""From written and real sentences to what the network sees of them.

DATA is a folder with treebanks and clinical notes (`ud_ewt`, `ud_gum_ccby`, `aci_bench`, `k_medquad`): real text that
discloses nothing of the categories, as far as their signs tell.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tacenda import knowledge
from tacenda.annotate.encoder import Encoder
from tacenda.risk.meaning.features import Cues, States, text_cues
from tacenda.risk.meaning.signs import STRONG, categories, words
from tacenda.term import STOP_WORDS
from train.meaning import data
from train.meaning.fit import Item

MASKS = ("[...]", "[term]", "[topic]", "[condition]", "something", "")


class Maker:
    """Makes items; the encoder and the vectors are those of the product."""

    def __init__(self, seed: int = 7) -> None:
        self.encoder = Encoder()
        self.categories = data.all_categories()
        self.names = [c.name for c in self.categories]
        self.cues = Cues(self.categories, knowledge.open_vectors(None))
        self.shipped = len(categories())
        self.chance = random.Random(seed)

    def seen(self, text: str, start: int = 0, end: int | None = None) -> tuple[Any, Any]:
        """States and cues of a stretch of a text, read within all of it."""
        pieces, rows = self.encoder.states(text)
        states = States(pieces.start, pieces.end, rows)
        cues = text_cues(text, states, self.cues)
        inside = (pieces.start >= start) & (pieces.start < (len(text) if end is None else end))
        return rows[inside].astype(np.float16), cues[:, inside].astype(np.float16)

    def described(self) -> Any:
        """The mean state of each category's description."""
        return np.stack([self.encoder.states(c.description)[1].mean(axis=0) for c in self.categories])

    def written(self, example: data.Example, around: list[str]) -> Iterator[Item]:
        """A written sentence by itself, within other sentences, beside one, and with words masked."""
        labels = {n: y for n, name in enumerate(self.names) if (y := data.label(example, name)) is not None}
        own = self.names.index(example.category)
        yield Item(*self.seen(example.text), labels, own)
        before, after = self.chance.choice(around), self.chance.choice(around)
        start = len(before) + 1
        whole = f"{before} {example.text} {after}"
        yield Item(*self.seen(whole, start, start + len(example.text)), labels, own, 0.7)
        if self.chance.random() < 0.3:
            yield Item(*self.seen(f"{before} {example.text}"), {own: int(example.discloses)}, own, 0.5)
        yield Item(*self.seen(self.emptied(example.text)), dict.fromkeys(labels, 0), own, 0.8)
        masked = self.masked(example, own)
        if masked:
            yield Item(*self.seen(masked), {own: int(example.discloses)}, own, 0.5)

    def masked(self, example: data.Example, own: int) -> str:
        """A sentence with a word masked that does not decide: any word where nothing is disclosed, else no sign."""
        found = words(example.text)
        table = self.cues.of(found)[own]
        signs = table[:, : STRONG + 2].any(axis=1)
        if example.discloses and not table[:, STRONG].any():
            return ""
        free = [w for w, sign in zip(found, signs, strict=True) if not (example.discloses and sign)]
        if len(free) < 3:
            return ""
        word = self.chance.choice(free)
        return example.text[: word.start] + self.chance.choice(MASKS) + example.text[word.end :]

    def emptied(self, text: str) -> str:
        """What is left of a sentence when its content is masked, or just not there, tells nothing."""
        parts, at = [], 0
        # The product leaves words out to see what carries a sentence: gaps must be familiar.
        masks = self.chance.choice(((), (), ("[...]",), MASKS))
        for word in words(text):
            if word.text.lower() not in STOP_WORDS and self.chance.random() < 0.93:
                parts += (text[at : word.start], self.chance.choice(masks) if masks else "")
                at = word.end
        return "".join((*parts, text[at:]))

    def real(self, text: str, kind: str) -> Item | None:
        """A real sentence: discloses nothing of a category without whose signs it is."""
        states, cues = self.seen(text)
        labels = {n: 0 for n in range(self.shipped) if not cues[n][:, STRONG].any()}
        open_to = {"medical": ("health",), "court": ("criminal convictions and offences", "health")}
        for name in open_to.get(kind, ()):
            labels.pop(self.names.index(name), None)
        return Item(states, cues, labels, -1, 0.5) if len(states) > 2 and labels else None


def treebank(path: Path, wanted: str = "") -> list[str]:
    """Sentences of a treebank, those of a genre if one is named."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        blocks = lines.read().split("\n\n")
    found = []
    for block in blocks:
        text = re.search(r"^# text = (.+)$", block, re.M)
        sent = re.search(r"^# sent_id = (.+)$", block, re.M)
        if text and sent and (not wanted or re.match(wanted, sent[1])):
            found.append(text[1])
    return found


def real_text(
    folder: Path, chance: random.Random, *, everyday: int = 4000, medical: int = 2500
) -> dict[str, list[str]]:
    """Sentences by kind: everyday ones, and medical ones."""
    daily = treebank(folder / "ud_ewt" / "ewt_train.conllu.gz", "reviews|email|answers")
    daily += treebank(folder / "ud_gum_ccby" / "gum_train.conllu.gz")
    clinical = []
    for line in (folder / "aci_bench" / "train_notes.jsonl").read_text("utf-8").splitlines():
        note = " ".join(str(v) for v in json.loads(line).values() if isinstance(v, str))
        clinical += [s.strip() for s in re.split(r"(?<=[.?!])\s+|\n+", note) if 20 < len(s.strip()) < 200]
    with gzip.open(folder / "k_medquad" / "medquad.jsonl.gz", "rt", encoding="utf-8") as lines:
        pages = [line for n, line in enumerate(lines) if n % 12 == 0]
    for line in pages:
        page = " ".join(str(v) for v in json.loads(line).values() if isinstance(v, str))
        clinical += [s.strip() for s in re.split(r"(?<=[.?!])\s+|\n+", page)[2:6] if 30 < len(s.strip()) < 200]
    daily = [s for s in daily if 15 < len(s) < 220]
    court = []
    for line in (folder / "tab_test127" / "tab_dev40.jsonl").read_text("utf-8").splitlines():
        court += [
            s.strip() for s in re.split(r"(?<=[.?!])\s+|\n+", json.loads(line)["text"]) if 30 < len(s.strip()) < 260
        ]
    lives = []
    with gzip.open(folder / "k_actors" / "actor_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for n, line in enumerate(lines):
            if n % 25 == 0:
                lives += [s for s in re.split(r"(?<=[.?!])\s+", json.loads(line)["text"]) if 30 < len(s) < 220]
    return {
        "court": chance.sample(court, min(900, len(court))),
        "lives": chance.sample(lives, min(500, len(lives))),
        "everyday": chance.sample(daily, min(everyday, len(daily))),
        "medical": chance.sample(clinical, min(medical, len(clinical))),
    }


def items(folder: Path) -> tuple[Maker, list[Item]]:
    """All items to learn from."""
    maker = Maker()
    real = real_text(folder, maker.chance)
    made = [item for kind, texts in real.items() for text in texts if (item := maker.real(text, kind))]
    for example in data.examples():
        made += maker.written(example, real["everyday"][:400])
    return maker, made
