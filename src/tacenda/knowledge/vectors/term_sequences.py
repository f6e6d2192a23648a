"""From a text and its noun phrases to the sequence of terms that skip-gram learns from (paper 004, section 3.2.1)."""

from __future__ import annotations

from collections.abc import Iterable

from tacenda import term
from tacenda.model import Span


def terms_of(text: str, phrases: Iterable[Span] = ()) -> list[str]:
    """Return the terms of a text in reading order: each phrase as one, other words one by one, no stop words.

    Without phrases every word stands for itself (languages that no encoder covers). Keys are those of
    `term.normalize`, so "the New York Times" and "New York Times" are one entry.

    >>> terms_of("She read the New York Times.", [(9, 27)])
    ['she', 'read', 'new york time']
    """
    found: list[str] = []
    at = 0
    for start, end in sorted(phrases):
        if start < at:
            continue
        found += _words(text[at:start])
        key = term.normalize(text[start:end])
        found += [key] if key else []
        at = end
    return found + _words(text[at:])


def _words(text: str) -> list[str]:
    """Return the content words of the text between two phrases; one that holds only stop words has none."""
    keys = term.content_words(text)
    return [key for key in keys if key not in term.STOP_WORDS]
