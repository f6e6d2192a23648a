"""What must not be learned, what a risk model may look at, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tacenda.model.case import Document
from tacenda.model.mention import Mention, Span, Subject
from tacenda.model.reasons import COUNTED, Reason


@dataclass(frozen=True)
class Protected:
    """An entity that must not be learned, with all its forms and how much may be disclosed.

    Either `alpha` (risky iff PMI >= IC(entity)/alpha) or `may_reveal`, a more general concept
    (risky iff PMI > IC(may_reveal)), or `posterior`: how likely it may be after reading, from which alpha is
    computed; `prior` is how likely it was before, if that is not its share of the index.

    forms      names of the entity as they are written: those a policy gives, and once expanded all others
    counted    once expanded: the names whose windows, taken together, are the entity's; None before
    description, examples    what is disclosed, in a sentence, and sentences that disclose it, for who reads meaning
    signs      once expanded: medicines, tests and the like that are mainly for the entity
    """

    entity: str
    forms: tuple[str, ...] = ()
    alpha: Fraction = Fraction(2)
    may_reveal: str = ""
    posterior: Fraction | None = None
    prior: Fraction | None = None
    description: str = ""
    examples: tuple[str, ...] = ()
    counted: tuple[str, ...] | None = None
    signs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Context:
    """What a risk model or replacer may look at in addition to the mentions themselves.

    mentions    all mentions of the document: a replacer that numbers or names entities must see them together
    subject     whom the document is about, if it is about a person
    """

    document: Document
    sentences: tuple[Span, ...] = ()
    paragraphs: tuple[Span, ...] = ()
    protected: tuple[Protected, ...] = ()
    mentions: tuple[Mention, ...] = ()
    subject: Subject | None = None

    def ending_at(self, offset: int) -> Sequence[Mention]:
        """Return the mentions that end at an offset."""
        return self._by_end.get(offset, ())

    def alike(self, mention: Mention) -> list[Mention]:
        """Return the mentions of the same entity, and those with the same label and text, in order."""
        tied = self._by_entity.get(mention.entity, ()) if mention.entity >= 0 else ()
        found = dict.fromkeys((*tied, *self._by_text.get((mention.label, mention.text), ())))
        return [self.mentions[number] for number in sorted(found)]

    @cached_property
    def _by_end(self) -> dict[int, list[Mention]]:
        found: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.end, []).append(mention)
        return found

    @cached_property
    def _by_entity(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, mention in enumerate(self.mentions):
            found.setdefault(mention.entity, []).append(number)
        return found

    @cached_property
    def _by_text(self) -> dict[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = {}
        for number, mention in enumerate(self.mentions):
            found.setdefault((mention.label, mention.text), []).append(number)
        return found


@dataclass(frozen=True)
class Risk:
    """One finding: these mentions together reveal `score` about `discloses`; `limit` is allowed.

    mentions    indices into the mentions assessed, all that carry what is risky
    members     for a group that discloses together: for each member the mentions that carry it. The group is
                broken once all mentions of one member are changed. Empty: all of `mentions` must change
    discloses   the protected entity, or "identity"
    counts      the integers behind the score, in a fixed order, for explanations and certificates
    reason      what kind of finding it is, where score and counts do not say it all
    """

    model: str
    mentions: tuple[int, ...]
    discloses: str
    score: float
    limit: float
    unit: str
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: Reason = COUNTED
    members: tuple[tuple[int, ...], ...] = ()
