"""Scores of detected spans against gold, the same for every system. Spans are (start, end) offsets of characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

Span = tuple[int, int]
WORD = re.compile(r"\w+")


def cover(length: int, spans: Iterable[Span]) -> np.ndarray:
    """True for every character inside a span."""
    covered = np.zeros(length + 1, dtype=bool)
    for start, end in spans:
        covered[start:end] = True
    return covered


def is_covered(text: str, span: Span, covered: np.ndarray) -> bool:
    """Whether every letter and digit of a span is covered."""
    return all(covered[i] for i in range(*span) if text[i].isalnum())


def mention_recall(text: str, gold: Sequence[Span], found: Iterable[Span]) -> tuple[int, int]:
    """Mentions wholly covered, and all mentions."""
    covered = cover(len(text), found)
    return sum(is_covered(text, span, covered) for span in gold), len(gold)


def token_counts(text: str, gold: Iterable[Span], found: Iterable[Span]) -> tuple[int, int, int]:
    """Words both gold and found, words found, words gold."""
    want, have = cover(len(text), gold), cover(len(text), found)
    words = [m.start() for m in WORD.finditer(text)]
    return (
        sum(bool(want[w] and have[w]) for w in words),
        sum(bool(have[w]) for w in words),
        sum(bool(want[w]) for w in words),
    )


def entity_recall(text: str, entities: dict[str, list[Span]], found: Iterable[Span]) -> tuple[int, int]:
    """Entities all of whose mentions are wholly covered, and all entities."""
    covered = cover(len(text), found)
    return sum(all(is_covered(text, s, covered) for s in spans) for spans in entities.values()), len(entities)


def ratio(part: float, whole: float) -> float:
    """A ratio rounded to four digits; 0 of 0 is 0."""
    return round(part / whole, 4) if whole else 0.0


def propagate(text: str, found: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Find every further occurrence of what was found, and of the parts of people's names (four letters or more)."""
    forms: dict[str, str] = {}
    for start, end, label in found:
        surface = text[start:end].strip()
        if (
            len(surface) >= 3
            and any(c.isalpha() for c in surface)
            and label in {"PERSON", "LOC", "ORG", "CODE", "MISC"}
        ):
            forms.setdefault(surface, label)
        if label == "PERSON":
            for word in re.findall(r"[^\W\d_]{4,}", surface):
                if word[0].isupper():
                    forms.setdefault(word, label)
    if not forms:
        return list(found)
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) + r")(?!\w)")
    return [*found, *((m.start(), m.end(), forms[m[0]]) for m in pattern.finditer(text))]
