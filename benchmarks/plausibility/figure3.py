"""Figure 3 (a-f) of paper 003 on words of WordNet 3.0 whose ladder is 8 +- 1 high, with our exact solvers beside.

    python benchmarks/plausibility/figure3.py WORDNET_DICT_FOLDER [--draw]

Writes results.json beside this file; --draw (needs matplotlib) draws it as docs/papers/003/figure3*.svg. The paper's
exhaustive searches end after LIMIT nodes; a point where they did is marked, and is no optimum.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from wordnet import Nouns, read_nouns

from tacenda.choose.plausibility import Answer, Ladders, Problem, paper, problem, product_answer, uniform_answer
from tacenda.choose.plausibility.formulas import cosine_utility, variance

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "papers" / "003"
SIZES = (10, 20, 30, 40, 50)
THRESHOLDS = (1024, 2048, 4096, 8192, 16384)
SETS = 5
LIMIT = 200_000

Solver = Callable[[Problem], Answer]
EXACT: dict[str, Solver] = {"t-PAT exact (ours)": product_answer, "uniform exact (ours)": uniform_answer}
PAPER: dict[str, Solver] = {
    "EP": lambda made: paper.esearch_prune(made, limit=LIMIT),
    "UEP": lambda made: paper.uniform_exhaustive(made, limit=LIMIT),
    "LUBS": paper.lub_search,
}


def good_words(nouns: Nouns) -> Ladders:
    """Words whose first sense is a leaf of height 7 to 9, with their ladders."""
    leaves = set(nouns.leaves)
    good = {word: senses[0] for word, senses in sorted(nouns.senses.items()) if senses[0] in leaves}
    return {word: nouns.ladder(synset) for word, synset in good.items() if nouns.height(synset) in (7, 8, 9)}


def draw_words(words: Ladders, count: int, rng: random.Random) -> Ladders:
    """Random words with their ladders."""
    return {word: words[word] for word in rng.sample(list(words), count)}


def measure(solver: Solver, ladders: Ladders, size: int, t: int) -> dict[str, float | bool]:
    """Time of one solver, and what its answer is like."""
    made = problem({word: ladders[word] for word in list(ladders)[:size]}, t)
    seconds = math.inf
    for _ in range(5):  # the best of five, unless one is long already
        start = time.perf_counter()
        answer = solver(made)
        seconds = min(seconds, time.perf_counter() - start)
        if seconds > 0.1:
            break
    return {
        "seconds": seconds,
        "cost": answer.cost,
        "variance": variance(answer.entropies),
        "most": max(answer.entropies),
        "similarity": cosine_utility(answer.volumes),
        "originals": answer.product,
        "complete": answer.exact or solver is paper.lub_search,
    }


def mean(rows: list[dict[str, float | bool]], key: str) -> float:
    """Mean over the sets of words (median for times)."""
    values = [float(row[key]) for row in rows]
    return statistics.median(values) if key == "seconds" else statistics.fmean(values)


def run(nouns: Nouns) -> dict[str, object]:
    """All series of the figure."""
    good = good_words(nouns)
    sets = [draw_words(good, 50, random.Random(seed)) for seed in range(SETS)]
    times: dict[str, dict[str, list[float]]] = {}
    ended: dict[str, dict[str, list[int]]] = {}
    for name, solver in {**PAPER, **EXACT}.items():
        for t in THRESHOLDS:
            rows = [[measure(solver, words, size, t) for words in sets] for size in SIZES]
            times.setdefault(name, {})[str(t)] = [mean(row, "seconds") for row in rows]
            ended.setdefault(name, {})[str(t)] = [sum(not r["complete"] for r in row) for row in rows]
            print(name, t, [f"{s:.4f}" for s in times[name][str(t)]], "ended early", ended[name][str(t)], flush=True)
    quality: dict[str, dict[str, list[float]]] = {}
    for name, solver in {**PAPER, **EXACT}.items():
        rows = [[measure(solver, words, size, 4096) for words in sets] for size in SIZES]
        quality[name] = {key: [mean(row, key) for row in rows] for key in ("cost", "variance", "most", "similarity")}
    setup = {"sizes": SIZES, "thresholds": THRESHOLDS, "sets": SETS, "limit": LIMIT, "quality_t": 4096, "alpha": 0.5}
    lub = lub_search_against_the_best(good)
    return {"setup": setup, "seconds": times, "ended_early": ended, "quality": quality, "lub_search": lub}


def lub_search_against_the_best(words: Ladders, draws: int = 200) -> dict[str, float]:
    """How often LUB_Search finds the best uniform answer, and how far off it is at worst."""
    rng = random.Random(3)
    ratios = []
    for _ in range(draws):
        made = problem(draw_words(words, rng.randint(2, 20), rng), 2 ** rng.randint(2, 14))
        best = uniform_answer(made)
        ratios.append(paper.lub_search(made).cost / best.cost - 1 if best.cost else 0.0)
    return {"draws": draws, "optimal": statistics.fmean(r < 1e-9 for r in ratios), "worst": max(ratios)}


def draw(found: dict[str, object]) -> None:
    """Draw the six parts."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "figure3"
    from matplotlib import pyplot

    DOCS.mkdir(parents=True, exist_ok=True)
    seconds, quality = found["seconds"], found["quality"]
    parts = [("a", "EP", "t-PAT exact (ours)"), ("b", "UEP", "uniform exact (ours)")]
    for letter, theirs, ours in parts:
        figure, axes = pyplot.subplots(figsize=(5, 3.5))
        for t in THRESHOLDS:
            axes.plot(SIZES, seconds[theirs][str(t)], marker="o", label=f"{theirs}, t = {t}")
        axes.plot(SIZES, seconds[ours]["16384"], "k--", label=f"{ours}, t = 16384")
        if letter == "b":
            axes.plot(SIZES, seconds["LUBS"]["16384"], "k:", label="LUBS, t = 16384")
        axes.set(xlabel="|d|", ylabel="seconds", yscale="log", title=f"({letter}) time of {theirs}")
        save(figure, axes, letter)
    names = {
        "c": ("cost", "cost (1)"),
        "d": ("variance", "variance of the entropies"),
        "e": ("most", "greatest entropy"),
    }
    for letter, (key, title) in names.items():
        figure, axes = pyplot.subplots(figsize=(5, 3.5))
        for name in ("EP", "UEP", "LUBS", "uniform exact (ours)"):
            axes.plot(SIZES, quality[name][key], "k--" if "ours" in name else "o-", label=name)
        axes.set(xlabel="|d|", ylabel=title, title=f"({letter}) {title}, t = 4096")
        save(figure, axes, letter)
    figure, axes = pyplot.subplots(figsize=(5, 3.5))
    for name in ("UEP", "uniform exact (ours)", "t-PAT exact (ours)"):
        axes.plot(SIZES, quality[name]["similarity"], "o-", label=name)
    axes.plot(SIZES, [0.0] * len(SIZES), "k:", label="suppression")
    axes.set(xlabel="|d|", ylabel="cosine", title="(f) similarity to the original, t = 4096")
    save(figure, axes, "f")


def save(figure: object, axes: object, letter: str) -> None:
    """Write one part as SVG, the same bytes for the same data."""
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(DOCS / f"figure3{letter}.svg", metadata={"Date": None})


def main() -> None:
    """Measure, or draw what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path, nargs="?")
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    results = HERE / "results.json"
    if options.wordnet is not None:
        results.write_text(json.dumps(run(read_nouns(options.wordnet)), indent=1) + "\n", encoding="utf-8")
    if options.draw:
        draw(json.loads(results.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
