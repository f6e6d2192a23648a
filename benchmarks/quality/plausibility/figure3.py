"""Figure 3 (a-f) of paper 003 on words of WordNet 3.0 whose ladder is 8 +- 1 high, with our exact solvers beside.

    python benchmarks/quality/plausibility/figure3.py WORDNET_DICT_FOLDER [--draw]

Writes results.json beside this file; --draw (needs matplotlib) draws it as docs/papers/003/figure3*.svg. The experiment
itself is `papers.paper003`, as `tacenda reproduce 003` runs it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from papers.nouns import read_nouns
from papers.paper003 import SIZES, THRESHOLDS, figure3

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs" / "papers" / "003"


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
        results.write_text(json.dumps(figure3(read_nouns(options.wordnet)), indent=1) + "\n", encoding="utf-8")
    if options.draw:
        draw(json.loads(results.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
