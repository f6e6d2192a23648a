"""Write measured figures into the pages that reckon with them: docs/scaling.md and this folder's README.

    python -m benchmarks.speed.pages

`docs/scaling.md` takes its seconds for a megabyte from results/tables.json; every example on the page is then run again
and its output written anew. The README gets the table of results/policies.json. `python -m benchmarks.speed` calls this
after it has measured.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.speed.draw import rows_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results"
_TABLE = re.compile(r"(<!-- policies -->\n).*?(<!-- end -->)", re.S)
WORDS = "words per CPU second"
_COLUMNS = (
    (WORDS, "court cases", "{:,.0f}"),
    ("x", WORDS, "{:.2f}"),
    ("s", "first page", "{:.2f}"),
    ("ms", "a page, warm", "{:.0f}"),
    ("MB", "memory", "{:.0f}"),
)


def scaling(page: str, results: Path = RESULTS) -> str:
    """Return the page with the measured seconds for a megabyte and all that follows from them."""
    cost = {row.name: row.value for row in rows_of(results, "tables") if row.unit == "s / MB"}
    if cost:
        said = "".join(f'    "{name}": {value},\n' for name, value in cost.items())
        lines = said.replace("    ", "...     ").rstrip()
        page = re.sub(r"(>>> seconds_per_mb = \{\n).*?(\n\.\.\. \})", rf"\g<1>{lines}\g<2>", page, count=1, flags=re.S)
    return run_again(page)


def run_again(page: str) -> str:
    """Run the examples of a page one after the other and write down what they print."""
    names: dict[str, Any] = {}
    written = []
    for part in doctest.DocTestParser().parse(page):
        if isinstance(part, str):
            written.append(part)
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(part.source, "<page>", "single"), names)
        first, *more = part.source.splitlines()
        source = "\n".join([f">>> {first}", *(f"... {line}" if line else "..." for line in more)])
        written.append(f"{source}\n{said.getvalue()}")
    return "".join(written)


def table(results: Path = RESULTS) -> str:
    """Return the table of policies: speed, speed beside Presidio, first page, a warm page, memory; weak rows too."""
    found = {(row.name, row.metric, row.unit): row.value for row in rows_of(results, "policies")}
    names = list(dict.fromkeys(name for name, metric, _ in found if metric == "court cases"))
    lines = [
        "| | words per CPU second | of Presidio | first page | a page, warm | memory |",
        "|---|---|---|---|---|---|",
    ]
    for name in names:
        cells = [found.get((name, metric, unit)) for unit, metric, _ in _COLUMNS]
        cells[1] = found.get((f"{name} beside Presidio", WORDS, "x"))
        units = ("", " ×", " s", " ms", " MB")
        told = [
            "" if value is None else how.format(value) + unit
            for value, (_, _, how), unit in zip(cells, _COLUMNS, units, strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(told)} |")
    return "\n".join([*lines, *_by_size(found)])


def _by_size(found: Mapping[tuple[str, str, str], float]) -> list[str]:
    """Return the lines of the table of one document of each size: cost and the most memory so far."""
    sizes: dict[str, dict[str, str]] = {}
    for (name, _, unit), value in found.items():
        if unit == "s / MB" and ", " in name:
            policy, size = name.split(", ")
            peak = found.get((name, "memory", "MB"), 0.0)
            sizes.setdefault(policy, {})[size] = f"{value:.0f} s / MB, {peak:.0f} MB"
    heads = list(dict.fromkeys(size for own in sizes.values() for size in own))
    if not heads:
        return []
    rows = [f"| {policy} | {' | '.join(own.get(size, '') for size in heads)} |" for policy, own in sizes.items()]
    return ["", f"| one document of | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}", *rows]


def main() -> None:
    """Write both pages."""
    page = ROOT / "docs" / "scaling.md"
    page.write_text(scaling(page.read_text("utf-8")), "utf-8")
    readme = HERE / "README.md"
    if (RESULTS / "policies.json").exists():
        where = json.loads((RESULTS / "policies.json").read_text("utf-8"))["machine"]
        taken = f"{where['cores']} cores ({where['processor']}), load average {where['load_average']} at the end."
        said = f"\\g<1>\n{table()}\n\nTaken on {taken}\n\n\\g<2>"
        readme.write_text(_TABLE.sub(said, readme.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
