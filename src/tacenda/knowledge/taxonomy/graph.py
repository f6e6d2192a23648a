"""A taxonomy in memory: concepts, their lemmas, what lies above and below each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.knowledge.damage import sound
from tacenda.knowledge.taxonomy import taxonomy_file
from tacenda.knowledge.taxonomy.compile import Node, pack
from tacenda.knowledge.taxonomy.uses import NO_USES, Uses

_MOST_FOUND = 1 << 16


@dataclass(frozen=True, slots=True)
class Strings:
    """Sorted strings in one block of bytes; found by bisection, so no table has to be built."""

    start: npt.NDArray[np.int64]
    blob: npt.NDArray[np.uint8]
    _found: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, number: int) -> str:
        return self.blob[self.start[number] : self.start[number + 1]].tobytes().decode()

    def find(self, wanted: str) -> int:
        """Number of a string, -1 if it is not there; the words of a text are asked for again and again."""
        known = self._found.get(wanted)
        if known is None:
            if len(self._found) >= _MOST_FOUND:
                self._found.clear()
            known = self._found[wanted] = self._bisect(wanted)
        return known

    def _bisect(self, wanted: str) -> int:
        sought, low, high = wanted.encode(), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.blob[self.start[middle] : self.start[middle + 1]].tobytes() < sought:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self[low] == wanted else -1


@dataclass(frozen=True, slots=True)
class Numbered(Sequence[str]):
    """Ids made of a number, such as "14123044-n", in rising order, kept as four bytes each."""

    template: str
    numbers: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, node: Any) -> Any:
        return self.template.format(int(self.numbers[node]))


def _check(arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Raise ValueError where arrays do not fit each other: a number that points at nothing, rows that are too short."""
    nodes, strings, words = len(arrays["bits"]), len(arrays["string_length"]), len(arrays["word_length"])
    most = {"parent": nodes, "kind": nodes, "sense": nodes, "lemma": strings, "signature": words}
    rows = {"parent": nodes, "kind": nodes, "sense": strings, "lemma": nodes, "signature": nodes}
    for name, array in arrays.items():
        length = arrays.get(f"{name}_length")
        whole = length is None or int(length.sum(dtype=np.int64)) == len(array)
        fits = name not in rows or (length is not None and len(length) == rows[name])
        limit = most.get(name, nodes if name in ("hidden", "link_node") else None)
        if not whole or not fits or (limit is not None and len(array) and int(array.max()) >= limit):
            raise ValueError(name)
    alike = ((arrays["volume"], nodes), (arrays["id"], nodes), (arrays["prior"], len(arrays["sense"])))
    if any(len(array) != size for array, size in alike):
        raise ValueError("arrays of different length")
    arrays["string"].tobytes().decode()


