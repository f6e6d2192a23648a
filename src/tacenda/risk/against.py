"""Ask the terms of one context, alone and together, how much they tell about an entity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tacenda.arrays.window_sets import Rows, Windows
from tacenda.model import Context, Mention, Reason, Risk
from tacenda.risk.counts import Counts
from tacenda.risk.groups import FoundGroups, TermSets, minimal_groups
from tacenda.risk.protected import NOTHING, Secret, Told
from tacenda.risk.rules import Rule
from tacenda.risk.terms import Carried, all_parts, is_number, is_replaced, phrase_words, single_words, whole_phrases
from tacenda.term import content_words

BY_NAME = Reason("name")
BY_USE = Reason("use")
AS_CONCEPT = Reason("concept")
WHOLE = Reason()


@dataclass(frozen=True)
class Asking:
    """How terms are asked: for which model, from which index, as words or whole terms, alone or also together.

    concept   gives the windows of a replacement taken as a concept; None: replacements are only words
    broad     entities in more than this share of all windows are asked of terms alone, not together
    """

    model: str
    counts: Counts
    terms: str = "word"
    groups: bool = True
    most: int = 2_000_000
    least_count: int = 5
    concept: Callable[[str], Windows] | None = None
    broad: float = 1.0


@dataclass(frozen=True)
class Answer:
    """The risks for one entity, how many groups are weak, and whether the search came to its end."""

    risks: list[Risk]
    weak: int = 0
    complete: bool = True


class Terms:
    """The terms of one context, counted once and asked against every entity."""

    def __init__(self, asking: Asking, mentions: Sequence[Mention], context: Context, chosen: list[int]) -> None:
        self.asking, self.mentions = asking, mentions
        alone = [one for one in all_parts(mentions, chosen) if not is_number(one.words)]
        whole = single_words(mentions, chosen) if asking.terms == "word" else whole_phrases(mentions, chosen)
        self.whole = {phrase_words(mentions[number]) for number in chosen}
        self.rare = self._rare(alone)
        self.alone = [one for one in alone if self._asked_alone(one)]
        self.phrases = self._phrases(chosen, context)
        self.concepts = self._concepts(chosen, context)
        self.together = [one for one in whole if not is_number(one.words)] + [one for one, _ in self.concepts]

    @cached_property
    def windows(self) -> list[tuple[tuple[str, ...], Windows]]:
        """The terms that are asked together, with their windows; looked up only if an entity asks for groups."""
        words = self.together[: len(self.together) - len(self.concepts)]
        found = [(one.words, self.asking.counts.windows(one.key)) for one in words]
        return found + [(one.words, windows) for one, windows in self.concepts]

    @cached_property
    def sets(self) -> TermSets:
        """The same, ready to count groups."""
        counts = self.asking.counts
        return TermSets([windows for _, windows in self.windows], counts.articles, counts.masks)

    def _rare(self, alone: Sequence[Carried]) -> frozenset[tuple[str, ...]]:
        """Return the words too rare where is counted that the whole index can judge."""
        counts, least = self.asking.counts, self.asking.least_count
        if counts.everywhere is counts:
            return frozenset()
        words = {one.words for one in alone if len(one.words) == 1 and not counts.knows(one.words[0], least)}
        return frozenset(one for one in words if len(counts.everywhere.windows(one[0])) >= least)

    def _asked_alone(self, one: Carried) -> bool:
        """Tell whether a part stands for itself: with whole terms, parts speak only where the whole is too rare."""
        if self.asking.terms == "word" or one.words in self.whole:
            return True
        counts, least = self.asking.counts, self.asking.least_count
        wholes = (" ".join(phrase_words(self.mentions[n])) for n in one.mentions)
        return any(len(counts.windows(whole)) < least for whole in wholes)

    def _phrases(self, chosen: list[int], context: Context) -> dict[int, tuple[str, ...]]:
        """Return the noun phrase around each mention that is only a part of one and still says what it said.

        In "intravenous drug use" the name of the entity is a mention of its own; what is left of the phrase goes
        with it, because a phrase that contains a name is risky as a whole.
        """
        found = {}
        for number in chosen:
            mention = self.mentions[number]
            start, end = mention.phrase
            larger = start >= 0 and (start, end) != mention.span and start <= mention.start and mention.end <= end
            if larger and phrase_words(mention) and not is_replaced(mention, context):
                found[number] = content_words(context.document.text[start:end])
        return found

    def _concepts(self, chosen: list[int], context: Context) -> list[tuple[Carried, Windows]]:
        """Return replacements taken as concepts: "infection" then stands for all infections, not for the word."""
        concept = self.asking.concept
        if concept is None:
            return []
        carried: dict[str, list[int]] = {}
        for number in chosen:
            mention = self.mentions[number]
            if phrase_words(mention) and is_replaced(mention, context):
                carried.setdefault(" ".join(phrase_words(mention)), []).append(number)
        # The tuple differs from those of words, which hold no space: a word of the same name is a term of its own.
        found = [(Carried((name, "as a concept"), tuple(n)), concept(name)) for name, n in carried.items()]
        return [(one, windows) for one, windows in found if len(windows)]

    def ask(self, secret: Secret) -> Answer:
        """Return the risks of this context for one entity."""
        windows = self.asking.counts.windows
        told = [(one, found) for one in self.alone if (found := secret.told(one.words, windows)) is not NOTHING]
        # Only the shortest part that names the entity is reported; what contains it goes with it.
        risks = [self._by_name(secret, one) for one in _shortest([one for one, found in told if found.named])]
        done = {number for risk in risks for number in risk.mentions}
        beside = [Carried((), (n,)) for n, words in self.phrases.items() if n not in done and secret.names(words)]
        risks += [self._by_name(secret, one) for one in beside]
        signs = [one for one, found in told if found.shown]
        risks += [replace(self._by_name(secret, one), reason=BY_USE) for one in _shortest(signs)]
        if secret.rule is None:
            return Answer(risks)
        taken = {number for risk in risks for number in risk.mentions}
        singles, hit = self._singles(secret, secret.rule, self._judged(secret, told), taken)
        risks += singles
        if not self.asking.groups or secret.share > self.asking.broad:
            return Answer(risks)
        skip = frozenset(i for i, one in enumerate(self.together) if one.words in hit or taken.issuperset(one.mentions))
        inside = secret.rows(self.windows)
        groups = minimal_groups(self.sets, secret.windows, secret.rule, skip=skip, most=self.asking.most, inside=inside)
        risks += self._groups(secret, secret.rule, groups, inside)
        return Answer(risks, groups.weak, groups.complete)

    def _by_name(self, secret: Secret, one: Carried) -> Risk:
        rule = secret.rule
        bits = rule.entity_bits if rule else 0.0
        limit = rule.limit_bits if rule else 0.0
        counts = {"entity": len(secret.windows), "total": self.asking.counts.total}
        return self._risk(secret, one.mentions, bits, limit, counts, BY_NAME)

    def _judged(self, secret: Secret, told: list[tuple[Carried, Told]]) -> Iterator[tuple[Carried, Told, Rule]]:
        """Yield the terms that are risky by themselves, in order; those too rare here are judged in the whole index."""
        if not self.rare or secret.whole is None or secret.whole.rule is None:
            rule = secret.rule
            yield from ((one, found, rule) for one, found in told if found.risky and rule)
            return
        for one in self.alone:
            judge, counts = secret, self.asking.counts
            if one.words in self.rare:
                judge, counts = secret.whole, counts.everywhere
            found = judge.told(one.words, counts.windows)
            if found.risky and judge.rule:
                yield one, found, judge.rule

    def _singles(
        self, secret: Secret, rule: Rule, judged: Iterable[tuple[Carried, Told, Rule]], taken: set[int]
    ) -> tuple[list[Risk], set[tuple[str, ...]]]:
        """Return the risks of parts that tell too much alone, and their words."""
        risks: list[Risk] = []
        hit: list[Carried] = []
        for one, told, asked in judged:
            if taken.issuperset(one.mentions) or any(_within(small.words, one.words) for small in hit):
                continue
            hit.append(one)
            part = _part(one, phrase_words(self.mentions[one.mentions[0]]))
            risks.append(self._counted(secret, asked, one.mentions, told.joint, told.count, part))
        for one, windows in self.concepts:
            joint, risky = secret.single(windows)
            if risky:
                hit.append(one)
                risks.append(self._counted(secret, rule, one.mentions, joint, len(windows), AS_CONCEPT))
        return risks, {one.words for one in hit}

    def _groups(self, secret: Secret, rule: Rule, found: FoundGroups, inside: Rows) -> Iterator[Risk]:
        for group, without in zip(found.groups, self._without_each(found, inside), strict=True):
            members = tuple(self.together[i].mentions for i in group.terms)
            numbers = tuple(sorted({number for member in members for number in member}))
            counts = {
                "joint": group.joint,
                "count": group.count,
                "articles": group.articles,
                "entity": rule.secret,
                "total": rule.total,
                **without,
            }
            bits = rule.bits(group.joint, group.count)
            risk = self._risk(secret, numbers, bits, rule.limit_bits, counts, WHOLE)
            yield risk if len(members) == 1 else replace(risk, members=members)

    def _without_each(self, found: FoundGroups, inside: Rows) -> Iterator[dict[str, int]]:
        """Count each group without each of its members, which tells how much each adds."""
        terms = [group.terms if len(group.terms) > 1 else () for group in found.groups]
        joint, count = self.sets.count([one[:i] + one[i + 1 :] for one in terms for i in range(len(one))], inside)
        counted = zip(joint.tolist(), count.tolist(), strict=True)
        for one in terms:
            counts = {}
            for position in range(len(one)):
                counts[f"joint_without_{position}"], counts[f"count_without_{position}"] = next(counted)
            yield counts

    def _counted(
        self, secret: Secret, rule: Rule, numbers: tuple[int, ...], joint: int, count: int, why: Reason
    ) -> Risk:
        counts = {"joint": joint, "count": count, "entity": rule.secret, "total": rule.total}
        return self._risk(secret, numbers, rule.bits(joint, count), rule.limit_bits, counts, why)

    def _risk(
        self, secret: Secret, numbers: tuple[int, ...], bits: float, limit: float, counts: dict[str, int], why: Reason
    ) -> Risk:
        return Risk(self.asking.model, numbers, secret.protected.entity, bits, limit, "bits", counts, why)


def _within(part: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(words[i : i + len(part)] == part for i in range(len(words) - len(part) + 1))


def _shortest(parts: list[Carried]) -> list[Carried]:
    kept: list[Carried] = []
    for one in sorted(parts, key=lambda part: len(part.words)):
        if not any(_within(small.words, one.words) for small in kept):
            kept.append(one)
    return kept


def _part(one: Carried, words: tuple[str, ...]) -> Reason:
    """Say which content words of the first mention are meant, where it is not the whole of it."""
    if one.words == words:
        return WHOLE
    at = next(i for i in range(len(words)) if words[i : i + len(one.words)] == one.words)
    return Reason("words", {"first": at + 1, "last": at + len(one.words)})
