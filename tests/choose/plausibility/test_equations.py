"""Definitions and equations of paper 003, on the ontologies of its Figure 2 and its examples."""

import math

import pytest

from tacenda.choose.plausibility import equations

# Figure 2, as far as the text of the paper tells it. `drug` has two leaves here, as in Example 3.
FIGURE_2 = {
    "Sacramento": ["state_capital"],
    "Austin": ["state_capital"],
    "Boston": ["state_capital"],
    "Albany": ["state_capital"],
    "state_capital": ["capital"],
    "marijuana": ["controlled_substance"],
    "ecstasy": ["controlled_substance"],
    "controlled_substance": ["drug"],
    "lumbar_pain": ["pain"],
    "migraine": ["pain"],
    "liver_cancer": ["carcinoma"],
    "lung_cancer": ["carcinoma"],
}
TEXT = ["Sacramento", "marijuana", "lumbar_pain", "liver_cancer"]
GENERAL = ["state_capital", "drug", "pain", "carcinoma"]


def test_example_1():
    assert equations.word_domain("marijuana", "controlled_substance", FIGURE_2) == ["ecstasy", "marijuana"]
    domains = [
        equations.word_domain(*pair, FIGURE_2)
        for pair in (("marijuana", "controlled_substance"), ("lumbar_pain", "pain"))
    ]
    texts = list(equations.text_domain(domains))
    assert len(texts) == equations.domain_size(map(len, domains)) == 4
    local = [equations.local_probabilities(domain) for domain in domains]
    assert local[0]["marijuana"] == 0.5
    assert [equations.plausibility(text, local) for text in texts] == [0.25] * 4


def test_example_2_has_two_optima_of_which_one_is_even():
    # capital has 32 leaves in Example 2 and 8 in the proof of Theorem 1; both are fixtures.
    assert equations.domain_size([32, 1, 1, 1]) == equations.domain_size([4, 2, 2, 2]) == 32
    assert equations.cost([3.0, 0.0, 1.0, 1.0], 32) < equations.cost([5.0, 0.0, 0.0, 0.0], 32)


def test_example_3_entropies():
    domains = [equations.word_domain(w, g, FIGURE_2) for w, g in zip(TEXT, GENERAL, strict=True)]
    assert [len(d) for d in domains] == [4, 2, 2, 2]
    assert equations.entropy(equations.local_probabilities(domains[0]).values()) == 2.0
    local = [equations.local_probabilities(d) for d in domains]
    assert equations.entropy(equations.plausibility(t, local) for t in equations.text_domain(domains)) == 5.0


@pytest.mark.parametrize(("entropies", "expected"), [([5.0, 0.0, 0.0, 0.0], 2.34375), ([2.0, 1.0, 1.0, 1.0], 0.09375)])
def test_example_3_costs(entropies, expected):
    # The paper prints 2.33 and 0.09; the first is rounded wrongly.
    assert equations.cost(entropies, 32, 0.5) == expected


@pytest.mark.parametrize(("drug", "size"), [(6, 96), (2, 32)])
def test_definition_2_with_either_volume_of_drug(drug, size):
    volumes = [4, drug, 2, 2]
    assert equations.domain_size(volumes) == size
    assert equations.t_plausible(volumes, size)
    assert not equations.t_plausible(volumes, size + 1)


def test_generalizable_needs_equal_length_and_ancestors():
    assert equations.generalizable(TEXT, GENERAL, FIGURE_2)
    assert equations.generalizable(TEXT, TEXT, FIGURE_2)
    assert not equations.generalizable(TEXT, GENERAL[:3], FIGURE_2)
    assert not equations.generalizable(GENERAL, TEXT, FIGURE_2)


def test_a_leaf_below_two_parents_counts_once_and_all_ancestors_are_rungs():
    dag = {"a": ["left", "right"], "b": ["left"], "left": ["top"], "right": ["top"]}
    assert equations.ancestors("a", dag) == ["left", "right", "top"]
    assert equations.word_domain("a", "top", dag) == ["a", "b"]


def test_a_kept_term_stands_for_itself_even_with_leaves_of_its_own():
    assert equations.word_domain("pain", "pain", FIGURE_2) == ["pain"]


def test_level_based_domain():
    uneven = {"x": ["a"], "y": ["a"], "a": ["top"], "b": ["top"]}
    assert equations.word_domain("x", "top", uneven) == ["b", "x", "y"]
    assert equations.word_domain("x", "top", uneven, level=True) == ["x", "y"]


def test_weighted_entropy_is_less_than_the_uniform():
    weighted = equations.local_probabilities(["a", "b", "c"], {"a": 2, "b": 1, "c": 1})
    assert weighted == {"a": 0.5, "b": 0.25, "c": 0.25}
    assert equations.entropy(weighted.values()) == 1.5 < math.log2(3)
    assert equations.local_probabilities(["a", "b"], {"z": 3}) == {"a": 0.5, "b": 0.5}


def test_cost_with_the_global_term():
    # (alpha / m^2)(H - log t)^2 + ((1 - alpha)/m) sum: 0.5/4 * 1 + 0.25 * (0.5^2 + 0.5^2)
    assert equations.cost([2.0, 1.0], 4, 0.5) == pytest.approx(0.125 * 1 + 0.25 * (1.0 + 0.0))


def test_variance_and_cosine():
    assert equations.variance([1.0, 3.0]) == 1.0
    # "Diagnose TB": dot product of <1/sqrt 2, 1/sqrt 2> and <1/sqrt 2, 1/(2 sqrt 2)> is 3/4; suppressed 1/2.
    assert equations.cosine_utility([2], others=1) == 0.75
    assert equations.cosine_utility([0], others=1) == 0.5
