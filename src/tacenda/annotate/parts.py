"""Mentions and the parts of a document: none crosses a part, and each kind of part has its own rule.

prose, cell     everything counts
label, name     names, identifiers, known and protected forms; a noun phrase in a field name tells nothing
uri, code       identifiers, known and protected forms, and names found elsewhere in the document; a hit takes
                the whole part, since half a link or half a line of code is of no use to anybody
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tacenda.annotate.merge import rank
from tacenda.model import Annotation, Document, Mention, Part, Span

_SOLID = ("uri", "code")
_NAMING = ("label", "name")
_SURE = ("known", "protected", "identifier")
_FORCED = ("known", "protected")
_NAMES = ("PERSON", "ORG", "LOC")


def within_parts(document: Document, annotation: Annotation) -> Annotation:
    """Cut mentions and sentences at the edges of parts, and apply the rule of each kind of part."""
    parts = document.parts
    if not parts:
        return annotation
    starts = [part.start for part in parts]
    kept: list[Mention] = []
    solid: dict[int, list[Mention]] = {}
    for mention in annotation.mentions:
        for at, piece in _pieces(mention, parts, starts):
            if parts[at].kind in _SOLID:
                solid.setdefault(at, []).append(piece)
            elif parts[at].kind not in _NAMING or _names(piece):
                kept.append(piece)
    whole = (_whole(document.text, parts[at], found) for at, found in solid.items())
    kept += [mention for mention in whole if mention is not None]
    sentences = tuple(span for span in annotation.sentences for span in _cut(span, parts, starts))
    return Annotation(tuple(sorted(kept, key=lambda m: m.start)), sentences)


def cut(document: Document, annotation: Annotation) -> Annotation:
    """Cut mentions at the edges of parts, so that what one annotator drew over several cells does not win over them."""
    parts = document.parts
    if not parts:
        return annotation
    starts = [part.start for part in parts]
    pieces = (piece for mention in annotation.mentions for _, piece in _pieces(mention, parts, starts))
    return Annotation(tuple(pieces), annotation.sentences)


def _names(mention: Mention) -> bool:
    return mention.kind in _SURE or (mention.kind == "entity" and mention.label in _NAMES)


def _whole(text: str, part: Part, found: Sequence[Mention]) -> Mention | None:
    """Return a mention that takes the whole of a link or of code, if a hit in it is sure."""
    hits = [m for m in found if m.kind in _SURE or (m.kind == "entity" and m.source == "spread")]
    if not hits:
        return None
    first = min(hits, key=lambda m: (rank(m), m.start))
    words = text[part.start : part.end]
    return replace(
        first, start=part.start, end=part.end, text=words, head=-1, phrase=(-1, -1), vector=None, confidence=1.0
    )


def _overlapping(span: Span, parts: Sequence[Part], starts: Sequence[int]) -> Iterator[int]:
    at = max(0, bisect_right(starts, span[0]) - 1)
    while at < len(parts) and parts[at].start < span[1]:
        if parts[at].end > span[0]:
            yield at
        at += 1


def _pieces(mention: Mention, parts: Sequence[Part], starts: Sequence[int]) -> Iterator[tuple[int, Mention]]:
    for at in _overlapping(mention.span, parts, starts):
        part = parts[at]
        if part.start <= mention.start and mention.end <= part.end:
            yield at, _phrase_within(mention, part)
            continue
        start, end = max(part.start, mention.start), min(part.end, mention.end)
        words = mention.text[start - mention.start : end - mention.start]
        lead = len(words) - len(words.lstrip(" \t\r\n,;:.-"))
        words = words.strip(" \t\r\n,;:.-")
        if any(map(str.isalnum, words)) and not (mention.kind not in _FORCED and _is_small_number(words)):
            start += lead
            head = mention.head if start <= mention.head < start + len(words) else -1
            piece = replace(
                mention, start=start, end=start + len(words), text=words, head=head, phrase=(-1, -1), vector=None
            )
            yield at, piece


def _is_small_number(words: str) -> bool:
    """Tell whether a cut has left a number that is no date or name by itself: the count in the cell before a date."""
    return words.isdigit() and len(words) <= 2


def _phrase_within(mention: Mention, part: Part) -> Mention:
    inside = part.start <= mention.phrase[0] and mention.phrase[1] <= part.end
    return mention if inside or mention.phrase[1] < 0 else replace(mention, phrase=(-1, -1))


def _cut(span: Span, parts: Sequence[Part], starts: Sequence[int]) -> Iterable[Span]:
    for at in _overlapping(span, parts, starts):
        yield max(span[0], parts[at].start), min(span[1], parts[at].end)
