"""Plots of the results: words a second by policy beside Presidio, cost against size, Spark against cores."""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.speed.figures import Row
from tacenda.measures.plots import bar_plot, line_plot

_SIZE = re.compile(r"(?P<what>.+), (?P<size>[\d.]+) (?P<unit>kB|MB)$")


def rows_of(folder: Path, name: str) -> list[Row]:
    """Return the rows of a benchmark; none if it has not run."""
    path = folder / f"{name}.json"
    return [Row(**one) for one in json.loads(path.read_text("utf-8"))["rows"]] if path.exists() else []


def draw(folder: Path) -> list[Path]:
    """Write every plot for which there are figures, beside them; return their paths."""
    made = {"policies": _policies(folder), "size": _sizes(folder), "spark": _spark(folder)}
    for name, svg in made.items():
        if svg:
            (folder / f"{name}.svg").write_text(svg + "\n", "utf-8")
    return [folder / f"{name}.svg" for name, svg in made.items() if svg]


def _policies(folder: Path) -> str:
    rate = {row.name: {"": row.value} for row in rows_of(folder, "policies") if row.unit == "words per CPU second"}
    if not rate:
        return ""
    most = max(one[""] for one in rate.values())
    title = "Words per CPU second by policy, the same court cases"
    return bar_plot(rate, title=title, x_label="words per CPU second", x_range=(0.0, most))


def _sizes(folder: Path) -> str:
    """CPU seconds for a megabyte against the size of the document: a level line is a linear cost."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows_of(folder, "policies"):
        found = _SIZE.fullmatch(row.name)
        if found and row.unit == "s / MB":
            size = float(found["size"]) * (1 if found["unit"] == "MB" else 1e-3)
            series.setdefault(found["what"], []).append((size, row.value))
    if not series:
        return ""
    held = {name: sorted(points) for name, points in series.items()}
    title = "Cost of a megabyte against the size of the document"
    return line_plot(held, title=title, x_label="MB in one document", y_label="CPU seconds a MB", log_x=True)


def _spark(folder: Path) -> str:
    points = []
    for row in rows_of(folder, "spark"):
        found = re.match(r"Spark local\[(\d+)\]", row.name)
        if found and row.unit == "rows per second":
            points.append((float(found[1]), row.value))
    if not points:
        return ""
    ideal = [(cores, cores * min(points)[1] / min(points)[0]) for cores, _ in points]
    series = {"measured": sorted(points), "twice the cores, twice the rows": sorted(ideal)}
    most = max(rate for _, rate in ideal + points)
    title = "Spark on one machine: rows a second against cores"
    return line_plot(series, title=title, x_label="cores", y_label="rows a second", y_range=(0.0, most))
