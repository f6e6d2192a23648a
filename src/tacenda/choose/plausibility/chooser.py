"""The chooser `plausibility`: at least t plausible originals for every segment of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from tacenda.choose.plausibility.ladder import Answer, check_threshold
from tacenda.choose.plausibility.solve import solve
from tacenda.errors import GuaranteeError, UsageError
from tacenda.model import Candidate, Context, Mention, Risk, Span
from tacenda.protocols import Assess
from tacenda.things import thing

Per = Literal["sentence", "paragraph", "document"]


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
    for nothing. `assess` is not asked: what this chooser promises is the number of plausible originals.
    """

    name = "plausibility"

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
        terms: dict[str, list[int]] = {}
        for number in sorted({number for risk in risks for number in risk.mentions}):
            terms.setdefault(_term(mentions[number]), []).append(number)
        ladders = {term: _ladder(candidates, numbers) for term, numbers in terms.items()}
        chosen = self._steps(mentions, terms, ladders, context)
        result: list[Candidate | None] = [None] * len(mentions)
        for term, numbers in terms.items():
            for number in numbers:
                if not ladders[term]:
                    result[number] = candidates[number][-1] if candidates[number] else None
                elif chosen[term] >= 0:
                    result[number] = ladders[term][chosen[term]]
        return result

    def _steps(
        self,
        mentions: Sequence[Mention],
        terms: dict[str, list[int]],
        ladders: dict[str, list[Candidate]],
        context: Context | None,
    ) -> dict[str, int]:
        """For each term how far up its ladder it goes, over all segments."""
        chosen = dict.fromkeys(terms, -1)
        for start, end in self._segments(context):
            inside = [t for t, numbers in terms.items() if any(start <= mentions[n].start < end for n in numbers)]
            known = {term: [(c.concept, c.volume) for c in ladders[term]] for term in inside if ladders[term]}
            if known:
                for term, step in self._solve(known).items():
                    if step >= 0 and (chosen[term] < 0 or known[term][step][1] > known[term][chosen[term]][1]):
                        chosen[term] = step
        return chosen

    def _segments(self, context: Context | None) -> Iterable[Span]:
        if context is None or self.per == "document":
            return [(0, 1 << 62)]
        return (context.sentences if self.per == "sentence" else context.paragraphs) or [(0, 1 << 62)]

    def _solve(self, known: dict[str, list[tuple[str, int]]]) -> dict[str, int]:
        try:
            answer: Answer = solve(known, self.t, uniform=self.uniform, alpha=self.alpha, floor=self.floor)
        except GuaranteeError:
            if self.fallback == "error":
                raise
            return {term: max(range(len(rungs)), key=lambda i: rungs[i][1]) for term, rungs in known.items()}
        return answer.choice


def _term(mention: Mention) -> str:
    return " ".join(map(str, thing(mention)))


def _ladder(candidates: Sequence[Sequence[Candidate]], numbers: Sequence[int]) -> list[Candidate]:
    """The candidates with a volume, of the mention that has most of them."""
    found = [[c for c in candidates[n] if c.action == "generalize" and c.volume > 0] for n in numbers]
    return max(found, key=lambda ladder: (len(ladder), [c.concept for c in ladder]))
