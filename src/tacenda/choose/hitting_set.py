"""Break every risky group at the least loss of information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacenda.choose.cover import cover
from tacenda.choose.items import Items
from tacenda.model import Candidate, Context, Mention, Note, Risk
from tacenda.protocols import Assess, CorpusIndex


@dataclass(frozen=True)
class Choice:
    """What was chosen, what it loses, and a proven lower bound on what any choice must lose.

    loss_bits    information lost by the choice, over all mentions
    bound_bits   no choice that breaks the risks of the original loses less: each term pays its cheapest change
    cover_gap    share of the loss of the chosen set that is not proven necessary; 0: proven optimal
    """

    chosen: tuple[Candidate | None, ...]
    loss_bits: float
    bound_bits: float
    cover_gap: float
    rounds: int

    @property
    def note(self) -> Note | None:
        """What the choice loses, for the plan; None if nothing was changed."""
        if not any(self.chosen):
            return None
        return Note("loss", {"bits": self.loss_bits, "bound": self.bound_bits, "gap": self.cover_gap})


class HittingSet:
    """Choose which members of risky groups to change, at minimum loss, then how.

    A weighted hitting set over all risky groups says which terms change; each gets its most informative candidate;
    the result is assessed, and what still tells too much is moved on where that loses least.

    most_nodes   search steps before the best set found is used, with its proven gap
    """

    name = "hitting_set"

    def __init__(self, *, index: CorpusIndex | None = None, most_nodes: int = 20_000) -> None:
        self.index, self.most_nodes = index, most_nodes

    def choose(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Sequence[Candidate | None]:
        """Return for each mention its candidate, or None to keep it."""
        return self.solve(mentions, candidates, risks, assess).chosen

    def solve(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Choice:
        """Choose, and say what is lost against what must be lost."""
        items = Items(mentions, candidates, self.index)
        changed, bound, gap = self._cover(items, risks)
        for item in changed:
            items.advance(item)
        rounds = 1
        left = assess(items.rewritten()) if changed else []
        while left and _repair(items, left):
            rounds += 1
            left = assess(items.rewritten())
        return Choice(tuple(items.chosen()), items.loss(), bound, gap, rounds)

    def _cover(self, items: Items, risks: Sequence[Risk]) -> tuple[tuple[int, ...], float, float]:
        """Return the items to change, the lower bound on the loss, and the gap of the cover."""
        numbers: dict[frozenset[int], int] = {}
        groups = []
        for risk in risks:
            parts = [part for part in items.parts(risk) if all(items.options[item] for item in part)]
            if parts:
                groups.append([numbers.setdefault(part, len(numbers)) for part in parts])
        if not groups:
            return (), 0.0, 0.0
        costs = [items.cheapest_loss(item) for item in range(len(items.members))]
        result = cover(groups, [sorted(part) for part in numbers], costs, most_nodes=self.most_nodes)
        return result.items, result.bound, result.gap


def _repair(items: Items, risks: Sequence[Risk]) -> bool:
    """Move on, for every risk left, the member that loses least by it; tell whether anything moved."""
    moved: set[int] = set()
    for risk in risks:
        parts = items.parts(risk)
        if any(moved.intersection(part) for part in parts):
            continue
        open_parts = [part for part in parts if all(items.can_advance(item) for item in part)]
        if not open_parts:
            # No member can be moved as a whole: move what can be of any of them.
            open_parts = [frozenset(item for item in part if items.can_advance(item)) for part in parts]
            open_parts = [part for part in open_parts if part]
        if open_parts:
            moved |= min(open_parts, key=lambda part: (sum(map(items.step_loss, sorted(part))), sorted(part)))
    for item in sorted(moved):
        items.advance(item)
    return bool(moved)
