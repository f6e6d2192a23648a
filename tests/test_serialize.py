"""Plans as JSON: round trip, and clear errors."""

from __future__ import annotations

import json

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tacenda.errors import PlanError
from tacenda.model import Decision, Note, Plan, Provenance, Reason, Risk, Vote
from tacenda.serialize import plan_from_json, plan_to_json

words = st.text(max_size=12)
cast = st.builds(Vote, words, st.none() | st.floats(0, 9).map(lambda x: round(x, 6)), words)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    at, decisions = 0, []
    risks = draw(
        st.lists(
            st.builds(
                Risk,
                model=words,
                mentions=st.tuples(st.integers(0, 5)),
                discloses=words,
                score=st.floats(-1e6, 1e6).map(lambda x: round(x, 6)),
                limit=st.one_of(st.just(float("inf")), st.floats(0, 1e6).map(lambda x: round(x, 6))),
                unit=words,
                counts=st.dictionaries(words, st.integers(0, 10**9), max_size=3),
                reason=st.builds(
                    Reason,
                    kind=words,
                    numbers=st.dictionaries(words, st.integers(0, 9), max_size=2),
                    votes=st.lists(cast, max_size=2).map(tuple),
                ),
                members=st.tuples(st.tuples(st.integers(0, 5))),
            ),
            max_size=3,
        )
    )
    for gap, length in draw(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=4)):
        named = draw(st.lists(st.integers(0, len(risks) - 1), max_size=2)) if risks else []
        action = draw(st.sampled_from(["keep", "label", "suppress"]))
        fixes = ((at + gap + length, at + gap + length + 1, "s"),) if draw(st.booleans()) else ()
        start, end = at + gap, at + gap + length
        decisions.append(Decision(start, end, draw(words), action, draw(words), risks=tuple(named), fixes=fixes))
        at += gap + length
    notes = (Note(draw(words), {draw(words): draw(st.integers(0, 99))}, draw(words)),)
    return Plan(draw(words), draw(words), tuple(decisions), tuple(risks), notes, 2, made=Provenance(policy=draw(words)))


@given(plans())
def test_round_trip(plan: Plan) -> None:
    text = plan_to_json(plan)
    assert plan_from_json(text) == plan
    assert plan_to_json(plan_from_json(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "'tacenda_plan' is missing"),
        ('{"tacenda_plan": 99}', "plan version 99"),
        ('{"tacenda_plan": 2}', "missing or has the wrong form"),
    ],
)
def test_bad_plans(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        plan_from_json(text, where="x.json")


def test_overlapping_decisions_are_refused() -> None:
    body = json.loads(plan_to_json(Plan("d", "p", (Decision(0, 5, "A", "keep"), Decision(5, 9, "A", "keep")))))
    body["decisions"][1]["start"] = 3
    with pytest.raises(PlanError, match="decision 1 overlaps"):
        plan_from_json(json.dumps(body))
