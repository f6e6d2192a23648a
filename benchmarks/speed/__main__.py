"""All speed benchmarks in one command: figures as JSON, plots, and what became slower since the last committed run.

    python -m benchmarks.speed [--data DIR] [--only NAME ...] [--wordnet FOLDER] [--keep]

Each benchmark runs in a process of its own, on one thread, and writes results/NAME.json. Benchmarks that need a
folder of collections are left out without `--data`; the others make up their text. Rows are compared with the committed
ones in units of a fixed piece of work that was timed in the same process, so that another machine or its load raises no
alarm; a benchmark with a row that looks more than 10 % worse runs once more, and what is still worse is named (exit
code 1). With `--keep` the committed files stay as they are.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.speed import pages
from benchmarks.speed.draw import draw
from benchmarks.speed.figures import Row

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).parent / "results"
WORSE = 1.10


@dataclass(frozen=True)
class Bench:
    """One benchmark: what it needs and how it is called."""

    name: str
    needs_data: bool = False
    arguments: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    apart: str = ""  # why it is not run with the others


BENCHES = (
    Bench("frame"),
    Bench("taxonomies"),
    Bench("patterns", arguments=("--megabytes", "2")),
    Bench("measure", arguments=("--documents", "100000", "--users", "2000", "--peer")),
    Bench("vectors", arguments=("--sample", "400"), libraries=("gensim",)),
    Bench("policies"),
    Bench("tables", libraries=("pyarrow",)),
    Bench("spark", libraries=("pyspark",)),
    Bench("encoder", needs_data=True),
    Bench("risk", needs_data=True),
    Bench(
        "index", needs_data=True, arguments=("--only", "open", "counts", "vocabulary", "build", "--groups", "200000")
    ),
    Bench("plausibility", arguments=("--wordnet",)),
    Bench("before", apart="needs a checkout of an earlier commit: python -m benchmarks.speed.before --help"),
    Bench("flood", apart="takes minutes and all cores: python -m benchmarks.speed.flood --help"),
    Bench("review", apart="needs a browser and notes: python -m benchmarks.speed.review --help"),
    Bench("serve", arguments=("--seconds", "2"), libraries=("httpx2", "starlette", "uvicorn")),
)


def left_out(bench: Bench, given: argparse.Namespace) -> str:
    """Say why a benchmark cannot run here; "" if it can."""
    if bench.apart:
        return bench.apart
    if not (Path(__file__).parent / f"{bench.name}.py").exists():
        return "there is no such script"
    if bench.needs_data and not given.data:
        return "needs --data"
    if bench.name == "plausibility" and not given.wordnet:
        return "needs --wordnet"
    absent = [name for name in bench.libraries if importlib.util.find_spec(name) is None]
    return f"needs {', '.join(absent)}" if absent else ""


def run(bench: Bench, given: argparse.Namespace) -> dict[str, Any] | None:
    """Run a benchmark in a process of its own; None if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "rows.json"
        command = [sys.executable, "-m", f"benchmarks.speed.{bench.name}", "--json", str(made), *bench.arguments]
        command += [str(given.wordnet)] if bench.name == "plausibility" else []
        command += ["--data", str(given.data)] if given.data else []
        if bench.name == "policies":
            command += ["--presidio", *given.presidio] if given.presidio else []
            command += ["--sizes", *given.sizes] if given.sizes else []
            command += ["--longest", *given.longest] if given.longest else []
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        environment = {**os.environ, **single, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
        done = subprocess.run(command, cwd=ROOT, env=environment)
        if done.returncode or not made.exists():
            return None
        found: dict[str, Any] = json.loads(made.read_text("utf-8"))
        return found


def committed(name: str) -> dict[str, Any] | None:
    """Return the figures of the last committed run; None if there are none."""
    path = f"HEAD:{(RESULTS / name).relative_to(ROOT)}.json"
    done = subprocess.run(["git", "show", path], cwd=ROOT, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def worse(new: dict[str, Any], old: dict[str, Any]) -> dict[str, float]:
    """Return by how much each row became worse, for those past the limit. Times off the clock are not compared."""
    before = {row.key: row for row in (Row(**one) for one in old["rows"])}
    found = {}
    for row in (Row(**one) for one in new["rows"]):
        if row.key in before and not row.clock and row.value > 0 and before[row.key].value > 0:
            ratio = row.beside(new["reference"]) / before[row.key].beside(old["reference"])
            if ratio > WORSE:
                found[row.key] = ratio
    return found


def main() -> None:
    """Run what can be run, compare, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--wordnet", type=Path)
    parser.add_argument("--presidio", nargs=2, metavar=("PYTHON", "MODEL"), help="the peer of `policies`")
    parser.add_argument("--sizes", nargs="*", metavar="KB", help="sizes of long documents, of `policies`")
    parser.add_argument("--longest", nargs="*", metavar="KB", help="longer ones, for its first policy only")
    parser.add_argument("--only", nargs="+", choices=[bench.name for bench in BENCHES])
    parser.add_argument("--keep", action="store_true", help="compare only")
    given = parser.parse_args()
    given.data = given.data.resolve() if given.data else None
    failed, slower = [], {}
    for bench in BENCHES:
        if given.only and bench.name not in given.only:
            continue
        why = left_out(bench, given)
        print(f"== {bench.name}" + (f": left out, {why}" if why else ""), flush=True)
        found = None if why else run(bench, given)
        if found is None:
            failed += [] if why else [bench.name]
            continue
        old = committed(bench.name)
        suspected = worse(found, old) if old else {}
        if suspected and old and (again := run(bench, given)):
            still = worse(again, old)
            slower |= {f"{bench.name}: {key}": min(suspected[key], still[key]) for key in suspected if key in still}
            found = again if len(still) < len(suspected) else found
        if not given.keep:
            RESULTS.mkdir(exist_ok=True)
            (RESULTS / f"{bench.name}.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    if not given.keep:
        draw(RESULTS)
        pages.main()
    for key, ratio in sorted(slower.items()):
        print(f"worse than the last committed run by {100 * (ratio - 1):.0f} %: {key}")
    for name in failed:
        print(f"did not run to its end: {name}")
    sys.exit(1 if slower or failed else 0)


if __name__ == "__main__":
    main()
