"""(α,C)-sanitization with groups: paper 001 complete, in the papers' literal mode and with evidence asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tacenda.errors import KnowledgeError
from tacenda.model import Context, Mention, Protected, Risk
from tacenda.protocols import CorpusIndex
from tacenda.risk.groups import Cooccurrence, Found, Windows, minimal_groups
from tacenda.risk.protected import Meanings, Secret, check_contradictions, look_up, union
from tacenda.risk.rules import Evidence, Rule
from tacenda.risk.terms import Carried, all_parts, contexts, is_replaced, phrase_words, single_words, whole_phrases

BY_NAME = "names the entity"
AS_CONCEPT = "as a concept"
UNKNOWN = "unknown to the index"


@dataclass(frozen=True)
class Survey:
    """Everything one assessment found out: the risks, and what was not or hardly assessed.

    unknown      mentions with a word the index does not know
    weak         groups whose share passes the limit without the evidence asked for, by entity
    unprotected  entities the index does not know: their names are hidden, no guarantee holds for them
    incomplete   entities whose group search was broken off
    """

    risks: tuple[Risk, ...]
    unknown: tuple[int, ...] = ()
    weak: dict[str, int] | None = None
    unprotected: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()


class AlphaC:
    """Risky iff PMI(c;T) >= IC(c)/α, or > IC(may_reveal), for a term or a group T of any size.

    mode      evidence (default) or paper: the literal rule from a minimum support on
    support   least joint count of a group; default 5 (evidence) or 3 (paper)
    groups    False: single terms only, as Algorithm 1 of paper 001
    terms     word: every word of a mention is a term, as a verifier sees the output; term: whole phrases
    context   document (default), paragraph or sentence: what is taken together
    unknown   suppress (default) or keep: what becomes of entities and noun-phrase heads the index does not know
    most      groups looked at, per entity, before the search is broken off (and said so)
    """

    name = "alpha_c"
    unit = "bits"
    monotone = False
    guarantee = (
        "Relative to this index, no word or phrase and no group of words left in the text tells 1/α or more of the "
        "information of a protected entity (or more than what may be revealed)."
    )

    def __init__(
        self,
        *,
        index: CorpusIndex,
        taxonomy: Any = None,
        mode: str = "evidence",
        support: int | None = None,
        groups: bool = True,
        terms: Literal["word", "term"] = "word",
        context: str = "document",
        unknown: Literal["suppress", "keep"] = "suppress",
        most: int = 2_000_000,
    ) -> None:
        if terms not in ("word", "term"):
            raise ValueError(f"no terms named {terms!r}. Available: word, term.")
        if unknown not in ("suppress", "keep"):
            raise ValueError(f"no treatment of unknown terms named {unknown!r}. Available: suppress, keep.")
        self.index, self.taxonomy = index, taxonomy
        self.evidence = Evidence.of(mode, support)
        self.groups, self.terms, self.context, self.unknown, self.most = groups, terms, context, unknown, most
        self._secrets: dict[Protected, Secret] = {}
        self._concepts: dict[str, Windows] = {}

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return every risk: single terms, then minimal groups, for every protected entity."""
        return self.survey(mentions, context).risks

    def secrets(self, protected: Sequence[Protected]) -> list[Secret]:
        """Return the protected entities with their forms, windows and rules; each is looked up once."""
        if self.index is None:
            raise KnowledgeError("risk model 'alpha_c' needs an index. Name one in the policy or install the embedded one.")
        check_contradictions(protected)
        for entry in protected:
            if entry not in self._secrets:
                self._secrets[entry] = look_up(entry, self.index, self.taxonomy, self.evidence)
        return [self._secrets[entry] for entry in dict.fromkeys(protected)]

    def survey(self, mentions: Sequence[Mention], context: Context) -> Survey:
        """Assess, and also say what could not be assessed."""
        secrets = self.secrets(context.protected)
        if not secrets:
            return Survey((), weak={})
        unknown = self._unknown(mentions)
        risks = list(self._unknown_risks(unknown, mentions)) if self.unknown == "suppress" else []
        weak: dict[str, int] = {}
        incomplete = []
        for chosen in contexts(mentions, context, self.context):
            document = _Terms(self, mentions, context, chosen)
            for secret in secrets:
                found = document.against(secret)
                risks += found.risks
                entity = secret.protected.entity
                weak[entity] = weak.get(entity, 0) + found.weak
                if not found.complete and entity not in incomplete:
                    incomplete.append(entity)
        missing = tuple(secret.protected.entity for secret in secrets if secret.rule is None)
        return Survey(tuple(risks), tuple(unknown), weak, missing, tuple(incomplete))

    def _unknown(self, mentions: Sequence[Mention]) -> list[int]:
        return [
            number
            for number, mention in enumerate(mentions)
            if any(not self.index.knows(word) for word in phrase_words(mention))
        ]

    def _unknown_risks(self, unknown: Sequence[int], mentions: Sequence[Mention]) -> Iterator[Risk]:
        """Yield a risk for each unknown term whose head is unknown, or that is an entity: nothing vouches for it."""
        carried: dict[tuple[str, ...], list[int]] = {}
        for number in unknown:
            mention, words = mentions[number], phrase_words(mentions[number])
            if mention.kind in ("entity", "identifier") or not self.index.knows(words[-1]):
                carried.setdefault(words, []).append(number)
        for words, numbers in carried.items():
            bits = self.index.information(" ".join(words))
            yield Risk(self.name, tuple(numbers), "unknown", bits, 0.0, self.unit, {}, UNKNOWN)

    def concept_windows(self, name: str) -> Windows:
        """Return the windows of a concept: of its name, of all its kinds, and of every protected entity among them."""
        if name not in self._concepts:
            names = dict.fromkeys((name, *self.taxonomy.synonyms(name), *self.taxonomy.specialisations(name)))
            own = union(self.index, names)
            for secret in self._secrets.values():
                if self.taxonomy.is_generalization(name, secret.protected.entity):
                    own = np.union1d(own, secret.windows)
            self._concepts[name] = own
        return self._concepts[name]


