"""Candidates, decisions, the plan that holds them, and the text that leaves."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from typing import Literal

from tacenda.errors import PlanError
from tacenda.model.case import Document, Edit
from tacenda.model.mention import Kind, Span
from tacenda.model.reasons import Note
from tacenda.model.risk import Risk

Action = Literal["keep", "suppress", "label", "generalize", "pseudonym", "date"]
FORCED: tuple[Kind, ...] = ("known", "protected")


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
    """A possible replacement for a mention: the text, how it was made, and the information it keeps.

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
    fixes       small edits next to the mention that its replacement needs (a/an); made only if it is replaced
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
    fixes: tuple[Edit, ...] = ()

    @property
    def span(self) -> Span:
        """Start and end offset."""
        return self.start, self.end

    @property
    def changes(self) -> bool:
        """Whether the text changes here."""
        return self.action != "keep"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a decision was taken, as a sentence that quotes the document.

    number      of the decision in its plan, the first of all that were taken alike (`times` of them)
    """

    number: int
    was: str = field(repr=False)
    becomes: str
    why: str = field(repr=False)
    times: int = 1

    def __str__(self) -> str:
        return f"{self.was} -> {self.becomes}: {self.why}"


@dataclass(frozen=True)
class Provenance:
    """What a plan was made with: digests by which it can be made again, and versions.

    policy      digest of all the policy says
    known       digest of what was known of the subject, bound to the document; "" if nothing was
    encoder     digest of the annotators' models, index and taxonomy those of the knowledge; "" if not used
    versions    of Tacenda and of the normalizer
    """

    policy: str = ""
    known: str = ""
    index: str = ""
    taxonomy: str = ""
    encoder: str = ""
    versions: str = ""


@dataclass(frozen=True)
class Plan:
    """All decisions for one document or case: the meeting point of library, command line and review.

    digest      of the (flat) document it was made for; `apply` refuses any other
    decisions   in reading order, not overlapping; kept mentions appear if a risk names them
    risks       with `Risk.mentions` as indices into `decisions`
    notes       what was not covered, given up or allowed
    """

    digest: str
    policy: str
    decisions: tuple[Decision, ...] = ()
    risks: tuple[Risk, ...] = ()
    notes: tuple[Note, ...] = ()
    rounds: int = 1
    protected: tuple[str, ...] = ()
    made: Provenance = Provenance()

    @property
    def changes(self) -> tuple[Decision, ...]:
        """The decisions that change the text."""
        return tuple(d for d in self.decisions if d.changes)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits of the text, in order; a fix that another change would overwrite is left out."""
        changes = self.changes
        starts, ends = [d.start for d in changes], [d.end for d in changes]
        fixes, done = [], 0
        for fix in sorted(fix for d in changes for fix in d.fixes):
            if fix[0] >= done and bisect_right(ends, fix[0]) == bisect_left(starts, fix[1]):
                fixes.append(fix)
                done = fix[1]
        return tuple(sorted([*((d.start, d.end, d.replacement) for d in changes), *fixes]))

    def explain(self, document: Document | str) -> tuple[Explanation, ...]:
        """Say why each decision was taken, quoting the document: for those who may read the original."""
        from tacenda.wording import explanations

        return explanations(self, document if isinstance(document, Document) else Document(document))

    def group_of(self, number: int) -> tuple[int, ...]:
        """Return the numbers of all decisions that are taken alike with decision `number`, itself included."""
        if not 0 <= number < len(self.decisions):
            raise PlanError(f"there is no decision {number}; this plan has {len(self.decisions)}, numbered from 0")
        group = self.decisions[number].group
        return tuple(i for i, d in enumerate(self.decisions) if i == number or (d.group == group != -1))

    def override(self, number: int, *, action: Action, replacement: str = "", by: str = "reviewer") -> Plan:
        """Return a plan in which a reviewer's choice replaces decision `number` and all of its group.

        Known identifiers and protected entities rank above a reviewer: they may be changed
        differently, but not kept. The replacement is taken as it is given; `Sanitizer.override` fits it to
        its places and assesses the result again.
        """
        group = self.group_of(number)
        if action == "keep" and any(self.decisions[i].kind in FORCED for i in group):
            raise PlanError(
                f"decision {number} covers a known identifier or a form of a protected entity: it can be replaced"
                " in another way but not kept. To keep it, take it out of the policy or of the known identifiers"
            )
        if action == "keep" and replacement:
            raise PlanError("a kept mention has no replacement: give action='keep' or a replacement, not both")
        text = "" if action == "keep" else replacement or "[...]"
        decisions = list(self.decisions)
        for i in group:
            decisions[i] = replace(
                decisions[i], action=action, replacement=text, why="reviewer", by=by, concept="", fixes=()
            )
        kept = sum(1 for i in group if action == "keep" and decisions[i].risks)
        note = (Note("reviewed", {"count": kept, "decision": number}, by),) if kept else ()
        return replace(self, decisions=tuple(decisions), notes=self.notes + note)


@dataclass(frozen=True)
class Sanitized:
    """The text that leaves, with its plan and where each piece came from.

    offsets     (source start, source end, output start, output end) of every change
    texts       of a case: the text of each of its documents
    """

    text: str
    plan: Plan
    id: str = ""
    offsets: tuple[tuple[int, int, int, int], ...] = ()
    texts: tuple[str, ...] = ()
