"""What counts as one thing in a document: all mentions of one entity, or of one term. They are decided alike."""

from __future__ import annotations

from collections.abc import Iterable

from tacenda.model import Mention
from tacenda.term import normalize

Thing = tuple[str, str | int]


def thing(mention: Mention) -> Thing:
    """Return the thing a mention stands for: the one key by which choosers and plans group mentions."""
    return ("entity", mention.entity) if mention.entity >= 0 else (mention.label, normalize(mention.text))


def groups(mentions: Iterable[Mention]) -> dict[Thing, list[int]]:
    """Group the numbers of mentions by the thing they stand for, in reading order.

    >>> said = [Mention(0, 4, "Rome", "LOC", entity=3), Mention(9, 12, "dog", "TERM"), Mention(20, 24, "dogs", "TERM")]
    >>> groups(said)
    {('entity', 3): [0], ('TERM', 'dog'): [1, 2]}
    """
    found: dict[Thing, list[int]] = {}
    for number, mention in enumerate(mentions):
        found.setdefault(thing(mention), []).append(number)
    return found
