"""Titles that begin with a number are one piece: "12 Years a Slave" is neither a duration nor a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.language import MONTHS
from tacenda.model import Mention

_FIGURES = frozenset(("DATETIME", "QUANTITY", "AGE"))
_JOINED = frozenset(("MISC", "DEM", "TERM", "PERSON", "ORG", "LOC"))
_GAP = re.compile(r" (?:(?:an?|the|of|and|to|in|for|on) ){0,2}")
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
