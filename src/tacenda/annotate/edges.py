"""Function words at the edges of findings: they tell nothing, and masking them breaks the sentence.

An annotator that marks word by word may mark "of" alone, "The" apart from "Indian Runner", or "supporting role
in". Only what is no name of a person or place is trimmed: "The Hague" and "de la Cruz" stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.language import EDGE_WORDS, STOP_WORDS
from tacenda.model import Mention

_LABELS = frozenset(("MISC", "DEM"))
_WORD = re.compile(r"[^\W_]+")
_LEADING = re.compile(r"(?:of|in|from|at) (?=[A-Z])")
_JOINT = re.compile(r"(?<=\w)\s+(?:and|or|to)$")  # "1995 and"
# Between two findings: a blank line, or one that begins with the mark of a list.
_BLANK = re.compile(r"\n[ \t]*(?:\n|[-•*–][ \t]|[A-Z]{3,}\b)")
_PIECE = re.compile(r"[^\s•*–-](?:(?!\n[ \t]*(?:\n|[-•*–][ \t]|[A-Z]{3,}\b))[\s\S])*[^\s]|[^\s•*–-]")


def without_idle_edges(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield mentions with trailing function words cut off, and without those that hold nothing else.

    A leading article belongs to the title after it: "The" right before another finding of its label is joined to it.

    >>> found = [Mention(0, 3, "The", "MISC", "entity"), Mention(4, 8, "Hand", "MISC", "entity")]
    >>> found.append(Mention(9, 11, "in", "MISC", "entity"))
    >>> [m.text for m in without_idle_edges(found)]
    ['The Hand']
    """
    held: Mention | None = None
    for mention in _within_lines(mentions):
        if held is not None and held.end + 1 == mention.start and held.label == mention.label:
            text = f"{held.text} {mention.text}"
            mention = replace(mention, start=held.start, text=text, vector=None)
        held = None
        if mention.kind == "entity" and mention.label == "DATETIME" and (joint := _JOINT.search(mention.text)):
            mention = replace(
                mention, end=mention.start + joint.start(), text=mention.text[: joint.start()], vector=None
            )
        if mention.kind != "entity" or mention.label not in _LABELS:
            yield mention
            continue
        says = [word for word in _WORD.finditer(mention.text) if not _idle(word.group())]
        if not says:
            held = mention if mention.text[:1].isupper() else None
        else:
            lead = mention.text[:2] == "s " or _LEADING.match(mention.text) is not None  # "of Ghana"
            yield _cut(mention, says[0].start() if lead else 0, says[-1].end())


def _within_lines(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield findings cut where a blank line runs through them: "PLAN" and what stands below it are two things."""
    for mention in mentions:
        if mention.kind not in ("term", "entity") or not _BLANK.search(mention.text):
            yield mention
            continue
        for piece in _PIECE.finditer(mention.text):
            start, end = mention.start + piece.start(), mention.start + piece.end()
            last = end == mention.end
            cut = replace(mention, start=start, end=end, text=piece.group(), vector=None)
            yield cut if last else replace(cut, tag="", reading=None, head=-1)


def on_their_lines(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield names and phrases cut where a line ends that holds nothing else: a heading, who signs above a greeting."""
    for mention in mentions:
        first, _, rest = mention.text.partition("\n")
        line = text.rfind("\n", 0, mention.start) + 1
        told = mention.kind == "term" or (mention.kind == "entity" and mention.label == "PERSON")
        if not told or not rest or text[line : mention.start].strip():
            yield mention
            continue
        start = mention.end - len(rest.lstrip())
        yield replace(mention, end=mention.start + len(first.rstrip()), text=first.rstrip(), vector=None)
        yield replace(mention, start=start, text=rest.lstrip(), vector=None)


def _idle(word: str) -> bool:
    return word.lower() in STOP_WORDS or word.lower() in EDGE_WORDS


def _cut(mention: Mention, start: int, end: int) -> Mention:
    """Cut trailing function words off, and the "s" of a name's possessive before."""
    end = end if _WORD.search(mention.text[end:]) else len(mention.text)
    if (start, end) == (0, len(mention.text)):
        return mention
    text = mention.text[start:end]
    return replace(mention, start=mention.start + start, end=mention.start + end, text=text, vector=None)
