"""Whom a text is about: direct identifiers, and the facts that, alone or together, fit only few people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.errors import PolicyError
from tacenda.model import Context, Mention, Note, Reason, Risk
from tacenda.protocols import CorpusIndex
from tacenda.risk.counts import Counts
from tacenda.risk.population import Flags, People
from tacenda.risk.terms import is_replaced, phrase_words
from tacenda.term import content_words, tokens

DIRECT = Reason("direct")
# Labels of facts that many people share; every other identifier points at one person.
SHARED = ("DATETIME", "QUANTITY", "AGE", "LOC", "ORG", "DEM", "MISC", "TERM", "WORD")
_USUAL = 0.5  # what more than this share of the people have in common says nothing of anybody
_LEANS = 0.3  # bits by which a text must lean towards articles about people to be judged by them
_SHOWN = 3
_NAME_PARTS = 2
# An article is about the subject if it shares the name and so many of the facts: there is more than one John Field.
_SAME_FACTS = 3
_TELLING = ("LOC", "ORG", "MISC", "DATETIME", "DEM")


@dataclass(frozen=True)
class _Fact:
    """Something the text says of the person: its words and the mentions that carry it."""

    words: tuple[str, ...]
    mentions: tuple[int, ...]


class Person:
    """Direct identifiers go; of the facts in clear, none and no two together may fit fewer than k people.

    Who fits is counted among the people the index knows, its articles about a person; the subject's own article is
    left out. Facts are kept from the commonest on; one that fits fewer than k people, alone or with one kept before,
    goes. A text that does not read like one about these people (a court case, a letter from a hospital) says little
    that is in such articles; there the number is estimated from all that the index holds, fact by fact.

    k               least number of people
    kinds           labels of what counts as a fact; leave out what another model of the policy hides anyway
    noun_phrases    False: only names, places, dates and attributes are facts, as in a record about a private person
    """

    name = "person"
    unit = "people"
    monotone = False
    guarantee = (
        "No direct identifier that was found is left, and each fact that was recognized fits at least k people, as far "
        "as the index can tell: where the text reads like one about the people it knows, any two facts together do."
    )

    def __init__(
        self, *, index: CorpusIndex, k: int = 20, kinds: Sequence[str] = SHARED, noun_phrases: bool = True
    ) -> None:
        if k < 1:
            raise PolicyError(f"risk model 'person': k is {k}; it must be 1 or more.")
        if unknown := sorted(set(kinds) - set(SHARED)):
            raise PolicyError(f"risk model 'person': no kind of fact '{unknown[0]}'. Available: {', '.join(SHARED)}.")
        self.k = k
        self.kinds = frozenset(kinds) if noun_phrases else frozenset(kinds) - {"TERM", "WORD"}
        self._counts = Counts(index, self.name)
        self._read: tuple[Context | None, bool] = (None, False)
        self._subject: tuple[Context | None, Flags] = (None, np.zeros(0, dtype=np.bool_))

    @cached_property
    def people(self) -> People:
        """The people of the index, derived on first use."""
        return People(self._counts)

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return direct identifiers, then the facts that fit fewer than k people."""
        direct = [n for n, mention in enumerate(mentions) if _is_direct(mention, context)]
        risks = [Risk(self.name, (n,), "identity", 1.0, float(self.k), self.unit, {}, DIRECT) for n in direct]
        facts = self._facts(mentions, context, set(direct))
        if not facts:
            return risks
        if self._read[0] is not context:
            self._read = (context, self._reads_like_people(context.mentions or mentions, context))
        if self._read[1]:
            return risks + self._known(facts, mentions, context)
        return risks + self._estimated(facts)

    def _known(self, facts: Sequence[_Fact], mentions: Sequence[Mention], context: Context) -> list[Risk]:
        """Keep facts from the commonest on; return those that fit fewer than k others, alone or with one kept."""
        others = self.people.about & ~self._own(context)
        fits = np.array([self.people.holding(fact.words)[others] for fact in facts], dtype=np.float32)
        alone = fits.sum(axis=1)
        together = fits @ fits.T
        kept: list[int] = []
        risks = []
        for number in sorted(range(len(facts)), key=lambda n: (-alone[n], facts[n].words)):
            if alone[number] > _USUAL * fits.shape[1]:
                continue
            least = min(kept, key=lambda one: together[number, one], default=number)
            if min(alone[number], together[number, least]) >= self.k:
                kept.append(number)
                continue
            partner = number if alone[number] < self.k else least
            risks.append(self._few(facts[number], float(together[number, partner]), fits.shape[1]))
            if partner != number:
                risks[-1] = _with(risks[-1], mentions[facts[partner].mentions[0]])
        return risks

    def _estimated(self, facts: Sequence[_Fact]) -> list[Risk]:
        number = self.people.number
        estimates = [(fact, self.people.estimate(fact.words)) for fact in facts]
        return [self._few(fact, fit, number, kind="estimate") for fact, fit in estimates if fit < self.k]

    def _few(self, fact: _Fact, fit: float, people: int, kind: str = "few") -> Risk:
        counts = {"fit": int(fit), "people": people}
        return Risk(self.name, fact.mentions, "identity", fit, float(self.k), self.unit, counts, Reason(kind))

    def _facts(self, mentions: Sequence[Mention], context: Context, direct: set[int]) -> list[_Fact]:
        carried: dict[tuple[str, ...], list[int]] = {}
        for number, mention in enumerate(mentions):
            if number not in direct and self._is_fact(mention, context) and (words := phrase_words(mention)):
                carried.setdefault(words, []).append(number)
        return [_Fact(words, tuple(numbers)) for words, numbers in carried.items()]

    def _is_fact(self, mention: Mention, context: Context) -> bool:
        if not is_replaced(mention, context):
            return mention.label in self.kinds
        # What stands in place of a name is left in clear. A label says only what kind of thing stood there.
        return mention.label in SHARED and not mention.text.startswith("[")

    def _reads_like_people(self, mentions: Sequence[Mention], context: Context) -> bool:
        """Tell whether the words of a text that name nothing are used of people rather than elsewhere."""
        named = [mention.span for mention in mentions if mention.kind != "term"]
        covered = bytearray(len(context.document.text))
        for start, end in named:
            covered[start:end] = b"\1" * (end - start)
        words = (token.word for token in tokens(context.document.text) if not covered[token.start])
        return self.people.leaning(words) > _LEANS

    def _own(self, context: Context) -> Flags:
        """Which articles are about the subject: about somebody of that name, and holding facts of the text."""
        if self._subject[0] is not context:
            self._subject = (context, self._articles_of_subject(context))
        return self._subject[1]

    def _articles_of_subject(self, context: Context) -> Flags:
        names = [content_words(name) for name in context.subject.names] if context.subject else []
        fullest = max(names, key=len, default=())
        nobody = np.zeros_like(self.people.about)
        if len(fullest) < _NAME_PARTS:
            return nobody
        own = self.people.named(fullest)
        if not own.any():
            return nobody
        facts = {phrase_words(m) for m in context.mentions if m.label in _TELLING and m.kind != "term"} - {()}
        held = sum(
            (self.people.holding(words).astype(np.int64) for words in sorted(facts)), np.zeros(len(own), np.int64)
        )
        found: Flags = own & (held >= _SAME_FACTS)
        return found

    def notes(self, mentions: Sequence[Mention], context: Context) -> list[Note]:
        """Warn of a subject the index has an article about: readers who know the field may know the person anyway."""
        own = self._own(context)
        if not own.any():
            return []
        others: npt.NDArray[np.bool_] = self.people.about & ~own
        rare: dict[tuple[str, ...], tuple[int, Mention]] = {}
        for mention in context.mentions:
            words = phrase_words(mention)
            if words and mention.label in SHARED and words not in rare:
                held = self.people.holding(words)
                if (held & own).any():
                    rare[words] = (int((held & others).sum()), mention)
        first = sorted(rare.values(), key=lambda one: (one[0], one[1].start))[:_SHOWN]
        places = {f"{end}_{n}": getattr(m, end) for n, (_, m) in enumerate(first) for end in ("start", "end")}
        return [Note("famous", {"articles": int(own.sum()), "people": self.people.number, **places})]


def _is_direct(mention: Mention, context: Context) -> bool:
    if not mention.text.strip() or is_replaced(mention, context):
        return False
    if mention.role == "direct" or mention.kind == "known":
        return True
    return mention.kind in ("entity", "identifier") and mention.label not in SHARED


def _with(risk: Risk, partner: Mention) -> Risk:
    """Say beside which fact, by its place, a fact fits so few: a plan holds no source text."""
    return replace(risk, reason=Reason("few", {"start": partner.start, "end": partner.end}))
