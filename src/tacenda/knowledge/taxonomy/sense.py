"""Choosing what a word means here: how usual each sense is, and which words stand around it.

A simplified Lesk measure. Each concept keeps the content words of its gloss as stems (its signature). A
sense is credited with every word of the context found in its signature or in those of the concepts up to
three steps above it, each step counting half; a rare word counts more than a frequent one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.term import STOP_WORDS, words

LEVELS = 3
_DECAY = 0.5
_SUFFIX = re.compile(r"(?:ings?|ied|ies|ed|es|s|e|y)$")
_GENERIC = frozenset(
    "or not who which has have had it he she they them him we you i very more most such than that when where "
    "into other one two also may can usually often especially used etc but so if up out about".split()
)


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
    kept = (word for word in words(text) if word not in STOP_WORDS and word not in _GENERIC and len(word) > 1)
    return {stem(word): word for word in kept if not word.isdigit()}


def overlap(graph: Graph, node: int, context: Mapping[str, str]) -> tuple[float, tuple[str, ...]]:
    """Bits of evidence that the stems of a context give for a sense, and the words that gave it."""
    wanted = _numbers(graph, context)
    if not wanted:
        return 0.0, ()
    best: dict[int, float] = {}
    for above, steps in graph.above([node]).items():
        if steps <= LEVELS:
            for number in graph.row("signature", above):
                if number in wanted:
                    best[number] = max(best.get(number, 0.0), _DECAY**steps)
    count, total = graph.arrays["word_count"], len(graph)
    evidence = sum(weight * math.log2(total / int(count[number])) / 4 for number, weight in best.items())
    return evidence, tuple(context[wanted[number]] for number in sorted(best, key=lambda n: -best[n]))


def _numbers(graph: Graph, context: Iterable[str]) -> dict[int, str]:
    found = {cut: graph.vocabulary.find(cut) for cut in context}
    return {int(graph.arrays["word_number"][at]): cut for cut, at in found.items() if at >= 0}
