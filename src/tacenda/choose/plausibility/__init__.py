"""t-plausibility (paper 003): choose generalizations so that at least t originals are plausible."""

from tacenda.choose.plausibility.chooser import Plausibility
from tacenda.choose.plausibility.ladder import Answer, Ladder, Ladders, Problem, problem
from tacenda.choose.plausibility.solve import product_answer, solve, uniform_answer

__all__ = [
    "Answer",
    "Ladder",
    "Ladders",
    "Plausibility",
    "Problem",
    "problem",
    "product_answer",
    "solve",
    "uniform_answer",
]
