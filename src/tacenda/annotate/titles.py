"""Where titles begin: "12 Years a Slave" is one piece, and of "teen drama series My Life" only the last two words are.

What stands before a title says what kind of work it is; many works are of that kind, and the words may stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.language import MONTHS, WORK_CUES
from tacenda.model import Mention

_FIGURES = frozenset(("DATETIME", "QUANTITY", "AGE"))
_JOINED = frozenset(("MISC", "DEM", "TERM", "PERSON", "ORG", "LOC"))
_GAP = re.compile(r" (?:(?:an?|the|of|and|to|in|for|on) ){0,2}")
_KIND_BEFORE = re.compile(r"(?:[a-z][\w'’-]*\s){1,6}(?=[A-Z\"“‘])")
_NUMBERED = re.compile(r"\d{1,4} ([A-Z][a-z]+)")


def whole_titles(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Join a number with a word in capitals and the capitals that follow it.

    >>> text = "in 12 Years a Slave"
    >>> found = [Mention(3, 11, "12 Years", "DATETIME", "entity"), Mention(14, 19, "Slave", "DEM", "entity")]
    >>> [(m.text, m.label) for m in whole_titles(text, found)]
    [('12 Years a Slave', 'MISC')]
    """
    held: Mention | None = None
    for mention in mentions:
        if held is not None:
            follows = mention.label in _JOINED and mention.text[:1].isupper()
            if follows and _GAP.fullmatch(text, held.end, mention.start):
                whole = text[held.start : mention.end]
                held = replace(
                    held, end=mention.end, text=whole, label="MISC", entity=-1, head=-1, vector=None, reading=None
                )
                continue
            yield held
        held = mention if _opens(mention) else None
        if held is None:
            yield mention
    if held is not None:
        yield held


def _opens(mention: Mention) -> bool:
    found = _NUMBERED.fullmatch(mention.text) if mention.label in _FIGURES and mention.kind == "entity" else None
    return found is not None and found[1] not in MONTHS and found[1][:3] not in {month[:3] for month in MONTHS}


def without_kinds(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Cut from the front of a title what only says of which kind the work is.

    >>> [m.text for m in without_kinds([Mention(0, 35, "teen drama series My So-Called Life", "MISC", "entity")])]
    ['My So-Called Life']
    """
    for mention in mentions:
        kind = _KIND_BEFORE.match(mention.text) if mention.kind == "entity" and mention.label == "MISC" else None
        if kind is None or kind[0].split()[-1] not in WORK_CUES:
            yield mention
        else:
            start = mention.start + kind.end()
            yield replace(mention, start=start, text=mention.text[kind.end() :], head=-1, vector=None)
