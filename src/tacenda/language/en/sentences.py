"""Where sentences end, by marks alone: for texts that no annotator has read, and where speed counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A point after these ends no sentence, nor one after an initial ("J. Smith", "U.S. Navy"); by length, as a look
# backwards must have a fixed width.
_ABBREVIATIONS = (
    "Mr Dr Ms St No Jr Sr vs pp Lt Co",
    "Mrs Rev Hon Gen Col Sgt Nos Art Ltd Inc Vol",
    "Prof Capt Corp approx",
)
_WORDS = sorted({word for line in _ABBREVIATIONS for word in line.split()}, key=len)
_NO_END = "".join(rf"(?<!\b{word}\.)" for word in _WORDS) + r"(?<!\b[A-Z]\.)"
_END = (
    rf"(?<=[.!?]){_NO_END}[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])"
    r"|(?<=[a-z0-9][.!?])(?=[A-Z][a-z])"  # no space, as where a footnote was taken out
)
_WITHIN_LINES = re.compile(_END)
_ALSO_AT_LINES = re.compile(rf"\n+|{_END}")


def sentences(text: str, *, lines: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences, without the space around them; `lines`: a line end ends a sentence too.

    >>> text = "Dr. J. Smith won. She lost!\\nThey left.It rained."
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. J. Smith won.', 'She lost!', 'They left.', 'It rained.']
    """
    start = 0
    for end in (_ALSO_AT_LINES if lines else _WITHIN_LINES).finditer(text):
        # Closing quotation marks belong to the sentence before.
        yield from _trimmed(text, start, end.start() + len(end.group().rstrip()))
        start = end.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    held = text[start:end]
    bare = held.strip()
    if bare:
        first = start + held.index(bare[0])
        yield first, first + len(bare)
