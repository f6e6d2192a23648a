"""The benchmarks' own reckoning: what counts as slower, what is drawn, and that no script is forgotten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.speed import pages
from benchmarks.speed.__main__ import BENCHES, worse
from benchmarks.speed.draw import draw
from benchmarks.speed.figures import Row, described, reference_seconds

HELPERS = {"__init__", "__main__", "figures", "draw", "pages", "texts"}


def run(reference: float, *rows: Row) -> dict[str, Any]:
    return described(list(rows), reference)


def test_every_script_is_run_by_the_one_command() -> None:
    folder = Path(__file__).parents[1] / "benchmarks" / "speed"
    assert {path.stem for path in folder.glob("*.py")} - HELPERS <= {bench.name for bench in BENCHES}


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (("words per CPU second", 1000.0), ("words per CPU second", 880.0), True),
        (("words per CPU second", 1000.0), ("words per CPU second", 950.0), False),
        (("words per CPU second", 1000.0), ("words per CPU second", 1500.0), False),
        (("s", 1.0), ("s", 1.2), True),
        (("s / MB", 1.0), ("s / MB", 0.5), False),
        (("MB", 100.0), ("MB", 120.0), True),
        (("x", 2.0), ("x", 1.5), True),
    ],
)
def test_what_became_worse_by_more_than_a_tenth_is_named(
    old: tuple[str, float], new: tuple[str, float], named: bool
) -> None:
    before, after = Row("a", "b", old[1], old[0]), Row("a", "b", new[1], new[0])
    assert bool(worse(run(0.2, after), run(0.2, before))) == named


def test_a_slower_machine_raises_no_alarm() -> None:
    before = [Row("rate", "", 1000, "words per CPU second"), Row("time", "", 1.0, "s"), Row("memory", "", 50, "MB")]
    after = [Row("rate", "", 500, "words per CPU second"), Row("time", "", 2.0, "s"), Row("memory", "", 50, "MB")]
    assert not worse(run(0.4, *after), run(0.2, *before))
    assert set(worse(run(0.2, *after), run(0.2, *before))) == {"rate: ", "time: "}
    clock = Row("time", "", 9.0, "s", clock=True)
    assert not worse(run(0.2, clock), run(0.2, Row("time", "", 1.0, "s", clock=True)))


def test_the_fixed_work_takes_time_and_rows_say_where_they_come_from() -> None:
    assert 0 < reference_seconds(1) < 60
    found = run(0.2, Row("a", "b", 1.0, "s"))
    assert {"processor", "cores", "python", "load_average"} <= set(found["machine"])
    assert json.loads(json.dumps(found))["rows"] == [
        {"name": "a", "metric": "b", "value": 1.0, "unit": "s", "clock": False}
    ]


def test_the_scaling_page_reckons_with_committed_figures() -> None:
    root = Path(__file__).parents[1]
    rows = json.loads((root / "benchmarks" / "speed" / "results" / "tables.json").read_text("utf-8"))["rows"]
    measured = {row["name"]: row["value"] for row in rows if row["unit"] == "s / MB"}
    page = (root / "docs" / "scaling.md").read_text("utf-8")
    said = dict(re.findall(r'"([a-z-]+)": ([\d.]+)', page.partition("seconds_per_mb = {")[2].partition("}")[0]))
    assert {name: float(value) for name, value in said.items()} == pytest.approx(measured, rel=0.02)


def test_pages_take_their_figures_from_the_results(tmp_path: Path) -> None:
    (tmp_path / "tables.json").write_text(json.dumps(run(0.2, Row("health", "CPU for a MB", 36.0, "s / MB"))))
    page = (
        'Cost:\n\n>>> seconds_per_mb = {\n...     "health": 1.0,\n... }\n>>> seconds_per_mb["health"] / 36\n9\n\nEnd.\n'
    )
    written = pages.scaling(page, tmp_path)
    assert written == page.replace("1.0", "36.0").replace("\n9\n", "\n1.0\n")
    rows = [
        Row("identifiers", "court cases", 9000, "words per CPU second"),
        Row("identifiers", "memory", 150.2, "MB"),
        Row("identifiers beside Presidio", "words per CPU second", 2.51, "x"),
        Row("identifiers, 10 kB", "one document", 20.4, "s / MB"),
    ]
    (tmp_path / "policies.json").write_text(json.dumps(run(0.2, *rows)))
    told = pages.table(tmp_path)
    assert "| identifiers | 9,000 | 2.51 × |  |  | 150 MB |" in told
    assert "| identifiers | 20 s / MB, 0 MB |" in told


def test_plots_are_drawn_of_what_there_is(tmp_path: Path) -> None:
    assert draw(tmp_path) == []
    rows = [Row("identifiers", "court cases", 9000, "words per CPU second"), Row("health, 10 kB", "cost", 8, "s / MB")]
    (tmp_path / "policies.json").write_text(json.dumps(run(0.2, *rows, Row("health, 10 MB", "cost", 9, "s / MB"))))
    spark = [Row(f"Spark local[{n}], identifiers", "rows", 70.0 * n, "rows per second", clock=True) for n in (1, 2)]
    (tmp_path / "spark.json").write_text(json.dumps(run(0.2, *spark)))
    assert [path.name for path in draw(tmp_path)] == ["policies.svg", "size.svg", "spark.svg"]
    assert "identifiers" in (tmp_path / "policies.svg").read_text()
    assert "health" in (tmp_path / "size.svg").read_text()
