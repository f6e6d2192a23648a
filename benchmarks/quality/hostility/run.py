"""Attack everything Tacenda reads with damaged and forged inputs, many times over.

    python -m benchmarks.quality.hostility.run [--inputs 100000] [--seed 0] [--output results.json]

Each input is drawn from a seed of its own ("text 17"), so that a fault can be looked at again: `--only "text 17"`.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from benchmarks.quality.hostility.making import CANARY
from benchmarks.quality.hostility.targets import TARGETS, Fault, clean
from tacenda.errors import TacendaError

SECONDS = 30


@dataclass(frozen=True)
class Outcome:
    """How one attack ended: done, refused, or a fault in words."""

    target: str
    number: int
    ended: str
    seconds: float

    @property
    def is_fault(self) -> bool:
        """Tell whether this must not be."""
        return self.ended not in ("done", "refused")


class _TooLong(BaseException):
    """The time is up."""


def _too_long(*_: object) -> None:
    raise _TooLong


def attack(target: str, number: int, folder: Path, *, seed: int = 0) -> Outcome:
    """Draw one hostile input and use it."""
    own = folder / "one"
    own.mkdir()
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of the processor: other work must not look like a hang
    start = time.process_time()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            TARGETS[target][0](random.Random(f"{seed} {target} {number}"), own)
            ended = "done"
        except TacendaError as error:
            ended = _refusal(error)
        except Fault as fault:
            ended = f"fault: {fault}"
        except _TooLong:
            ended = f"fault: not done after {SECONDS} s"
        except Exception as error:
            ended = f"fault: {type(error).__name__} at {_place(error)}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
    if any(CANARY in str(warning.message) for warning in told):
        ended = "fault: the text stands in a warning"
    spent = time.process_time() - start
    shutil.rmtree(own)
    return Outcome(target, number, ended, spent)


def _refusal(error: TacendaError) -> str:
    shown = "".join(traceback.format_exception(error))
    if CANARY.lower() in shown.lower():
        return f"fault: the text stands in the message of {type(error).__name__} at {_place(error)}"
    if "internal error" in str(error) or "This is a defect" in str(error):
        return f"fault: {str(error).partition(': ')[2][:60]}"
    return "refused"


def _place(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "tacenda" in f.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "outside"


def numbers(inputs: int, only: str = "") -> Mapping[str, int]:
    """How many inputs each target gets of so many; only those whose name begins so."""
    wanted = {name: weight for name, (_, weight) in TARGETS.items() if name.startswith(only)}
    whole = sum(wanted.values())
    return {name: max(1, round(inputs * weight / whole)) for name, weight in wanted.items()}


def attacks(inputs: int, *, seed: int = 0, only: str = "") -> Iterator[Outcome]:
    """Attack every target, some more often than others."""
    folder = Path(mkdtemp(prefix="hostile-run-"))
    order = [(target, number) for target, count in numbers(inputs, only).items() for number in range(count)]
    random.Random(seed).shuffle(order)
    try:
        for target, number in order:
            yield attack(target, number, folder, seed=seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        clean()


class Tally:
    """How attacks ended, by target."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rows: dict[str, Counter[str]] = {}
        self.slowest: dict[str, float] = {}
        self.faults: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    def add(self, one: Outcome) -> None:
        """Count one attack."""
        self.rows.setdefault(one.target, Counter())["fault" if one.is_fault else one.ended] += 1
        self.slowest[one.target] = max(self.slowest.get(one.target, 0.0), one.seconds)
        if one.is_fault:
            self.faults[f"{one.target}: {one.ended}"] += 1
            self.first.setdefault(f"{one.target}: {one.ended}", f"{one.target} {one.number}")

    def report(self) -> dict[str, Any]:
        """All that was counted."""
        return {
            "inputs": sum(sum(row.values()) for row in self.rows.values()),
            "seed": self.seed,
            "faults": {fault: {"count": n, "first": self.first[fault]} for fault, n in sorted(self.faults.items())},
            "targets": {
                name: {**{k: row[k] for k in ("done", "refused", "fault")}, "slowest_s": round(self.slowest[name], 2)}
                for name, row in sorted(self.rows.items())
            },
            "processor_s": round(time.process_time()),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }


def measure(inputs: int, seed: int, minutes: float, output: Path | None = None, *, only: str = "") -> str:
    """Count how attacks ended; no new one is begun after so many minutes. Written down as it goes."""
    end = time.monotonic() + 60 * minutes
    tally = Tally(seed)
    for done, one in enumerate(attacks(inputs, seed=seed, only=only), 1):
        tally.add(one)
        if output and (done % 1000 == 0 or one.is_fault):
            output.write_text(json.dumps(tally.report(), indent=1) + "\n", "utf-8")
        if time.monotonic() > end:
            break
    return json.dumps(tally.report(), indent=1) + "\n"


def main() -> None:
    """Attack and print, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so many, and say how many were done")
    parser.add_argument("--targets", default="", help="only targets whose name begins so, such as 'edited'")
    parser.add_argument("--only", help="one attack again, with its traceback, such as 'text 17'")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if options.only:
        target, _, number = options.only.rpartition(" ")
        TARGETS[target][0](random.Random(f"{options.seed} {target} {number}"), Path(mkdtemp()))
        return
    text = measure(options.inputs, options.seed, options.minutes, options.output, only=options.targets)
    options.output.write_text(text, "utf-8") if options.output else print(text)


if __name__ == "__main__":
    main()
