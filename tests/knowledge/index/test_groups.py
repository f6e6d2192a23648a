from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.knowledge.index import TermSets
from tacenda.knowledge.index.groups import closed_groups

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


Make = Callable[..., Any]


def test_the_index_finds_the_closed_groups_of_a_small_world(make: Make) -> None:
    texts = [f"HIV mother transmission {n}" for n in range(6)] + [f"mother child {n}" for n in range(30)]
    texts += [f"transmission gear {n}" for n in range(30)] + [f"other thing {n}" for n in range(100)]
    index = make(texts)
    closed = index.closed_groups("HIV", ["mother", "gear", "transmission"])
    assert [g.members for g in closed] == [(0, 2)]
