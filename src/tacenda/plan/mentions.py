"""What a document's mentions are, what they tell, and which forms must not appear in an output."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tacenda import term
from tacenda.assembly import Assembly
from tacenda.model import FORCED, Annotation, Context, Document, Mention, Note, Risk
from tacenda.protocols import EveryWord, Noting, Overruling, RiskModel


def find_mentions(parts: Assembly, document: Document, *, bare: Sequence[Mention] = ()) -> Annotation:
    """Find all mentions, with overlaps settled, forms spread and entities tied; none crosses a part.

    bare    forms that are read only once what stands beside them is replaced
    """
    from tacenda.annotate import combine
    from tacenda.annotate.columns import Columns
    from tacenda.annotate.parts import cut, within_parts

    found = [cut(document, annotator.annotate(document)) for annotator in parts.annotators]
    told = Columns().annotate(document)
    if told.mentions:
        found = [*(_yielding(one, told) for one in found), told]
    joined = combine(
        document,
        found,
        forced=(*parts.forced_matchers(document), *((_Bare(tuple(bare)),) if bare else ())),
        confidence=parts.policy.confidence,
        is_disease=parts.is_disease,
        is_medicine=parts.is_medicine,
    )
    return within_parts(document, _with_every_word(parts, document, joined))


@dataclass(frozen=True)
class _Bare:
    """Annotates what is known to be there."""

    mentions: tuple[Mention, ...]
    name: str = "known"

    def annotate(self, document: Document) -> Annotation:
        return Annotation(self.mentions)


def _yielding(found: Annotation, told: Annotation) -> Annotation:
    """Leave out names and phrases found in cells whose column says what they are: "George" under Name is no code."""
    starts = [mention.start for mention in told.mentions]

    def explained(mention: Mention) -> bool:
        at = bisect_right(starts, mention.start) - 1
        return mention.kind in ("entity", "term") and at >= 0 and mention.end <= told.mentions[at].end

    return replace(found, mentions=tuple(mention for mention in found.mentions if not explained(mention)))


def _wants_every_word(model: RiskModel) -> bool:
    return isinstance(model, EveryWord) and model.every_word


def _with_every_word(parts: Assembly, document: Document, joined: Annotation) -> Annotation:
    """Add the words no annotator marked, where any word may give away what is protected."""
    if not (parts.policy.protect or any(map(_wants_every_word, parts.risk_models))):
        return joined
    from tacenda.language import FUNCTION_WORDS, TELLING_VERBS, says_nothing
    from tacenda.risk.terms import remaining_words

    words = remaining_words(document.text, joined.mentions)
    if not parts.policy.risk.get("alpha_c", {}).get("covered"):
        # Only a certificate speaks of function words; by themselves they tell a reader nothing.
        words = [word for word in words if term.fold(word.text) not in FUNCTION_WORDS - TELLING_VERBS]
        words = [word for word in words if not says_nothing(document.text, *word.span)]
    return replace(joined, mentions=tuple(sorted((*joined.mentions, *words), key=lambda m: m.start)))


def assess(parts: Assembly, mentions: Sequence[Mention], context: Context) -> tuple[Risk, ...]:
    """Ask every risk model of the policy; forced mentions count as risks too."""
    forced = [_forced_risk(i, m) for i, m in enumerate(mentions) if m.kind in FORCED and m.text]
    found = [risk for model in parts.risk_models for risk in model.assess(mentions, context)]
    return tuple(forced + _standing(parts, found, mentions, context))


def assess_until(
    parts: Assembly, mentions: Sequence[Mention], context: Context, wanted: Callable[[Sequence[Risk]], list[Risk]]
) -> list[Risk]:
    """Ask one risk model after the other until one finds a risk that is wanted.

    For a chooser that changes something and asks again: while counting still finds what must change, nobody reads the
    sentences, which change once more. No risk is wanted from any model only if all were asked.
    """
    if parts.policy.vote:
        return wanted(assess(parts, mentions, context))
    found = wanted([_forced_risk(i, m) for i, m in enumerate(mentions) if m.kind in FORCED and m.text])
    for model in parts.risk_models:
        found += wanted(_standing(parts, list(model.assess(mentions, context)), mentions, context))
        if found:
            break
    return found


def _standing(parts: Assembly, found: list[Risk], mentions: Sequence[Mention], context: Context) -> list[Risk]:
    """Return the risks that stand: not overruled by a reading, voted for, about the one person to protect."""
    from tacenda.risk.combine import of_subject, vote

    if not parts.certifies:  # a certificate proves counts, so no reading may overrule them
        for model in parts.risk_models:
            if isinstance(model, Overruling):
                found = list(model.left(found, mentions, context))
    if parts.policy.vote:
        found = vote(found, parts.policy.vote, parts.policy.vote_rule)
    return of_subject(found, context.subject)


def _forced_risk(index: int, mention: Mention) -> Risk:
    discloses = mention.source if mention.kind == "protected" and mention.source != "spread" else "identity"
    return Risk(model=mention.kind, mentions=(index,), discloses=discloses, score=1.0, limit=0.0, unit="match")


def risk_notes(parts: Assembly, mentions: Sequence[Mention], context: Context) -> list[Note]:
    """What risk models have to say of an output besides its risks: what they could not assess."""
    telling = [model for model in parts.risk_models if isinstance(model, Noting)]
    return [note for model in telling for note in model.notes(mentions, context)]


def leaks(parts: Assembly, text: str, document: Document) -> tuple[Mention, ...]:
    """Return every known identifier or protected form that occurs in a text."""
    probe = Document(text)
    return tuple(m for matcher in parts.forced_matchers(document) for m in matcher.annotate(probe).mentions)