@dataclass(frozen=True)
class _Against:
    risks: list[Risk]
    weak: int = 0
    complete: bool = True


class _Terms:
    """The terms of one context, counted once and asked against every entity."""

    def __init__(self, model: AlphaC, mentions: Sequence[Mention], context: Context, chosen: list[int]) -> None:
        self.model, self.mentions = model, mentions
        alone = all_parts(mentions, chosen)
        together = single_words(mentions, chosen) if model.terms == "word" else whole_phrases(mentions, chosen)
        index = model.index
        self.windows = {one.words: np.asarray(index.windows(one.key), dtype=np.int64) for one in [*alone, *together]}
        self.whole = {phrase_words(mentions[number]) for number in chosen}
        self.alone = [one for one in alone if self._asked_alone(one)]
        self.concepts = self._concepts(chosen, context)
        self.together = [*together, *(one for one, _ in self.concepts)]
        self.world = Cooccurrence(
            [*(self.windows[one.words] for one in together), *(windows for _, windows in self.concepts)],
            index.total,
            index.articles,
        )

    def _asked_alone(self, one: Carried) -> bool:
        """Tell whether a part stands for itself: with whole terms, parts speak only where the whole is too rare."""
        if self.model.terms == "word" or one.words in self.whole:
            return True
        least = self.model.evidence.single_count
        return any(len(self.windows[phrase_words(self.mentions[n])]) < least for n in one.mentions)

    def _concepts(self, chosen: list[int], context: Context) -> list[tuple[Carried, Windows]]:
        """Return replacements taken as concepts: "infection" then stands for all infections, not for the word."""
        if self.model.taxonomy is None:
            return []
        carried: dict[str, list[int]] = {}
        for number in chosen:
            mention = self.mentions[number]
            if phrase_words(mention) and is_replaced(mention, context):
                carried.setdefault(" ".join(phrase_words(mention)), []).append(number)
        # The tuple differs from that of the word of the same name, which is a term of its own.
        found = [(Carried((name, AS_CONCEPT), tuple(n)), self.model.concept_windows(name)) for name, n in carried.items()]
        return [(one, windows) for one, windows in found if len(windows)]

    def against(self, secret: Secret) -> _Against:
        """Return the risks of this context for one entity."""
        named = [one for one in self.alone if secret.names(one.words)]
        # Only the shortest part that names the entity is reported; what contains it goes with it.
        risks = [self._by_name(secret, one) for one in _shortest(named)]
        if secret.rule is None:
            return _Against(risks)
        taken = {number for risk in risks for number in risk.mentions}
        singles, hit = self._singles(secret, secret.rule, taken)
        risks += singles
        if not self.model.groups:
            return _Against(risks)
        skip = frozenset(
            i for i, one in enumerate(self.together) if one.words in hit or taken.issuperset(one.mentions)
        )
        found = minimal_groups(self.world, secret.windows, secret.rule, skip=skip, most=self.model.most)
        risks += self._groups(secret, secret.rule, found)
        return _Against(risks, found.weak, found.complete)

    def _by_name(self, secret: Secret, one: Carried) -> Risk:
        rule = secret.rule
        bits = rule.entity_bits if rule else 0.0
        limit = rule.limit_bits if rule else 0.0
        counts = {"entity": len(secret.windows), "total": self.model.index.total}
        return self._risk(secret, one.mentions, bits, limit, counts, BY_NAME)

    def _singles(self, secret: Secret, rule: Rule, taken: set[int]) -> tuple[list[Risk], set[tuple[str, ...]]]:
        """Return the risks of parts that tell too much alone, and their words."""
        inside = np.zeros(self.model.index.total, dtype=bool)
        inside[secret.windows] = True
        risks, hit = [], []
        for one in self.alone:
            windows = self.windows[one.words]
            joint = int(np.count_nonzero(inside[windows]))
            if taken.issuperset(one.mentions) or any(_within(small.words, one.words) for small in hit):
                continue
            if rule.single(joint, len(windows)):
                hit.append(one)
                part = _part(one, phrase_words(self.mentions[one.mentions[0]]))
                risks.append(self._counted(secret, rule, one.mentions, joint, len(windows), part))
        for one, windows in self.concepts:
            joint = int(np.count_nonzero(inside[windows]))
            if rule.single(joint, len(windows)):
                hit.append(one)
                risks.append(self._counted(secret, rule, one.mentions, joint, len(windows), AS_CONCEPT))
        return risks, {one.words for one in hit}

    def _groups(self, secret: Secret, rule: Rule, found: Found) -> Iterator[Risk]:
        for group in found.groups:
            members = tuple(self.together[i].mentions for i in group.terms)
            numbers = tuple(sorted({number for member in members for number in member}))
            counts = {
                "joint": group.joint,
                "count": group.count,
                "articles": group.articles,
                "entity": rule.secret,
                "total": rule.total,
                **self._without_each(group.terms, secret.windows),
            }
            bits = rule.bits(group.joint, group.count)
            risk = self._risk(secret, numbers, bits, rule.limit_bits, counts, "")
            yield risk if len(members) == 1 else _with_members(risk, members)

    def _without_each(self, terms: tuple[int, ...], secret: Windows) -> dict[str, int]:
        """Count the group without each of its members, which tells how much each adds."""
        if len(terms) < 2:
            return {}
        counts = {}
        for position in range(len(terms)):
            windows = self.world.meet_all(terms[:position] + terms[position + 1 :])
            counts[f"joint_without_{position}"] = len(self.world.meet(windows, secret))
            counts[f"count_without_{position}"] = len(windows)
        return counts

    def _counted(
        self, secret: Secret, rule: Rule, numbers: tuple[int, ...], joint: int, count: int, note: str
    ) -> Risk:
        counts = {"joint": joint, "count": count, "entity": rule.secret, "total": rule.total}
        return self._risk(secret, numbers, rule.bits(joint, count), rule.limit_bits, counts, note)

    def _risk(
        self, secret: Secret, numbers: tuple[int, ...], bits: float, limit: float, counts: dict[str, int], note: str
    ) -> Risk:
        return Risk(self.model.name, numbers, secret.protected.entity, bits, limit, self.model.unit, counts, note)


def _with_members(risk: Risk, members: tuple[tuple[int, ...], ...]) -> Risk:
    return Risk(
        risk.model, risk.mentions, risk.discloses, risk.score, risk.limit, risk.unit, risk.counts, risk.note, members
    )


def _within(part: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(words[i : i + len(part)] == part for i in range(len(words) - len(part) + 1))


def _shortest(parts: list[Carried]) -> list[Carried]:
    kept: list[Carried] = []
    for one in sorted(parts, key=lambda part: len(part.words)):
        if not any(_within(small.words, one.words) for small in kept):
            kept.append(one)
    return kept


def _part(one: Carried, words: tuple[str, ...]) -> str:
    """Say which content words of the first mention are meant, where it is not the whole of it: "words 2-3"."""
    if one.words == words:
        return ""
    at = next(i for i in range(len(words)) if words[i : i + len(one.words)] == one.words)
    return f"words {at + 1}-{at + len(one.words)}"
