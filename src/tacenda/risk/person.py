"""A private person: unknown to any index, so nothing correlates with the name. What singles the person out?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2

from tacenda.arrays.window_sets import meet
from tacenda.errors import PolicyError
from tacenda.model import Context, Mention, Reason, Risk
from tacenda.protocols import CorpusIndex
from tacenda.risk.counts import Counts
from tacenda.risk.formulas import information, pmi
from tacenda.risk.terms import is_replaced, phrase_words

DIRECT = Reason("direct")
# Labels of facts that many people share; every other identifier points at one person.
_SHARED = frozenset(("DATETIME", "QUANTITY", "AGE", "LOC", "ORG", "DEM", "MISC", "TERM", "WORD"))
_LEAST_JOINT = 5


@dataclass(frozen=True)
class _Fact:
    """Something the text says of the person: its mentions and how many bits it tells alone."""

    words: tuple[str, ...]
    mentions: tuple[int, ...]
    bits: float


class Person:
    """Direct identifiers go; what is left together must fit at least k people of a population.

    The number of people is estimated as population * 2**-I, where I is the information of all remaining facts
    together: the sum of what each tells, less what pairs of them say twice (the largest such savings that form no
    circle, as in a Chow-Liu tree). Facts are kept from the least telling on, as long as k people are left.
    Corpus frequency stands for frequency among people: names of places and jobs are rarer in text than in life, so
    the estimate errs towards hiding.

    k            least number of people
    population   people the reader has to tell apart
    noun_phrases False: only names, places, dates and attributes are facts, as in a record about a private person
    least_bits   noun phrases, and general words in place of a name, that tell less than this are no facts
    """

    name = "person"
    unit = "people"
    monotone = False
    guarantee = (
        "No direct identifier that was found is left, and by corpus frequency at least k people of the population fit "
        "all facts that were recognized; what an annotator missed is not counted."
    )

    def __init__(
        self,
        *,
        index: CorpusIndex,
        k: int = 20,
        population: int = 8_000_000_000,
        least_bits: float = 9.0,
        noun_phrases: bool = True,
    ) -> None:
        if not 1 <= k <= population:
            raise PolicyError(f"risk model 'person': k is {k} of {population} people; it must be 1 or more.")
        self.counts, self.k, self.population, self.least_bits = Counts(index, self.name), k, population, least_bits
        self.noun_phrases = noun_phrases

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return direct identifiers, then the facts that would leave fewer than k people."""
        direct = [n for n, mention in enumerate(mentions) if self._is_direct(mention, context)]
        risks = [Risk(self.name, (n,), "identity", 1.0, float(self.k), self.unit, {}, DIRECT) for n in direct]
        budget = log2(self.population / self.k)
        kept: list[_Fact] = []
        told = 0.0
        for fact in sorted(self._facts(mentions, context, set(direct)), key=lambda f: (f.bits, f.words)):
            more = max(0.0, fact.bits - max((self._shared(fact, other) for other in kept), default=0.0))
            if told + more <= budget:
                kept.append(fact)
                told += more
            else:
                people = self.population * 2.0 ** -(told + more)
                counts = {"population": self.population, "facts_kept": len(kept)}
                risks.append(Risk(self.name, fact.mentions, "identity", people, float(self.k), self.unit, counts))
        return risks

    def _is_direct(self, mention: Mention, context: Context) -> bool:
        if not mention.text.strip() or is_replaced(mention, context):
            return False
        if mention.role == "direct" or mention.kind == "known":
            return True
        return mention.kind in ("entity", "identifier") and mention.label not in _SHARED

    def _facts(self, mentions: Sequence[Mention], context: Context, direct: set[int]) -> list[_Fact]:
        carried: dict[tuple[str, ...], list[int]] = {}
        for number, mention in enumerate(mentions):
            words = phrase_words(mention)
            # A pseudonym says nothing true of the person, a label only what kind of thing stood there.
            stands_in = is_replaced(mention, context) and (mention.label == "PERSON" or mention.text.startswith("["))
            if words and number not in direct and not stands_in:
                carried.setdefault(words, []).append(number)
        facts = []
        for words, numbers in carried.items():
            bits = self.counts.information(" ".join(words))
            named = any(
                mentions[n].label not in ("TERM", "WORD") and not is_replaced(mentions[n], context) for n in numbers
            )
            if named or (self.noun_phrases and bits > self.least_bits):
                facts.append(_Fact(words, tuple(numbers), bits))
        return facts

    def _shared(self, fact: _Fact, other: _Fact) -> float:
        """Return the bits two facts say twice: their PMI, where they were counted together often enough."""
        one, two = self.counts.windows(" ".join(fact.words)), self.counts.windows(" ".join(other.words))
        joint = len(meet(one, two))
        if joint < _LEAST_JOINT:
            return 0.0
        most = min(information(len(one), self.counts.total), fact.bits)
        return min(most, max(0.0, pmi(joint, len(one), len(two), self.counts.total)))
