"""Votes and the one person to protect, from policy to plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tacenda.errors import InputError, PolicyError
from tacenda.model import Annotation, Concept, Document, Mention
from tacenda.policy import Policy, combine, to_dict
from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_to_json
from tacenda.wording import note_in_words, votes

TEXT = "Ann Lee was born in Leeds. She works as a welder.\nBob Ray was born in Derby. Ray is a baker."
POLICY = """
name = "voting"
annotate = ["patterns"]
replace = ["suppress"]
[risk.entity]
[risk.similarity]
threshold = 0.9
{vote}
"""
VOTE = '[vote]\nmodels = ["entity", "similarity"]\nrule = "{rule}"'


class People:
    """Knows the names and places of TEXT."""

    name = "people"

    def annotate(self, document: Document) -> Annotation:
        wanted = {"Ann Lee": "PERSON", "Leeds": "LOC", "welder": "TERM", "Bob Ray": "PERSON", "Derby": "LOC"}
        found = []
        for text, label in wanted.items():
            at = document.text.find(text)
            if at >= 0:
                kind = "term" if label == "TERM" else "entity"
                found.append(Mention(at, at + len(text), text, label, kind))  # type: ignore[arg-type]
        return Annotation(tuple(found))


class NoTaxonomy:
    """Knows nothing."""

    name = "none"

    def generalizations(self, term: str, context: Sequence[str] = ()) -> Sequence[Concept]:
        return ()

    def synonyms(self, term: str) -> tuple[str, ...]:
        return ()

    def specializations(self, term: str) -> tuple[str, ...]:
        return ()


def sanitizer(vote: str = "") -> Sanitizer:
    policy = replace(Policy.from_text(POLICY.format(vote=vote)), annotate=())
    return Sanitizer(policy, annotators=[People()], taxonomy=NoTaxonomy(), force_language=True)


def masked(made: Sanitizer, subject: str = "") -> set[str]:
    plan = made.plan(Document(TEXT, "two", subject=subject))
    return {TEXT[d.start : d.end] for d in plan.changes}


@pytest.mark.parametrize(
    ("rule", "expected"), [("any", {"Ann Lee", "Leeds", "Bob Ray", "Derby", "Ray"}), ("all", {"Ann Lee"})]
)
def test_the_rule_decides(rule: str, expected: set[str]) -> None:
    assert masked(sanitizer(VOTE.format(rule=rule))) == expected


def test_findings_show_all_votes_in_the_plan() -> None:
    plan = sanitizer(VOTE.format(rule="any")).plan(Document(TEXT))
    assert all([v.model for v in r.reason.votes] == ["entity", "similarity"] for r in plan.risks)
    assert any("similarity no" in votes(r) for r in plan.risks)


def test_what_belongs_to_others_stays() -> None:
    assert masked(sanitizer(), "Ann Lee") == {"Ann Lee", "Leeds"}
    assert masked(sanitizer(), "Bob Ray") == {"Bob Ray", "Derby", "Ray"}
    assert masked(sanitizer()) == {"Ann Lee", "Leeds", "Bob Ray", "Derby", "Ray"}


def test_the_plan_points_to_the_subject_without_naming_it() -> None:
    plan = sanitizer().plan(Document(TEXT))
    assert "the person named at characters 0-7" in note_in_words(plan.notes[0])
    assert plan.notes[0].numbers["given"] == 0
    assert "Lee" not in plan_to_json(plan)


def test_a_subject_that_does_not_occur() -> None:
    with pytest.raises(InputError, match="the subject does not occur"):
        sanitizer().plan(Document(TEXT, subject="Zoe Zander"))


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        ('[vote]\nmodels = ["entity", "alpha_c"]', r"'alpha_c' has no \[risk.alpha_c\]"),
        ('[vote]\nmodels = ["entity"]', "one model alone cannot vote"),
        ('[vote]\nmodels = ["entity", "similarity"]\nrule = "most"', "possible: any, two, all"),
        ('[vote]\nmodel = ["entity"]', "Did you mean 'models'"),
    ],
)
def test_votes_that_cannot_be_are_refused(vote: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        Policy.from_text(POLICY.format(vote=vote))


def test_combined_policies_keep_a_vote_only_if_both_ask_for_it() -> None:
    two, every = (Policy.from_text(POLICY.format(vote=VOTE.format(rule=r))) for r in ("two", "all"))
    assert combine([two, two]).vote == ("entity", "similarity")
    assert combine([two, every]).vote == ()
    assert to_dict(two)["vote"] == {"models": ["entity", "similarity"], "rule": "two"}
    assert "vote" not in to_dict(Policy.from_text(POLICY.format(vote="")))
