"""Taxonomies: what is more general than a term, how informative it is, how many leaves it covers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tacenda.errors import KnowledgeError
from tacenda.knowledge.taxonomy.combined_taxonomy import Taxonomies
from tacenda.knowledge.taxonomy.graph import Graph

__all__ = ["ORDER", "Taxonomies", "open_taxonomy"]

# The order of preference. Places come first for what is written like a name, last for the rest.
ORDER = ("medicines", "diseases", "groups", "places", "occupations", "wordnet")
DATA = Path(__file__).parents[2] / "data" / "taxonomies"


def open_taxonomy(*sources: str | Path) -> Taxonomies:
    """Open taxonomies as one, the first having preference; without arguments all that come with Tacenda.

    A source is the name of a shipped taxonomy ("wordnet", "diseases", "groups", "places", "occupations",
    "medicines"), "default" for all of them, or the path of a user's own: .csv (child, parent), .obo, a folder of
    SNOMED CT (RF2), or a compiled .tax file.

    >>> [rung.name for rung in open_taxonomy("wordnet").generalizations("Sacramento")][:2]
    ['state capital', 'capital']
    """
    from tacenda.knowledge.taxonomy import aliases, computed

    graphs: dict[str, Graph] = {}
    for source in sources or ("default",):
        for name in ORDER if source == "default" else (source,):
            path = DATA / f"{name}.tax" if str(name) in ORDER else Path(name)
            if str(name) not in ORDER and not path.exists():
                raise KnowledgeError(f"no taxonomy named '{name}', and no such file. Available: {', '.join(ORDER)}.")
            graph = Graph.open(path) if path.suffix == ".tax" else _load(path)
            if str(name) not in ORDER and graph.name in (*ORDER, *graphs):
                raise KnowledgeError(f"{path}: there is a taxonomy named '{graph.name}' already. Rename the file.")
            graphs.setdefault(graph.name, graph)
    table = aliases.load(DATA / "aliases.toml")
    taxonomy = Taxonomies(tuple(graphs.values()), name=_name(sources), aliases=table, computed=computed.LADDERS)
    taxonomy.sources = tuple(map(str, sources))
    return taxonomy


def _load(path: Path) -> Graph:
    from tacenda.knowledge.taxonomy import user

    return user.load(path)


def _name(sources: Sequence[str | Path]) -> str:
    return "+".join(Path(source).stem for source in sources) or "default"
