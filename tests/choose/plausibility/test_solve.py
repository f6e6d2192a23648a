"""Exact t-PAT and uniform t-PAT against brute force, goldens and refusals."""

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.choose.plausibility import paper, problem, solve
from tacenda.choose.plausibility.equations import cost
from tacenda.choose.plausibility.product import least_product_from
from tacenda.errors import GuaranteeError, KnowledgeError, UsageError

EXAMPLE = {
    "Sacramento": [("state capital", 4), ("capital", 32), ("seat", 40)],
    "marijuana": [("controlled substance", 2), ("drug", 2)],
    "lumbar pain": [("pain", 2)],
    "liver cancer": [("carcinoma", 2)],
}
# WordNet 3.0, drug sense of marijuana: every ancestor with its leaves.
MARIJUANA = {
    "marijuana": [
        ("soft drug", 4), ("controlled substance", 13), ("drug of abuse", 248), ("narcotic", 16), ("drug", 718),
        ("agent", 770), ("causal agent", 9425), ("substance", 1906), ("physical entity", 36750), ("matter", 5104),
        ("entity", 64958),
    ],
    "phantom limb pain": [
        ("pain", 3), ("somesthesia", 9), ("perception", 52), ("basic cognitive process", 194), ("process", 402),
        ("cognition", 3463), ("psychological feature", 9320), ("abstraction", 31318), ("entity", 64958),
    ],
}  # fmt: skip


def brute_force(ladders, t, alpha):
    """Least product, the least sum of squares at it, and the least uniform cost."""
    options = [[1, *(v for _, v in ladders[term])] for term in sorted(ladders)]
    enough = [c for c in itertools.product(*options) if math.prod(c) >= t]
    product = min(map(math.prod, enough))
    even = min(math.fsum(math.log2(v) ** 2 for v in c) for c in enough if math.prod(c) == product)
    return product, even, min(cost([math.log2(v) for v in c], t, alpha) for c in enough)


VOLUMES = [1, 2, 2, 3, 4, 5, 6, 8, 9, 12, 17, 32, 50, 97, 1000]


def random_case(rng):
    ladders = {
        f"w{i}": [(f"c{j}", v) for j, v in enumerate(rng.choices(VOLUMES, k=rng.randint(1, 5)))]
        for i in range(rng.randint(1, 5))
    }
    most = math.prod(max(1, *(v for _, v in ladder)) for ladder in ladders.values())
    t = rng.randint(1, most) if rng.random() < 0.3 else min(most, int(2 ** rng.uniform(0, math.log2(most))))
    return ladders, max(1, t), rng.choice([0.0, 0.1, 0.5, 0.5, 0.9, 1.0])


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed):
    rng = random.Random(seed)
    for _ in range(150):
        ladders, t, alpha = random_case(rng)
        product, even, least = brute_force(ladders, t, alpha)
        plain = solve(ladders, t, alpha=alpha)
        assert (plain.product, plain.exact, plain.bound) == (product, True, product)
        assert math.fsum(h * h for h in plain.entropies) == pytest.approx(even)
        uniform = solve(ladders, t, uniform=True, alpha=alpha)
        assert uniform.product >= t
        assert uniform.exact
        assert uniform.cost == pytest.approx(least, rel=1e-9, abs=1e-12)


def test_seven_terms_with_long_ladders_against_brute_force():
    rng = random.Random(7)
    for _ in range(3):
        ladders = {f"w{i}": [(f"c{j}", v) for j, v in enumerate(sorted(rng.sample(range(2, 60), 4)))] for i in range(7)}
        t = rng.randint(2, 10**6)
        product, _, least = brute_force(ladders, t, 0.5)
        assert solve(ladders, t).product == product
        assert solve(ladders, t, uniform=True).cost == pytest.approx(least, rel=1e-9)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.integers(2, 40), min_size=1, max_size=4), min_size=1, max_size=5),
    st.integers(1, 5000),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_order_of_terms_changes_nothing(volumes, t, uniform, rng):
    ladders = {f"w{i}": [(f"c{j}", v) for j, v in enumerate(ladder)] for i, ladder in enumerate(volumes)}
    t = min(t, math.prod(max(ladder) for ladder in volumes))
    first = solve(ladders, t, uniform=uniform)
    names = list(ladders)
    rng.shuffle(names)
    assert solve({name: ladders[name] for name in names}, t, uniform=uniform) == first


@pytest.mark.parametrize(("m", "t"), [(60, 16381), (60, 10**6), (200, 999983), (40, 2**31 + 11)])
def test_many_terms_agree_with_the_forward_search(m, t):
    rng = random.Random(m)
    volumes = [sorted(rng.sample([2, 3, 4, 6, 9, 10, 14, 25, 33, 60, 250, 777], 4)) for _ in range(m)]
    from tacenda.choose.plausibility import product

    chosen = product.least_product(volumes, t)
    assert all(v == 1 or v in ladder for v, ladder in zip(chosen, volumes, strict=True))
    assert math.prod(chosen) == product._forward(volumes, t)


def test_terms_too_few_for_a_product_fall_back_to_the_divisors():
    # 36 = 2*3*6 would be most even, but 2 and 3 are on one ladder only.
    assert solve({"a": [("x", 2), ("y", 3)], "b": [("z", 6)], "c": [("u", 12)]}, 36).product == 36
    ladders = {f"t{i:02}": [("x", 2), ("y", 3)] for i in range(3)} | {f"u{i:02}": [("z", 7)] for i in range(40)}
    answer = solve(ladders, 12)
    assert answer.product == 12
    assert sorted(answer.volumes)[-3:] == [2, 2, 3]


