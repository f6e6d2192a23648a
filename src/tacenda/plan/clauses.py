"""Clauses that were only there to tell what must go: ", who won the [award] in [place]," goes as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tacenda.language import FUNCTION_WORDS
from tacenda.model import Decision, Span
from tacenda.serialize import FIX_REACH
from tacenda.term import fold

# A relative clause between a comma and the next comma, or the end of the sentence.
_CLAUSE = re.compile(r"(?:,) (?:who|which|whose|whom|where|when)\b[^,.;:()\n]{4,160}?(?P<close>,|(?=[.;]))")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_MASKS = 2  # masks from which a clause may be too many
_LEFT = 2  # words that say something which a clause may lose with them


def without_clauses(text: str, decisions: Sequence[Decision], *, mark: bool) -> list[Decision]:
    """Drop the clauses of which two masks or more and hardly a word are left; with a mark in their place if wanted."""
    made = list(decisions)
    for match in _CLAUSE.finditer(text):
        inside = [i for i, d in enumerate(made) if match.start() < d.start and d.end <= match.end()]
        changed = [i for i in inside if made[i].changes]
        masks = sum(made[i].action in ("label", "suppress") for i in changed)
        kept = [i for i in inside if not made[i].changes]
        gaps = list(_gaps(match.span(), [made[i].span for i in changed]))
        few = masks < _MASKS and len(changed) <= _MASKS
        if few or kept or not _is_empty(text, gaps):
            continue
        if max(end - start for start, end in gaps) > FIX_REACH:
            continue
        for n, i in enumerate(changed):
            fixes = [(*gaps[n], "")] + ([(*gaps[-1], "")] if i == changed[-1] else [])
            made[i] = replace(made[i], replacement="", fixes=tuple(f for f in fixes if f[0] < f[1]))
        if mark:
            made[changed[0]] = replace(made[changed[0]], replacement=" [...]")
    return made


def _gaps(clause: Span, spans: Sequence[Span]) -> Iterator[Span]:
    """What lies between the changes of a clause, before the first and behind the last."""
    done = clause[0]
    for start, end in spans:
        yield done, start
        done = end
    yield done, clause[1]


def _is_empty(text: str, gaps: Sequence[Span]) -> bool:
    """Tell whether hardly a word that says something is left of a clause."""
    words = (word for gap in gaps for word in _WORD.findall(text[slice(*gap)]))
    return sum(fold(word) not in FUNCTION_WORDS for word in words) <= _LEFT
