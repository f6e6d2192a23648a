"""What a family of patterns finds, and how it looks at the words around.

A family either scans the text for a rare first character (`find`), or is shown each number of the text once
(`at_number`) and looks at what stands right there. Every expression repeats possessively or up to a small
limit and looks around within a fixed width: time is linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

Role = Literal["direct", "quasi", "none", ""]


class Hit(NamedTuple):
    """A stretch that looks like an identifier.

    confidence  1.0: valid by checksum, library or calendar, and confirmed by a word nearby or by a form that
                nothing else has; 0.9: valid, not confirmed; lower: a guess
    """

    start: int
    end: int
    label: str
    confidence: float
    role: Role = "direct"


Find = Callable[[str], Iterator[Hit]]
AtNumber = Callable[[str, int, int], Hit | None]

FULL, VALID, LIKELY, WEAK = 1.0, 0.9, 0.7, 0.4
NUMBER = re.compile(r"[0-9]+")
_BACKWARDS = re.compile(r"[^\w]{0,2}+[^\W\d_]{1,20}+")
_WORDS = re.compile(r"[a-z]+|[^a-z\s]")


def before(text: str, start: int, cue: re.Pattern[str], width: int = 40) -> bool:
    """Tell whether a cue stands within `width` characters before `start`."""
    return cue.search(text, max(0, start - width), start) is not None


def words_before(text: str, start: int, width: int = 40) -> list[str]:
    """Lower-case words within `width` characters before `start`; looking them up in a set is quick.

    >>> words_before("seen on 5 May", 8)
    ['seen', 'on']
    """
    return _WORDS.findall(text[max(0, start - width) : start].lower())


def around(text: str, start: int, end: int, cue: re.Pattern[str], width: int = 40) -> bool:
    """Tell whether a cue stands within `width` characters before or half of that after."""
    return before(text, start, cue, width) or cue.search(text, end, min(len(text), end + width // 2)) is not None


def word_before(text: str, start: int, *, skip: tuple[str, ...] = ()) -> int | None:
    """Offset of the word that ends right before `start`, at most two separators away; None if there is none.

    >>> word_before("on March the 5", 13, skip=(" the ",))
    3
    """
    low = max(0, start - 24)
    window = text[low:start]
    for filler in skip:
        window = window.removesuffix(filler)
    # Read backwards: an expression anchored at its start fails at once.
    found = _BACKWARDS.match(window[::-1])
    return low + len(window) - found.end() if found else None


def within(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Matches that begin in a stretch and may see one character past it, so that their look-ahead holds."""
    for match in pattern.finditer(text, start, min(len(text), end + 2)):
        if match.start() >= end:
            return
        yield match
