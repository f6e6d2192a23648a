"""From terms and their parents to the arrays of a graph: order, leaf volumes, information.

Volumes and counts are taken over *distinct* descendants, so they are exact on a directed acyclic graph
where a node is reached by several paths (paper 003, Definition 1; Resnik's counting in paper 001).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.term import normalize

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Node:
    """A concept to compile: its lemmas (the first is its name), its parents by position, its weight.

    count       how often the concept itself was seen, without its descendants
    priors      for each lemma, how usual this sense of it is (tag counts, population, ...)
    signature   words that surround the concept, to choose a sense by
    kinds       what it is, besides what it is a part of: Sacramento is a state capital, its parts are not
    hidden      never offered as a replacement (a maintenance class), though it links what is below to what is above
    """

    id: str
    lemmas: tuple[str, ...]
    parents: tuple[int, ...] = ()
    count: float = 1.0
    priors: tuple[int, ...] = ()
    signature: tuple[str, ...] = ()
    kinds: tuple[int, ...] = ()
    hidden: bool = False


class CycleError(ValueError):
    """A concept is its own ancestor; `node` is one on the cycle."""

    def __init__(self, node: int) -> None:
        super().__init__(f"node {node} lies on a cycle")
        self.node = node


def topological(parents: Sequence[Sequence[int]]) -> list[int]:
    """Order positions so that parents come before their children; raise CycleError if none exists.

    >>> topological([[1], [], [0, 1]])
    [1, 0, 2]
    """
    children: list[list[int]] = [[] for _ in parents]
    waiting = [len(set(above)) for above in parents]
    for node, above in enumerate(parents):
        for parent in set(above):
            children[parent].append(node)
    ready = [node for node, count in enumerate(waiting) if not count]
    for node in ready:
        for child in children[node]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    if len(ready) < len(waiting):
        raise CycleError(_on_cycle(parents, waiting))
    return ready


def _on_cycle(parents: Sequence[Sequence[int]], waiting: Sequence[int]) -> int:
    """Walk up among the nodes that wait for each other until one repeats."""
    node = next(n for n, count in enumerate(waiting) if count)
    seen: set[int] = set()
    while node not in seen:
        seen.add(node)
        node = next(parent for parent in parents[node] if waiting[parent])
    return node


def closure(parents: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """All pairs (descendant, ancestor), each node being its own ancestor, each pair once."""
    above: list[Ints] = [np.zeros(0, np.int64)] * len(parents)
    for node in topological(parents):
        own = np.array([node])
        above[node] = np.unique(np.concatenate([own, *(above[p] for p in parents[node])])) if parents[node] else own
    descendants = np.repeat(np.arange(len(above)), [len(a) for a in above])
    return descendants, np.concatenate(above) if above else np.zeros(0, np.int64)


def leaves(nodes: Sequence[Node]) -> npt.NDArray[np.bool_]:
    """Tell which nodes are leaves: nothing lies below them, and they are no kind of something."""
    leaf = np.ones(len(nodes), bool)
    leaf[[above for node in nodes for above in (*node.parents, *node.kinds)]] = False
    return leaf


def leaf_volumes(leaf: npt.NDArray[np.bool_], pairs: tuple[Ints, Ints]) -> Ints:
    """Distinct leaf descendants of each node; a leaf has volume 1 (003, Definition 1)."""
    below, above = pairs
    return np.bincount(above[leaf[below]], minlength=len(leaf))


def information(counts: Floats, pairs: tuple[Ints, Ints], total: float) -> Floats:
    """Bits of each node, -log2 of the share of its own and its descendants' counts (001, Resnik's counting)."""
    below, above = pairs
    mass = np.bincount(above, weights=counts[below], minlength=len(counts))
    # Sums of floats taken in another order may differ in the last digit: never let a share pass one.
    return -np.log2(np.minimum(mass / total, 1.0)) + 0.0


def monotone(bits: Floats, parents: Sequence[Sequence[int]], order: Sequence[int]) -> Floats:
    """Lower a parent to its least informative child where rounding put it above."""
    fixed = bits.copy()
    for node in reversed(order):
        for parent in parents[node]:
            fixed[parent] = min(fixed[parent], fixed[node])
    return fixed


def pack(nodes: Sequence[Node], *, roots: Mapping[int, float] | None = None) -> dict[str, npt.NDArray[Any]]:
    """Arrays of a graph over `nodes`.

    roots       bits of nodes that another taxonomy holds already: a node is as informative as the most
                informative of these above it, plus the bits of its share among their descendants; without,
                shares are taken of the whole
    """
    parents = [node.parents for node in nodes]
    order = topological(parents)
    pairs = closure(parents)
    counts = np.array([node.count for node in nodes], float)
    bits = information(counts, pairs, float(counts.sum()) or 1.0)
    volumes = leaf_volumes(leaves(nodes), pairs)
    _measure_kinds(nodes, order, bits, volumes)
    if roots:
        bits = _below_roots(bits, pairs, roots)
    arrays = _strings_and_senses(nodes) | _rows("parent", parents) | _signatures(nodes)
    if any(node.kinds for node in nodes):
        arrays |= _rows("kind", [node.kinds for node in nodes])
    arrays["bits"] = monotone(bits, parents, order).astype(np.float32)
    arrays["volume"] = volumes.astype(np.uint32)
    arrays["hidden"] = np.array([i for i, node in enumerate(nodes) if node.hidden], np.uint32)
    return arrays


def _measure_kinds(nodes: Sequence[Node], order: Sequence[int], bits: Floats, volumes: Ints) -> None:
    """Give a kind the number of its members as volume, and the sum of their shares as its own.

    The parts of a member are no members: a state is one state, however many cities it has. A node above
    kinds only is a kind itself.
    """
    members: dict[int, set[int]] = {}
    for i, node in enumerate(nodes):
        for kind in node.kinds:
            members.setdefault(kind, set()).add(i)
    if not members:
        return
    children: list[list[int]] = [[] for _ in nodes]
    for i, node in enumerate(nodes):
        for parent in node.parents:
            children[parent].append(i)
    for kind in reversed(order):
        below = [members.get(child) for child in children[kind]]
        if kind in members or (below and None not in below):
            found = members.setdefault(kind, set()).union(*(some for some in below if some))
            members[kind] = found
    for kind, those in members.items():
        volumes[kind] = len(those)
        bits[kind] = -np.log2(min(float(np.sum(2.0 ** -bits[sorted(those)])), 1.0)) + 0.0


def _below_roots(bits: Floats, pairs: tuple[Ints, Ints], roots: Mapping[int, float]) -> Floats:
    """Bits measured from the roots downwards: bits(root) + (bits - bits of the root's own share)."""
    shifted = np.zeros(len(bits))
    below, above = pairs
    for root, base in roots.items():
        under = below[above == root]
        shifted[under] = np.maximum(shifted[under], base + bits[under] - bits[root])
    return shifted


def _rows(name: str, rows: Sequence[Sequence[int]], dtype: type = np.uint32) -> dict[str, npt.NDArray[Any]]:
    """Rows of different length as one array and the length of each (a byte or two; where they begin is summed)."""
    lengths = np.array([len(row) for row in rows], np.int64)
    flat: npt.NDArray[Any] = np.fromiter((value for row in rows for value in row), dtype, count=int(lengths.sum()))
    return {name: flat, f"{name}_length": lengths.astype(_least(lengths))}


def _least(values: npt.NDArray[np.int64]) -> type:
    """The smallest unsigned type that holds all values."""
    most = int(values.max(initial=0))
    return np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32


def _strings_and_senses(nodes: Sequence[Node]) -> dict[str, npt.NDArray[Any]]:
    """One sorted pool of lemmas and keys; for each key the concepts it can mean, the most usual first."""
    senses: dict[str, dict[int, int]] = {}
    for position, node in enumerate(nodes):
        for lemma, prior in zip(node.lemmas, node.priors or (0,) * len(node.lemmas), strict=True):
            known = senses.setdefault(normalize(lemma), {})
            known[position] = max(prior, known.get(position, 0))
    senses.pop("", None)
    pool = sorted({*senses, *(lemma for node in nodes for lemma in node.lemmas)}, key=str.encode)
    number = {string: i for i, string in enumerate(pool)}
    # Python's sort is stable: concepts of equal prior keep the order in which the source lists them.
    ranked = [sorted(senses.get(string, {}).items(), key=lambda item: -item[1]) for string in pool]
    encoded = [string.encode() for string in pool]
    arrays = _rows("sense", [[node for node, _ in row] for row in ranked])
    priors = np.array([prior for row in ranked for _, prior in row], np.int64)
    arrays["prior"] = priors.astype(_least(priors))
    arrays |= _rows("lemma", [[number[lemma] for lemma in node.lemmas] for node in nodes])
    return arrays | _rows("string", encoded, np.uint8)


def _signatures(nodes: Sequence[Node]) -> dict[str, npt.NDArray[Any]]:
    """Words around a concept, as numbers of a vocabulary of their own, the most frequent words first."""
    frequency: dict[str, int] = {}
    for node in nodes:
        for word in node.signature:
            frequency[word] = frequency.get(word, 0) + 1
    # A word met once can match no second concept, but it still can match a context: keep what 16 bits hold.
    words = sorted(sorted(frequency), key=lambda word: -frequency[word])[: 1 << 16]
    number = {word: i for i, word in enumerate(words)}
    by_name = sorted(words, key=str.encode)
    encoded = [word.encode() for word in by_name]
    rows = [sorted({number[word] for word in node.signature if word in number}) for node in nodes]
    arrays = _rows("signature", rows, np.uint16) | _rows("word", encoded, np.uint8)
    arrays["word_number"] = np.array([number[word] for word in by_name], np.uint16)
    arrays["word_count"] = np.array([frequency[word] for word in words], np.uint32)
    return arrays
