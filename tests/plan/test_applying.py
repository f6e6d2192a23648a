"""Applying and reviewing: what must not leave does not, whatever a plan or a reviewer says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tacenda.errors import GuaranteeError, PlanError
from tacenda.formats import File
from tacenda.model import Case, Document, Edit, Note, Protected, Reading
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_from_json, plan_to_json

LETTER = (
    "Please write to jo@example.org about the HIV result of Mr Wexford. He is well and wants to go on with what was"
    " agreed in spring. An e-mail to jo@example.org is fine."
)


@pytest.fixture
def sanitizer(small: Policy, taxonomy: Any) -> Sanitizer:
    return Sanitizer(replace(small, protect=(Protected("HIV"),)), taxonomy=taxonomy)


@pytest.fixture
def document() -> Document:
    return Document(LETTER, "letter", known=("John Wexford",))


def number_of(plan: Any, kind: str) -> int:
    return next(i for i, d in enumerate(plan.decisions) if d.kind == kind)


def edited(plan: Any, change: Any) -> Any:
    """A plan whose file somebody edited."""
    body = json.loads(plan_to_json(plan))
    change(body)
    return plan_from_json(json.dumps(body))


@pytest.mark.parametrize("kind", ["protected", "known"])
def test_an_edited_plan_that_keeps_what_must_go_writes_nothing(
    sanitizer: Sanitizer, document: Document, kind: str
) -> None:
    plan = sanitizer.plan(document)

    def keep(body: Any) -> None:
        for d in body["decisions"]:
            if d["kind"] == kind:
                d.update(action="keep", replacement="", kind="term")

    def drop(body: Any) -> None:
        body["decisions"] = [d for d in body["decisions"] if d["kind"] != kind]
        body["risks"] = []
        for d in body["decisions"]:
            d["risks"] = []

    for change in (keep, drop):
        with pytest.raises(GuaranteeError, match="No output was written"):
            sanitizer.apply(document, edited(plan, change))


def test_a_replacement_or_fix_that_brings_a_protected_form_writes_nothing(
    sanitizer: Sanitizer, document: Document
) -> None:
    plan = sanitizer.plan(document)
    number = next(i for i, d in enumerate(plan.decisions) if d.label == "EMAIL")

    def replacement(body: Any) -> None:
        body["decisions"][number]["replacement"] = "the AIDS clinic"

    def fix(body: Any) -> None:
        d = body["decisions"][number]
        d["fixes"] = [[d["start"] - 3, d["start"] - 1, "hiv"]]

    for change in (replacement, fix):
        with pytest.raises(GuaranteeError):
            sanitizer.apply(document, edited(plan, change))


def test_a_fix_far_from_its_decision_is_refused(sanitizer: Sanitizer, document: Document) -> None:
    plan = sanitizer.plan(document)
    with pytest.raises(PlanError, match="does not stand beside it"):
        edited(plan, lambda body: body["decisions"][-1].update(fixes=[[0, 3, "x"]]))


def test_another_policy_or_other_known_identifiers_are_refused(
    sanitizer: Sanitizer, document: Document, small: Policy
) -> None:
    plan = sanitizer.plan(document)
    with pytest.raises(PlanError, match="made under policy 'small'"):
        Sanitizer(small).apply(document, plan)
    with pytest.raises(PlanError, match="other known identifiers"):
        sanitizer.apply(Document(LETTER, "letter"), plan)


def test_an_override_is_fitted_to_its_place(sanitizer: Sanitizer) -> None:
    text = "He has an HIV result and a HIV test."
    plan = sanitizer.plan(text)
    changed = sanitizer.override(text, plan, number_of(plan, "protected"), action="label", replacement="blood")
    assert sanitizer.apply(text, changed).text == "He has a blood result and a blood test."
    assert all(d.by == "reviewer" for d in changed.decisions if d.kind == "protected")


def test_an_override_with_a_protected_or_known_form_is_refused(sanitizer: Sanitizer, document: Document) -> None:
    plan = sanitizer.plan(document)
    number = next(i for i, d in enumerate(plan.decisions) if d.label == "EMAIL")
    for words in ("AIDS", "J. Wexford", "WEXFORD"):
        with pytest.raises(PlanError, match="known or protected form"):
            sanitizer.override(document, plan, number, action="label", replacement=words)
    with pytest.raises(PlanError, match="not kept"):
        sanitizer.override(document, plan, number_of(plan, "known"), action="keep")


def test_what_remains_risky_by_an_override_is_noted(sanitizer: Sanitizer, document: Document) -> None:
    plan = sanitizer.plan(document)
    number = next(i for i, d in enumerate(plan.decisions) if d.label == "EMAIL")
    kept = sanitizer.override(document, plan, number, action="keep", by="M. Reyes")
    assert "jo@example.org" in sanitizer.apply(document, kept).text
    assert Note("reviewed", {"count": 2, "decision": number}, "M. Reyes") in kept.notes
    assert any(n.kind == "remaining" and n.about == "M. Reyes" for n in kept.notes)
    again = sanitizer.override(document, kept, number, action="label", replacement="[address]", by="M. Reyes")
    assert not any(n.kind == "remaining" for n in again.notes)


def test_keeping_a_possessive_gives_it_back(small: Policy) -> None:
    text = "Hanks' films are long. An Acme office is in Leeds."
    policy = replace(small, mask=(), annotate=("encoder",), risk={"entity": {}}, replace=("generalize", "label"))
    sanitizer = Sanitizer(policy, force_language=True)
    plan = sanitizer.plan(text)
    assert plan.changes
    for number in range(len(plan.decisions)):
        plan = plan.override(number, action="keep")
    assert sanitizer.apply(text, plan).text == text


def test_persons_are_numbered_over_a_case(small: Policy) -> None:
    policy = replace(small, annotate=("encoder", "patterns"), risk={"entity": {"labels": ["PERSON"]}})
    sanitizer = Sanitizer(policy)
    case = Case(
        (
            Document("Margaret Thornbury met Peter Okafor in the garden.", "a"),
            Document("Peter Okafor wrote to Margaret Thornbury yesterday.", "b"),
        ),
        "thread",
    )
    first, second = sanitizer.sanitize(case).texts
    assert first == "[person 1] met [person 2] in the garden."
    assert second == "[person 2] wrote to [person 1] yesterday."


class Forgetful:
    """A format that forgets one thing when it writes."""

    name = "forgetful"
    suffixes = (".x",)
    magic = ()

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def open(self, data: bytes, reading: Reading) -> Any:
        return ForgetfulFile(data.decode(), self.fault)

    def residue(self, data: bytes, words: Any) -> list[str]:
        return ["the comments"] if any(w in data.decode() for w in words) else []


class ForgetfulFile:
    def __init__(self, text: str, fault: str) -> None:
        self.text, self.fault = text.split("#")[0], fault

    def read(self) -> Document:
        return Document(self.text, "file.x")

    def write(self, edits: list[Edit]) -> bytes:
        if self.fault == "crash":
            raise RuntimeError(self.text)
        text = self.text
        for start, end, new in sorted(edits, reverse=True)[1 if self.fault == "edit" else 0 :]:
            text = text[:start] + new + text[end:]
        return (text + ("#" + self.text if self.fault == "comment" else "")).encode()

    def boxes(self, start: int, end: int) -> list[Any]:
        return []


@pytest.mark.parametrize(
    ("fault", "message"),
    [("edit", "does not read as the plan promised"), ("comment", "the comments"), ("crash", "RuntimeError")],
)
def test_what_a_format_forgets_is_found(sanitizer: Sanitizer, fault: str, message: str) -> None:
    made = Forgetful(fault)
    file = File(made, made.open(LETTER.encode(), Reading()))
    plan = sanitizer.plan(file.document)
    with pytest.raises(GuaranteeError, match=message) as caught:
        sanitizer.write(file, plan)
    assert "Wexford" not in str(caught.value)
    good = Forgetful("")
    assert sanitizer.write(File(good, good.open(LETTER.encode(), Reading())), plan)
