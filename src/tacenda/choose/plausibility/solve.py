"""t-PAT and uniform t-PAT from ladders to an answer with its certificate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tacenda.choose.plausibility.equations import cost, domain_size, uniform_feasible
from tacenda.choose.plausibility.ladder import Answer, Floor, Ladders, Problem, problem
from tacenda.choose.plausibility.product import close_product, least_product, least_product_from
from tacenda.choose.plausibility.search import Solution, search
from tacenda.choose.plausibility.uniform import MOST_STATES, Dual, best_dual, deviations
from tacenda.errors import GuaranteeError, UsageError

# Up to this t, products of whole numbers and their float logarithms order the same way around t.
_SAFE_T = 1 << 36
_BLUR = 1e-11
_SKETCH_STATES = 256


def solve(
    ladders: Ladders,
    t: int,
    *,
    uniform: bool = False,
    alpha: float = 0.5,
    entropies: Mapping[str, Sequence[float]] | None = None,
    most_states: int = MOST_STATES,
    floor: Floor = 1,
) -> Answer:
    """Choose for each term a concept of its ladder, or to keep it, so that t originals are plausible.

    uniform     False: least |D| >= t (Definition 3), ties by the cost; True: least cost with H >= log t (Definition 4)
    alpha       weight of the whole text against the single terms in the cost (1)
    entropies   for uniform: entropy of each rung, where originals are weighted; without it log2 of the volume
    most_states size of the search; more states, smaller gap, longer time
    floor       least volume of every single term: the cost of Definition 4 may leave a specific term as it is

    >>> answer = solve({"marijuana": [("soft drug", 4), ("drug", 90)], "phantom limb pain": [("pain", 3)]}, 10)
    >>> answer.product, answer.choice
    (12, {'marijuana': 0, 'phantom limb pain': 0})
    """
    if not 0.0 <= alpha <= 1.0:
        raise UsageError(f"alpha must lie between 0 and 1; got {alpha!r}.")
    if not uniform:
        return product_answer(problem(ladders, t, floor=floor), alpha)
    return uniform_answer(problem(ladders, t, entropies=entropies, floor=floor), alpha, most_states)


def product_answer(made: Problem, alpha: float = 0.5) -> Answer:
    """Solve t-PAT; where t is too large for the exact search, answer with a gap to the bound t."""
    made = replace(made, bits=None)  # Definition 3 counts originals, whatever their weights
    if all(1 in options for options in made.volumes):
        chosen = least_product(made.volumes, made.t, made.distinct)
        exact = chosen is not None
        if chosen is None:
            chosen = close_product(made.volumes, _uniform_volumes(made), made.t)
    else:
        chosen, exact = least_product_from(made.volumes, made.t)
    product = domain_size(chosen)
    exact = exact or product == made.t
    options = [volumes.index(v) for volumes, v in zip(made.volumes, chosen, strict=True)]
    return _answer(made, options, alpha, bound=product if exact else made.t, exact=exact, value=product)


def uniform_answer(made: Problem, alpha: float = 0.5, most_states: int = MOST_STATES) -> Answer:
    """Solve uniform t-PAT; H >= log t always holds, as whole numbers where the originals are equally likely."""
    if alpha == 1.0 and made.bits is None:
        # Without the local term the cost grows with the product alone.
        answer = product_answer(made, alpha)
        bound = answer.cost if answer.exact else 0.0
        options = [at.index(rung + 1) for at, rung in zip(made.places, answer.rungs, strict=True)]
        return _answer(made, options, alpha, bound=bound, exact=answer.exact, value=answer.cost)
    dual = best_dual(deviations(made.volumes, made.t, made.bits), alpha)
    # Products below t miss it by at least log2(t / (t - 1)) bits, far more than rounding while t is small.
    loose = 0.5 / made.t if made.t <= _SAFE_T and made.bits is None else _BLUR
    found = _two_searches(dual, loose, most_states)
    certified = found.certified
    if not _feasible(made, found):
        found = _two_searches(dual, -_BLUR, most_states)
    if not _feasible(made, found):
        raise GuaranteeError("No choice of concepts was found that reaches log t; lower t a little.")
    options = found.options.tolist()
    value = cost(_entropies(made, options), made.t, alpha)
    exact = found.above - certified <= 1e-15
    bound = value if exact else max(0.0, min(value, dual.bound + certified))
    return _answer(made, options, alpha, bound=bound, exact=exact, value=value)


def _two_searches(dual: Dual, slack: float, most_states: int) -> Solution:
    """A narrow search first: with its good answer the wide one keeps far fewer states."""
    sketch = search(dual, slack=slack, most_states=min(_SKETCH_STATES, most_states))
    if sketch.certified >= sketch.above or most_states <= _SKETCH_STATES:
        return sketch
    return search(dual, slack=slack, most_states=most_states, known=sketch)


def _feasible(made: Problem, found: Solution) -> bool:
    options = found.options.tolist()
    if made.bits is None:
        return domain_size(v[o] for v, o in zip(made.volumes, options, strict=True)) >= made.t
    return uniform_feasible(_entropies(made, options), made.t)


def _uniform_volumes(made: Problem) -> list[int]:
    return list(uniform_answer(made, 0.5, _SKETCH_STATES).volumes)


def _entropies(made: Problem, options: Sequence[int]) -> list[float]:
    if made.bits is not None:
        return [bits[option] for bits, option in zip(made.bits, options, strict=True)]
    return [math.log2(volumes[option]) for volumes, option in zip(made.volumes, options, strict=True)]


def _answer(made: Problem, options: Sequence[int], alpha: float, *, bound: float, exact: bool, value: float) -> Answer:
    volumes = tuple([v[o] for v, o in zip(made.volumes, options, strict=True)])
    entropies = tuple(_entropies(made, options))
    return Answer(
        terms=made.terms,
        rungs=tuple([at[option] - 1 for at, option in zip(made.places, options, strict=True)]),
        volumes=volumes,
        product=domain_size(volumes),
        entropies=entropies,
        cost=cost(entropies, made.t, alpha),
        bound=bound,
        exact=exact,
        gap=0.0 if exact or value == 0.0 else 1.0 - bound / value,
    )
