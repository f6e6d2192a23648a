"""Volumes and information on graphs small enough to count by hand, and on random ones against brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.knowledge.taxonomy.compile import CycleError, Node, closure, leaf_volumes, leaves, pack, topological

# A diamond: leaf 4 is reached from the root by two paths, and counts once.
#        0
#      1   2
#    3   4   5
DIAMOND = [(), (0,), (0,), (1,), (1, 2), (2,)]


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[int, ...]]:
    size = draw(st.integers(1, 25))
    return [tuple(draw(st.sets(st.integers(0, i - 1), max_size=min(i, 3)))) if i else () for i in range(size)]


def below(parents: list[tuple[int, ...]], node: int) -> set[int]:
    """Descendants by plain search."""
    found = {node}
    while more := {i for i, above in enumerate(parents) if found & set(above)} - found:
        found |= more
    return found


def test_a_leaf_reached_twice_counts_once() -> None:
    assert pack([Node(str(i), (f"n{i}",), above) for i, above in enumerate(DIAMOND)])["volume"].tolist() == [
        3,
        2,
        2,
        1,
        1,
        1,
    ]


def test_bits_of_the_diamond_by_hand() -> None:
    nodes = [Node(str(i), (f"node {i}",), above, count=2.0 if i == 4 else 1.0) for i, above in enumerate(DIAMOND)]
    bits = pack(nodes)["bits"]
    # Seven in all; node 1 covers itself, 3 and 4 (1 + 1 + 2).
    assert bits[0] == 0
    assert bits[1] == pytest.approx(-math.log2(4 / 7), abs=1e-6)
    assert bits[4] == pytest.approx(-math.log2(2 / 7), abs=1e-6)


@given(graphs())
def test_volumes_equal_brute_force(parents: list[tuple[int, ...]]) -> None:
    inner = {p for above in parents for p in above}
    expected = [sum(d not in inner for d in below(parents, node)) for node in range(len(parents))]
    nodes = [Node(str(i), (f"n{i}",), above) for i, above in enumerate(parents)]
    assert leaf_volumes(leaves(nodes), closure(parents)).tolist() == expected


@given(graphs(), st.data())
def test_a_parent_is_never_more_informative_than_its_child(parents: list[tuple[int, ...]], data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.floats(0.001, 1e9), min_size=len(parents), max_size=len(parents)))
    bits = pack([Node(str(i), (f"n{i}",), parents[i], counts[i]) for i in range(len(parents))])["bits"]
    assert all(bits[p] <= bits[i] for i, above in enumerate(parents) for p in above)


@given(graphs())
def test_parents_come_before_children(parents: list[tuple[int, ...]]) -> None:
    place = {node: i for i, node in enumerate(topological(parents))}
    assert all(place[p] < place[i] for i, above in enumerate(parents) for p in above)


def test_a_cycle_is_named_by_a_node_on_it() -> None:
    with pytest.raises(CycleError) as raised:
        topological([(), (2,), (1,), (1,)])
    assert raised.value.node in (1, 2)


def test_kinds_count_their_members_not_the_parts_of_these() -> None:
    # 0 place, 1 kind "state", 2 a state with two towns, 3 another state without.
    nodes = [
        Node("0", ("place",)),
        Node("1", ("state",), (0,)),
        Node("2", ("Utah",), (0,), kinds=(1,)),
        Node("3", ("Ohio",), (0,), kinds=(1,)),
        Node("4", ("Provo",), (2,)),
        Node("5", ("Ogden",), (2,)),
    ]
    arrays = pack(nodes)
    assert arrays["volume"].tolist() == [3, 2, 2, 1, 1, 1]
    # Six in all; the two states hold four of them.
    assert arrays["bits"][1] == pytest.approx(-math.log2(4 / 6), abs=1e-6)


def test_bits_below_a_root_start_from_those_of_the_root() -> None:
    nodes = [Node("0", ("disease",)), Node("1", ("cold",), (0,)), Node("2", ("flu",), (0,), count=2.0)]
    bits = pack(nodes, roots={0: 10.0})["bits"]
    assert bits == pytest.approx(np.array([10.0, 12.0, 11.0]))