@dataclass(frozen=True)
class Graph:
    """One taxonomy: arrays by name (see `compile.pack`), the ids of its concepts, and where it comes from.

    links       concept -> id of the WordNet synset it is the same as: the ladder goes on there
    extra       id of a WordNet synset -> leaves that this taxonomy adds below it
    names       proper names may be shown as rungs (places, religions, peoples), elsewhere they may not
    medicines   what its medicines and tests are for, where it holds any
    """

    name: str
    ids: Sequence[str]
    arrays: dict[str, npt.NDArray[Any]]
    links: dict[int, str]
    extra: dict[str, int]
    names: bool = False
    source: str = ""
    medicines: Uses = NO_USES

    @classmethod
    def compile(cls, name: str, nodes: Sequence[Node], *, source: str = "", names: bool = False) -> Graph:
        """Make a graph of concepts in memory; raises CycleError."""
        return cls(name, [node.id for node in nodes], pack(nodes), {}, {}, names, source)

    @classmethod
    def open(cls, path: Path) -> Graph:
        """Map a compiled taxonomy file."""
        with sound(path):
            return cls._opened(path)

    @classmethod
    def _opened(cls, path: Path) -> Graph:
        meta, arrays = taxonomy_file.read(path)
        _check(arrays)
        links = dict(zip(arrays["link_node"].tolist(), meta["link_ids"], strict=True))
        ids = Numbered(meta["id"], arrays["id"])
        return cls(meta["name"], ids, arrays, links, meta["extra"], meta["names"], meta["source"], Uses.of(meta))

    def __len__(self) -> int:
        return len(self.arrays["bits"])

    @cached_property
    def strings(self) -> Strings:
        """The lemmas and keys."""
        return Strings(self.start("string"), self.arrays["string"])

    @cached_property
    def vocabulary(self) -> Strings:
        """The words of the signatures."""
        return Strings(self.start("word"), self.arrays["word"])

    @cached_property
    def hidden(self) -> frozenset[int]:
        """Concepts never offered as a replacement."""
        return frozenset(self.arrays["hidden"].tolist())

    @cached_property
    def kinds(self) -> frozenset[int]:
        """Concepts that say what something is, not where it is: "city"."""
        return frozenset(self.arrays["kind"].tolist()) if "kind" in self.arrays else frozenset()

    def is_leaf(self, node: int) -> bool:
        """Tell whether nothing lies below a concept."""
        return not self.children(node) and node not in self.kinds

    @cached_property
    def _starts(self) -> dict[str, npt.NDArray[np.int64]]:
        return {}

    def start(self, name: str) -> npt.NDArray[np.int64]:
        """Where each row of an array begins, and the end of the last; summed on first use."""
        if name not in self._starts:
            lengths = self.arrays[f"{name}_length"]
            self._starts[name] = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        return self._starts[name]

    def row(self, name: str, number: int) -> list[int]:
        """Row `number` of parent, kind, lemma, sense or signature."""
        if name not in self.arrays:
            return []
        start = self.start(name)
        values: list[int] = self.arrays[name][start[number] : start[number + 1]].tolist()
        return values

    @cached_property
    def _children(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Children of all concepts in one array, and where those of each begin."""
        parent, lengths = self.arrays["parent"], self.arrays["parent_length"]
        order = np.argsort(parent, kind="stable")
        start = np.searchsorted(parent[order], np.arange(len(self) + 1))
        return np.repeat(np.arange(len(self)), lengths)[order], start

    def children(self, node: int) -> list[int]:
        """Concepts right below one."""
        child, start = self._children
        values: list[int] = child[start[node] : start[node + 1]].tolist()
        return values

    def senses(self, key: str) -> list[tuple[int, int]]:
        """Concepts a key can mean with the weight of each, the most usual first."""
        number = self.strings.find(key)
        if number < 0:
            return []
        start = self.start("sense")
        span = slice(start[number], start[number + 1])
        return list(zip(self.arrays["sense"][span].tolist(), self.arrays["prior"][span].tolist(), strict=True))

    def lemmas(self, node: int) -> tuple[str, ...]:
        """The words for a concept, its name first."""
        strings = self.strings
        return tuple(strings[number] for number in self.row("lemma", node))

    def find_id(self, wanted: str) -> int:
        """Concept with this id, -1 if there is none."""
        if isinstance(self.ids, Numbered):
            digits = "".join(c for c in wanted if c.isdigit())
            at = int(np.searchsorted(self.ids.numbers, np.uint32(min(int(digits), 2**32 - 1)))) if digits else len(self)
            return at if at < len(self) and self.ids[at] == wanted else -1
        return self._by_id.get(wanted, -1)

    @cached_property
    def _by_id(self) -> dict[str, int]:
        return {id_: node for node, id_ in enumerate(self.ids)}

    def above(self, nodes: Iterable[int]) -> dict[int, int]:
        """The concepts themselves and all above them, with the least number of steps to each."""
        return _reach(nodes, lambda node: self.row("parent", node))

    def below(self, nodes: Iterable[int]) -> dict[int, int]:
        """The concepts themselves and all below them, with the least number of steps to each."""
        return _reach(nodes, self.children)


def _reach(nodes: Iterable[int], step: Callable[[int], list[int]]) -> dict[int, int]:
    steps = dict.fromkeys(nodes, 0)
    level = list(steps)
    while level:
        following = []
        for node in level:
            for next_node in step(node):
                if next_node not in steps:
                    steps[next_node] = steps[node] + 1
                    following.append(next_node)
        level = following
    return steps
