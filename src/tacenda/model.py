"""The types that travel through the pipeline. All frozen; one type per idea.

    Document -annotate-> Annotation(Mention...) -assess-> Risk... -choose-> Plan(Decision...) -apply-> Sanitized

Nothing here prints source text: `repr` shows offsets and labels only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from tacenda.errors import PlanError

Span = tuple[int, int]
Kind = Literal["identifier", "entity", "term", "protected", "known"]
Action = Literal["keep", "suppress", "label", "generalize", "pseudonym", "date"]


def digest(text: str) -> str:
    """SHA-256 of a text, by which a plan recognises its document."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Document:
    """A text to sanitize, with a name for messages and what is already known of its subject.

    subject     the one person to protect in a text that speaks of several; "" protects whoever is found
    """

    text: str = field(repr=False)
    id: str = ""
    known: tuple[str, ...] = field(default=(), repr=False)
    subject: str = field(default="", repr=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return digest(self.text)


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the text that may tell something.

    kind        identifier (pattern), entity (named), term (noun phrase), protected (a form of a protected
                entity), known (a known identifier)
    label       what it is: PERSON, LOC, ORG, DATETIME, CODE, DEM, QUANTITY, MISC, TERM, EMAIL, ...
    entity      number shared by all mentions of one entity ("Mr John Smith", "Smith"); -1: not tied
    role        direct, quasi, none or "" where the annotator cannot tell
    head        offset of the head word of a noun phrase, -1 if unknown
    phrase      the noun phrase around the mention, determiner left out; (-1, -1) if none is known
    vector      phrase vector of the annotator, if it makes one
    """

    start: int
    end: int
    text: str = field(repr=False)
    label: str
    kind: Kind = "term"
    source: str = ""
    confidence: float = 1.0
    entity: int = -1
    role: Literal["direct", "quasi", "none", ""] = ""
    head: int = -1
    phrase: Span = (-1, -1)
    vector: Any = field(default=None, repr=False, compare=False)

    @property
    def span(self) -> Span:
        """Start and end offset."""
        return self.start, self.end

    @property
    def opens(self) -> bool:
        """Whether the noun phrase begins with this mention (or none is known)."""
        return self.start <= self.phrase[0] or self.phrase[1] < 0

    @property
    def closes(self) -> bool:
        """Whether the noun phrase ends with this mention (or none is known)."""
        return self.end >= self.phrase[1]


@dataclass(frozen=True, slots=True)
class Annotation:
    """What annotators found in a document: mentions in reading order, and the sentences."""

    mentions: tuple[Mention, ...] = ()
    sentences: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Protected:
    """An entity that must not be learned, with all its forms and how much may be told.

    Either `alpha` (risky iff PMI >= IC(entity)/alpha) or `may_reveal`, a generalization in words
    (risky iff PMI > IC(may_reveal)).
    """

    entity: str
    forms: tuple[str, ...] = ()
    alpha: Fraction = Fraction(2)
    may_reveal: str = ""


@dataclass(frozen=True)
class Subject:
    """Whom a document is about.

    names       every way the person is written in the document
    mentions    the mentions that name the person
    others      the mentions that belong to other people
    given       True if the user named the person, False if the most central one was proposed
    """

    names: tuple[str, ...] = field(default=(), repr=False)
    mentions: tuple[int, ...] = ()
    others: frozenset[int] = frozenset()
    given: bool = False


@dataclass(frozen=True)
class Context:
    """What a risk model or replacer may look at besides the mentions themselves.

    mentions    all mentions of the document: a replacer that numbers or names entities must see them together
    subject     whom the document is about, if it is about a person
    """

    document: Document
    sentences: tuple[Span, ...] = ()
    paragraphs: tuple[Span, ...] = ()
    protected: tuple[Protected, ...] = ()
    mentions: tuple[Mention, ...] = ()
    subject: Subject | None = None


@dataclass(frozen=True)
class Risk:
    """One finding: these mentions, together, tell `score` about `discloses`, and `limit` is allowed.

    mentions    indices into the mentions assessed, all that carry what is risky
    members     for a group that discloses together: for each member the mentions that carry it. The group is
                broken once all mentions of one member are changed. Empty: all of `mentions` must change
    discloses   the protected entity, or "identity"
    counts      the integers behind the score, in a fixed order, for explanations and certificates
    """

    model: str
    mentions: tuple[int, ...]
    discloses: str
    score: float
    limit: float
    unit: str
    counts: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    members: tuple[tuple[int, ...], ...] = ()


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
