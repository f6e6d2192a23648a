"""Ladders: what each sensitive term may become, and the answer of a search among them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from tacenda.errors import GuaranteeError, KnowledgeError, UsageError

# A ladder as a taxonomy gives it: (concept, volume) of every ancestor, nearest first, the term itself left out.
Ladder = Sequence[tuple[str, int]]
Ladders = Mapping[str, Ladder]
Floor = int | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """Sensitive terms with their options, in an order that does not depend on the order of the mentions.

    terms       names, sorted
    volumes     per term the volume of each option: first 1 (the term kept), then the ladder, nearest first
    places      per term where each option stands: 0 the term kept, then the rungs; with a floor some are missing
    distinct    all volumes that occur
    t           how many originals must be plausible
    bits        per term the entropy of each option; None: log2 of the volume (originals equally likely)
    """

    terms: tuple[str, ...] = field(repr=False)
    volumes: tuple[tuple[int, ...], ...]
    distinct: frozenset[int]
    t: int
    places: tuple[tuple[int, ...], ...]
    bits: tuple[tuple[float, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A generalization of all terms, and how far it may be from the best one.

    rungs       for each term of the problem the place of its concept in the ladder; -1: kept
    product     |D|, the number of plausible originals
    entropies   H of each term, in bits
    cost        cost function (1) at the given alpha
    bound       no answer can cost less (t-PAT: no product can be less) than this
    exact       True if the answer is proved to be the best
    gap         (value - bound) / value: 0 when exact
    """

    terms: tuple[str, ...] = field(repr=False)
    rungs: tuple[int, ...]
    volumes: tuple[int, ...]
    product: int
    entropies: tuple[float, ...]
    cost: float
    bound: float
    exact: bool
    gap: float

    @property
    def choice(self) -> dict[str, int]:
        """Term -> place of its concept in the ladder, -1 for a term that is kept."""
        return dict(zip(self.terms, self.rungs, strict=True))


def problem(
    ladders: Ladders, t: int, *, entropies: Mapping[str, Sequence[float]] | None = None, floor: Floor = 1
) -> Problem:
    """Check the ladders and arrange them by term.

    `floor` is the least volume a term may be left with (one for all terms, or one for each), or its largest one where
    the ladder ends below it.

    `entropies` gives for each term the entropy of each of its rungs, where the originals are not equally likely;
    without it the entropy is log2 of the volume.
    """
    check_threshold(t)
    if not ladders:
        raise UsageError("t-plausibility needs at least one sensitive term; none was given.")
    terms = tuple(sorted(ladders))
    volume_of = itemgetter(1)
    volumes = tuple([(1, *map(volume_of, ladders[term])) for term in terms])
    _check_known(volumes)
    floors = [floor if isinstance(floor, int) else floor.get(term, 1) for term in terms]
    places = tuple([_places(options, least) for options, least in zip(volumes, floors, strict=True)])
    volumes = tuple([tuple([v[i] for i in at]) for v, at in zip(volumes, places, strict=True)])
    distinct = frozenset(itertools.chain.from_iterable(volumes))
    bits = None if entropies is None else tuple((0.0, *map(float, entropies[term])) for term in terms)
    if bits is not None:
        bits = tuple([tuple([b[i] for i in at]) for b, at in zip(bits, places, strict=True)])
    made = Problem(terms, volumes, distinct, t, places, bits)
    _check_feasible(made)
    return made


def check_threshold(t: int) -> None:
    """Refuse a threshold that is no whole number of at least 1."""
    if isinstance(t, bool) or not isinstance(t, int) or t < 1:
        raise UsageError(f"t must be a whole number of at least 1, the number of plausible originals; got {t!r}.")


def _places(volumes: Sequence[int], floor: int) -> tuple[int, ...]:
    if floor <= 1:
        return tuple(range(len(volumes)))
    least = min(floor, max(volumes))
    return tuple([i for i, volume in enumerate(volumes) if volume >= least])


def _check_known(volumes: Sequence[Sequence[int]]) -> None:
    unknown = [place for place, options in enumerate(volumes, 1) if len(options) == 1]
    if unknown:
        raise KnowledgeError(
            f"{len(unknown)} of {len(volumes)} sensitive terms are in no taxonomy (in sorted order number "
            f"{', '.join(map(str, unknown[:10]))}). Add a taxonomy that knows them, or suppress them."
        )
    least = min(map(min, volumes))
    if least < 1:
        raise KnowledgeError(f"A taxonomy gives the volume {least}; a concept covers at least one leaf.")


def _check_feasible(made: Problem) -> None:
    if made.bits is None:
        most = 1
        for volumes in made.volumes:
            most *= max(volumes)
            if most >= made.t:
                return
        reach = f"{most} plausible originals, the largest t that can be reached"
    else:
        total = math.fsum(max(bits) for bits in made.bits)
        if total >= math.log2(made.t):
            return
        reach = f"{total:.2f} bits, that is {2**total:.1f} plausible originals"
    raise GuaranteeError(
        f"t = {made.t} is out of reach: with every one of the {len(made.terms)} terms at its most general concept "
        f"there are {reach}. Lower t, or take a larger segment (per = paragraph or document)."
    )
