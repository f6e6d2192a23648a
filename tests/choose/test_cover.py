"""The weighted hitting set against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.choose.cover import Cover, cover


def brute_force(groups, members, costs):
    best = float("inf")
    for chosen in range(1 << len(costs)):
        cost = sum(c for i, c in enumerate(costs) if chosen >> i & 1)
        if cost < best and all(any(all(chosen >> i & 1 for i in members[w]) for w in g) for g in groups):
            best = cost
    return best


@st.composite
def problems(draw):
    items = draw(st.integers(2, 8))
    costs = draw(st.lists(st.integers(1, 20).map(lambda n: n / 2), min_size=items, max_size=items))
    members = draw(
        st.lists(st.sets(st.integers(0, items - 1), min_size=1, max_size=2).map(sorted), min_size=2, max_size=9)
    )
    group = st.sets(st.integers(0, len(members) - 1), min_size=1, max_size=4).map(sorted)
    return draw(st.lists(group, min_size=1, max_size=10)), members, costs


@settings(max_examples=200, deadline=None)
@given(problems())
def test_the_cover_is_optimal_and_breaks_every_group(problem):
    groups, members, costs = problem
    found = cover(groups, members, costs)
    assert found.exact
    assert found.cost == pytest.approx(brute_force(groups, members, costs))
    changed = set(found.items)
    assert all(any(changed.issuperset(members[w]) for w in group) for group in groups)


@settings(max_examples=50, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_the_answer_does_not_depend_on_the_order_of_groups(problem, random):
    groups, members, costs = problem
    shuffled = [random.sample(group, len(group)) for group in groups]
    random.shuffle(shuffled)
    assert cover(groups, members, costs) == cover(shuffled, members, costs)


@settings(max_examples=50, deadline=None)
@given(problems())
def test_fewer_groups_never_cost_more(problem):
    groups, members, costs = problem
    assert cover(groups[1:], members, costs).cost <= cover(groups, members, costs).cost + 1e-9


def test_a_search_cut_short_states_an_honest_bound():
    rng = np.random.default_rng(1)
    costs = [float(c) for c in rng.uniform(4, 15, 32)]
    groups = [sorted({int(i) for i in rng.integers(0, 32, 3)}) for _ in range(140)]
    members = [[i] for i in range(32)]
    short, full = (cover(groups, members, costs, most_nodes=n) for n in (1, 200_000))
    assert full.exact
    assert short.bound <= full.cost + 1e-9 <= short.cost + 2e-9
    assert short.exact == (short.gap == 0)


def test_a_member_is_broken_only_with_all_its_items():
    # One word in two phrases (items 0 and 1), or the other word in one phrase (item 2).
    assert cover([[0, 1]], [[0, 1], [2]], [1.0, 1.0, 1.5]) == Cover((2,), 1.5, 1.5)
    assert cover([[0, 1]], [[0, 1], [2]], [1.0, 1.0, 2.5]).items == (0, 1)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="positive"):
        cover([[0]], [[0]], [0.0])
    assert cover([], [], []) == Cover((), 0.0, 0.0)
