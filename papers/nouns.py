"""Ladders of the nouns of WordNet 3.0, the paper's own version, from the taxonomy that ships: no further data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

from tacenda.knowledge.taxonomy.graph import Graph


@dataclass(frozen=True)
class Nouns:
    """Noun synsets: their words, their parents (hypernyms and instance hypernyms), and the senses of words."""

    words: dict[int, tuple[str, ...]]
    parents: dict[int, list[int]]
    senses: dict[str, list[int]]

    @classmethod
    def of(cls, graph: Graph) -> Nouns:
        """Take the synsets of a compiled taxonomy, hidden ones too: the paper climbs over every one."""
        words = {node: graph.lemmas(node) for node in range(len(graph))}
        names: Iterable[str] = dict.fromkeys(lemma.lower() for lemmas in words.values() for lemma in lemmas)
        senses = {name: found for name in names if (found := [node for node, _ in graph.senses(name)])}
        return cls(words, {node: graph.row("parent", node) for node in words}, senses)

    def ancestors(self, synset: int) -> list[int]:
        """All more general synsets, nearest first, each once."""
        found: dict[int, None] = {}
        level = [synset]
        while level:
            level = [up for one in level for up in self.parents[one] if up not in found]
            found.update(dict.fromkeys(level))
        return list(found)

    @cached_property
    def leaves(self) -> list[int]:
        """Synsets with nothing below them, sorted."""
        inner = {up for ups in self.parents.values() for up in ups}
        return sorted(synset for synset in self.parents if synset not in inner)

    @cached_property
    def volumes(self) -> Counter[int]:
        """Distinct leaves below each synset."""
        counts: Counter[int] = Counter()
        for leaf in self.leaves:
            counts.update(self.ancestors(leaf))
        return counts

    def ladder(self, synset: int) -> list[tuple[str, int]]:
        """(first word, volume) of every ancestor, nearest first."""
        return [(self.words[up][0], self.volumes[up]) for up in self.ancestors(synset)]

    def height(self, synset: int) -> int:
        """Steps on the shortest way to the root."""
        level, steps = [synset], 0
        while level and not any(not self.parents[one] for one in level):
            level, steps = [up for one in level for up in self.parents[one]], steps + 1
        return steps


def read_nouns() -> Nouns:
    """Read the nouns of the WordNet that ships."""
    return Nouns.of(Graph.open(Path(str(resources.files("tacenda"))) / "data" / "taxonomies" / "wordnet.tax"))
