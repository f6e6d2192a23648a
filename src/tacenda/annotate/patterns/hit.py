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


def before(text: str, start: int, cue: re.Pattern[str], width: int = 40) -> bool:
    """Tell whether a cue stands within `width` characters before `start`."""
    return cue.search(text, max(0, start - width), start) is not None


def around(text: str, start: int, end: int, cue: re.Pattern[str], width: int = 40) -> bool:
    """Tell whether a cue stands within `width` characters before or half of that after."""
    return before(text, start, cue, width) or cue.search(text, end, min(len(text), end + width // 2)) is not None


def within(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Matches that begin in a stretch and may see one character past it, so that their look-ahead holds."""
    for match in pattern.finditer(text, start, min(len(text), end + 2)):
        if match.start() >= end:
            return
        yield match
