"""What stands at the bottom of a concept: examples of what it may stand for."""

from __future__ import annotations

from tacenda.knowledge.taxonomy.combined_taxonomy import Taxonomies
from tacenda.model import Concept

# As many leaves of a concept are looked at to find examples.
_MOST_LEAVES = 500


def leaves(taxonomy: Taxonomies, concept: Concept) -> list[str]:
    """Return names of leaves below a concept, at most a few hundred; none for a date or number (computed ladders)."""
    graph = next((graph for graph in taxonomy.graphs if graph.name == concept.taxonomy), None)
    if graph is None:
        return []
    found: list[str] = []
    level, seen = [graph.find_id(concept.id)], set[int]()
    while level and len(found) < _MOST_LEAVES:
        following = []
        for node in level:
            children = [int(child) for child in graph.children(node) if int(child) not in seen]
            seen.update(children)
            following += children
            if not len(graph.children(node)):
                found.append(graph.lemmas(node)[0])
        level = following
    return found
