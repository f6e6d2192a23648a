"""Choosing what a word means here: how usual each sense is, and which words stand around it.

A simplified Lesk measure. Each concept keeps the content words of its gloss as stems (its signature). A
sense is credited with every word of the context found in its signature, in the names of the concepts right
below it, or in the signatures and names of those up to three steps above, each step counting half; a rare
word counts more than a frequent one. benchmarks/quality/taxonomy_senses.py measures what it is worth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.language import GLOSS_WORDS, STOP_WORDS
from tacenda.term import words

LEVELS = 3
_DECAY = 0.5
_SCALE = 0.35
_CHILDREN = 60
_SUFFIX = re.compile(r"(?:ings?|ied|ies|ed|es|s|e|y)$")


@dataclass(frozen=True, slots=True)
class Sense:
    """What a term was taken to mean, and why."""

    term: str
    taxonomy: str
    id: str
    name: str
    above: tuple[str, ...]
    why: str
    score: float
    others: int


def stem(word: str) -> str:
    """Cut the ending of a folded word, so that "uses" and "used" meet.

    >>> {stem(word) for word in ("use", "uses", "used", "using")}
    {'us'}
    """
    return _SUFFIX.sub("", word) if len(word) > 3 else word.rstrip("e") if len(word) == 3 else word


def stems(text: str) -> dict[str, str]:
    """Stems of the content words of a text, each with the word it was cut from."""
    kept = (word for word in words(text) if word not in STOP_WORDS and word not in GLOSS_WORDS and len(word) > 1)
    return {stem(word): word for word in kept if not word.isdigit()}


def overlap(graph: Graph, node: int, context: Mapping[str, str]) -> tuple[float, tuple[str, ...]]:
    """Bits of evidence that the stems of a context give for a sense, and the words that gave it."""
    numbers = _numbers(graph, context)
    best: dict[str, float] = {}
    for near, steps in _around(graph, node):
        weight = _DECAY**steps
        found = {numbers[number] for number in graph.row("signature", near) if number in numbers}
        for lemma in graph.lemmas(near):
            found |= _stems_of(lemma) & context.keys()
        for cut in found:
            best[cut] = max(best.get(cut, 0.0), weight)
    for lemma in graph.lemmas(node):
        for cut in _stems_of(lemma):  # that a sense has its own name tells nothing
            best.pop(cut, None)
    count = {cut: int(graph.arrays["word_count"][number]) for number, cut in numbers.items()}
    evidence = sum(weight * math.log2(len(graph) / count.get(cut, 1)) for cut, weight in best.items())
    return _SCALE * evidence, tuple(context[cut] for cut in sorted(best, key=lambda cut: (-best[cut], cut)))


def _around(graph: Graph, node: int) -> list[tuple[int, int]]:
    """A concept, those up to three steps above it, and those right below, with the step their weight is counted by."""
    above = [(near, steps) for near, steps in graph.above([node]).items() if steps <= LEVELS]
    return above + [(child, 0) for child in graph.children(node)[:_CHILDREN]]


@lru_cache(maxsize=1 << 16)
def _stems_of(lemma: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(lemma))


def _numbers(graph: Graph, context: Iterable[str]) -> dict[int, str]:
    found = {cut: graph.vocabulary.find(cut) for cut in context}
    return {int(graph.arrays["word_number"][at]): cut for cut, at in found.items() if at >= 0}
