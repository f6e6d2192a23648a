"""Every shipped policy beside Presidio on the same texts: words per CPU second, first page, memory, cost against size.

    python -m benchmarks.speed.policies --data DIR --presidio PYTHON MODEL

Each policy runs in a process of its own with one thread, on court cases (or made-up letters without --data). The first
page counts from the import on; a page is 3,000 characters. PYTHON is an interpreter that has presidio-analyzer, MODEL a
spaCy model or its folder; without them Presidio is left out.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.speed.figures import Figures, options
from benchmarks.speed.texts import notes

PAGE = 3_000
POLICIES = ("identifiers", "court", "person", "health", "special-categories")
WORDS = "words per CPU second"
_PEER = """
import json, resource, sys, time
begun = time.process_time()
import spacy
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import SpacyNlpEngine
given = json.load(sys.stdin)
engine = SpacyNlpEngine()
engine.nlp = {"en": spacy.load(given["model"])}
analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
analyzer.analyze(given["texts"][0][:3000], language="en")
first = time.process_time() - begun
start = time.process_time()
for text in given["texts"]:
    analyzer.analyze(text, language="en")
print(json.dumps({"first": first, "spent": time.process_time() - start,
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def cases(data: Path | None, count: int) -> list[str]:
    """Return court cases where they are at hand, else letters of about a case's length."""
    path = data / "tab_test127" / "tab_dev40.jsonl" if data else None
    if path and path.exists():
        return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()[:count]]
    made = notes(None, count * 12)
    return ["\n\n".join(made[n : n + 12]) for n in range(0, len(made), 12)]


def long_text(texts: list[str], kilobytes: int) -> str:
    """Return a document of a size, cases one after the other as often as it takes."""
    whole = "\n\n".join(texts)
    return "\n\n".join([whole] * (kilobytes * 1000 // len(whole) + 1))[: kilobytes * 1000]


def measured(policy: str, texts: list[str], sizes: list[int]) -> dict[str, Any]:
    """Measure one policy in this process."""
    begun = time.process_time()
    from tacenda.sanitizer import Sanitizer

    sanitizer = Sanitizer(policy)
    sanitizer.sanitize(texts[0][:PAGE])
    first, start = time.process_time() - begun, time.process_time()
    for text in texts:
        sanitizer.sanitize(text)
    spent = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cost = {}
    for kilobytes in sizes:
        text, start = long_text(texts, kilobytes), time.process_time()
        sanitizer.sanitize(text)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        cost[kilobytes] = ((time.process_time() - start) / kilobytes * 1000, peak)
    return {"first": first, "spent": spent, "memory": memory, "cost": cost}


def apart(command: list[str], given: dict[str, Any]) -> dict[str, Any]:
    """Run a measurement in a process of its own, on one thread; it reads JSON and prints JSON."""
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=True, env=one)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure and print."""
    given = options(
        __doc__,
        cases={"type": int, "default": 20},
        policies={"nargs": "+", "default": list(POLICIES)},
        sizes={"nargs": "*", "type": int, "default": [10, 100], "help": "kB of the long documents"},
        longest={"nargs": "*", "type": int, "default": [], "help": "kB of longer ones, for the first policy only"},
        presidio={"nargs": 2, "metavar": ("PYTHON", "MODEL")},
        here={"help": "measure one policy in this process, texts from standard input"},
    )
    if given.here:
        asked = json.load(sys.stdin)
        print(json.dumps(measured(given.here, asked["texts"], asked["sizes"])))
        return
    figures, texts = Figures(), cases(given.data, given.cases)
    words = sum(len(text.split()) for text in texts)
    rate = {}
    if given.presidio:
        python, model = given.presidio
        found = apart([python, "-c", _PEER], {"model": model, "texts": texts})
        rate["Presidio"] = note(figures, "Presidio", found, words)
    for policy in given.policies:
        command = [sys.executable, "-m", "benchmarks.speed.policies", "--here", policy]
        sizes = given.sizes + (given.longest if policy == given.policies[0] else [])
        found = apart(command, {"texts": texts, "sizes": sizes})
        rate[policy] = note(figures, policy, found, words)
        figures.add(policy, "a page, warm", found["spent"] / sum(map(len, texts)) * PAGE * 1000, "ms")
        for kilobytes, (cost, peak) in found["cost"].items():
            figures.add(f"{policy}, {kilobytes} kB", "one document", cost, "s / MB")
            figures.add(f"{policy}, {kilobytes} kB", "memory", peak, "MB")
        if "Presidio" in rate:
            figures.add(f"{policy} beside Presidio", "words per CPU second", rate[policy] / rate["Presidio"], "x")
    figures.write(given.json)


def note(figures: Figures, name: str, found: dict[str, Any], words: int) -> float:
    """Take in what every tool has; return its words per CPU second."""
    figures.add(name, "court cases", words / found["spent"], WORDS)
    figures.add(name, "first page", found["first"], "s")
    figures.add(name, "memory", found["memory"], "MB")
    return float(words / found["spent"])


if __name__ == "__main__":
    main()
