"""Why a page cannot be read or edited as text. The reason is in words and never holds source text."""

from __future__ import annotations


class Unreadable(Exception):
    """A font or stream cannot be understood with certainty: the page goes to the fallback, or is refused."""


class Unwritable(Exception):
    """An edited page cannot be set as text: it becomes a picture."""
