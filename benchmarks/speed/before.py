"""This checkout beside an earlier one: processor time of the same texts, given to both in turn.

    python -m benchmarks.speed.before --before CHECKOUT --data DIR [--policies identifiers health]

Each text goes to one and then to the other, both warm, on one thread, and the order changes from text to text, so that
what else the machine does falls on both alike. The ratio is of the sums; `rounds` says how often all texts are given.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.speed.figures import Figures, options
from benchmarks.speed.policies import PAGE, cases

ROOT = Path(__file__).resolve().parents[2]
# Uses only what both checkouts have.
_WORKER = """
import json, sys, time
import tacenda
sanitizer = tacenda.Sanitizer(tacenda.load_policy(sys.argv[1]))
for line in sys.stdin:
    document = tacenda.Document(json.loads(line))
    start = time.process_time()
    sanitizer.sanitize(document)
    print(time.process_time() - start, flush=True)
"""


class Checkout:
    """A process that sanitizes what it is given and tells how long it worked."""

    def __init__(self, root: Path, policy: str) -> None:
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WORKER, policy],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root,
            env={**os.environ, **one, "PYTHONPATH": str(root / "src")},
        )  # fmt: skip

    def seconds(self, text: str) -> float:
        """Processor time of one text."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def compared(before: Path, policy: str, texts: list[str], rounds: int) -> dict[str, Any]:
    """Give all texts to both, in turn."""
    both = [Checkout(before, policy), Checkout(ROOT, policy)]
    spent: list[list[float]] = [[], []]
    for checkout in both:
        checkout.seconds(texts[0][:PAGE])  # opens what is needed
    for turn in range(rounds):
        for number, text in enumerate(texts):
            first = (turn + number) % 2
            for which in (first, 1 - first):
                spent[which].append(both[which].seconds(text))
    for checkout in both:
        checkout.close()
    ratios = sorted(now / then for then, now in zip(*spent, strict=True))
    return {"before": sum(spent[0]), "now": sum(spent[1]), "median": statistics.median(ratios)}


def main() -> None:
    """Compare and print."""
    given = options(
        __doc__,
        before={"type": Path, "required": True, "help": "a checkout of the earlier commit"},
        cases={"type": int, "default": 20},
        rounds={"type": int, "default": 2},
        policies={"nargs": "+", "default": ["identifiers", "health"]},
    )
    figures, texts = Figures(), cases(given.data, given.cases)
    for policy in given.policies:
        found = compared(given.before.resolve(), policy, texts, given.rounds)
        figures.add(policy, "before", found["before"], "CPU seconds")
        figures.add(policy, "now", found["now"], "CPU seconds")
        figures.add(policy, "time now / time before", found["now"] / found["before"], "of before")
        figures.add(policy, "the same, median of texts", found["median"], "of before")
    figures.write(given.json)


if __name__ == "__main__":
    main()
