from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda import bits
from tacenda.knowledge.index import TermSets, groups
from tacenda.knowledge.index.groups import closed_groups, minimal_groups

TOTAL = 120


@dataclass(frozen=True)
class Rule:
    support: int
    articles: int
    limits: Any


@st.composite
def worlds(draw: Any) -> tuple[TermSets, Any, Rule]:
    """Random windows, terms, an entity and a rule."""
    seed = draw(st.integers(0, 10_000))
    chance = np.random.default_rng(seed)
    terms = [
        np.flatnonzero(chance.random(TOTAL) < chance.choice([0.05, 0.2, 0.5])).astype(np.uint32)
        for _ in range(draw(st.integers(1, 8)))
    ]
    entity = np.flatnonzero(chance.random(TOTAL) < draw(st.sampled_from([0.1, 0.4]))).astype(np.uint32)
    starts = np.sort(chance.choice(np.arange(1, TOTAL), 20, replace=False))
    theta = draw(st.sampled_from([0.3, 0.5, 0.8]))
    limits = np.array([int(x / theta) for x in range(len(entity) + 1)])
    rule = Rule(draw(st.integers(1, 4)), draw(st.integers(1, 3)), limits)
    return TermSets(terms, TOTAL, np.concatenate(([0], starts))), entity, rule


def all_groups(sets: TermSets, entity: Any) -> dict[tuple[int, ...], tuple[int, int, int]]:
    """Every group with a window in common with the entity: n(cT), n(T), articles."""
    known = {}
    windows = [set(s.tolist()) for s in sets.sets.sets]
    for size in range(1, len(windows) + 1):
        for members in combinations(range(len(windows)), size):
            held = set.intersection(*(windows[m] for m in members))
            joint = sorted(held & set(entity.tolist()))
            known[members] = (len(joint), len(held), sets.articles(np.array(joint, dtype=np.uint32)))
    return known


@settings(max_examples=150, deadline=None)
@given(worlds(), st.integers(1, 2))
def test_minimal_groups_are_those_of_brute_force(world: tuple[TermSets, Any, Rule], least: int) -> None:
    sets, entity, rule = world
    risky = {
        members
        for members, (joint, count, articles) in all_groups(sets, entity).items()
        if len(members) >= least
        and joint >= rule.support and articles >= rule.articles and count <= rule.limits[joint]
    }  # fmt: skip
    minimal = {m for m in risky if not any(set(other) < set(m) for other in risky)}
    found = minimal_groups(sets, entity, rule, least=least)
    assert {g.members for g in found} == minimal
    known = all_groups(sets, entity)
    assert all((g.joint, g.count, g.articles) == known[g.members] for g in found)


@settings(max_examples=100, deadline=None)
@given(worlds())
def test_closed_groups_are_those_of_brute_force_and_suffice(world: tuple[TermSets, Any, Rule]) -> None:
    sets, entity, rule = world
    known = all_groups(sets, entity)
    closed = {
        m: counts
        for m, counts in known.items()
        if counts[0] >= rule.support
        and not any(known[tuple(sorted({*m, t}))][0] == counts[0] for t in range(len(sets.sizes)) if t not in m)
    }
    found = closed_groups(sets, entity, support=rule.support)
    assert {g.members: (g.joint, g.count, g.articles) for g in found} == closed

    def risky(joint: int, count: int) -> bool:
        return joint >= rule.support and count <= rule.limits[joint]

    some = any(risky(joint, count) for joint, count, _ in known.values())
    assert some == any(risky(g.joint, g.count) for g in found)


@settings(max_examples=80, deadline=None)
@given(worlds(), st.integers(0, 1000), st.booleans())
def test_group_counts_are_set_intersections(world: tuple[TermSets, Any, Rule], seed: int, common: bool) -> None:
    sets = world[0].sets
    chance = random.Random(seed)
    lines = [[0 if common else chance.randrange(len(sets.sets)), *chance.choices(range(len(sets.sets)), k=3)]
             for _ in range(30)]  # fmt: skip
    counts = bits.group_counts(sets, np.array(lines, dtype=np.int32))
    expected = [len(set.intersection(*(set(sets.sets[m].tolist()) for m in line))) for line in lines]
    assert counts.tolist() == expected


def test_counting_stops_early_without_changing_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    terms = [np.flatnonzero(chance.random(5000) < 0.4).astype(np.uint32) for _ in range(6)]
    entity = np.flatnonzero(chance.random(5000) < 0.1).astype(np.uint32)
    rule = Rule(2, 1, np.array([int(x / 0.12) for x in range(len(entity) + 1)]))

    def search(first: int) -> list[groups.Group]:
        monkeypatch.setattr(groups, "_FIRST_WORDS", first)
        return minimal_groups(TermSets(terms, 5000, np.array([0])), entity, rule)

    assert search(1) == search(10_000) != []


def test_rows_pack_and_unpack() -> None:
    flags = np.random.default_rng(1).random((3, 130)) < 0.5
    rows = bits.pack(flags)
    assert rows.shape == (3, 3)
    assert (bits.unpack(rows, 130) == flags).all()
    assert bits.count(rows).tolist() == flags.sum(axis=1).tolist()
    assert bits.positions(rows[1], 130).tolist() == np.flatnonzero(flags[1]).tolist()


def test_members_of_an_empty_set() -> None:
    none = np.zeros(0, dtype=np.uint32)
    some = np.array([1, 5], dtype=np.uint32)
    assert bits.members(some, none).tolist() == [False, False]
    assert bits.members(none, some).tolist() == []


Make = Callable[..., Any]


def test_the_index_finds_the_groups_of_a_small_world(make: Make) -> None:
    texts = [f"HIV mother transmission {n}" for n in range(6)] + [f"mother child {n}" for n in range(30)]
    texts += [f"transmission gear {n}" for n in range(30)] + [f"other thing {n}" for n in range(100)]
    index = make(texts)
    rule = Rule(5, 3, np.array([2 * x for x in range(index.count("HIV").number + 1)]))
    found = index.minimal_groups("HIV", ["mother", "gear", "transmission", "nowhere"], rule)
    assert [(g.members, g.joint, g.count, g.articles) for g in found] == [((0, 2), 6, 6, 6)]
    closed = index.closed_groups("HIV", ["mother", "gear", "transmission"])
    assert [g.members for g in closed] == [(0, 2)]
