"""Run all attackers at several sizes of background and report the worst."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacenda.errors import UsageError
from tacenda.measures.attack.candidates import Candidates
from tacenda.measures.attack.matching import ATTACKERS, Attacker

Floats = npt.NDArray[np.float64]
BACKGROUNDS = (0.25, 0.5, 1.0)


def ranks(scores: Floats, right: npt.NDArray[np.int64]) -> Floats:
    """Rank of the right candidate for each text; ties share the middle of the ranks they take.

    >>> ranks(np.array([[3., 1., 3.]]), np.array([0])).tolist()
    [1.5]
    """
    mine = scores[np.arange(len(right)), right][:, None]
    return np.asarray((scores > mine).sum(axis=1) + ((scores == mine).sum(axis=1) + 1) / 2, dtype=np.float64)


def first_chance(scores: Floats, right: npt.NDArray[np.int64]) -> Floats:
    """Chance that the right candidate is named first; ties are drawn by lot.

    >>> first_chance(np.array([[3., 1., 3.]]), np.array([0])).tolist()
    [0.5]
    """
    mine = scores[np.arange(len(right)), right][:, None]
    return np.asarray(np.where((scores > mine).any(axis=1), 0.0, 1 / (scores == mine).sum(axis=1)), dtype=np.float64)


def wilson(share: float, size: int) -> tuple[float, float]:
    """95 % interval of a share seen in `size` cases (Wilson).

    >>> [round(x, 3) for x in wilson(0.5, 20)]
    [0.299, 0.701]
    """
    z = 1.959964
    middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass(frozen=True)
class Result:
    """One attacker with one size of background: how often it was right, and the ranks it gave."""

    attacker: str
    background: float
    top1: float
    median_rank: float
    mean_reciprocal_rank: float
    seconds: float
    hits: tuple[float, ...] = field(repr=False)
    ranks: tuple[float, ...] = field(repr=False)


@dataclass(frozen=True)
class AttackReport:
    """What every attacker reached, with the worst of them and the chance level."""

    results: tuple[Result, ...] = field(repr=False)
    documents: int
    candidates: int

    @property
    def chance(self) -> float:
        """How often a guess at random is right."""
        return 1 / self.candidates

    def worst(self, background: float = 1.0) -> Result:
        """The strongest attacker at this background; the better mean rank decides a tie."""
        held = [r for r in self.results if r.background == background]
        if not held:
            known = ", ".join(str(b) for b in sorted({r.background for r in self.results}))
            raise UsageError(f"no attack with background {background}. Available: {known}")
        return max(held, key=lambda r: (r.top1, r.mean_reciprocal_rank))

    def by_any(self, background: float = 1.0) -> float:
        """Share of the documents that at least one attacker names first: what a lucky choice of attacker reaches."""
        hits = np.array([r.hits for r in self.results if r.background == background])
        return float(hits.max(axis=0).mean())

    def to_json(self) -> dict[str, object]:
        """Numbers only; times are left out, so that the same input gives the same bytes."""
        backgrounds = sorted({r.background for r in self.results})
        return {
            "documents": self.documents,
            "candidates": self.candidates,
            "chance": self.chance,
            "worst": {
                str(b): {
                    "attacker": self.worst(b).attacker,
                    "top1": self.worst(b).top1,
                    "interval_95": wilson(self.worst(b).top1, self.documents),
                    "by_any": self.by_any(b),
                }
                for b in backgrounds
            },
            "attackers": [
                {
                    "attacker": r.attacker,
                    "background": r.background,
                    "top1": r.top1,
                    "median_rank": r.median_rank,
                    "mean_reciprocal_rank": r.mean_reciprocal_rank,
                }
                for r in self.results
            ],
        }


def run_attacks(
    documents: Sequence[tuple[str, str]],
    candidates: Candidates,
    *,
    attackers: Mapping[str, Attacker] | None = None,
    backgrounds: Sequence[float] = BACKGROUNDS,
    seed: int = 0,
) -> AttackReport:
    """Attack texts of known subjects.

    documents       (name of the person it is about, released text)
    attackers       the table `ATTACKERS` if None; add an encoder's with `nearest_sentences`
    """
    if not documents:
        raise UsageError("no documents to attack")
    place = {name: number for number, name in enumerate(candidates.names)}
    missing = sorted({name for name, _ in documents} - set(place))
    if missing:
        raise UsageError(
            f"{len(missing)} documents are about people who are not among the candidates; the first is {missing[0]}"
        )
    right = np.array([place[name] for name, _ in documents], dtype=np.int64)
    texts = [text for _, text in documents]
    results = []
    for background in backgrounds:
        known = candidates.share(background, seed=seed)
        for name, attacker in (attackers or ATTACKERS).items():
            begun = time.perf_counter()
            scores = attacker(known, texts)
            taken = time.perf_counter() - begun
            results.append(_result(name, background, scores, right, taken))
    return AttackReport(tuple(results), len(documents), len(candidates))


def _result(name: str, background: float, scores: Floats, right: npt.NDArray[np.int64], seconds: float) -> Result:
    hits, places = first_chance(scores, right), ranks(scores, right)
    return Result(
        name,
        background,
        float(hits.mean()),
        float(np.median(places)),
        float((1 / places).mean()),
        seconds,
        tuple(hits.tolist()),
        tuple(places.tolist()),
    )
