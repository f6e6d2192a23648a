"""Why a risk is one, and what a plan has to say besides its decisions: as data. `wording.py` turns it into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ReasonKind = Literal[
    "",  # the score and the counts of the risk say all
    "name",  # it is a name of the protected entity
    "use",  # it is mainly for the protected entity: a medicine, a test
    "concept",  # a replacement, counted as a concept with all its kinds
    "words",  # only the content words `first` to `last` of the mention, counted from 1
    "unknown",  # the index cannot judge it
    "direct",  # identifies a person by itself
    "few",  # fits few of the people the index knows, where `start` and `end` are given together with what stands there
    "rare",  # fits few of all the people the index knows
    "relation",  # somebody's office, by whom the subject's relation to them would be found
    "estimate",  # fits few people, by how rare it is in all that the index holds
    "first",  # the most informative terms of the document, taken out before anything else (paper 000)
    "unasked",  # what may never be asked of a search service
    "elsewhere",  # other words tell as well: masking all mentions is not enough
    "meaning",  # the sentence reads so: probability `before`, and `after` without the mentions
]
NoteKind = Literal[
    "subject",  # whom the plan takes for the subject: `start`, `end`, `mentions`, `others`, `given` (0 or 1)
    "loss",  # information lost: `bits`, provably at least `bound`; `gap` of the set chosen
    "rounds",  # `count` mentions suppressed because risks remained after `rounds` rounds
    "allowed",  # `count` risky mentions kept by the allow-list
    "reviewed",  # `count` risky mentions kept by the reviewer named in `about`, in the group of `decision`
    "remaining",  # `count` risks that remain because of what the reviewer named in `about` decided
    "no_entity",  # the index does not know the entity in `about`
    "incomplete",  # the search for groups that tell the entity in `about` was broken off
    "weak",  # `count` groups pass the limit of the entity in `about` with too little evidence
    "unjudged",  # `count` kept mentions hold a word the index cannot judge
    "unread",  # what the format could not read, in words without source text
    "dropped",  # what the format leaves out
    "famous",  # the index has `articles` about the subject; what weighs most at `start_0`, `end_0`, ...
    "plausible",  # `originals` plausible originals reached, `wanted` asked for
]
# Notes that say a guarantee does not hold for something.
MISSING: frozenset[str] = frozenset(
    {"rounds", "allowed", "reviewed", "remaining", "no_entity", "incomplete", "weak", "unjudged", "unread"}
)


@dataclass(frozen=True, slots=True)
class Vote:
    """What one risk model said of a mention: its score, or None if it found nothing."""

    model: str
    score: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a risk is one: a kind and its numbers; `votes` where several models had to agree."""

    kind: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    votes: tuple[Vote, ...] = ()


COUNTED = Reason()  # score and counts say all


@dataclass(frozen=True, slots=True)
class Note:
    """What a plan says in addition to its decisions: a kind, its numbers, and what it is about.

    about   a protected entity, a reviewer, or a message of a format; never source text
    """

    kind: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    about: str = ""

    @property
    def missing(self) -> bool:
        """Whether the note says that a guarantee does not hold for something."""
        return self.kind in MISSING
