"""Settle overlaps between annotators: one rule, in one place.

1.  Rank. known > protected > identifier of full confidence > entity > identifier of lower confidence
    > term. A mention beats every overlapping mention of a lower rank; inside a rank the longer one wins,
    then the more confident, then the earlier, then label and source in alphabetical order.
2.  What surrounds a secret shares its rank: an entity or identifier that wholly holds a known or protected
    mention, or a mention of its own label, is raised to that rank ("Mr John Smith" around the known "Smith"
    is masked as one). A noun phrase is never raised: it would hide half a sentence.
3.  Nothing found is lost: what a winner leaves of a beaten mention stays as a mention of its own, without
    the punctuation and stop words at its edges ("lymphoma" of "AIDS-related lymphoma").

The result does not overlap and stands in reading order. Cost: one sort, and a byte per character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tacenda.model import Annotation, Mention, Span
from tacenda.term import STOP_WORDS

FULL_CONFIDENCE = 1.0
_KIND_RANK = {"known": 0, "protected": 1, "entity": 3, "term": 5}
_WORD = re.compile(r"[^\W_]+")


def rank(mention: Mention) -> int:
    """Rank of a mention; 0 beats everything."""
    if mention.kind == "identifier":
        return 2 if mention.confidence >= FULL_CONFIDENCE else 4
    return _KIND_RANK[mention.kind]


def merge(annotations: Iterable[Annotation]) -> Annotation:
    """Join what several annotators found into one annotation without overlaps.

    Sentences are those of the first annotation that has any.

    >>> person = Mention(0, 10, "John Smith", "PERSON", "entity")
    >>> term = Mention(0, 16, "John Smith's dog", "TERM", "term")
    >>> [(m.label, m.text) for m in merge([Annotation((term,)), Annotation((person,))]).mentions]
    [('PERSON', 'John Smith'), ('TERM', 'dog')]
    """
    mentions: list[Mention] = []
    sentences: tuple[Span, ...] = ()
    for annotation in annotations:
        mentions.extend(annotation.mentions)
        sentences = sentences or annotation.sentences
    return Annotation(tuple(settle(mentions)), sentences)


def settle(mentions: Sequence[Mention]) -> list[Mention]:
    """Apply the rule to mentions of one document; see the module's docstring."""
    settled: list[Mention] = []
    cluster: list[Mention] = []
    reach = 0
    for mention in sorted((m for m in mentions if m.start < m.end), key=lambda m: m.start):
        if mention.start >= reach:
            settled += _settle_cluster(cluster)
            cluster = []
        cluster.append(mention)
        reach = max(reach, mention.end)
    return settled + _settle_cluster(cluster)


def _settle_cluster(mentions: list[Mention]) -> list[Mention]:
    """Apply the rule to mentions that hang together by overlaps."""
    if len(mentions) < 2:
        return mentions
    base = mentions[0].start
    queue = sorted(_raised(mentions), key=lambda entry: (entry[0], *_order(entry[1])))
    taken = bytearray(max(m.end for m in mentions) - base)
    kept: list[Mention] = []
    for _, mention in queue:
        start, end = mention.start - base, mention.end - base
        pieces = [mention] if taken.find(1, start, end) < 0 else list(_rest(mention, taken, base))
        for piece in pieces:
            taken[piece.start - base : piece.end - base] = b"\x01" * (piece.end - piece.start)
            kept.append(piece)
    return sorted(kept, key=lambda m: m.start)


def _order(mention: Mention) -> tuple[int, float, int, str, str]:
    return mention.start - mention.end, -mention.confidence, mention.start, mention.label, mention.source


def _raised(mentions: Sequence[Mention]) -> list[tuple[int, Mention]]:
    """Each mention with its rank, containers raised to the rank of what they hold."""
    ordered = sorted(mentions, key=lambda m: (m.start, -m.end, rank(m)))
    best = list(map(rank, ordered))
    giver = list(range(len(ordered)))
    around: list[int] = []
    for i, inner in enumerate(ordered):
        while around and ordered[around[-1]].end <= inner.start:
            around.pop()
        for j in around:
            outer = ordered[j]
            raises = best[i] <= 1 or inner.label == outer.label
            if inner.end <= outer.end and best[i] < best[j] and outer.kind != "term" and raises:
                best[j], giver[j] = best[i], i
        if inner.kind != "term":
            around.append(i)
    return [(best[i], _dressed(m, ordered[giver[i]])) for i, m in enumerate(ordered)]


def _dressed(mention: Mention, giver: Mention) -> Mention:
    if giver is mention:
        return mention
    entity = mention.entity if mention.entity >= 0 else giver.entity
    # "A.Z.T." looks like somebody's initials, but it is the protected form itself: no person stands there.
    same = giver.label == "PROTECTED" and _WORD.findall(giver.text) == _WORD.findall(mention.text)
    label = giver.label if same else mention.label
    return replace(
        mention, kind=giver.kind, label=label, confidence=giver.confidence, source=giver.source, entity=entity
    )


def _rest(mention: Mention, taken: bytearray, base: int) -> Iterable[Mention]:
    """The stretches of a mention that no winner took, trimmed to whole words that say something."""
    start, end = mention.start - base, mention.end - base
    while 0 <= start < end:
        stop = taken.find(1, start, end)
        stop = end if stop < 0 else stop
        piece = _trimmed(mention, start + base, stop + base)
        if piece is not None:
            yield piece
        start = taken.find(0, stop, end)


def _trimmed(mention: Mention, start: int, end: int) -> Mention | None:
    text = mention.text[start - mention.start : end - mention.start]
    words = [w for w in _WORD.finditer(text) if not _idle(mention, start, w) and not _cut(mention, start, w)]
    if not words:
        return None
    first, last = words[0].start(), words[-1].end()
    head = mention.head if start + first <= mention.head < start + last else -1
    piece = replace(mention, start=start + first, end=start + last, text=text[first:last], head=head, vector=None)
    # What was read was the last word: a piece without it has been read by nobody.
    return piece if piece.end == mention.end else replace(piece, tag="", reading=None)


def _idle(mention: Mention, start: int, word: re.Match[str]) -> bool:
    """Tell whether a piece is a stop word; the letter "a" left of a secret's cut word is none."""
    first, last = start - mention.start + word.start(), start - mention.start + word.end()
    whole = not mention.text[max(0, first - 1) : first].isalnum() and not mention.text[last : last + 1].isalnum()
    return word.group().lower() in STOP_WORDS and (whole or mention.kind == "term")


def _cut(mention: Mention, start: int, word: re.Match[str]) -> bool:
    """Tell whether a piece is only a possessive ending, or of a noun phrase a letter left of a cut word."""
    before = start - mention.start + word.start() - 1
    if len(word.group()) > 1 or before < 0:
        return False
    previous = mention.text[before]
    return previous in "'’" or (mention.kind == "term" and previous.isalnum())
