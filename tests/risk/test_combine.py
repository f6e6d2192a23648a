"""Votes of several models, and the one person to protect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.model import Risk, Subject
from tacenda.risk.combine import of_subject, vote
from tacenda.wording import votes

VOTERS = ("entity", "similarity", "information")


def risk(model: str, *mentions: int, discloses: str = "identity", members: tuple[tuple[int, ...], ...] = ()) -> Risk:
    return Risk(model, mentions, discloses, 0.5, 0.25, "x", members=members)


FOUND = [risk("entity", 0, 1), risk("similarity", 1, 2), risk("information", 1)]


@pytest.mark.parametrize(("rule", "expected"), [("any", {0, 1, 2}), ("two", {1}), ("all", {1})])
def test_a_mention_needs_enough_votes(rule: str, expected: set[int]) -> None:
    assert {i for r in vote(FOUND, VOTERS, rule) for i in r.mentions} == expected


def test_all_is_more_than_two() -> None:
    assert {i for r in vote(FOUND[:2], VOTERS, "two") for i in r.mentions} == {1}
    assert vote(FOUND[:2], VOTERS, "all") == []


def test_every_finding_shows_all_votes() -> None:
    by_mention = {(r.model, r.mentions): votes(r) for r in vote(FOUND, VOTERS, "any")}
    assert by_mention[("entity", (0,))] == "entity yes (0.5 x), similarity no, information no"
    assert by_mention[("information", (1,))].startswith("entity yes (0.5 x), similarity yes (0.5 x)")


def test_models_that_do_not_vote_and_groups_stand_as_they_are() -> None:
    other = risk("alpha_c", 4, discloses="HIV")
    group = risk("similarity", 5, 6, members=((5,), (6,)))
    assert vote([other, group], VOTERS, "all") == [other, group]


@given(st.lists(st.tuples(st.sampled_from(VOTERS), st.sets(st.integers(0, 5), min_size=1)), max_size=8))
def test_a_stricter_rule_never_finds_more(found: list[tuple[str, set[int]]]) -> None:
    risks = [risk(model, *sorted(mentions)) for model, mentions in found]
    any_, two, all_ = ({i for r in vote(risks, VOTERS, rule) for i in r.mentions} for rule in ("any", "two", "all"))
    assert all_ <= two <= any_ == {i for _, mentions in found for i in mentions}


def test_what_tells_who_somebody_else_is_stays_only_if_the_subject_was_named() -> None:
    risks = [risk("entity", 0, 3), risk("entity", 3), risk("alpha_c", 3, discloses="HIV")]
    named = Subject(("A",), (0,), frozenset({3}), True)
    assert [r.mentions for r in of_subject(risks, named)] == [(0,), (3,)]
    assert of_subject(risks, Subject(("A",), (0,), frozenset({3}), False)) == risks
    assert of_subject(risks, None) == risks
