"""Sets of windows: sorted numbers and rows of bits give the same answers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.arrays import window_sets

TOTAL = 120


@st.composite
def sets(draw: Any) -> window_sets.Sets:
    """Random sets of windows."""
    chance = np.random.default_rng(draw(st.integers(0, 10_000)))
    shares = chance.choice([0.05, 0.2, 0.5], draw(st.integers(1, 8)))
    return window_sets.Sets([np.flatnonzero(chance.random(TOTAL) < share).astype(np.uint32) for share in shares], TOTAL)


@settings(max_examples=80, deadline=None)
@given(sets(), st.integers(0, 1000), st.booleans())
def test_group_counts_are_set_intersections(sets: window_sets.Sets, seed: int, common: bool) -> None:
    chance = random.Random(seed)
    lines = [[0 if common else chance.randrange(len(sets.sets)), *chance.choices(range(len(sets.sets)), k=3)]
             for _ in range(30)]  # fmt: skip
    counts = window_sets.group_counts(sets, np.array(lines, dtype=np.int32))
    expected = [len(set.intersection(*(set(sets.sets[m].tolist()) for m in line))) for line in lines]
    assert counts.tolist() == expected


@pytest.mark.parametrize("most", [window_sets._MOST_BYTES, 0])
def test_sets_are_projected_with_and_without_masks(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(window_sets, "_MOST_BYTES", most)
    held = window_sets.Sets([np.array([1, 5, 9]), np.array([], dtype=np.int64), np.array([5, 11])], 12)
    rows = held.project(np.array([2, 0, 1]), np.array([5, 9, 11]))
    assert rows.tolist() == [[0b101], [0b011], [0]]


def test_rows_pack_and_unpack() -> None:
    flags = np.random.default_rng(1).random((3, 130)) < 0.5
    rows = window_sets.pack(flags)
    assert rows.shape == (3, 3)
    assert (window_sets.unpack(rows, 130) == flags).all()
    assert window_sets.count(rows).tolist() == flags.sum(axis=1).tolist()
    assert window_sets.positions(rows[1], 130).tolist() == np.flatnonzero(flags[1]).tolist()


def test_members_of_an_empty_set() -> None:
    none = np.zeros(0, dtype=np.uint32)
    some = np.array([1, 5], dtype=np.uint32)
    assert window_sets.members(some, none).tolist() == [False, False]
    assert window_sets.members(none, some).tolist() == []
    assert window_sets.meet(none, some).tolist() == window_sets.meet(some, none).tolist() == []


def test_sorted_sets_meet() -> None:
    assert window_sets.meet(np.array([1, 5, 9]), np.array([5, 9, 11, 12])).tolist() == [5, 9]
