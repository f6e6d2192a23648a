"""The paper's own algorithms: right where they claim to be, and never better than ours."""

import random

import pytest

from tacenda.choose.plausibility import paper, problem, product_answer, uniform_answer


def random_ladders(rng):
    ladders = {
        f"w{i}": [(f"c{j}", rng.randint(2, 30)) for j in range(rng.randint(1, 4))] for i in range(rng.randint(1, 5))
    }
    most = 1
    for ladder in ladders.values():
        most *= max(volume for _, volume in ladder)
    return ladders, rng.randint(1, most)


@pytest.mark.parametrize("seed", range(3))
def test_exhaustive_searches_agree_with_ours(seed):
    rng = random.Random(seed)
    for _ in range(60):
        made = problem(*random_ladders(rng))
        assert paper.esearch_prune(made).product == product_answer(made).product
        exhaustive, ours = paper.uniform_exhaustive(made), uniform_answer(made)
        assert exhaustive.exact
        assert exhaustive.cost == pytest.approx(ours.cost, abs=1e-12)
        heuristic = paper.lub_search(made)
        assert heuristic.product >= made.t
        assert heuristic.cost >= ours.cost - 1e-12
        assert not heuristic.exact


def test_the_last_word_is_generalized_too():
    # Algorithm 1 as printed (i < m) would never reach t here.
    made = problem({"a": [("x", 2)], "b": [("y", 3)]}, 6)
    assert paper.esearch_prune(made).volumes == (2, 3)


def test_short_ladders_below_the_least_upper_bound_are_made_up_for_by_others():
    made = problem({"a": [("x", 2)], "b": [("y", 4), ("z", 64)]}, 100)
    assert paper.lub_search(made).volumes == (2, 64)


def test_a_limit_ends_the_search_and_says_so():
    made = problem({f"w{i}": [(f"c{j}", v) for j, v in enumerate((3, 7, 19, 60))] for i in range(12)}, 10**6 + 3)
    assert not paper.esearch_prune(made, limit=500).exact
    stopped = paper.uniform_exhaustive(made, limit=5)
    assert not stopped.exact
    assert stopped.product >= made.t
