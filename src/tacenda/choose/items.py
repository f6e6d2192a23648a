"""What must be changed alike, and how far along its candidates each is: shared by the choosers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tacenda.model import Candidate, Mention, Risk
from tacenda.protocols import CorpusIndex
from tacenda.things import groups

# A change that seems to lose nothing still costs something: without a reason nothing is changed.
LEAST_LOSS_BITS = 0.01


class Items:
    """The distinct terms of a document: mentions of one entity, or with the same words, are one item.

    candidates are those of an item's first mention; an item without any cannot be changed.
    """

    def __init__(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]], index: CorpusIndex | None
    ) -> None:
        self.mentions = mentions
        self.members = list(groups(mentions).values())
        self.of = {number: item for item, members in enumerate(self.members) for number in members}
        self.options = [next((tuple(candidates[n]) for n in members if candidates[n]), ()) for members in self.members]
        # What cannot be changed loses nothing, so the index is not asked about it: that is most of a document.
        self.bits = [self._bits(item, index) if options else 0.0 for item, options in enumerate(self.options)]
        # How many of an item's candidates are used up; 0: kept as it is.
        self.used = [0] * len(self.members)

    def _bits(self, item: int, index: CorpusIndex | None) -> float:
        most = max((option.bits for option in self.options[item]), default=0.0)
        if index is None:
            return most + 1.0
        return max(most, index.information(self.mentions[self.members[item][0]].text))

    def candidate(self, item: int) -> Candidate | None:
        """Return what an item is replaced by now; None if it is kept."""
        return self.options[item][self.used[item] - 1] if self.used[item] else None

    def can_advance(self, item: int) -> bool:
        """Tell whether an item has a further candidate."""
        return self.used[item] < len(self.options[item])

    def advance(self, item: int) -> None:
        """Go to the next candidate, which tells less."""
        self.used[item] += 1

    def step_loss(self, item: int) -> float:
        """Return the bits lost, over all its mentions, if an item goes to its next candidate."""
        now = self.candidate(item)
        before = self.bits[item] if now is None else now.bits
        after = self.options[item][self.used[item]].bits
        return max(LEAST_LOSS_BITS, before - after) * len(self.members[item])

    def cheapest_loss(self, item: int) -> float:
        """Return the least bits lost by any change of an item."""
        best = max((option.bits for option in self.options[item]), default=0.0)
        return max(LEAST_LOSS_BITS, self.bits[item] - best) * len(self.members[item])

    def loss(self) -> float:
        """Return the bits lost by all changes made so far."""
        return sum(
            max(LEAST_LOSS_BITS, self.bits[item] - chosen.bits) * len(self.members[item])
            for item in range(len(self.members))
            if (chosen := self.candidate(item)) is not None
        )

    def rewritten(self) -> list[Mention]:
        """Return the mentions as they would be read; a suppressed one has no text left."""
        current = list(self.mentions)
        for item, members in enumerate(self.members):
            chosen = self.candidate(item)
            if chosen is not None:
                text = "" if chosen.action == "suppress" else chosen.text
                for number in members:
                    current[number] = replace(current[number], text=text, kind="term", vector=None)
        return current

    def chosen(self) -> list[Candidate | None]:
        """Return the candidate of each mention."""
        return [self.candidate(self.of[number]) for number in range(len(self.mentions))]

    def parts(self, risk: Risk) -> list[frozenset[int]]:
        """Return for each member of a risk the items that carry it; a single risk has one member."""
        members = risk.members or (risk.mentions,)
        return [frozenset(self.of[number] for number in member) for member in members]
