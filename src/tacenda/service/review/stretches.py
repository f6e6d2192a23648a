"""Stretches of a text: those around changes, and what a reviewer selected, widened to whole words."""

from __future__ import annotations

from collections.abc import Sequence

from tacenda.service.review.record import Item

_AROUND = 300  # characters beside a change that are searched at once for forms that must not appear


def stretches_around(items: Sequence[Item], text: str) -> list[tuple[int, int]]:
    """Return the stretches around changes, joined where they meet, ending between words."""
    found: list[tuple[int, int]] = []
    for item in sorted(items, key=lambda one: one.start):
        start, end = max(0, item.start - _AROUND), min(len(text), item.end + _AROUND)
        while start > 0 and not text[start - 1].isspace() and item.start - start < 2 * _AROUND:
            start -= 1
        while end < len(text) and not text[end].isspace() and end - item.end < 2 * _AROUND:
            end += 1
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a selection to whole words and take white space off its ends."""
    start, end = max(0, min(start, len(text))), max(0, min(end, len(text)))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while 0 < start < end and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while start < end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end
