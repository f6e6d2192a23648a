"""Speed of t-plausibility on WordNet's nouns, against the bars and against the paper's own heuristic in the same run.

    python -m benchmarks.speed.plausibility --wordnet FOLDER

The folder holds data.noun and index.noun of WordNet 3.0. Times are the best of many runs of one problem, from the
checked problem to the answer with its certificate; checking and sorting the ladders (`problem`) is printed beside.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.speed.figures import Figures, options
from papers.nouns import read_nouns
from tacenda.choose.plausibility import Ladders, paper, problem, product_answer, uniform_answer

DRAWS = 8
# terms, t, bar in milliseconds
T_PAT = [
    (20, 1 << 14, 2),
    (50, 1 << 14, 2),
    (1000, 1 << 10, 2),
    (1000, 1 << 14, 2),
    (1000, 16381, 2),
    (1000, 10**6, 50),
]
UNIFORM = [
    (20, 1 << 14, 20),
    (50, 1 << 12, 20),
    (50, 1 << 14, 20),
    (50, 1 << 50, 20),
    (200, 1 << 200, 5000),
    (1000, 1 << 14, 100),
    (1000, 1 << 100, 100),
    (1000, 1 << 1000, 100),
]


def best_ms(run: Callable[[], object], seconds: float = 0.25) -> float:
    """Best time of many runs, in milliseconds: on a busy machine the others measure its neighbors."""
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return 1000 * best


def draws(nouns: dict[str, list[tuple[str, int]]], m: int) -> list[Ladders]:
    """The same random draws of m terms on every machine."""
    names = sorted(nouns)
    return [{w: nouns[w] for w in random.Random(1000 * m + i).sample(names, m)} for i in range(DRAWS)]


def show(figures: Figures, kind: str, m: int, t: int, times: list[float], bar: float, more: str) -> None:
    """Note the median and the worst of the draws."""
    size = f"{t:,}" if t < 10**7 else f"2^{math.log2(t):.0f}"
    name = f"{kind}, {m} terms, t = {size}"
    figures.add(name, "median", statistics.median(times), "ms")
    figures.add(name, f"worst (bar {bar})", max(times), "ms")
    print(f"    {more}", flush=True)


def main() -> None:
    """Run the bench."""
    given = options(__doc__, wordnet={"type": Path, "required": True})
    figures, nouns = Figures(), read_nouns(given.wordnet)
    ladders = {nouns.words[s][0]: nouns.ladder(s) for s in nouns.leaves if nouns.height(s) in (7, 8, 9)}
    del nouns
    gc.collect()
    gc.freeze()  # the half million objects of this bench are not the solver's to look after
    for m, t, bar in T_PAT:
        drawn = draws(ladders, m)
        made = [problem(one, t) for one in drawn]
        times = [best_ms(lambda one=one: product_answer(one)) for one in made]
        exact = sum(product_answer(one).exact for one in made)
        show(figures, "t-PAT", m, t, times, bar, f"problem {arranging(drawn, t):.2f} ms, exact {exact}/{DRAWS}")
    for m, t, bar in UNIFORM:
        drawn = draws(ladders, m)
        made = [problem(one, t) for one in drawn]
        answers = [uniform_answer(one) for one in made]
        times = [best_ms(lambda one=one: uniform_answer(one)) for one in made]
        gap, exact = max(a.gap for a in answers), sum(a.exact for a in answers)
        more = f"problem {arranging(drawn, t):.2f} ms, gap {100 * gap:.4f} %, exact {exact}/{DRAWS}"
        if m <= 200:
            start = time.perf_counter()
            peer = paper.lub_search(made[0])
            took = 1000 * (time.perf_counter() - start)
            more += f"; LUB_Search {took:.1f} ms, cost {peer.cost / answers[0].cost - 1:+.1%}"
        show(figures, "uniform", m, t, times, bar, more)
    figures.write(given.json)


def arranging(drawn: list[Ladders], t: int) -> float:
    """Median time to check and sort the ladders."""
    return statistics.median(best_ms(lambda one=one: problem(one, t), 0.05) for one in drawn)


if __name__ == "__main__":
    main()
