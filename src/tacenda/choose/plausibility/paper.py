"""The algorithms of paper 003 as it gives them, with its errata mended; kept as baselines to compare with.

All take a `Problem` and return an `Answer`. They walk each ladder by ascending volume. Mended: the last word
is generalized too (Algorithm 1, i <= m); a problem without an answer is refused before the search instead of
returning (infinity, nothing); Algorithm 3 changes the word it means (index j), accepts H = log t and starts from
the answer it was given; the least upper bound of Algorithm 2 is the least rung with H >= log t / m (the top where
there is none), and is raised step by step where short ladders leave it below log t.

ESearch_Prune and UEP are exponential: `limit` ends them after so many nodes with what they have, marked not exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tacenda.choose.plausibility.equations import cost, domain_size
from tacenda.choose.plausibility.ladder import Answer, Problem

Steps = list[int]


@dataclass
class _Best:
    """The best answer so far of a recursive search (t_c and d_c in the paper)."""

    value: float = math.inf
    steps: Steps = field(default_factory=list)
    nodes: int = 0
    limit: int = 0

    def tired(self) -> bool:
        """Count one node; tell whether the limit is passed."""
        self.nodes += 1
        return bool(self.limit) and self.nodes > self.limit


def esearch_prune(made: Problem, *, alpha: float = 0.5, limit: int = 0) -> Answer:
    """ESearch_Prune (Algorithm 1): exhaustive search for t-PAT, pruned where |D| passes the best known."""
    volumes, rungs = _ascending(made)
    best = _Best(limit=limit)

    def descend(i: int, product: int, steps: Steps) -> bool:
        if best.tired():
            return True
        if i == len(volumes):
            if made.t <= product < best.value:
                best.value, best.steps = product, steps
            return best.value == made.t
        for j, volume in enumerate(volumes[i]):
            if product * volume > best.value:
                return False
            if descend(i + 1, product * volume, [*steps, j]):
                return True
        return False

    descend(0, 1, [])
    return _answer(made, rungs, volumes, best, alpha, exact=not limit or best.nodes <= limit)


def uniform_exhaustive(made: Problem, *, alpha: float = 0.5, limit: int = 0) -> Answer:
    """UEP: exhaustive search for uniform t-PAT, pruned where the local cost so far reaches the best known.

    The paper does not print its pruning. Ours adds the least local cost of the words to come, and leaves branches that
    cannot reach log t.
    """
    volumes, rungs = _ascending(made)
    m, target = len(volumes), math.log2(made.t)
    local = [[(1 - alpha) / m * (math.log2(v) - target / m) ** 2 for v in ladder] for ladder in volumes]
    ahead, reach = [0.0] * (m + 1), [1] * (m + 1)
    for i in range(m - 1, -1, -1):
        ahead[i] = ahead[i + 1] + min(local[i])
        reach[i] = reach[i + 1] * volumes[i][-1]
    best = _Best(limit=limit)

    def descend(i: int, product: int, spent: float, steps: Steps) -> bool:
        if best.tired():
            return True
        if i == m:
            value = spent + alpha / m**2 * (math.log2(product) - target) ** 2
            if product >= made.t and value < best.value:
                best.value, best.steps = value, steps
            return best.value == 0.0
        for j in sorted(range(len(volumes[i])), key=lambda j: (local[i][j], j)):
            if spent + local[i][j] + ahead[i + 1] >= best.value:
                return False
            enough = product * volumes[i][j] * reach[i + 1] >= made.t
            if enough and descend(i + 1, product * volumes[i][j], spent + local[i][j], [*steps, j]):
                return True
        return False

    descend(0, 1, 0.0, [])
    if not best.steps:  # the limit came before the first answer
        best.steps = [len(ladder) - 1 for ladder in volumes]
    return _answer(made, rungs, volumes, best, alpha, exact=not limit or best.nodes <= limit)


def lub_search(made: Problem, *, alpha: float = 0.5) -> Answer:
    """LUB_Search (Algorithm 2): each word at its least upper bound of log t / m, then one-step alternatives."""
    volumes, rungs = _ascending(made)
    m, t = len(volumes), made.t
    # v >= t^(1/m) as whole numbers: v^m >= t.
    steps = [next((j for j, v in enumerate(ladder) if v**m >= t), len(ladder) - 1) for ladder in volumes]
    while domain_size(_at(volumes, steps)) < t:
        raised = [_moved(steps, j, 1) for j in range(m) if steps[j] + 1 < len(volumes[j])]
        steps = min(raised, key=lambda s: (_cost(volumes, s, t, alpha), s))
    if _cost(volumes, steps, t, alpha) > 0.0:
        steps = one_step_alternatives(volumes, steps, t, alpha=alpha)
    return _answer(made, rungs, volumes, _Best(0.0, steps), alpha, exact=False)


def one_step_alternatives(volumes: Sequence[Sequence[int]], steps: Steps, t: int, *, alpha: float = 0.5) -> Steps:
    """One_Step_Alternative_Search (Algorithm 3): m times, take the best of all single steps up or down."""
    best, least = steps, _cost(volumes, steps, t, alpha)
    for _ in range(len(volumes)):
        current = best
        for j in range(len(volumes)):
            for step in (1, -1):
                if 0 <= current[j] + step < len(volumes[j]):
                    tried = _moved(current, j, step)
                    value = _cost(volumes, tried, t, alpha)
                    if value < least and domain_size(_at(volumes, tried)) >= t:
                        best, least = tried, value
        if best is current:
            break
    return best


def _ascending(made: Problem) -> tuple[list[list[int]], list[list[int]]]:
    """Distinct volumes of each term in ascending order, and the nearest rung of each."""
    volumes, rungs = [], []
    for options in made.volumes:
        distinct = sorted(set(options))
        volumes.append(distinct)
        rungs.append([options.index(volume) - 1 for volume in distinct])
    return volumes, rungs


def _at(volumes: Sequence[Sequence[int]], steps: Sequence[int]) -> list[int]:
    return [ladder[j] for ladder, j in zip(volumes, steps, strict=True)]


def _moved(steps: Steps, j: int, step: int) -> Steps:
    return [*steps[:j], steps[j] + step, *steps[j + 1 :]]


def _cost(volumes: Sequence[Sequence[int]], steps: Sequence[int], t: int, alpha: float) -> float:
    return cost([math.log2(v) for v in _at(volumes, steps)], t, alpha)


def _answer(
    made: Problem,
    rungs: Sequence[Sequence[int]],
    volumes: Sequence[Sequence[int]],
    best: _Best,
    alpha: float,
    *,
    exact: bool,
) -> Answer:
    chosen = tuple(_at(volumes, best.steps))
    entropies = tuple(math.log2(v) for v in chosen)
    value = cost(entropies, made.t, alpha)
    answer = Answer(
        terms=made.terms,
        rungs=tuple(_at(rungs, best.steps)),
        volumes=chosen,
        product=domain_size(chosen),
        entropies=entropies,
        cost=value,
        bound=best.value,
        exact=True,
        gap=0.0,
    )
    return answer if exact else replace(answer, bound=0.0, exact=False, gap=1.0)
