"""Candidates, decisions, the plan that holds them, and the text that leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tacenda.errors import PlanError
from tacenda.model.mention import Kind, Span
from tacenda.model.risk import Risk

Action = Literal["keep", "suppress", "label", "generalize", "pseudonym", "date"]


@dataclass(frozen=True, slots=True)
class Concept:
    """A rung of a taxonomy above a term: its name, its information and how many leaves it covers."""

    name: str
    taxonomy: str
    id: str
    distance: int
    bits: float
    volume: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible replacement of a mention: the text, how it was got, and the information it keeps.

    volume      how many leaves the concept of a generalization covers; 0: unknown
    noun        True for a common noun in the singular, to which the rewriting gives article, number and capitals
    """

    text: str
    action: Action
    bits: float = 0.0
    concept: str = ""
    volume: int = 0
    noun: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to one mention, and why. Holds offsets and the replacement, never the source.

    kind        the mention's kind; "known" and "protected" cannot be overridden to keep
    group       shared by all decisions that must be taken alike (one entity, one term)
    why         one of known, protected, risk, unknown, leak, rounds, allowed, reviewer, group
    risks       indices into the plan's risks
    by          "policy", or the reviewer who overrode it
    concept     where a generalization comes from, e.g. "wordnet:soft_drug.n.01"
    """

    start: int
    end: int
    label: str
    action: Action
    replacement: str = ""
    kind: Kind = "term"
    group: int = -1
    why: str = "risk"
    risks: tuple[int, ...] = ()
    by: str = "policy"
    concept: str = ""

    @property
    def span(self) -> Span:
        """Start and end offset."""
        return self.start, self.end

    @property
    def changes(self) -> bool:
        """Whether the text changes here."""
        return self.action != "keep"


@dataclass(frozen=True)
class Plan:
    """All decisions for one document: the meeting point of library, command line and review.

    digest      of the document it was made for; `apply` refuses any other
    decisions   in reading order, not overlapping; kept mentions appear if a risk names them
    risks       with `Risk.mentions` as indices into `decisions`
    fixes       small edits around decisions (a/an), as (start, end, text)
    notes       what was not covered, given up or allowed, in words without source text
    """

    digest: str
    policy: str
    decisions: tuple[Decision, ...] = ()
    risks: tuple[Risk, ...] = ()
    fixes: tuple[tuple[int, int, str], ...] = ()
    notes: tuple[str, ...] = ()
    rounds: int = 1
    protected: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[Decision, ...]:
        """The decisions that change the text."""
        return tuple(d for d in self.decisions if d.changes)

    def override(self, number: int, *, action: Action, replacement: str = "", by: str = "reviewer") -> Plan:
        """Return a plan in which a reviewer's choice replaces decision `number` and all of its group.

        Known identifiers and protected entities rank above a reviewer: they may be changed
        differently, but not kept.
        """
        if not 0 <= number < len(self.decisions):
            raise PlanError(f"there is no decision {number}; this plan has {len(self.decisions)}, numbered from 0")
        chosen = self.decisions[number]
        group = [i for i, d in enumerate(self.decisions) if i == number or (d.group == chosen.group != -1)]
        if action == "keep" and any(self.decisions[i].kind in ("known", "protected") for i in group):
            raise PlanError(
                f"decision {number} covers a known identifier or a form of a protected entity: it can be replaced"
                " in another way but not kept. To keep it, take it out of the policy or of the known identifiers"
            )
        if action == "keep" and replacement:
            raise PlanError("a kept mention has no replacement: give action='keep' or a replacement, not both")
        text = "" if action == "keep" else replacement or "[...]"
        decisions = list(self.decisions)
        for i in group:
            decisions[i] = replace(decisions[i], action=action, replacement=text, why="reviewer", by=by, concept="")
        near = {d for i in group for d in self.decisions[i].span}
        fixes = tuple(f for f in self.fixes if not near.intersection(range(f[1], f[1] + 3)))
        kept = sum(1 for i in group if action == "keep" and decisions[i].risks)
        note = (f"{by} kept {kept} mention(s) that a risk model flagged (group of decision {number})",) if kept else ()
        return replace(self, decisions=tuple(decisions), fixes=fixes, notes=self.notes + note)


@dataclass(frozen=True)
class Sanitized:
    """The text that leaves, with its plan and where each piece came from.

    offsets     (source start, source end, output start, output end) of every change
    """

    text: str
    plan: Plan
    id: str = ""
    offsets: tuple[tuple[int, int, int, int], ...] = ()
