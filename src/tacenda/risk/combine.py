"""What becomes of the findings of several risk models: votes, and the one person to protect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from tacenda.model import Risk, Subject


def vote(risks: Sequence[Risk], voters: Sequence[str], rule: str) -> list[Risk]:
    """Keep the findings of the voters that enough of them share, each with all votes in its note.

    A vote is cast for a mention. Findings about a group of mentions that disclose together, and those of models
    that do not vote, stand as they are: no other model could see them.

    >>> typed = Risk("entity", (0, 1), "identity", 1, 0, "type")
    >>> close = Risk("similarity", (1,), "identity", 0.4, 0.2, "cosine")
    >>> first = vote([typed, close], ("entity", "similarity"), "two")[0]
    >>> first.mentions, first.note
    ((1,), 'votes 2 of 2: entity yes 1 type, similarity yes 0.4 cosine')
    """
    least = {"any": 1, "two": min(2, len(voters)), "all": len(voters)}[rule]
    cast: dict[int, dict[str, Risk]] = defaultdict(dict)
    for risk in risks:
        if risk.model in voters and not risk.members:
            for number in risk.mentions:
                cast[number].setdefault(risk.model, risk)
    kept: list[Risk] = []
    for risk in risks:
        if risk.model not in voters or risk.members:
            kept.append(risk)
            continue
        by_votes: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number in risk.mentions:
            by_votes[tuple(name for name in voters if name in cast[number])].append(number)
        for yes, numbers in by_votes.items():
            if len(yes) >= least:
                kept.append(replace(risk, mentions=tuple(numbers), note=_note(risk, voters, cast[numbers[0]])))
    return kept


def _note(risk: Risk, voters: Sequence[str], cast: dict[str, Risk]) -> str:
    said = [f"{v} yes {cast[v].score:.3g} {cast[v].unit}" if v in cast else f"{v} no" for v in voters]
    own = f"{risk.note}; " if risk.note else ""
    return f"{own}votes {len(cast)} of {len(voters)}: {', '.join(said)}"


def of_subject(risks: Sequence[Risk], subject: Subject | None) -> list[Risk]:
    """Leave out what tells who somebody else is, where the user named the one person to protect."""
    if subject is None or not subject.given:
        return list(risks)
    kept = []
    for risk in risks:
        own = tuple(number for number in risk.mentions if number not in subject.others)
        if risk.discloses != "identity" or len(own) == len(risk.mentions):
            kept.append(risk)
        elif own and not risk.members:
            kept.append(replace(risk, mentions=own))
    return kept
