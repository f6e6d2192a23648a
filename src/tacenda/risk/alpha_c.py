"""(α,C)-sanitization with groups: paper 001 complete, in the papers' literal mode and with evidence asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacenda.arrays.window_sets import Windows
from tacenda.model import Context, Mention, Note, Protected, Reason, Risk
from tacenda.protocols import CorpusIndex
from tacenda.risk.against import Answer, Asking, Terms
from tacenda.risk.concepts import concept_windows
from tacenda.risk.counts import Counts
from tacenda.risk.protected import Secret, check_contradictions, look_up
from tacenda.risk.rules import Evidence, check_choice
from tacenda.risk.terms import UNITS, bridges, contexts, is_replaced, phrase_words
from tacenda.risk.unknown import NEAR, Unknown

UNKNOWN = Reason("unknown")
_NEVER_GIVEN = frozenset({"DATETIME", "AGE", "QUANTITY", "DEM"})
_TAKEN = frozenset({"PERSON", "LOC"})


@dataclass(frozen=True)
class Survey:
    """Everything one assessment found out: the risks, and what was not or hardly assessed.

    unknown      mentions with a word the index does not know, or too rarely to judge it
    weak         groups whose share passes the limit without the evidence asked for, by entity
    unprotected  entities the index does not know: their names are hidden, no guarantee holds for them
    incomplete   entities whose group search was broken off
    """

    risks: tuple[Risk, ...]
    unknown: tuple[int, ...] = ()
    weak: dict[str, int] = field(default_factory=dict)
    unprotected: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()


class AlphaC:
    """Risky iff PMI(c;T) >= IC(c)/α, or > IC(may_reveal), for a term or a group T of any size.

    mode      evidence (default) or paper: the literal rule from a minimum support on
    support   least joint count of a group; default 5 (evidence) or 3 (paper)
    level     how often chance alone may look like evidence, per term and per group
    strict    True: what passes the limit is risky also where there is too little evidence for it
    groups    False: single terms only, as Algorithm 1 of paper 001
    terms     word: every word of a mention is a term, as a verifier sees the output; term: whole phrases
    context   document (default), passage (sentences in a row, 1,200 characters), paragraph or sentence: what is taken
              together. Where all is covered it is the document
    unknown   suppress (default) or keep: what becomes of a word that neither the known context nor the whole index
              can judge and that looks like a medicine, a laboratory code or an abbreviation (see `risk.unknown`)
    covered   True: no word the index does not know may be left at all, as a certificate needs
    known_context   what kind of text the reader knows this to be (["patient", "symptom"]: a medical record); only
              windows of that kind are counted, so that what is common in them tells nothing
    broad     entities in more than this share of all windows (religion is in 8 %) are asked of terms alone: some group
              of everyday words meets them by chance in any text. 1 (default): every entity is asked of groups. Where
              all is covered it does not count
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
        level: str | float = "1/1000",
        strict: bool = False,
        groups: bool = True,
        terms: str = "word",
        context: str = "document",
        unknown: str = "suppress",
        covered: bool = False,
        known_context: Sequence[str] = (),
        broad: float = 1.0,
        most: int = 2_000_000,
    ) -> None:
        check_choice("terms", terms, ("word", "term"))
        check_choice("unknown", unknown, ("suppress", "keep"))
        check_choice("context", context, UNITS)
        self.counts, self.taxonomy = Counts(index, self.name, known_context), taxonomy
        self.evidence, self.groups = Evidence.of(mode, support, level, strict=strict), groups
        self.context, self.unknown, self.covered = "document" if covered else context, unknown, covered
        self.known_context = tuple(known_context)
        self._asking = Asking(
            self.name,
            self.counts,
            terms,
            groups,
            most,
            self.evidence.single_count,
            None if taxonomy is None else self.concept_windows,
            1.0 if covered else broad,
        )
        self._secrets: dict[Protected, Secret] = {}
        self._looked_up: tuple[Sequence[Protected], list[Secret]] | None = None
        self._concepts: dict[str, Windows] = {}
        self._known: dict[str, bool] = {}
        self._judging: tuple[tuple[Protected, ...], Unknown] | None = None
        self._asked_in: Context | None = None
        self._answers: dict[tuple[tuple[int, ...], tuple[Mention, ...]], list[Answer]] = {}
        self._last: tuple[tuple[Mention, ...], Context, Survey] | None = None

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return every risk: single terms, then minimal groups, for every protected entity."""
        return self.survey(mentions, context).risks

    def secrets(self, protected: Sequence[Protected]) -> list[Secret]:
        """Return the protected entities with their forms, windows and rules; each is looked up once."""
        # Asked for in every round with the same tuple: an entity with thousands of forms takes long to hash.
        if self._looked_up is None or self._looked_up[0] is not protected:
            check_contradictions(protected)
            for entry in protected:
                if entry not in self._secrets:
                    self._secrets[entry] = look_up(entry, self.counts, self.taxonomy, self.evidence)
            self._looked_up = protected, [self._secrets[entry] for entry in dict.fromkeys(protected)]
        return self._looked_up[1]

    def survey(self, mentions: Sequence[Mention], context: Context) -> Survey:
        """Assess, and also say what could not be assessed; of the same mentions again, what was said before."""
        asked = tuple(mentions)
        if self._last is None or self._last[1] is not context or self._last[0] != asked:
            self._last = asked, context, self._survey(mentions, context)
        return self._last[2]

    def _survey(self, mentions: Sequence[Mention], context: Context) -> Survey:
        secrets = self.secrets(context.protected)
        if not secrets:
            return Survey(())
        unknown = self._unknown(mentions)
        risks = list(self._unknown_risks(unknown, mentions, context)) if self.unknown == "suppress" else []
        weak: dict[str, int] = {}
        incomplete = []
        for chosen in contexts(mentions, context, self.context):
            for secret, found in zip(secrets, self._asked(secrets, mentions, context, chosen), strict=True):
                risks += found.risks
                entity = secret.protected.entity
                weak[entity] = weak.get(entity, 0) + found.weak
                if not found.complete and entity not in incomplete:
                    incomplete.append(entity)
        if self.context == "passage" and self.groups:
            risks += self._across(secrets, mentions, context)
        missing = tuple(secret.protected.entity for secret in secrets if secret.rule is None)
        return Survey(tuple(risks), tuple(unknown), weak, missing, tuple(incomplete))

    def _across(self, secrets: Sequence[Secret], mentions: Sequence[Mention], context: Context) -> Iterator[Risk]:
        """Yield the groups that no passage holds whole, but the stretch from the middle of one to that of the next."""
        side = {n: at for at, chosen in enumerate(contexts(mentions, context, self.context)) for n in chosen}
        for chosen in bridges(mentions, context):
            if len({side[number] for number in chosen}) > 1:
                for found in self._asked(secrets, mentions, context, chosen):
                    for risk in found.risks:
                        sides = [{side[number] for number in member} for member in risk.members]
                        if sides and not set.intersection(*sides):
                            yield risk

    def _asked(
        self, secrets: Sequence[Secret], mentions: Sequence[Mention], context: Context, chosen: list[int]
    ) -> list[Answer]:
        """Ask the terms of one context about every entity; what no round has changed is not asked again."""
        if self._asked_in is not context:
            self._asked_in, self._answers = context, {}
        key = tuple(chosen[:1]), tuple(mentions[number] for number in chosen)
        if key not in self._answers:
            terms = Terms(self._asking, mentions, context, chosen)
            self._answers[key] = [terms.ask(secret) for secret in secrets]
        return self._answers[key]

    def notes(self, mentions: Sequence[Mention], context: Context) -> list[Note]:
        """Say of an output what could not be assessed, or hardly."""
        found = self.survey(mentions, context)
        told = [Note("no_entity", about=entity) for entity in found.unprotected]
        told += [Note("incomplete", about=entity) for entity in found.incomplete]
        told += [Note("weak", {"count": number}, entity) for entity, number in found.weak.items() if number]
        if found.unknown:
            told.append(Note("unjudged", {"count": len(found.unknown)}))
        return told

    def _unknown(self, mentions: Sequence[Mention]) -> list[int]:
        return [
            number
            for number, mention in enumerate(mentions)
            if any(not word.isdigit() and not self._knows(word) for word in phrase_words(mention))
        ]

    def _knows(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self.counts.judge(word, self.evidence.single_count) is not None
        return known

    def _unknown_risks(self, unknown: Sequence[int], mentions: Sequence[Mention], context: Context) -> Iterator[Risk]:
        """Yield a risk for each term with an unknown word that may be telling; for every one where all is covered."""
        if not unknown:
            return
        judge = self._judge(context.protected)
        carried: dict[tuple[str, ...], list[int]] = {}
        for number in unknown:
            words = phrase_words(mentions[number])
            if self.covered or self._may_tell(mentions[number], words, context, judge):
                carried.setdefault(words, []).append(number)
        for words, numbers in carried.items():
            bits = self.counts.information(" ".join(words))
            yield Risk(self.name, tuple(numbers), "unknown", bits, 0.0, self.unit, {}, UNKNOWN)

    def _judge(self, protected: tuple[Protected, ...]) -> Unknown:
        """Return who judges unknown words, made once for the entities of a policy."""
        if self._judging is None or self._judging[0] is not protected:
            names = (name for entry in protected for name in (entry.entity, *entry.forms))
            self._judging = protected, Unknown(self.taxonomy, names)
        return self._judging[1]

    def _may_tell(self, mention: Mention, words: Sequence[str], context: Context, judge: Unknown) -> bool:
        """Tell whether an unknown word of a mention is a medicine, a code or an abbreviation, for all that is known."""
        strange = [word for word in words if not self._knows(word) and not judge.is_harmless(word)]
        if not strange or mention.kind == "identifier" or judge.is_harmless(" ".join(words)):
            return False
        named = mention.kind == "entity"
        if any(judge.looks_technical(word) and not (named and word.isupper()) for word in strange):
            return True
        if is_replaced(mention, context) or mention.label in _NEVER_GIVEN:
            return False
        text, (start, end) = context.document.text, mention.span
        return judge.is_given(text[max(0, start - NEAR) : start], text[end : end + NEAR], named=mention.label in _TAKEN)

    def concept_windows(self, name: str) -> Windows:
        """Return the windows of a concept: of its name, of all its kinds, and of every protected entity among them."""
        if name not in self._concepts:
            held = [(secret.protected.entity, secret.windows) for secret in self._secrets.values()]
            self._concepts[name] = concept_windows(name, self.counts, self.taxonomy, held)
        return self._concepts[name]
