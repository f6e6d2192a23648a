"""Hand-computed numbers and the golden values of papers 000 and 001."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import inf, isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.risk import formulas as f

WEBS = 11_000_000_000
AIDS, IMMUNE = "acquired immunodeficiency syndrome", "immune system"
TABLE_1 = {AIDS: 14.03, IMMUNE: 9.86}
TABLE_2 = {
    (AIDS, "influenza"): 7.63,
    (AIDS, "blood transfusion"): 8.75,
    (AIDS, "patient"): 5.86,
    (IMMUNE, "influenza"): 6.28,
    (IMMUNE, "blood transfusion"): 7.16,
    (IMMUNE, "patient"): 5.30,
}
# Printed in log10; bits are log2(10) times as many.
TABLE_3 = {
    (AIDS, ("influenza", "blood transfusion")): (3.00, 9.966),
    (AIDS, ("influenza", "patient")): (2.76, 9.168),
    (AIDS, ("blood transfusion", "patient")): (2.88, 9.567),
    (IMMUNE, ("influenza", "blood transfusion")): (2.48, 8.238),
    (IMMUNE, ("influenza", "patient")): (2.20, 7.308),
    (IMMUNE, ("blood transfusion", "patient")): (2.38, 7.906),
}


def disclosed(secret: str, group: frozenset[str]) -> float:
    bits = {(s, frozenset([q])): dr for (s, q), dr in TABLE_2.items()}
    bits |= {(s, frozenset(pair)): log10 * log2(10) for (s, pair), (log10, _) in TABLE_3.items()}
    return bits.get((secret, group), -inf)


def test_information_of_web_counts():
    assert f.information(3_500_000, WEBS) == pytest.approx(11.6179, abs=5e-5)
    assert f.information(802_000, WEBS) == pytest.approx(13.7435, abs=5e-5)
    assert f.information(0, WEBS) == inf
    with pytest.raises(ValueError, match="at least one window"):
        f.information(1, 0)


def test_pmi_of_small_counts():
    assert f.pmi(20, 50, 20, 1000) == pytest.approx(f.information(50, 1000)) == pytest.approx(4.3219, abs=5e-5)
    assert f.pmi(8, 50, 20, 1000) == 3.0
    assert f.pmi(0, 50, 20, 1000) == -inf
    with pytest.raises(ValueError, match="does not match"):
        f.pmi(21, 50, 20, 1000)


def test_pmi_limits_are_the_information_of_either():
    first, second = f.pmi_limits(50, 20, 1000)
    assert f.pmi(20, 50, 20, 1000) == pytest.approx(first)  # the second never without the first
    assert f.pmi(20, 20, 50, 1000) == pytest.approx(first)
    assert second == f.information(20, 1000)


@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 1000))
def test_pmi_is_information_less_conditional_information(joint, more_s, more_q, rest):
    s, q = joint + more_s, joint + more_q
    total = s + q + rest
    gained = f.information(s, total) - f.conditional_information(joint, q)
    assert isclose(f.disclosure(joint, s, q, total), gained, abs_tol=1e-9)


@pytest.mark.parametrize(("log10", "bits"), TABLE_3.values())
def test_table_3_is_in_decimal_logarithms(log10, bits):
    assert log10 * log2(10) == pytest.approx(bits, abs=6e-4)


def test_figure_1_by_algorithm_1():
    limit = f.disclosure_limit(TABLE_1.values())
    assert limit == 9.86
    found = f.correlated([AIDS, IMMUNE], ["patient", "blood transfusion", "influenza"], disclosed, limit)
    assert found == [frozenset({"influenza", "blood transfusion"})]


def test_algorithm_1_keeps_what_an_earlier_secret_found():
    risks = {("a", frozenset("x")): 5.0, ("b", frozenset("y")): 5.0}
    found = f.correlated(["a", "b"], ["x", "y"], lambda s, group: risks.get((s, group), 0.0), 5.0)
    assert found == [frozenset("x"), frozenset("y")]  # `>=`, and nothing lost between secrets


def test_quasi_identifiers_reach_the_limit():
    assert f.quasi_identifiers({"a": 2.0, "b": 1.9}, 2.0) == {"a"}


@given(st.integers(1, 30), st.integers(0, 30), st.integers(0, 30), st.integers(1, 60))
def test_disclosure_limit_on_integers(joint, more_s, more_q, least):
    s, q = joint + more_s, joint + more_q
    total = 10 * (s + q + least)
    bits, limit = f.disclosure(joint, s, q, total), f.information(least, total)
    if not isclose(bits, limit, abs_tol=1e-9):
        assert f.reaches_disclosure_limit(joint, s, q, least) == (bits >= limit)


# Tables 5 and 6 of paper 000: precision, recall, F in percent, for two settings each.
TABLE_5 = """100 75 85.71 100 25 40|71.42 55.5 62.5 100 18.75 31.57|100 82.35 90.32 100 28.57 44.44
68.75 100 81.48 84.61 91.66 88|50 66.66 57.14 66.66 40 50|66.66 100 80 81.48 81.48 81.48
51.28 90.90 65.57 72.72 38.09 50|80 57.14 66.66 100 40 57.14|77.77 100 87.5 94.73 94.73 94.73
53.84 100 70 87.5 70 77.77|35 100 51.85 57.14 44.44 50|48.57 100 65.38 65.21 83.33 73.17
58.33 84 68.85 75 56.25 64.28|55.55 100 71.42 55.55 83.33 66.66|80 66.66 72.72 80 66.66 72.72
57.89 100 73.33 64.28 56.25 60|71.42 90.90 80 88.88 66.66 76.19|31.88 88 46.80 51.28 48.78 50
50 100 66.66 100 25 40|52.94 100 69.23 71.42 62.5 66.66"""
TABLE_6 = """100 50 66.66 100 87.5 93.33|100 30.76 47.05 81.81 69.23 75|100 29.16 45.16 100 87.5 93.33
100 35.29 52.17 77.27 100 87.17|100 70 82.35 81.81 90 85.71|85.71 42.85 57.14 73.68 100 84.84
90 29.03 43.90 59.18 93.54 72.5|100 41.66 58.82 90 75 81.81|94.11 53.33 68.08 85.71 100 92.30
80 63.15 70.58 67.85 100 80.85|90 72 80 62.5 100 76.92|78.57 39.28 52.38 57.14 100 72.72
62.5 16.66 26.31 59.09 86.66 70.27|87.5 73.68 80 76 100 86.36|100 53.84 70 91.66 84.61 88
89.47 60.71 72.34 73.68 100 84.84|71.42 47.61 57.14 71.42 95.23 81.63|62.5 44.44 51.94 41.58 93.33 57.53
100 75 85.71 80 100 88.88|90 50 64.28 66.66 100 80"""
TABLE_001 = """100 4 7.7|96 88.9 92.3|81.2 96.3 88.1|100 8.6 15.8|87.5 60 71.2|87.5 80 83.6|100 5.3 10
76.9 76.9 76.9|73.3 84.6 78.6|100 8.7 16|71.9 100 83.6|57.1 100 72.7|80 17.4 28.6|80.95 77.3 79.1
81.5 95.6 88|100 8.3 15.4|72.7 72.7 72.7|69.2 81.8 75"""


def rows(table: str) -> list[list[float]]:
    return [[float(cell) for cell in row.split()] for row in table.replace("\n", "|").split("|")]


def test_the_80_f_values_of_tables_5_and_6():
    triples = [row[i : i + 3] for table in (TABLE_5, TABLE_6) for row in rows(table) for i in (0, 3)]
    assert len(triples) == 80
    for p, r, printed in triples:
        assert abs(100 * f.f_measure(p / 100, r / 100) - printed) <= 0.06


def test_f_values_of_table_1_of_paper_001():
    for p, r, printed in rows(TABLE_001):
        assert abs(100 * f.f_measure(p / 100, r / 100) - printed) <= 0.1


def test_precision_and_recall_count_shared_terms():
    assert f.precision({"a", "b"}, {"b", "c", "d"}) == 0.5
    assert f.recall({"a", "b"}, {"b", "c", "d"}) == pytest.approx(1 / 3)
    assert f.precision(set(), {"a"}) == f.recall({"a"}, set()) == 1.0
    assert f.f_measure(0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("bits", "alpha", "limit"), [(14.03, "1.5", 9.353), (14.03, "2", 7.015), (9.86, "1.5", 6.573), (9.86, "2", 4.93)]
)
def test_limits_of_paper_001(bits, alpha, limit):
    assert f.alpha_limit(bits, f.as_alpha(alpha)) == pytest.approx(limit, abs=5e-4)


def test_alpha_below_one_is_refused():
    assert f.as_alpha(1.1) == Fraction(11, 10)
    with pytest.raises(ValueError, match="must be 1 or more"):
        f.as_alpha("0.9")


def test_what_alpha_flags_with_the_numbers_of_paper_000():
    terms = ["influenza", "blood transfusion", "patient"]

    def flagged(alpha: str, size: int) -> set[frozenset[str]]:
        limit = f.alpha_limit(TABLE_1[AIDS], f.as_alpha(alpha))
        return {g for g in map(frozenset, combinations(terms, size)) if disclosed(AIDS, g) >= limit}

    assert flagged("2", 1) == {frozenset({"influenza"}), frozenset({"blood transfusion"})}
    assert flagged("1.5", 1) == set()
    assert flagged("1.5", 2) == {
        frozenset({"influenza", "blood transfusion"}),
        frozenset({"blood transfusion", "patient"}),
    }


@given(
    st.integers(1, 60),
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(0, 2000),
    st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(7, 3), Fraction(5)]),
)
def test_the_integer_test_is_definition_6(joint, more_c, more_t, rest, alpha):
    c, t = joint + more_c, joint + more_t
    total = c + t + rest
    bits, limit = f.pmi(joint, c, t, total), f.alpha_limit(f.information(c, total), alpha)
    share = joint / t
    if not isclose(bits, limit, abs_tol=1e-9):
        assert f.is_risky(joint, c, t, total, alpha) == (bits >= limit)
        assert f.is_risky(joint, c, t, total, alpha) == (share >= f.theta(c, total, alpha))


def test_the_simple_cases_of_alpha():
    assert f.is_risky(5, 50, 5, 1000, Fraction(1))
    assert f.is_disclosed(5, 50, 5)
    assert not f.is_risky(5, 50, 6, 1000, Fraction(1))
    assert not f.is_disclosed(5, 50, 6)
    # alpha = 2: n(cT)^2 N >= n(c) n(T)^2
    assert f.is_risky(10, 40, 50, 1000, Fraction(2))
    assert not f.is_risky(10, 41, 50, 1000, Fraction(2))
    assert not f.is_risky(0, 50, 0, 1000, Fraction(2))  # an absent group is no evidence
    assert not f.is_risky(2, 50, 2, 1000, Fraction(1), support=3)


def test_a_limit_in_words_is_strict():
    # The general term itself: n(cg) = n(c), so PMI = IC(g), which is allowed.
    assert not f.reveals_more(50, 50, 200, 200)
    assert f.reveals_more(50, 50, 199, 200)
    assert f.pmi(50, 50, 200, 1000) == pytest.approx(f.information(200, 1000))


def test_taxonomic_cases_of_paper_001():
    counts = f.resnik(
        {"hepatitis c": 3, "hepatitis b": 4, "hepatitis": 1, "disease": 2},
        {"hepatitis c": ["hepatitis"], "hepatitis b": ["hepatitis"], "hepatitis": ["disease"]},
    )
    assert counts == {"hepatitis c": 3, "hepatitis b": 4, "hepatitis": 8, "disease": 10}
    total = 1000
    # t above c: every c is a t, PMI = IC(t) (Fig. 1)
    above = f.pmi(counts["hepatitis"], counts["hepatitis"], counts["disease"], total)
    assert above == pytest.approx(f.information(counts["disease"], total))
    # t below c, or another name of it: every t is a c, PMI = IC(c) (Fig. 2)
    below = f.pmi(counts["hepatitis c"], counts["hepatitis"], counts["hepatitis c"], total)
    assert below == pytest.approx(f.information(counts["hepatitis"], total))


def test_resnik_counts_an_ancestor_once():
    counts = f.resnik({"d": 1}, {"d": ["b", "c"], "b": ["a"], "c": ["a"]})
    assert counts == {"d": 1, "b": 1, "c": 1, "a": 1}


def test_a_text_sanitized_for_c_is_not_always_so_for_its_kinds():
    # p(c) = .5 and p(c') = .05: a term seen with c' in .23 of its windows is below the limit of c, not of c'.
    total, c, kind, term = 1000, 500, 50, 100
    alpha = Fraction(2)
    assert not f.is_risky(70, c, term, total, alpha)
    assert f.is_risky(23, kind, term, total, alpha)


def test_algorithm_1_of_paper_001():
    bits = {"hiv": 10.0, "flu": 4.0}
    told = {
        ("hiv", "condom"): 8.0,
        ("hiv", "contraceptive"): 5.5,
        ("flu", "contraceptive"): 0.0,
        ("hiv", "device"): 1.0,
        ("flu", "fever"): 3.0,
        ("flu", "symptom"): 2.5,
    }
    above = {"condom": ["contraceptive", "device"], "fever": ["symptom"]}
    result = f.c_sanitize(
        ["condom", "fever", "tree", "condom"],
        bits,
        lambda c, t: told.get((c, t), 0.0),
        lambda t: above.get(t, []),
        Fraction(2),
    )
    # "contraceptive" tells 5.5 >= 10/2 of hiv; nothing above "fever" passes by flu's own limit of 2.
    assert result == {"condom": "device", "fever": None}


def test_utility_is_a_sum_and_a_ratio():
    assert f.utility([1.0, 2.5]) == 3.5
    assert f.utility_kept([4.0, 4.0], [4.0]) == 0.5
    assert f.utility_kept([], []) == 1.0
