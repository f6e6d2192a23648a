"""What becomes of the findings of several risk models: votes, and the one person to protect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from tacenda.model import Reason, Risk, Subject, Vote


def vote(risks: Sequence[Risk], voters: Sequence[str], rule: str) -> list[Risk]:
    """Keep the findings of the voters that enough of them share, each with all votes in its reason.

    A vote is cast for a mention. Findings about a group of mentions that disclose together, and those of models
    that do not vote, stand as they are: no other model could see them.

    >>> typed = Risk("entity", (0, 1), "identity", 1, 0, "type")
    >>> close = Risk("similarity", (1,), "identity", 0.4, 0.2, "cosine")
    >>> first = vote([typed, close], ("entity", "similarity"), "two")[0]
    >>> first.mentions, first.reason.votes
    ((1,), (Vote(model='entity', score=1, unit='type'), Vote(model='similarity', score=0.4, unit='cosine')))
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
                kept.append(replace(risk, mentions=tuple(numbers), reason=_reason(risk, voters, cast[numbers[0]])))
    return kept


def _reason(risk: Risk, voters: Sequence[str], cast: dict[str, Risk]) -> Reason:
    votes = tuple(Vote(v, cast[v].score, cast[v].unit) if v in cast else Vote(v) for v in voters)
    return replace(risk.reason, votes=votes)


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
