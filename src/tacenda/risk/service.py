"""(α,C)-sanitization from the counts of a search service alone, as papers 000 and 001 asked the Web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from tacenda.errors import KnowledgeError, UsageError
from tacenda.model import Context, Mention, Protected, Reason, Risk
from tacenda.protocols import CountSource
from tacenda.risk.formulas import alpha_limit, information, is_risky, reveals_more
from tacenda.risk.protected import check_contradictions
from tacenda.risk.rules import check_choice
from tacenda.risk.terms import Carried, all_parts, is_replaced, whole_phrases
from tacenda.term import normalize

Asked = tuple[str | tuple[str, ...], ...]
UNASKED = Reason("unasked")
_HIDDEN = ("known", "protected")


@dataclass(frozen=True)
class _Entity:
    """A protected entity with its forms, its count and, where the policy gives one, the count of what may be told."""

    protected: Protected
    forms: tuple[str, ...]
    count: int
    general: int


class Service:
    """Risky iff PMI(c;T) >= IC(c)/α, or > IC(may_reveal), by the counts of a search service; literal, as printed.

    Nothing is estimated: a count the service does not give ends the run. Asking tells the service every term and
    what is protected, so it is off unless the policy names [knowledge.service].

    given     the protected entities as the policy gives them: only these names are asked, not all a taxonomy knows
    support   least joint count at which something is risky (1: the papers' rule)
    terms     term (default): whole terms, as the papers; word: also every part of them
    pairs     pairs of terms asked for each entity, those with the highest shares first; 0: single terms only
    private   labels whose mentions are never asked, as identifiers never are; unasked, they are taken to be risky
    """

    name = "service"
    unit = "bits"
    monotone = False
    guarantee = (
        "By the counts of the search service, no term left in the text, and no pair of terms asked for, tells 1/α or "
        "more of the information of a protected entity (or more than what may be revealed)."
    )

    def __init__(
        self,
        *,
        service: CountSource,
        given: Sequence[Protected] = (),
        support: int = 1,
        terms: str = "term",
        pairs: int = 0,
        private: Sequence[str] = ("PERSON",),
    ) -> None:
        check_choice("terms", terms, ("term", "word"))
        if support < 1 or pairs < 0:
            raise UsageError("service: support must be at least 1 and pairs not negative.")
        self.service, self.support, self.terms, self.pairs = service, support, terms, pairs
        self.private = frozenset(private)
        self._given = {protected.entity: protected.forms for protected in given}
        self._known: dict[Asked, int] = {}

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return the risks of single terms, then of pairs, for every protected entity."""
        check_contradictions(context.protected)
        if not context.protected:
            return []
        unasked = {number for number, mention in enumerate(mentions) if self._is_private(mention, context)}
        risks = [Risk(self.name, (number,), "identity", 1.0, 0.0, "match", {}, UNASKED) for number in sorted(unasked)]
        # What is hidden in any case need not be asked either.
        chosen = [n for n, mention in enumerate(mentions) if n not in unasked and mention.kind not in _HIDDEN]
        carried = all_parts(mentions, chosen) if self.terms == "word" else whole_phrases(mentions, chosen)
        for protected in dict.fromkeys(context.protected):
            risks += self._against(self._entity(protected), carried)
        return risks

    def _is_private(self, mention: Mention, context: Context) -> bool:
        """Tell whether a mention must not be sent to anybody: an identifier or a private label, not yet replaced."""
        private = mention.kind == "identifier" or (mention.label in self.private and mention.kind not in _HIDDEN)
        return private and not is_replaced(mention, context)

    def _entity(self, protected: Protected) -> _Entity:
        given = self._given.get(protected.entity, protected.forms)
        forms = tuple(dict.fromkeys(filter(None, map(normalize, (protected.entity, *given)))))
        general = (normalize(protected.may_reveal), *forms) if protected.may_reveal else forms
        count, above = self._ask([(_either(forms),), (_either(general),)])
        if count == 0:
            raise KnowledgeError(
                f"service: it found no page about the protected entity {protected.entity!r}, so what discloses it "
                "cannot be counted. Check the spelling, or protect it with an index ([risk.alpha_c])."
            )
        return _Entity(protected, forms, count, above)

    def _against(self, entity: _Entity, carried: Sequence[Carried]) -> Iterator[Risk]:
        joint = self._ask([(_either(entity.forms), one.key) for one in carried])
        alone = self._ask([(one.key,) for one in carried])
        left = []
        for one, both, count in zip(carried, joint, alone, strict=True):
            if self._is_risky(entity, both, count):
                yield self._risk(entity, (one,), both, count)
            elif both:
                left.append((both / count if count else 1.0, one))
        yield from self._pairs(entity, [one for _, one in sorted(left, key=lambda pair: -pair[0])])

    def _pairs(self, entity: _Entity, left: Sequence[Carried]) -> Iterator[Risk]:
        """Ask pairs of terms that meet the entity, in the order of their shares n(ct)/n(t), as many as allowed."""
        pairs = list(islice(_by_rank(left), self.pairs))
        joint = self._ask([(_either(entity.forms), first.key, second.key) for first, second in pairs])
        group = self._ask([(first.key, second.key) for first, second in pairs])
        for pair, both, count in zip(pairs, joint, group, strict=True):
            if self._is_risky(entity, both, count):
                yield self._risk(entity, pair, both, count)

    def _is_risky(self, entity: _Entity, joint: int, group: int) -> bool:
        total, protected = self.service.total, entity.protected
        if protected.may_reveal:
            return reveals_more(joint, entity.count, group, entity.general, self.support)
        return is_risky(joint, entity.count, group, total, protected.alpha, self.support)

    def _risk(self, entity: _Entity, members: Sequence[Carried], joint: int, group: int) -> Risk:
        total, protected = self.service.total, entity.protected
        # A service may estimate: a joint count above that of the group tells all, not more than all.
        bits = information(entity.count, total) - information(min(joint, group or joint), group or joint)
        limit = alpha_limit(information(entity.count, total), protected.alpha)
        if protected.may_reveal:
            limit = information(entity.general, total)
        counts = {"joint": joint, "count": group, "entity": entity.count, "total": total}
        numbers = tuple(sorted({number for one in members for number in one.mentions}))
        carriers = tuple(one.mentions for one in members) if len(members) > 1 else ()
        return Risk(self.name, numbers, protected.entity, bits, limit, self.unit, counts, members=carriers)

    def _ask(self, groups: Sequence[Asked]) -> list[int]:
        """Count each group once; an answer that is none, or cannot be, ends the run."""
        new = [group for group in dict.fromkeys(groups) if group not in self._known]
        answers = self.service.counts(new) if new else []
        for group, number in zip(new, answers, strict=True):
            if number is None:
                raise KnowledgeError("service: a group of terms is unknown to it. Nothing is guessed; no output.")
            if number > self.service.total:
                raise KnowledgeError(
                    f"service: a count of {number} is more than the {self.service.total} pages it is said to hold. "
                    "Set total in [knowledge.service] to the number of pages of the service."
                )
            self._known[group] = number
        return [self._known[group] for group in groups]


def _either(forms: tuple[str, ...]) -> Any:
    return forms if len(forms) > 1 else forms[0]


def _by_rank(terms: Sequence[Carried]) -> Iterator[tuple[Carried, Carried]]:
    """Pairs of ranked terms, those of the lowest ranks first; a term is not paired with a part of itself."""
    for first, second in sorted(combinations(range(len(terms)), 2), key=lambda pair: (sum(pair), pair)):
        if not set(terms[first].words) & set(terms[second].words):
            yield terms[first], terms[second]
