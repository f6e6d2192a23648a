"""What a speed benchmark finds: rows of figures in one shape, with the machine they were taken on.

    {"machine": {...}, "versions": {...}, "reference": 0.21,
     "rows": [{"name": ..., "metric": ..., "value": ..., "unit": ..., "clock": false}]}

`reference` is the processor time of a fixed piece of work, taken in the same run. Rates times it, and times divided by
it, are figures without a unit that compare between machines and under load far better than seconds do.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import time
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

LIBRARIES = ("tacenda", "numpy", "onnxruntime", "pyarrow", "pyspark", "pandas")
_RATE = re.compile(r"(/s$|per second|per CPU second|^x$)")
_TIME = re.compile(r"^(ms|s|us)$|^m?s[ /]|seconds")


@dataclass(frozen=True)
class Row:
    """One figure. The unit says which way is better: rates and ratios upward, times and memory downward.

    clock   read off the clock, not in processor time: other work on the machine counts in it
    """

    name: str
    metric: str
    value: float
    unit: str
    clock: bool = False

    @property
    def key(self) -> str:
        """By what the row is found in an earlier run."""
        return f"{self.name}: {self.metric}"

    @property
    def more_is_better(self) -> bool:
        """Tell whether a larger value is a better one."""
        return bool(_RATE.search(self.unit))

    def beside(self, reference: float) -> float:
        """Return the value in units of the reference work: the larger, the worse."""
        if self.unit == "x":
            return 1 / self.value
        if self.more_is_better:
            return 1 / (self.value * reference)
        return self.value / reference if _TIME.search(self.unit) else self.value


@dataclass
class Figures:
    """The rows of one benchmark, printed as they come."""

    rows: list[Row] = field(default_factory=list)

    def add(self, name: str, metric: str, value: float, unit: str, *, clock: bool = False) -> None:
        """Take in one figure."""
        row = Row(name, metric, float(f"{value:.4g}"), unit, clock)
        self.rows.append(row)
        print(f"{name:44} {metric:32} {row.value:12,.6g} {unit}", flush=True)

    def write(self, path: Path | None) -> None:
        """Write the rows as JSON."""
        if path:
            path.write_text(json.dumps(described(self.rows, reference_seconds()), indent=1) + "\n", "utf-8")


def described(rows: list[Row], reference: float) -> dict[str, Any]:
    """Return rows with the machine and the versions they were measured on."""
    return {
        "machine": machine(),
        "versions": {name: found for name in LIBRARIES if (found := _version(name))},
        "reference": round(reference, 5),
        "rows": [asdict(row) for row in rows],
    }


def machine() -> dict[str, Any]:
    """Name the machine, and how busy it was."""
    name = platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    return {
        "processor": name,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load_average": round(os.getloadavg()[0], 1),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def reference_seconds(rounds: int = 3) -> float:
    """Processor seconds of a fixed piece of work: strings, dictionaries, regular expressions, sorting, matrices."""
    words = [f"word{number * 7919 % 5003}" for number in range(40_000)]
    text = " ".join(words)
    numbers = np.arange(400_000, dtype=np.int64) * 7919 % 100_003
    matrix = np.linspace(0, 1, 160_000, dtype=np.float32).reshape(400, 400)
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        counted: dict[str, int] = {}
        for word in re.findall(r"\w+", text):
            counted[word.casefold()] = counted.get(word, 0) + 1
        sorted(counted.items(), key=lambda item: (-item[1], item[0]))
        np.unique(numbers)
        matrix @ matrix
        best = min(best, time.process_time() - start)
    return best


def options(doc: str | None, **more: dict[str, Any]) -> argparse.Namespace:
    """Read the options that all benchmarks share: --data and --json; `more` are those of one of them."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, help="folder with the collections (benchmarks without it use made-up text)"
    )
    parser.add_argument("--json", type=Path, help="where the rows are written")
    for name, how in more.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **how)
    return parser.parse_args()
