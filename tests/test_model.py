"""Plans: overriding, precedence, and what repr shows."""

from __future__ import annotations

import pytest

from tacenda.errors import PlanError
from tacenda.model import Decision, Document, Mention, Note, Plan, Risk

PLAN = Plan(
    digest="d",
    policy="p",
    decisions=(
        Decision(0, 4, "PERSON", "label", "[person 1]", kind="entity", group=0, risks=(0,)),
        Decision(10, 13, "PROTECTED", "suppress", "[...]", kind="protected", group=1),
        Decision(20, 24, "PERSON", "label", "[person 1]", kind="entity", group=0),
    ),
    risks=(Risk("entity", (0, 2), "identity", 1.0, 0.0, "type"),),
)


def test_override_covers_the_whole_group_and_is_recorded() -> None:
    changed = PLAN.override(0, action="keep", by="M. Reyes")
    assert [d.action for d in changed.decisions] == ["keep", "suppress", "keep"]
    assert {changed.decisions[0].by, changed.decisions[2].by} == {"M. Reyes"}
    assert changed.decisions[0].why == "reviewer"
    assert changed.notes[-1] == Note("reviewed", {"count": 1, "decision": 0}, "M. Reyes")
    assert PLAN.decisions[0].action == "label"


def test_override_cannot_keep_what_ranks_higher() -> None:
    with pytest.raises(PlanError, match="known identifier or a form of a protected entity"):
        PLAN.override(1, action="keep")
    assert PLAN.override(1, action="label", replacement="[condition]").decisions[1].replacement == "[condition]"


def test_override_of_a_decision_that_is_not_there() -> None:
    with pytest.raises(PlanError, match="no decision 7; this plan has 3"):
        PLAN.override(7, action="keep")


def test_keep_takes_no_replacement() -> None:
    with pytest.raises(PlanError, match="not both"):
        PLAN.override(0, action="keep", replacement="x")


def test_repr_shows_no_text() -> None:
    assert "secret" not in repr(Document("secret", known=("secret",)))
    assert "secret" not in repr(Mention(0, 6, "secret", "TERM"))
