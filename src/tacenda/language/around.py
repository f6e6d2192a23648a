"""Look at the words before a place in a text, within a fixed width: time stays linear, whatever the text."""

from __future__ import annotations

import re

_BACKWARDS = re.compile(r"[^\w]{0,2}+[^\W\d_]{1,20}+")
_WORDS = re.compile(r"[a-z]+|[^a-z\s]")


def words_before(text: str, start: int, width: int = 40) -> list[str]:
    """Lower-case words within `width` characters before `start`; looking them up in a set is quick.

    >>> words_before("seen on 5 May", 8)
    ['seen', 'on']
    """
    return _WORDS.findall(text[max(0, start - width) : start].lower())


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
