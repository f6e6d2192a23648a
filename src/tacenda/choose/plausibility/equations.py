"""Paper 003 (t-plausibility): its definitions and equations, as pure functions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

Parents = Mapping[str, Sequence[str]]


def ancestors(term: str, parents: Parents) -> list[str]:
    """Everything more general than a term in the DAG, nearest first, each once."""
    found: dict[str, None] = {}
    level = [term]
    while level:
        level = [up for one in level for up in sorted(parents.get(one, ())) if up not in found and up != term]
        found.update(dict.fromkeys(level))
    return list(found)


def generalizable(base: Sequence[str], general: Sequence[str], parents: Parents) -> bool:
    """Tell whether a text can become another by generalizing its terms (Definition 1)."""
    if len(base) != len(general):
        return False
    return all(g == b or g in ancestors(b, parents) for b, g in zip(base, general, strict=True))


def word_domain(term: str, general: str, parents: Parents, *, level: bool = False) -> list[str]:
    """W: the base values that generalize to `general`, sorted; a kept term stands for itself alone.

    By default the base values are the leaves; with `level` those at the same distance below `general` as `term`.
    """
    if term == general:
        return [term]
    if level:
        return sorted(_at_level(general, _distance(term, general, parents), parents))
    inner = {up for ups in parents.values() for up in ups}
    return sorted(leaf for leaf in parents if leaf not in inner and general in ancestors(leaf, parents))


def _distance(term: str, general: str, parents: Parents) -> int:
    level, steps = {term}, 0
    while level and general not in level:
        level, steps = {up for one in level for up in parents.get(one, ())}, steps + 1
    return steps


def _at_level(general: str, steps: int, parents: Parents) -> set[str]:
    level = {general}
    for _ in range(steps):
        level = {child for child, ups in parents.items() if level.intersection(ups)}
    return level


def local_probabilities(domain: Sequence[str], weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """P_o: how likely each value of a domain is the original; `weights` are frequencies in a corpus.

    Without weights, or where none of the values has one, all are equally likely.
    """
    given = [0.0 if weights is None else float(weights.get(word, 0.0)) for word in domain]
    total = math.fsum(given)
    if total <= 0.0:
        return dict.fromkeys(domain, 1.0 / len(domain))
    return {word: weight / total for word, weight in zip(domain, given, strict=True)}


def text_domain(domains: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """D: all texts that generalize to the same text, as the product of the word domains, one by one."""
    return itertools.product(*domains)


def domain_size(volumes: Iterable[int]) -> int:
    """|D|, the product of the volumes (a kept term has volume 1).

    >>> domain_size([4, 2, 2, 2])
    32
    """
    return math.prod(volumes)


def plausibility(text: Sequence[str], local: Sequence[Mapping[str, float]]) -> float:
    """P: probability that `text` is the original, if terms are independent (equation 4)."""
    return math.prod(p[word] for word, p in zip(text, local, strict=True))


def t_plausible(volumes: Iterable[int], t: int) -> bool:
    """Tell whether at least t base texts generalize to the text (Definition 2)."""
    return domain_size(volumes) >= t


def entropy(probabilities: Iterable[float]) -> float:
    """H in bits of a distribution (equations 2 and 3).

    >>> entropy([0.25] * 4)
    2.0
    """
    return -math.fsum(p * math.log2(p) for p in probabilities if p > 0.0) + 0.0


def cost(entropies: Sequence[float], t: int, alpha: float = 0.5) -> float:
    """Cost of a generalization (equation 1): distance from log t in all, and from log t / m at each term.

    >>> cost([2.0, 1.0, 1.0, 1.0], 32)
    0.09375
    """
    m, target = len(entropies), math.log2(t)
    each = target / m
    whole = (math.fsum(entropies) - target) ** 2
    local = math.fsum([(h - each) ** 2 for h in entropies])
    return alpha / m**2 * whole + (1 - alpha) / m * local


def uniform_feasible(entropies: Sequence[float], t: int) -> bool:
    """Tell whether H of the text reaches log t (the condition of Definition 4)."""
    return math.fsum(entropies) >= math.log2(t)


def variance(entropies: Sequence[float]) -> float:
    """Variance of the entropies of the terms (Figure 3d)."""
    mean = math.fsum(entropies) / len(entropies)
    return math.fsum((h - mean) ** 2 for h in entropies) / len(entropies)


def cosine_utility(volumes: Sequence[int], others: int = 0) -> float:
    """Cosine as the paper takes it (Section VI-D): dot product of the frequency vectors of d and its generalization.

    A generalized term keeps 1/volume of its frequency, a kept or other word all of it; both vectors are
    divided by the length of the original's, as in the paper's example. A suppressed term counts 0.

    >>> cosine_utility([2], others=1)
    0.75
    """
    kept = others + math.fsum(1.0 / volume for volume in volumes if volume)
    return kept / (others + len(volumes))
