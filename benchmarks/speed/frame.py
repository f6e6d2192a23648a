"""Speed of the frame itself: import, help, and planning and applying without a model, up to a 10 MB document.

    python -m benchmarks.speed.frame

Bars: import and `tacenda --help` under 0.3 s; less than 1 ms per kilobyte; linear up to 10 MB. The peer in the same
run is a plain regular-expression substitution over the same text, as a scale for the machine. Times of documents are
processor time, which other work on the machine does not blur.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time

from benchmarks.speed.figures import Figures, options
from tacenda.model import Document
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer

PARAGRAPH = (
    "The committee met on Tuesday to discuss the annual budget of the library and the repair of the roof. "
    "Members may write to office@example.org or call (212) 555-0123 for a copy of the minutes. "
    "Nothing else was decided, and the next meeting will take place in the autumn as usual.\n"
)
POLICY = Policy(name="bench", annotate=("patterns",), risk={"entity": {"labels": ["EMAIL", "PHONE"]}})


def seconds(command: list[str]) -> float:
    """Best of five wall-clock times of a command."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure and print."""
    given, figures = options(__doc__), Figures()
    bare = seconds([sys.executable, "-c", "pass"])
    for what, command in {
        "import tacenda": [sys.executable, "-c", "import tacenda"],
        "tacenda --help": [sys.executable, "-m", "tacenda", "--help"],
    }.items():
        took = seconds(command)
        figures.add(what, "on the clock", took, "s", clock=True)
        figures.add(what, "against a bare interpreter", took / bare, "times", clock=True)
    sanitizer = Sanitizer(POLICY)
    sanitizer.sanitize(Document(PARAGRAPH))
    pattern = re.compile(r"[\w.]+@[\w.]+|\(\d{3}\) \d{3}-\d{4}")
    for kilobytes in (10, 100, 1_000, 10_000):
        text = PARAGRAPH * (kilobytes * 1000 // len(PARAGRAPH))
        start = time.process_time()
        sanitizer.parts.annotators[0].annotate(Document(text))
        annotated = time.process_time() - start
        start = time.process_time()
        sanitizer.sanitize(Document(text))
        whole = time.process_time() - start
        start = time.process_time()
        pattern.sub("[x]", text)
        plain = time.process_time() - start
        frame = (whole - annotated) * 1000 / kilobytes
        figures.add(f"frame, {kilobytes} kB", "planning without a model", frame, "ms / kB")
        figures.add(f"frame, {kilobytes} kB", "against a plain substitution", whole / plain, "times")
    figures.write(given.json)


if __name__ == "__main__":
    main()
