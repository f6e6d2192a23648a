"""The chooser `plausibility`: at least t plausible originals for every segment of a document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tacenda.choose.plausibility.ladder import Answer, check_threshold
from tacenda.choose.plausibility.solve import solve
from tacenda.errors import GuaranteeError, UsageError
from tacenda.model import FORCED, Candidate, Context, Mention, Note, Risk, Span
from tacenda.protocols import Assess
from tacenda.things import thing

Per = Literal["sentence", "paragraph", "document"]


@dataclass(frozen=True)
class Choice:
    """What was chosen, and the fewest plausible originals that any segment with sensitive terms has."""

    chosen: tuple[Candidate | None, ...]
    originals: int
    wanted: int

    @property
    def note(self) -> Note | None:
        """How many originals are plausible, for the plan; None if nothing was sensitive."""
        numbers = {"originals": self.originals, "wanted": self.wanted}
        return Note("plausible", numbers) if any(self.chosen) else None


class Plausibility:
    """Generalize the sensitive mentions of each segment so that t originals are plausible (paper 003).

    t           how many originals must be plausible for each segment
    uniform     treat all mentions alike (Definition 4) instead of the least number of originals (Definition 3)
    per         the segment: sentence, paragraph or document
    alpha       weight of the whole against the single terms in the uniform cost
    floor       least number of originals of every single term; by default 2 if uniform, because the uniform cost may
                leave the most specific terms as they are, else 1
    fallback    what happens where t cannot be reached in a segment: "error" refuses the document and tells the
                largest t that can be; "general" takes every term to its most general concept

    Sensitive are the mentions named by a risk. Those with the same words or of the same entity are one term and get
    the same replacement, over several segments the most general one: that only adds plausible originals.
    A sensitive mention without a ladder gets its last candidate (suppression where the policy offers it) and counts
    for nothing. A known identifier or protected form is never kept. `assess` is not asked: what this chooser promises
    is the number of plausible originals, and that is what a plan is accepted by (`settles`).
    """

    name = "plausibility"
    settles = True

    def __init__(
        self,
        t: int,
        *,
        uniform: bool = False,
        per: Per = "sentence",
        alpha: float = 0.5,
        floor: int = 0,
        fallback: Literal["error", "general"] = "error",
    ) -> None:
        check_threshold(t)
        if per not in ("sentence", "paragraph", "document"):
            raise UsageError(f"per must be sentence, paragraph or document; got {per!r}.")
        self.t, self.uniform, self.per, self.alpha, self.fallback = t, uniform, per, alpha, fallback
        self.floor = floor or (2 if uniform else 1)

    def choose(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Sequence[Candidate | None]:
        """Return for each mention its candidate, or None to keep it."""
        return self.solve(mentions, candidates, risks, assess, context).chosen

    def solve(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Choice:
        """Return what to choose, with the number of plausible originals that it leaves."""
        terms: dict[str, list[int]] = {}
        for number in sorted({number for risk in risks for number in risk.mentions}):
            terms.setdefault(_term(mentions[number]), []).append(number)
        ladders = {term: _ladder(candidates, numbers) for term, numbers in terms.items()}
        floors = {t: self._floor(any(mentions[n].kind in FORCED for n in numbers)) for t, numbers in terms.items()}
        chosen = self._steps(mentions, terms, ladders, floors, context)
        result: list[Candidate | None] = [None] * len(mentions)
        for term, numbers in terms.items():
            for number in numbers:
                if not ladders[term]:
                    result[number] = candidates[number][-1] if candidates[number] else None
                elif chosen[term] >= 0:
                    result[number] = ladders[term][chosen[term]]
        volumes = {t: ladders[t][step].volume if step >= 0 else 1 for t, step in chosen.items() if ladders[t]}
        products = [
            math.prod(volumes[t] for t in inside)
            for span in self._segments(context)
            if (inside := _within(span, mentions, volumes, terms))
        ]
        return Choice(tuple(result), min(products, default=1), self.t)

    def _floor(self, forced: bool) -> int:
        """A known or protected form must change, whatever the others do."""
        return max(self.floor, 2) if forced else self.floor

    def _steps(
        self,
        mentions: Sequence[Mention],
        terms: dict[str, list[int]],
        ladders: dict[str, list[Candidate]],
        floors: Mapping[str, int],
        context: Context | None,
    ) -> dict[str, int]:
        """For each term how far up its ladder it goes, over all segments."""
        chosen = dict.fromkeys(terms, -1)
        for span in self._segments(context):
            inside = _within(span, mentions, terms, terms)
            known = {term: [(c.concept, c.volume) for c in ladders[term]] for term in inside if ladders[term]}
            if known:
                for term, step in self._solve(known, floors).items():
                    if step >= 0 and (chosen[term] < 0 or known[term][step][1] > known[term][chosen[term]][1]):
                        chosen[term] = step
        return chosen

    def _segments(self, context: Context | None) -> Iterable[Span]:
        if context is None or self.per == "document":
            return [(0, 1 << 62)]
        return (context.sentences if self.per == "sentence" else context.paragraphs) or [(0, 1 << 62)]

    def _solve(self, known: dict[str, list[tuple[str, int]]], floors: Mapping[str, int]) -> dict[str, int]:
        try:
            answer: Answer = solve(known, self.t, uniform=self.uniform, alpha=self.alpha, floor=floors)
        except GuaranteeError:
            if self.fallback == "error":
                raise
            return {term: max(range(len(rungs)), key=lambda i: rungs[i][1]) for term, rungs in known.items()}
        return answer.choice


def _within(span: Span, mentions: Sequence[Mention], among: Iterable[str], terms: dict[str, list[int]]) -> list[str]:
    """The terms that stand in a segment."""
    start, end = span
    return [t for t in among if any(start <= mentions[n].start < end for n in terms[t])]


def _term(mention: Mention) -> str:
    return " ".join(map(str, thing(mention)))


def _ladder(candidates: Sequence[Sequence[Candidate]], numbers: Sequence[int]) -> list[Candidate]:
    """The candidates with a volume, of the mention that has most of them."""
    found = [[c for c in candidates[n] if c.action == "generalize" and c.volume > 0] for n in numbers]
    return max(found, key=lambda ladder: (len(ladder), [c.concept for c in ladder]))
