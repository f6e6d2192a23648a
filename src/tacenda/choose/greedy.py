"""The papers' rule: change every member of what is risky, each as little as will do."""

from __future__ import annotations

from collections.abc import Sequence

from tacenda.choose.items import Items
from tacenda.model import Candidate, Context, Mention, Risk
from tacenda.protocols import Assess, CorpusIndex


class Greedy:
    """Give every risky mention the first candidate that passes; all members of a risky group are changed.

    After each round the rewritten mentions are assessed again, and what still tells too much goes to its next
    candidate. Ends when nothing is risky, or when what is risky has no candidate left.
    """

    name = "greedy"

    def __init__(self, *, index: CorpusIndex | None = None) -> None:
        self.index = index

    def choose(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Sequence[Candidate | None]:
        """Return for each mention its candidate, or None to keep it."""
        items = Items(mentions, candidates, self.index)
        while risks:
            named = {items.of[number] for risk in risks for number in risk.mentions}
            movable = sorted(item for item in named if items.can_advance(item))
            if not movable:
                break
            for item in movable:
                items.advance(item)
            risks = assess(items.rewritten())
        return items.chosen()
