"""Speed of the measures: a million short documents of ten thousand users, and the attack suite.

    python -m benchmarks.speed.measure                          # collection, synthetic
    python -m benchmarks.speed.measure --data DIR               # also the attackers, on DIR/tri_reid

Documents are drawn from a Zipf-like vocabulary, so that texts, words and users repeat as in a real log. The peer in
the same run is what a script would do: `json.loads` of both files and two `Counter`s per user.
"""

from __future__ import annotations

import gzip
import json
import resource
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from benchmarks.speed.figures import Figures, options
from tacenda.measures.collection import LEVELS, compare, read_logs, words_of
from tacenda.measures.sensitivity import train

WORDS, LENGTH = 50_000, 100


def write_log(path: Path, documents: int, users: int, *, keep: float, change: float, seed: int) -> None:
    """Write a log of `documents` rows; of a release, `keep` says how many stay and `change` how many lose a word."""
    random = np.random.default_rng(7)
    vocabulary = np.array([f"w{number:x}" for number in range(WORDS)])
    chosen = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as file:
        for at in range(0, documents, 50_000):
            size = min(50_000, documents - at)
            words = vocabulary[np.minimum(random.zipf(1.3, size * 20), WORDS) - 1].reshape(size, 20)
            who = random.integers(0, users, size)
            kept, changed = chosen.random(size) < keep, chosen.random(size) < change
            for row in range(size):
                if kept[row]:
                    text = " ".join(words[row])[:LENGTH]
                    text = text.rsplit(" ", 1)[0] + " thing" if changed[row] else text
                    file.write(json.dumps({"user": f"u{who[row]}", "text": text}) + "\n")


def peer(original: Path, released: Path) -> float:
    """Read both files and count documents by user with the standard library."""
    begun = time.perf_counter()
    for path in (original, released):
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        with path.open(encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                counts[row["user"]][row["text"]] += 1
    return time.perf_counter() - begun


def collection(documents: int, users: int, *, with_peer: bool) -> dict[str, float]:
    """Time reading, sensitivity and the three levels."""
    taken: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        x, y = Path(folder) / "x.jsonl", Path(folder) / "y.jsonl"
        write_log(x, documents, users, keep=1.0, change=0.0, seed=1)
        write_log(y, documents, users, keep=0.7, change=0.3, seed=2)
        begun, worked = time.perf_counter(), time.process_time()
        original, (released,) = read_logs(x, [y])
        taken["read"] = time.perf_counter() - begun
        at = time.perf_counter()
        words = words_of(original.texts)
        taken["words"] = time.perf_counter() - at
        model = train(["w1 w2", "w3", "w4 w5", "w6"], [True, False, True, False])
        at = time.perf_counter()
        sigma = model.of_words(words.runs, words.vocabulary)
        taken["sensitivity"] = time.perf_counter() - at
        for level in LEVELS:
            at = time.perf_counter()
            compare(original, released, sigma, level=level, words=words)
            taken[level] = time.perf_counter() - at
        taken["total"] = time.perf_counter() - begun
        taken["total_processor"] = time.process_time() - worked
        taken["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        if with_peer:
            taken["peer_counts_only"] = peer(x, y)
    return taken


def attack(data: Path) -> dict[str, float]:
    """Time the attack suite without encoder on 20 documents against 543 candidates."""
    from tacenda.measures.attack import Candidates, run_attacks

    with gzip.open(data / "tri_reid" / "background_knowledge_500.jsonl.gz", "rt", encoding="utf-8") as file:
        background = [json.loads(line) for line in file]
    rows = [json.loads(line) for line in (data / "tri_reid" / "anonymized_dev.jsonl").open(encoding="utf-8")]
    candidates = Candidates.of({row["name"]: row["public_knowledge"] for row in background})
    documents = [(row["name"], row["manual_abstract"]) for row in rows]
    begun, worked = time.perf_counter(), time.process_time()
    run_attacks(documents, candidates)
    taken = {"attack_suite": time.perf_counter() - begun, "attack_suite_processor": time.process_time() - worked}
    return {**taken, "documents": len(documents), "candidates": len(background)}


def main() -> None:
    """Measure and print."""
    given = options(
        __doc__,
        documents={"type": int, "default": 1_000_000},
        users={"type": int, "default": 10_000},
        peer={"action": "store_true", "help": "also time the standard-library counts"},
    )
    figures = Figures()
    found = collection(given.documents, given.users, with_peer=given.peer)
    if given.data:
        found |= attack(given.data)
    for name, value in found.items():
        if name not in ("documents", "candidates"):
            unit = "GB" if name.endswith("_gb") else "s"
            clock = unit == "s" and not name.endswith("_processor")
            figures.add(f"measures, {given.documents:,} documents", name.replace("_", " "), value, unit, clock=clock)
    figures.write(given.json)


if __name__ == "__main__":
    main()
