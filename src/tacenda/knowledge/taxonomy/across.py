"""Above and below across taxonomies: what WordNet and the taxonomies linked to it say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.knowledge.taxonomy.lookup import Lookup, Ref


class Across:
    """Climbs and descends through graphs that are linked."""

    def __init__(self, graphs: Sequence[Graph], lookup: Lookup) -> None:
        self.graphs, self._lookup = tuple(graphs), lookup

    def is_linked(self, ref: Ref) -> bool:
        """Tell whether a concept is the same as one of WordNet."""
        return self._lookup.link(ref) is not None

    def above(self, refs: Iterable[Ref]) -> dict[Ref, int]:
        """Concepts and all above them; a link to WordNet is no step, the two are one concept.

        What kind of place a city is holds for the city alone, so kinds are climbed from the start only.
        """
        refs = frozenset(refs)
        steps = dict.fromkeys(sorted(refs), 0)
        level = list(steps)
        while level:
            following: list[Ref] = []
            for ref in level:
                link = self._lookup.link(ref)
                if link is not None and link not in steps:
                    steps[link] = steps[ref]
                    level.append(link)
                graph = self.graphs[ref[0]]
                kinds = graph.row("kind", ref[1]) if ref in refs else []
                for parent in [*graph.row("parent", ref[1]), *kinds]:
                    if (ref[0], parent) not in steps:
                        steps[ref[0], parent] = steps[ref] + 1
                        following.append((ref[0], parent))
            level = following
        return steps

    @cached_property
    def linked_below(self) -> dict[Ref, list[Ref]]:
        """For each concept of WordNet those of other taxonomies that are the same."""
        found: dict[Ref, list[Ref]] = {}
        for number, graph in enumerate(self.graphs):
            for node in graph.links:
                target = self._lookup.link((number, node))
                if target is not None:
                    found.setdefault(target, []).append((number, node))
        return found

    def below(self, refs: Iterable[Ref]) -> dict[Ref, int]:
        """Concepts and all below them, in WordNet and in the taxonomies linked to it."""
        steps = dict.fromkeys(refs, 0)
        level = list(steps)
        while level:
            following: list[Ref] = []
            for ref in level:
                for twin in self.linked_below.get(ref, ()):
                    if twin not in steps:
                        steps[twin] = steps[ref]
                        level.append(twin)
                for child in self.graphs[ref[0]].children(ref[1]):
                    if (ref[0], child) not in steps:
                        steps[ref[0], child] = steps[ref] + 1
                        following.append((ref[0], child))
            level = following
        return steps
