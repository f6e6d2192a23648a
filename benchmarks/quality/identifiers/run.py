"""Measure identifiers: false ones on court cases, recall on synthetic and clinical text, speed, beside peers.

    python benchmarks/quality/identifiers/run.py DATA_FOLDER [-o results.json]

False identifier: a hit on a court case that overlaps no mention a human marked, or only mentions of another
type (`RIGHT` says which types are right). Recall: all letters and digits of the gold span are covered by hits.
"""

from __future__ import annotations

import argparse
import json
import logging
import platform
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from peers import Finder, available

# Types of presidio_synth and asq_phi that have a form of their own; the others need a model of language.
PATTERN_TYPES = {
    "CREDIT_CARD", "DATE_TIME", "DOMAIN_NAME", "EMAIL_ADDRESS", "IBAN_CODE", "IP_ADDRESS", "PHONE_NUMBER", "US_SSN",
    "US_DRIVER_LICENSE", "ZIP_CODE", "AGE", "DATE", "MEDICAL_RECORD_NUMBER", "HEALTH_PLAN_BENEFICIARY_NUMBER",
    "SOCIAL_SECURITY_NUMBER", "UNIQUE_IDENTIFIER", "ACCOUNT_NUMBER",
}  # fmt: skip
MIXED_TYPES = {"STREET_ADDRESS"}
# Gold types of the Text Anonymization Benchmark under which a hit of a label is rightly typed.
# The only codes these texts hold are numbers of applications and cases: read as telephone number, postal code or
# card they are wrongly typed.
_DATE = {"DATETIME"}
RIGHT = {
    "CASE": {"CODE"}, "OTHER_ID": {"CODE"},
    "DATETIME": _DATE, "DATE_TIME": _DATE, "DOB": _DATE, "AGE": {"DEM", "DATETIME", "QUANTITY", "MISC"},
    "ADDRESS": {"LOC"}, "ZIP": {"LOC"},
}  # fmt: skip


def rows(path: Path) -> list[dict]:
    """Read a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def false_hits(finder: Finder, cases: list[dict]) -> dict:
    """Count hits, hits that overlap no gold mention, and hits that overlap only mentions of other types."""
    total: Counter[str] = Counter()
    outcome: Counter[str] = Counter()
    for case in cases:
        for start, end, label in finder(case["text"]):
            over = [g["entity_type"] for g in case["gold_mentions"] if g["start"] < end and start < g["end"]]
            right = RIGHT.get(label, set())
            total[label] += 1
            outcome["right" if right & set(over) else "other type" if over else "not marked"] += 1
    return {
        "hits": sum(total.values()),
        "false": outcome["other type"] + outcome["not marked"],
        "other type": outcome["other type"],
        "not marked": outcome["not marked"],
        "by label": dict(sorted(total.items())),
    }


def recall(finder: Finder, documents: list[dict], text_key: str, spans_key: str, odd_only: bool = False) -> dict:
    """Share of gold spans whose letters and digits are all covered, by type and over the pattern types."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for document in documents:
        if odd_only and document["template_id"] % 2 == 0:
            continue
        text = document[text_key]
        covered = bytearray(len(text))
        for start, end, _ in finder(text):
            covered[start:end] = b"\x01" * (end - start)
        for span in document[spans_key]:
            kind = span["type"]
            if kind in PATTERN_TYPES or kind in MIXED_TYPES:
                total[kind] += 1
                found[kind] += all(covered[i] or not text[i].isalnum() for i in range(span["start"], span["end"]))
    pattern = [k for k in total if k in PATTERN_TYPES]
    return {
        "pattern types": round(sum(found[k] for k in pattern) / max(1, sum(total[k] for k in pattern)), 4),
        "spans": sum(total[k] for k in pattern),
        "by type": {k: [found[k], total[k]] for k in sorted(total)},
    }


def alarms(finder: Finder, queries: list[dict]) -> dict:
    """Clean queries in which something is found, ages and bare years (which Safe Harbor lets stay) apart."""
    clean = [q["query"] for q in queries if not q["phi"]]
    hits = [[h for h in finder(q) if h[2] != "AGE"] for q in clean]
    beyond_years = [[h for h in found if not (h[1] - h[0] == 4 and q[h[0] : h[1]].isdigit())]
                    for q, found in zip(clean, hits, strict=True)]  # fmt: skip
    return {"clean": len(clean), "with a hit": sum(map(bool, hits)), "without bare years": sum(map(bool, beyond_years))}


def spread_from_first(cases: list[dict]) -> dict:
    """Give only the first occurrence of each form; count gold mentions then covered, and what was added."""
    from tacenda.annotate.entities import tie
    from tacenda.annotate.spread import spread
    from tacenda.model import Mention

    results = {}
    for kind in ("PERSON", "LOC", "ORG", "CODE"):
        gold = covered = added = unmarked = 0
        for case in cases:
            spans = sorted((g["start"], g["end"], g["text"]) for g in case["gold_mentions"] if g["entity_type"] == kind)
            first = {text.lower(): (start, end, text) for start, end, text in reversed(spans)}
            found = spread(case["text"], tie(Mention(*span, kind, "entity") for span in sorted(first.values())))
            gold += len(spans)
            covered += sum(any(m.start <= s[0] and s[1] <= m.end for m in found) for s in spans)
            new = [m for m in found if m.source == "spread"]
            added += len(new)
            marked = [(g["start"], g["end"]) for g in case["gold_mentions"]]
            unmarked += sum(not any(a < m.end and m.start < b for a, b in marked) for m in new)
        results[kind] = {"gold": gold, "covered": covered, "added": added, "added where nothing is marked": unmarked}
    return results


def speed(finder: Finder, texts: list[str]) -> float:
    """Million characters a second of processor time, best of three passes."""
    finder(texts[0])
    characters = sum(map(len, texts))
    best = 0.0
    for _ in range(3):
        begun = time.process_time()
        for text in texts:
            finder(text)
        best = max(best, characters / (time.process_time() - begun) / 1e6)
    return round(best, 3)


def main() -> None:
    """Run everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).parent / "results.json")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # a peer reports at length that it cannot reach the network
    cases = rows(options.data / "tab_test127" / "tab_dev40.jsonl")
    synthetic = rows(options.data / "presidio_synth" / "presidio_dev.jsonl")
    queries = rows(options.data / "asq_phi" / "asq_dev300.jsonl")
    results: dict = {
        "python": platform.python_version(),
        "spread from first forms": spread_from_first(cases),
        "systems": {},
    }
    for name, finder in available().items():
        results["systems"][name] = {
            "court cases": false_hits(finder, cases),
            "presidio_synth": recall(finder, synthetic, "text", "spans"),
            "presidio_synth, odd templates": recall(finder, synthetic, "text", "spans", odd_only=True),
            "asq_phi": recall(finder, queries, "query", "phi"),
            "asq_phi, clean queries": alarms(finder, queries),
            "million characters/s on court cases": speed(finder, [c["text"] for c in cases]),
        }
        print(name, json.dumps(results["systems"][name]))
    options.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
