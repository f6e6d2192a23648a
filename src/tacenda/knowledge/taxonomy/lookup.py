"""Looking a term up in several taxonomies: every sense it can have, how likely each is before reading the context."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.term import normalize

Ref = tuple[int, int]
Aliases = Mapping[str, Sequence[str]]

BACKBONE = "wordnet"
_ORDER = 1.5  # bits by which a preferred taxonomy outweighs the next one
_CASE = 6.0  # bits a name loses when the term is written in lower case: "polish", "turkey"
_NAME = 0.1  # share of its uses from which a common noun is read as a place when capital: Turkey, not Man
_LEAST_ACRONYM = 3


@dataclass(frozen=True, slots=True)
class Option:
    """A sense under consideration: where it is, how likely before looking at the context, how it was found."""

    ref: Ref
    prior: float
    found: str


class Lookup:
    """Graphs in order of preference, and the aliases that point into them."""

    def __init__(self, graphs: Sequence[Graph], aliases: Aliases) -> None:
        self.graphs = tuple(graphs)
        self.aliases = aliases
        self.number = {graph.name: i for i, graph in enumerate(self.graphs)}

    def options(self, term: str, prefer: str = "") -> list[Option]:
        """Every sense of a term, as written; in lower case or as an acronym only where there is none."""
        found: dict[Ref, Option] = {}
        for key in _keys(term):
            for ref in self.aliased(key):
                found.setdefault(ref, Option(ref, self._alias_rank(ref, len(found), prefer), "alias"))
            for number, graph in enumerate(self.graphs):
                senses = graph.senses(key)
                if not senses:
                    continue
                rank = self._rank(number, graph, term, prefer)
                total = sum(prior + 1 for _, prior in senses)
                for node, prior in senses:
                    if self.link((number, node)) is not None:
                        continue  # WordNet's own concept stands for both
                    bits = rank + math.log2((prior + 1) / total) - _CASE * _is_lowered(graph, node, key, term)
                    found.setdefault((number, node), Option((number, node), bits, "name"))
            if found:
                break
        return list(found.values())

    def _rank(self, number: int, graph: Graph, term: str, prefer: str) -> float:
        """Bits that the order of preference gives; a place that is a common noun too comes last."""
        if prefer == graph.name:
            return _ORDER * len(self.graphs) + 2 * _CASE
        if graph.name == "places" and not self._is_name(term):
            return 0.0
        return _ORDER * (len(self.graphs) - number)

    def _alias_rank(self, ref: Ref, place: int, prefer: str) -> float:
        """An alias counts like a sure sense of its taxonomy, and half a bit more; the table's order breaks ties."""
        rank = 2 * _CASE if prefer == self.graphs[ref[0]].name else -_ORDER * ref[0]
        return _ORDER * len(self.graphs) + rank + 0.5 - 0.01 * place

    def _is_name(self, term: str) -> bool:
        """Tell whether a term is a name in a tenth of its uses in WordNet, or unknown there; "Man" opens sentences."""
        number = self.number.get(BACKBONE, -1)
        if number < 0:
            return True
        key, graph = normalize(term), self.graphs[number]
        usual = {True: 0, False: 0}
        for node, prior in graph.senses(key):
            usual[any(lemma[0].isupper() for lemma in _named(graph, node, key))] += prior + 1
        return usual[True] >= _NAME * sum(usual.values())

    def aliased(self, key: str) -> Iterator[Ref]:
        """Concepts that the alias table gives for a key, in its order."""
        for target in self.aliases.get(key, ()):
            taxonomy, _, name = target.partition(":")
            number = self.number.get(taxonomy, -1)
            if number < 0:
                continue
            graph = self.graphs[number]
            node = graph.find_id(name[1:]) if name.startswith("#") else -1
            senses = [node] if node >= 0 else [n for n, _ in graph.senses(normalize(name))[:1]]
            yield from ((number, n) for n in senses)

    def link(self, ref: Ref) -> Ref | None:
        """The WordNet concept that a concept of another taxonomy is the same as."""
        wanted = self.graphs[ref[0]].links.get(ref[1])
        number = self.number.get(BACKBONE, -1)
        if wanted is None or number < 0 or number == ref[0]:
            return None
        return number, self.graphs[number].find_id(wanted)


def _named(graph: Graph, node: int, key: str) -> list[str]:
    return [lemma for lemma in graph.lemmas(node) if normalize(lemma) == key]


def _is_lowered(graph: Graph, node: int, key: str, term: str) -> bool:
    """Tell whether a term in lower case is, for this sense, a name."""
    if not term[:1].islower():
        return False
    lemmas = _named(graph, node, key)
    return bool(lemmas) and all(lemma[0].isupper() for lemma in lemmas)


def _keys(term: str) -> tuple[str, ...]:
    """Keys to look a term up by: as written, then in lower case, then as an acronym."""
    forms = [term, term.lower()]
    if len(term) >= _LEAST_ACRONYM:  # "us" and "it" are no acronyms
        forms.append(term.upper())
    return tuple(dict.fromkeys(key for key in map(normalize, forms) if key))
