"""The flow from document to plan to text: precedence, rounds, guarantees, determinism."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from tacenda import registry
from tacenda.errors import GuaranteeError, InputError, PlanError, PolicyError
from tacenda.model import Candidate, Context, Document, Mention, Note, Protected, Risk
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_to_json

LETTER = "Please write to jo@example.org or call (212) 555-0123 before 3 July 2024. Again: JO@example.org."


class _Fake:
    name = "fake"
    unit = "bits"
    monotone = True
    guarantee = "none"


class Everything(_Fake):
    """Flags whatever still has a text."""

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        return [Risk(self.name, (i,), "x", 9.0, 1.0, "bits") for i, m in enumerate(mentions) if m.text]


class Insatiable(_Fake):
    """Flags even what is suppressed."""

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        return [Risk(self.name, (i,), "x", 9.0, 1.0, "bits") for i, _ in enumerate(mentions)]


class Leaky:
    """Proposes a protected word first."""

    name = "leaky"

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        return [Candidate("an AIDS clinic", "generalize", 5.0), Candidate("a clinic", "generalize", 4.0)]


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.PARTS["risk"], "everything", f"{__name__}:Everything")
    monkeypatch.setitem(registry.PARTS["risk"], "insatiable", f"{__name__}:Insatiable")
    monkeypatch.setitem(registry.PARTS["replace"], "leaky", f"{__name__}:Leaky")


def test_identifiers_are_replaced_and_explained(small: Policy) -> None:
    result = Sanitizer(small).sanitize(Document(LETTER, "letter"))
    for secret in ("jo@example.org", "JO@example.org", "555-0123", "3 July 2024"):
        assert secret not in result.text
    assert all(d.risks for d in result.plan.changes)
    labels = [d.replacement for d in result.plan.decisions if d.label == "EMAIL"]
    assert len(labels) == 2
    assert len(set(labels)) == 1


def test_same_input_same_bytes(small: Policy) -> None:
    one, two = (Sanitizer(small).sanitize(Document(LETTER)) for _ in range(2))
    assert one.text == two.text
    assert plan_to_json(one.plan) == plan_to_json(two.plan)


def test_offsets_lead_from_source_to_output(small: Policy) -> None:
    result = Sanitizer(small).sanitize(Document(LETTER))
    by_start = {start: new for start, _, new in result.plan.edits}
    for start, _, out_start, out_end in result.offsets:
        assert result.text[out_start:out_end] == by_start[start]


def test_apply_refuses_another_document(small: Policy) -> None:
    plan = Sanitizer(small).plan(Document(LETTER))
    with pytest.raises(PlanError, match="made for another text"):
        Sanitizer(small).apply(Document(LETTER + " "), plan)


def test_a_plan_that_keeps_everything_is_the_identity(small: Policy) -> None:
    plan = Sanitizer(small).plan(Document(LETTER))
    for number in range(len(plan.decisions)):
        plan = plan.override(number, action="keep")
    assert Sanitizer(small).apply(LETTER, plan).text == LETTER


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_survives_and_offsets_fit(text: str) -> None:
    policy = Policy(name="p", annotate=("patterns",), risk={"entity": {}})
    document = Document(text)
    sanitizer = Sanitizer(policy, force_language=True)
    plan = sanitizer.plan(document)
    for d in plan.decisions:
        assert 0 <= d.start < d.end <= len(text)
    if not plan.changes:
        assert sanitizer.apply(document, plan).text == text


def test_known_identifiers_with_a_typo(small: Policy) -> None:
    document = Document(
        "Seen today: Jonh Wexford. WEXFORD, J. has improved. Wexfords mother came.", known=("John Wexford",)
    )
    text = Sanitizer(small).sanitize(document).text
    assert "exford" not in text.lower()
    assert "Jonh" not in text


@pytest.mark.parametrize(
    "written",
    ["HIV", "hiv", "H.I.V.", "ＨＩＶ", "HI\u200bV", "НIV", "aids", "HIV-positive", "Human Immunodeficiency Viruses"],
)
def test_protected_in_any_dress(written: str, small: Policy, taxonomy: Any) -> None:
    policy = replace(small, protect=(Protected("HIV"),))
    text = Sanitizer(policy, taxonomy=taxonomy).sanitize(Document(f"The result was {written} as before.")).text
    assert written.split("-")[0].rstrip(".") not in text


def test_allow_list_keeps_and_is_recorded(small: Policy) -> None:
    policy = replace(small, allow=("jo@example.org",))
    plan = Sanitizer(policy).plan(Document(LETTER))
    kept = [d for d in plan.decisions if d.label == "EMAIL"]
    assert {d.action for d in kept} == {"keep"}
    assert {d.why for d in kept} == {"allowed"}
    assert Note("allowed", {"count": 2}) in plan.notes


def test_allow_list_ranks_below_known_and_protected(small: Policy, taxonomy: Any) -> None:
    policy = replace(small, allow=("HIV", "Wexford"), protect=(Protected("HIV"),))
    document = Document("Wexford has HIV.", known=("Wexford",))
    text = Sanitizer(policy, taxonomy=taxonomy).sanitize(document).text
    assert "Wexford" not in text
    assert "HIV" not in text


def test_words_and_expressions_of_the_policy(small: Policy) -> None:
    policy = replace(small, mask=("Project Bluebird",), patterns=(("TICKET", r"TK-\d{4}"),))
    text = Sanitizer(policy).sanitize(Document("In project bluebird, see TK-1234.")).text
    assert "luebird" not in text
    assert "TK-1234" not in text


def test_what_remains_after_the_rounds_is_suppressed(fakes: None) -> None:
    policy = Policy(name="p", annotate=("patterns",), risk={"everything": {}}, rounds=1, replace=("label",))
    plan = Sanitizer(policy).plan(Document(LETTER))
    assert {d.action for d in plan.decisions} == {"suppress"}


def test_a_guarantee_that_cannot_be_met_stops_the_run(fakes: None) -> None:
    policy = Policy(name="p", annotate=("patterns",), risk={"insatiable": {}})
    with pytest.raises(GuaranteeError, match="No output was written"):
        Sanitizer(policy).plan(Document(LETTER))


def test_a_replacement_may_not_bring_a_protected_word(fakes: None, taxonomy: Any) -> None:
    policy = Policy(
        name="p",
        annotate=("patterns",),
        risk={"entity": {"labels": ["EMAIL"]}},
        replace=("leaky",),
        protect=(Protected("HIV"),),
    )
    text = Sanitizer(policy, taxonomy=taxonomy).sanitize(Document("Write to jo@example.org today.")).text
    assert "AIDS" not in text
    assert "jo@" not in text


def test_unknown_setting_lists_those_that_exist() -> None:
    policy = Policy(name="p", annotate=("patterns",), risk={"entity": {"lables": ["EMAIL"]}})
    with pytest.raises(PolicyError, match=r"no setting of entity named 'lables'.*labels"):
        Sanitizer(policy).plan(Document(LETTER))


def test_other_languages_are_refused_unless_forced(small: Policy) -> None:
    text = "Le patient est suivi dans le service pour une infection et il ne prend pas de traitement avec les autres."
    with pytest.raises(InputError, match="French"):
        Sanitizer(small).plan(Document(text))
    assert Sanitizer(small, force_language=True).sanitize(Document(text)).text == text
