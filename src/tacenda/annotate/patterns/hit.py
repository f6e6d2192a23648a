"""What a family of patterns finds, and how it looks at the words around.

A family is a function from a text to hits. Every expression it uses begins with a character or a class
(so the engine skips quickly to where something can start), repeats possessively or up to a small limit,
and looks around within a fixed width: time is linear in the text, whatever the text.
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


Family = Callable[[str], Iterator[Hit]]

FULL, VALID, LIKELY, WEAK = 1.0, 0.9, 0.7, 0.4


def before(text: str, start: int, cue: re.Pattern[str], width: int = 40) -> bool:
    """Tell whether a cue stands within `width` characters before `start`."""
    return cue.search(text, max(0, start - width), start) is not None


def around(text: str, start: int, end: int, cue: re.Pattern[str], width: int = 40) -> bool:
    """Tell whether a cue stands within `width` characters before or half of that after."""
    return before(text, start, cue, width) or cue.search(text, end, min(len(text), end + width // 2)) is not None
