"""The types that travel through the pipeline. All frozen; one type per idea.

    Document -annotate-> Annotation(Mention...) -assess-> Risk... -choose-> Plan(Decision...) -apply-> Sanitized

Nothing here prints source text: `repr` shows offsets and labels only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

Span = tuple[int, int]
Kind = Literal["identifier", "entity", "term", "protected", "known"]
Action = Literal["keep", "suppress", "label", "generalize", "pseudonym", "date"]


def digest(text: str) -> str:
    """SHA-256 of a text, by which a plan recognises its document."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Document:
    """A text to sanitize, with a name for messages and what is already known of its subject."""

    text: str = field(repr=False)
    id: str = ""
    known: tuple[str, ...] = field(default=(), repr=False)

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
    vector: Any = field(default=None, repr=False, compare=False)

    @property
    def span(self) -> Span:
        """Start and end offset."""
        return self.start, self.end


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
class Context:
    """What a risk model or replacer may look at besides the mentions themselves.

    mentions    all mentions of the document: a replacer that numbers or names entities must see them together
    """

    document: Document
    sentences: tuple[Span, ...] = ()
    paragraphs: tuple[Span, ...] = ()
    protected: tuple[Protected, ...] = ()
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True)
class Risk:
    """One finding: these mentions, together, tell `score` about `discloses`, and `limit` is allowed.

    mentions    indices into the mentions assessed; several: a group that discloses together
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


@dataclass(frozen=True)
class Decision:
    """What happens to one mention, and why. Holds offsets and the replacement, never the source.

    by          "policy", or "reviewer" / a reviewer's name after an override
    risks       indices into the plan's risks
    concept     the concept of a generalization, e.g. "wordnet:02778669-n"
    """

    start: int
    end: int
    label: str
    action: Action
    replacement: str = ""
    why: str = ""
    by: str = "policy"
    risks: tuple[int, ...] = ()
    entity: int = -1
    concept: str = ""

    @property
    def span(self) -> Span:
        """Start and end offset."""
        return self.start, self.end
