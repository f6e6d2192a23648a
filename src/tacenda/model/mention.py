"""Mentions: stretches of a text that may tell something, and what annotators return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Span = tuple[int, int]
Kind = Literal["identifier", "entity", "term", "protected", "known"]
# What the annotators that come with Tacenda call what they find.
LABELS = frozenset(
    "PERSON LOC ORG DATETIME CODE DEM QUANTITY MISC TERM ADDRESS ZIP AGE PHONE FAX EMAIL URL IP MAC SSN NATIONAL_ID "
    "NHS PASSPORT LICENSE PLATE VIN DEVICE ACCOUNT CARD IBAN RECORD HEALTH_PLAN CASE OTHER_ID BIOMETRIC PHOTO CUSTOM "
    "MONEY PERCENT USERNAME KNOWN PROTECTED".split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that may disclose something.

    kind        identifier (pattern), entity (named), term (noun phrase), protected (a form of a protected
                entity), known (a known identifier)
    label       what it is: PERSON, LOC, ORG, DATETIME, CODE, DEM, QUANTITY, MISC, TERM, EMAIL, ...
    entity      number shared by all mentions of one entity ("Mr John Smith", "Smith"); -1: not tied
    role        direct, quasi, none or "" where the annotator cannot tell
    head        offset of the head word of a noun phrase, -1 if unknown
    phrase      the noun phrase around the mention, determiner left out; (-1, -1) if none is known
    tag         part of speech of the head word (NOUN, PROPN, VERB, ...), "" if unknown
    reading     how the annotator read the head word in its sentence: a vector that distinguishes senses
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
    tag: str = ""
    reading: Any = field(default=None, repr=False, compare=False)

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
