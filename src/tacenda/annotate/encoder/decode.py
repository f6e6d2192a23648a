"""From the encoder's scores to tags, sentences, noun phrases and entities. Pure functions on arrays of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Role = Literal["direct", "quasi", "none"]

UPOS = tuple("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
TYPES = ("PERSON", "LOC", "ORG", "DATETIME", "CODE", "DEM", "QUANTITY", "MISC")
UPOS_AT, PHRASE_AT, SENTENCE_AT, ENTITY_AT, ROLE_AT, WIDTH = 0, 17, 20, 22, 39, 42
_NOUNS = (UPOS.index("NOUN"), UPOS.index("PROPN"))
_BLOCKS = (UPOS_AT, PHRASE_AT, SENTENCE_AT, ENTITY_AT, ROLE_AT, WIDTH)


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity among the words `[first, last]`: its type, role and how sure the encoder is.

    For what needs masking, .5 is the limit of its type and 1 is certain; else it is the probability of an entity.
    """

    first: int
    last: int
    label: str
    role: Role
    confidence: float


def softmax(scores: Floats) -> Floats:
    """Probabilities of each task from the scores of all tasks, row by row."""
    out = np.empty_like(scores)
    for low, high in pairwise(_BLOCKS):
        part = scores[:, low:high]
        part = np.exp(part - part.max(axis=1, keepdims=True))
        out[:, low:high] = part / part.sum(axis=1, keepdims=True)
    return out


def phrases(probabilities: Floats) -> list[tuple[int, int]]:
    """Base noun phrases as (first, last) word, both included; each holds a noun or a name."""
    best = probabilities[:, PHRASE_AT:SENTENCE_AT].argmax(axis=1)
    inside = best > 0
    opens = inside & ((best == 1) | ~np.concatenate(([False], inside[:-1])))
    ends = inside & ~np.concatenate((inside[1:] & ~opens[1:], [False]))
    nouns = np.isin(probabilities[:, UPOS_AT:PHRASE_AT].argmax(axis=1), _NOUNS)
    count = np.concatenate(([0], np.cumsum(nouns)))
    first, last = np.flatnonzero(opens), np.flatnonzero(ends)
    held = count[last + 1] > count[first]
    return list(zip(first[held].tolist(), last[held].tolist(), strict=True))


def entities(probabilities: Floats, *, entity: float, mask: Mapping[str, float]) -> list[FoundEntity]:
    """Entities: runs of words that are, likely enough, part of one or in need of masking.

    entity      least probability that a word is part of an entity
    mask        per type, least probability that a word needs masking; below it the role is "none"
    """
    kind = probabilities[:, ENTITY_AT:ROLE_AT]
    begin, inside = kind[:, 1::2], kind[:, 2::2]
    both = begin + inside
    best = both.argmax(axis=1)
    need = 1.0 - probabilities[:, ROLE_AT]
    limits = np.asarray([mask[name] for name in TYPES], dtype=np.float32)
    masked = need > limits[best]
    active = masked | (both.sum(axis=1) > entity)
    if not active.any():
        return []
    rows = np.arange(len(best))
    starts = begin[rows, best] > inside[rows, best]
    previous = np.concatenate(([-1], best[:-1]))
    fresh = active & (
        ~np.concatenate(([False], active[:-1])) | starts | ((best != previous) & (both[rows, best] > 0.5))
    )
    ends = active & ~np.concatenate((active[1:] & ~fresh[1:], [False]))
    spans = zip(np.flatnonzero(fresh).tolist(), np.flatnonzero(ends).tolist(), strict=True)
    above = 0.5 + 0.5 * np.maximum(need - limits[best], 0.0) / np.maximum(1.0 - limits[best], 1e-6)
    sure = np.where(masked, above, 0.0)
    return [_found(first, last, both, probabilities, float(sure[first : last + 1].max())) for first, last in spans]


def _found(first: int, last: int, both: Floats, probabilities: Floats, sure: float) -> FoundEntity:
    types = both[first : last + 1].sum(axis=0)
    roles = probabilities[first : last + 1, ROLE_AT:WIDTH].mean(axis=0)
    role: Role = "none"
    if sure:
        role = "direct" if roles[2] > roles[1] else "quasi"
    else:
        sure = float(types.sum() / (last - first + 1))
    return FoundEntity(first, last, TYPES[int(types.argmax())], role, round(min(sure, 1.0), 4))