@pytest.mark.parametrize("t", [2**40 + 1, 2**200, 2**700 + 5], ids=["2^40", "2^200", "2^700"])
def test_a_huge_t_is_answered_with_its_gap(t):
    rng = random.Random(3)
    ladders = {
        f"w{i:03}": [(f"c{j}", v) for j, v in enumerate(sorted(rng.sample(range(2, 5000), 8)))] for i in range(200)
    }
    answer = solve(ladders, t)
    assert answer.product >= t
    assert answer.gap < 1e-6
    assert answer.exact or answer.gap == pytest.approx(1 - t / answer.product)
    uniform = solve(ladders, t, uniform=True)
    assert uniform.product >= t
    assert uniform.bound <= uniform.cost


def test_few_states_give_a_true_certificate():
    rng = random.Random(11)
    for _ in range(40):
        ladders = {
            f"w{i}": [(f"c{j}", v) for j, v in enumerate(sorted(rng.sample(range(2, 200), 5)))] for i in range(15)
        }
        t = 2 ** rng.randint(10, 50)
        full = solve(ladders, t, uniform=True)
        narrow = solve(ladders, t, uniform=True, most_states=2)
        assert full.exact
        assert narrow.product >= t
        assert narrow.bound <= full.cost + 1e-12 <= narrow.cost + 2e-12
        assert narrow.gap == pytest.approx(0.0 if narrow.exact else 1 - narrow.bound / narrow.cost)


def test_weighted_entropies():
    ladders = {"a": [("x", 4)], "b": [("y", 4)]}
    with pytest.raises(GuaranteeError, match="out of reach"):
        solve(ladders, 16, uniform=True, entropies={"a": [1.5], "b": [2.0]})
    answer = solve(ladders, 8, uniform=True, entropies={"a": [1.5], "b": [2.0]})
    assert answer.entropies == (1.5, 2.0)
    assert answer.exact
    # t-PAT counts originals, whatever their weights.
    assert solve(ladders, 4, entropies={"a": [0.5], "b": [0.5]}).product == 4


def test_example_2_takes_the_even_optimum():
    answer = solve(EXAMPLE, 32)
    assert answer.product == 32
    assert answer.choice == {"Sacramento": 0, "liver cancer": 0, "lumbar pain": 0, "marijuana": 0}
    assert answer.cost == 0.09375


@pytest.mark.parametrize(
    "algorithm",
    [
        lambda p: solve(MARIJUANA, 10),
        lambda p: solve(MARIJUANA, 10, uniform=True),
        paper.esearch_prune,
        paper.uniform_exhaustive,
        paper.lub_search,
    ],
)
def test_soft_drug_for_pain(algorithm):
    answer = algorithm(problem(MARIJUANA, 10))
    assert answer.choice == {"marijuana": 0, "phantom limb pain": 0}
    assert answer.volumes == (4, 3)
    assert answer.product == 12
    assert answer.cost == pytest.approx(0.0388287904, abs=1e-10)


def test_the_nearest_of_equal_volumes_is_taken():
    assert solve({"a": [("near", 3), ("far", 3)]}, 3).choice == {"a": 0}
    assert solve({"a": [("near", 3), ("far", 3)]}, 3, uniform=True).choice == {"a": 0}


def test_t_of_one_keeps_everything():
    assert solve(EXAMPLE, 1).product == 1
    assert solve(EXAMPLE, 1, uniform=True).cost == 0.0


@pytest.mark.parametrize("t", [0, -3, 2.5, True, "10"])
def test_refuses_a_bad_threshold(t):
    with pytest.raises(UsageError, match="at least 1"):
        solve(EXAMPLE, t)


def test_refuses_what_cannot_be_answered():
    with pytest.raises(UsageError, match="at least one sensitive term"):
        solve({}, 2)
    with pytest.raises(KnowledgeError, match="1 of 2 sensitive terms are in no taxonomy"):
        solve({"canaryword": [], "b": [("x", 2)]}, 2)
    with pytest.raises(GuaranteeError, match=r"t = 400 is out of reach.* 320 plausible originals"):
        solve(EXAMPLE, 400)
    with pytest.raises(KnowledgeError, match="volume 0"):
        solve({"a": [("x", 0)]}, 1)
    with pytest.raises(UsageError, match="alpha"):
        solve(EXAMPLE, 2, alpha=1.5)


def test_errors_hold_no_term():
    with pytest.raises(KnowledgeError) as caught:
        solve({"canaryword": [], "b": [("x", 2)]}, 2)
    assert "canaryword" not in str(caught.value)
    assert "canaryword" not in repr(problem({"canaryword": [("x", 2)]}, 2))


@given(st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=5), min_size=1, max_size=5), st.integers(1, 5000))
def test_with_floors_the_least_product_is_that_of_brute_force(volumes: list[list[int]], t: int) -> None:
    products = sorted(p for choice in itertools.product(*volumes) if (p := math.prod(choice)) >= t)
    if not products:
        return
    chosen, proved = least_product_from(volumes, t)
    assert proved
    assert math.prod(chosen) == products[0]
    assert all(volume in options for volume, options in zip(chosen, volumes, strict=True))
