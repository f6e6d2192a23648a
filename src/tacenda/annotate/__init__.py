"""Find sentences, noun phrases, entities and identifiers in a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tacenda.annotate.entities import tie
from tacenda.annotate.gazetteer import Expressions, Gazetteer, protected_forms
from tacenda.annotate.known import Known
from tacenda.annotate.known_values import parse_known
from tacenda.annotate.merge import merge
from tacenda.annotate.spread import spread
from tacenda.model import Annotation, Document, Mention, Protected, Span
from tacenda.protocols import Annotator

__all__ = ["Known", "combine", "parse_known", "word_matchers"]

_SENTENCE = re.compile(r"[^\s.!?][^.!?\n]*(?:[.!?]+(?=\s|$)|[.!?]+[^.!?\n]*)*")


def combine(
    document: Document, found: Iterable[Annotation], *, forced: Iterable[Annotator] = (), confidence: float = 0.0
) -> Annotation:
    """Join what annotators found with what must be found: spread forms, tie entities, settle overlaps.

    `forced` are matchers of known identifiers and protected forms; `confidence` is the least a finding
    needs. Every surface form of an entity or identifier found anywhere is found everywhere.
    """
    kept = [
        Annotation(tuple(m for m in a.mentions if m.confidence >= confidence), a.sentences)
        for a in (*found, *(matcher.annotate(document) for matcher in forced))
    ]
    merged = merge(kept)
    mentions = spread(document.text, tie(merged.mentions))
    return Annotation(tuple(mentions), merged.sentences or _sentences(document.text))


def word_matchers(
    protected: Sequence[Protected], words: Sequence[str], expressions: Sequence[tuple[str, str]]
) -> tuple[Annotator, ...]:
    """Return matchers for what a policy names: protected entities, words and regular expressions."""
    matchers: list[Annotator] = [Gazetteer(protected_forms([p]), name=p.entity) for p in protected]
    if words:
        matchers.append(_Forced(Gazetteer.of_words(words)))
    if expressions:
        matchers.append(_Forced(Expressions(expressions)))
    return tuple(matchers)


class _Forced:
    """What a policy lists ranks with protected entities: it is masked, whatever a risk model says."""

    def __init__(self, matcher: Annotator) -> None:
        self.name = matcher.name
        self._matcher = matcher

    def annotate(self, document: Document) -> Annotation:
        found = self._matcher.annotate(document).mentions
        return Annotation(
            tuple(Mention(m.start, m.end, m.text, m.label, "protected", "policy", entity=m.entity) for m in found)
        )


def _sentences(text: str) -> tuple[Span, ...]:
    """Split at sentence ends and line ends; used where no annotator tells the sentences."""
    return tuple(m.span() for m in _SENTENCE.finditer(text))
