"""Write what the encoder's training learned about senses as the files that the package maps.

    python -m train.senses.export NAME.senses.npz -o src/tacenda/data/senses

Only synsets that share a word with another, or with a concept of another taxonomy, are needed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from tacenda import knowledge
from tacenda.knowledge.taxonomy import taxonomy_file

PARTS = 6


def wanted() -> set[int]:
    """Numbers of the synsets whose vectors are asked for."""
    taxonomy = knowledge.open_taxonomy()
    wordnet = next(graph for graph in taxonomy.graphs if graph.name == "wordnet")
    start, senses = wordnet.start("sense"), wordnet.arrays["sense"]
    nodes = {n for at in np.flatnonzero(np.diff(start) > 1) for n in senses[start[at] : start[at + 1]].tolist()}
    for other in taxonomy.graphs:
        if other.name not in ("wordnet", "places"):
            names = (other.strings[n] for n in range(len(other.strings)))
            nodes.update(node for name in names for node, _ in wordnet.senses(name))
    return {int(wordnet.ids.numbers[node]) for node in nodes}


def main() -> None:
    """Write the vectors in parts; the first part also holds the two linear maps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("learned", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    with np.load(options.learned) as file:
        learned = {name: file[name] for name in file.files}
    rows = np.flatnonzero(np.isin(learned["offsets"], sorted(wanted())))
    options.output.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(np.array_split(rows, PARTS)):
        arrays = {
            "id": learned["offsets"][part].astype(np.uint32),
            "vector": learned["vector"][part].ravel(),
            "scale": learned["scale"][part].astype(np.float32),
        }
        if number == 0:
            arrays |= {"query": learned["query"].T.ravel(), "query_bias": learned["query_bias"].astype(np.float32)}
            arrays |= {"class": learned["kind"].T.ravel(), "class_bias": learned["kind_bias"].astype(np.float32)}
        meta = {
            "name": "senses",
            "part": number,
            "of": PARTS,
            "dimensions": learned["vector"].shape[1],
            "source": "SemCor 3.0, MASC, WordNet",
        }
        taxonomy_file.write(options.output / f"senses-{number}.tax", meta, arrays)


if __name__ == "__main__":
    main()
