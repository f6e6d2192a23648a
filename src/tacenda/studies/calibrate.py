"""Choose a similarity threshold on a few documents that people have marked (paper 004, section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacenda.errors import InputError
from tacenda.model import Annotation, Context, Document
from tacenda.risk.similarity import Similarity, best_threshold, distinct_terms, targets

Span = tuple[int, int]


@dataclass(frozen=True)
class Marked:
    """A document and the stretches of it that people marked as telling too much."""

    document: Document
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Calibration:
    """A threshold, the mean F1 over terms it reached on the documents it was chosen on, and their number."""

    threshold: float
    f1: float
    documents: int


def calibrate(marked: Sequence[Marked], annotate: Callable[[Document], Annotation], embeddings: Any) -> Calibration:
    """Return the threshold with the greatest mean F1 over the terms of marked documents.

    A document that is about nobody is left out; none left is an error. Measure on other documents than these.
    """
    scored = [terms for one in marked if (terms := scored_terms(one, annotate(one.document), embeddings))]
    if not scored:
        raise InputError("none of the marked documents is about a person: there is nothing to be similar to.")
    threshold, f1 = best_threshold([[(score, right) for _, score, right in terms] for terms in scored])
    # Printed with three digits, the threshold must not pass the score it was taken from.
    return Calibration(float(np.floor(threshold * 1000) / 1000), f1, len(scored))


def scored_terms(one: Marked, annotation: Annotation, embeddings: Any) -> list[tuple[str, float, bool]]:
    """Return (term, similarity to the subject, whether any occurrence holds a marked character) of a document."""
    from tacenda.annotate.subject import find_subject

    subject = find_subject(one.document, annotation)
    context = Context(one.document, mentions=annotation.mentions, subject=subject)
    held = np.zeros(len(one.document.text) + 1, dtype=bool)
    for start, end in one.spans:
        held[start:end] = True
    alike = distinct_terms(annotation.mentions)
    model = Similarity(embeddings=embeddings)
    for _, forms in targets(context):
        scores = model.scores(tuple(alike), forms)
        right = [any(held[slice(*annotation.mentions[i].span)].any() for i in group) for group in alike.values()]
        return list(zip(alike, scores, right, strict=True))
    return []
