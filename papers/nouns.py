"""Ladders straight from the files of a WordNet, for the experiments of paper 003.

Princeton's data.noun and index.noun, as in the paper, or the Open English WordNet as JSON Lines (synsets.jsonl.gz,
lemmas.jsonl.gz).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papers.source import file_of, records


@dataclass(frozen=True)
class Nouns:
    """The noun synsets: their words, their parents (hypernyms and instance hypernyms), and the senses of words."""

    words: dict[str, list[str]]
    parents: dict[str, list[str]]
    senses: dict[str, list[str]]

    def ancestors(self, synset: str) -> list[str]:
        """All more general synsets, nearest first, each once."""
        found: dict[str, None] = {}
        level = [synset]
        while level:
            level = [up for one in level for up in self.parents[one] if up not in found]
            found.update(dict.fromkeys(level))
        return list(found)

    @cached_property
    def leaves(self) -> list[str]:
        """Synsets with nothing below them, sorted."""
        inner = {up for ups in self.parents.values() for up in ups}
        return sorted(synset for synset in self.parents if synset not in inner)

    @cached_property
    def volumes(self) -> Counter[str]:
        """Distinct leaves below each synset."""
        counts: Counter[str] = Counter()
        for leaf in self.leaves:
            counts.update(self.ancestors(leaf))
        return counts

    def ladder(self, synset: str) -> list[tuple[str, int]]:
        """(first word, volume) of every ancestor, nearest first."""
        return [(self.words[up][0].replace("_", " "), self.volumes[up]) for up in self.ancestors(synset)]

    def height(self, synset: str) -> int:
        """Steps on the shortest way to the root."""
        level, steps = [synset], 0
        while level and not any(not self.parents[one] for one in level):
            level, steps = [up for one in level for up in self.parents[one]], steps + 1
        return steps


def read_nouns(folder: Path) -> Nouns:
    """Read the nouns of a WordNet distribution."""
    if not (folder / "data.noun").is_file():
        return _read_open(folder)
    words, parents, senses = {}, {}, {}
    for line in _lines(folder / "data.noun"):
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words[fields[0]] = fields[4 : 4 + 2 * count : 2]
        rest = fields[4 + 2 * count + 1 :]
        parents[fields[0]] = [rest[i + 1] for i in range(0, len(rest) - 3, 4) if rest[i] in ("@", "@i")]
    for line in _lines(folder / "index.noun"):
        fields = line.split()
        senses[fields[0].replace("_", " ")] = fields[-int(fields[2]) :]
    return Nouns(words, parents, senses)


def _read_open(folder: Path) -> Nouns:
    """Read the nouns of the Open English WordNet."""
    words, parents = {}, {}
    for record in records(file_of(folder, "synsets.jsonl.gz", "003")):
        if record["pos"] == "n":
            words[record["id"]] = record["members"]
            parents[record["id"]] = [*record.get("hypernym", ()), *record.get("instance_hypernym", ())]
    senses = {
        record["lemma"]: record["pos"]["n"]["s"]
        for record in records(file_of(folder, "lemmas.jsonl.gz", "003"))
        if "n" in record["pos"]
    }
    return Nouns(words, parents, senses)


def _lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as file:
        return [line for line in file if not line.startswith(" ")]
