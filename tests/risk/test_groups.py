"""The group search against brute force, on random small worlds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tacenda.choose.cover import cover
from tacenda.risk import groups
from tacenda.risk.groups import FoundGroups, TermSets, minimal_groups
from tacenda.risk.rules import Evidence, Rule

ALPHAS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2))


def random_world(rng):
    """Up to 12 terms in up to 120 windows, some of them drawn to the entity's windows."""
    terms, windows = int(rng.integers(2, 13)), int(rng.integers(15, 120))
    secret = rng.random(windows) < rng.uniform(0.05, 0.5)
    secret[0] = True
    base, lift = rng.uniform(0.02, 0.6, terms), rng.uniform(0, 1, terms)
    holds = rng.random((windows, terms)) < np.where(secret[:, None], np.maximum(base, lift), base)
    return holds, secret, np.sort(rng.integers(0, max(2, windows // 4), windows))


def supersets(holds, rows):
    """Count, for each subset of terms, the chosen windows that hold all of it (a sum over supersets)."""
    terms = holds.shape[1]
    keys = holds[rows] @ (1 << np.arange(terms))
    counts = np.bincount(keys, minlength=1 << terms)
    for bit in range(terms):
        shaped = counts.reshape(-1, 2, 1 << bit)
        shaped[:, 0] += shaped[:, 1]
    return counts


def counted(holds, secret, articles):
    """Count all subsets of the terms: n(cT), n(T), and the articles of the first."""
    found_in = sum((supersets(holds, secret & (articles == a)) > 0).astype(int) for a in np.unique(articles[secret]))
    return supersets(holds, secret), supersets(holds, slice(None)), found_in


def risky_subsets(holds, secret, articles, rule):
    """Judge all subsets of the terms, one by one."""
    joint, count, found_in = counted(holds, secret, articles)
    enough = (joint >= rule.evidence.support) & (found_in >= rule.evidence.articles)
    enough[0] = False
    return {int(s) for s in np.flatnonzero(enough) if rule.group(int(joint[s]), int(count[s]))}


def minimal(subsets):
    kept = []
    for one in sorted(subsets, key=lambda s: (s.bit_count(), s)):
        if not any(one & small == small for small in kept):
            kept.append(one)
    return set(kept)


def sets_of(holds, articles):
    return TermSets([np.flatnonzero(column) for column in holds.T], lambda windows: articles[windows])


def mask(terms):
    return sum(1 << t for t in terms)


def search(holds, secret, articles, rule):
    found = minimal_groups(sets_of(holds, articles), np.flatnonzero(secret), rule)
    return {mask(group.terms) for group in found.groups}, found


def rule_for(number, secret):
    mode = ("evidence", "paper")[number % 2]
    evidence = Evidence.of(mode, None if number % 3 else 2, ("1/20", "1/1000")[number % 5 == 0])
    alpha = ALPHAS[number // 2 % 4]
    return Rule(int(secret.sum()), len(secret), alpha=alpha, evidence=evidence)


def test_minimal_groups_are_those_of_brute_force():
    rng = np.random.default_rng(5)
    number_of_groups = 0
    for number in range(400):
        holds, secret, articles = random_world(rng)
        rule = rule_for(number, secret)
        expected = minimal(risky_subsets(holds, secret, articles, rule))
        found, report = search(holds, secret, articles, rule)
        assert found == expected
        assert report.complete
        joint, count, found_in = (one.tolist() for one in counted(holds, secret, articles))
        for group in report.groups:
            subset = mask(group.terms)
            assert (group.joint, group.count, group.articles) == (joint[subset], count[subset], found_in[subset])
        number_of_groups += len(expected)
    assert number_of_groups > 1000


def test_loosening_a_limit_never_adds_a_risky_group():
    rng = np.random.default_rng(6)
    for number in range(100):
        holds, secret, articles = random_world(rng)
        evidence = Evidence.of(("evidence", "paper")[number % 2])
        strict, loose = (
            risky_subsets(holds, secret, articles, Rule(int(secret.sum()), len(secret), alpha=a, evidence=evidence))
            for a in (Fraction(2), Fraction(3, 2))
        )
        assert loose <= strict


def test_groups_by_hand():
    # 100 windows, 10 of the entity; a and b are each in 10 others, but together only with the entity.
    secret = np.arange(10)
    a = np.concatenate([np.arange(0, 8), np.arange(20, 40)])
    b = np.concatenate([np.arange(1, 9), np.arange(50, 70)])
    rule = Rule(10, 100, alpha=Fraction(3, 2), evidence=Evidence.of("evidence", level="1/20"))
    sets = TermSets([a, b], lambda windows: windows)
    (group,) = minimal_groups(sets, secret, rule).groups
    assert (group.terms, group.joint, group.count, group.articles) == ((0, 1), 7, 7, 7)
    one_article = TermSets([a, b], lambda windows: np.zeros_like(windows))
    found = minimal_groups(one_article, secret, rule)
    assert found.groups == ()
    assert found.weak >= 1
    assert minimal_groups(sets, secret, rule, skip=frozenset({0})).groups == ()


def test_a_broken_off_search_says_so():
    rng = np.random.default_rng(7)
    holds, secret, articles = random_world(rng)
    rule = Rule(int(secret.sum()), len(secret), alpha=Fraction(1), evidence=Evidence.of("paper", 1))
    assert not minimal_groups(sets_of(holds, articles), np.flatnonzero(secret), rule, most=1).complete


def test_weak_groups_are_counted_without_those_that_an_idle_member_repeats():
    # All in one article; the limit is a share of .32. a passes it (10 of 30), so does a + b (10 of 10), not b.
    secret, a, b = np.arange(10), np.arange(0, 30), np.concatenate([np.arange(10), np.arange(30, 60)])
    rule = Rule(10, 100, alpha=Fraction(2), evidence=Evidence.of("evidence"))
    assert minimal_groups(TermSets([a, b], np.zeros_like), secret, rule).weak == 2
    # A term in the same windows as a gives two more, alone and with b, but none together with a.
    assert minimal_groups(TermSets([a, b, a], np.zeros_like), secret, rule).weak == 4


@pytest.mark.parametrize(("setting", "value"), [("_BATCH", 1), ("_FIRST_WORDS", 1), ("_MOST_BYTES", 0)])
def test_what_is_done_at_once_does_not_change_the_answer(monkeypatch, setting, value):
    rng = np.random.default_rng(3)
    holds, secret = rng.random((2000, 10)) < 0.4, rng.random(2000) < 0.1
    rule = Rule(int(secret.sum()), 2000, alpha=Fraction(4), evidence=Evidence.of("paper"))
    usual = minimal_groups(sets_of(holds, np.arange(2000)), np.flatnonzero(secret), rule)
    monkeypatch.setattr(groups, setting, value)
    assert minimal_groups(sets_of(holds, np.arange(2000)), np.flatnonzero(secret), rule) == usual
    assert len(usual.groups) > 10


def test_terms_without_windows_and_an_entity_beyond_all_terms():
    rule = Rule(5, 100, alpha=Fraction(2))
    for windows in ([], [np.arange(0)], [np.arange(50), np.arange(0)]):
        assert minimal_groups(TermSets(windows, np.asarray), np.arange(90, 95), rule) == FoundGroups((), 0)


def test_any_group_is_counted():
    holds, secret, articles = random_world(np.random.default_rng(4))
    wanted = [(0,), (1, 0), tuple(range(holds.shape[1]))]
    joint, count, _ = counted(holds, secret, articles)
    sets = sets_of(holds, articles)
    counts = sets.count(wanted, sets.inside(np.flatnonzero(secret)))
    assert [one.tolist() for one in counts] == [[all_[mask(t)] for t in wanted] for all_ in (joint, count)]


@pytest.mark.parametrize("limit", [{}, {"alpha": Fraction(2), "general": 5}])
def test_a_rule_has_one_limit(limit):
    with pytest.raises(ValueError, match="one limit"):
        Rule(5, 100, **limit)


def test_no_risky_group_survives_the_hitting_set_and_loosening_never_costs_more():
    rng = np.random.default_rng(8)
    for number in range(200):
        holds, secret, articles = random_world(rng)
        rule = rule_for(number, secret)
        found, _ = search(holds, secret, articles, rule)
        costs = rng.uniform(1, 15, holds.shape[1]).tolist()
        singles = [[t] for t in range(holds.shape[1])]
        groups = [[t for t in range(holds.shape[1]) if mask >> t & 1] for mask in sorted(found)]
        strict = cover(groups, singles, costs)
        kept = sum(1 << t for t in range(holds.shape[1]) if t not in strict.items)
        assert not any(subset & kept == subset for subset in risky_subsets(holds, secret, articles, rule))
        if rule.alpha > 1:
            loose_rule = Rule(rule.secret, rule.total, alpha=(rule.alpha + 1) / 2, evidence=rule.evidence)
            loose, _ = search(holds, secret, articles, loose_rule)
            fewer = [[t for t in range(holds.shape[1]) if mask >> t & 1] for mask in sorted(loose)]
            assert cover(fewer, singles, costs).cost <= strict.cost + 1e-9
