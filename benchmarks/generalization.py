"""What generalization keeps where suppression keeps nothing, and how its rungs compare with those people choose.

    python benchmarks/generalization.py DATA_FOLDER

DATA_FOLDER holds actors50 and wiki_replace100. Two tables are printed and written to generalization.json:

- actors50: on the gold spans, information of the nearest rung over that of the original, with no risk model (so this is
  the most that generalization can keep; limits take it lower). Information of the original: -log2 of its page count
  (google_hits.json) over the largest count; spans without a count are left out. A rung's is its concept's, never
  more. Spans are told apart by their writing only (date, name, other), as no annotator is asked.
- wiki_replace100: a *baseline* on the ladders shown to the annotators, not a figure of the product: the first rung, and
  for dates the decade. How often is that the human's rung, or one step from it? The rule was written after looking at
  these very documents, so it is a fit to them and says nothing about others.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Context, Document, Mention
from tacenda.replace.dates import Dates, find_dates
from tacenda.replace.generalize import Generalize
from tacenda.term import words

HERE = Path(__file__).parent


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Lines of a JSONL file."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def actors(folder: Path) -> dict[str, float]:
    """Share of the information of the gold spans that their nearest rungs keep."""
    hits = json.loads((folder / "google_hits.json").read_text(encoding="utf-8"))
    most = max(hits.values())
    replacer, dates = Generalize(open_taxonomy()), Dates()
    count: Counter[str] = Counter()
    kept = total = 0.0
    for row in (row for file in sorted(folder.glob("*.jsonl")) for row in rows(file)):
        document = Document(row["text"])
        for span in row["gold_sensitive"]:
            hit = hits.get("_".join(words(span["text"])))
            count["gold spans"] += 1
            if not hit or hit < 1:
                continue
            information = -math.log2(hit / most)
            mention = Mention(span["start"], span["end"], span["text"], _label(span["text"]), "term")
            context = Context(document, sentences=((0, len(row["text"])),))
            source = dates if mention.label == "DATETIME" else replacer
            first = next(iter(source.candidates(mention, context)), None)
            count["with a count"] += 1
            count["with a rung"] += first is not None
            total += information
            kept += min(information, first.bits) if first else 0.0
    return {**count, "kept": kept / total, "suppression keeps": 0.0}


def _label(text: str) -> str:
    if find_dates(text):
        return "DATETIME"
    return "MISC" if text[:1].isupper() else "TERM"


def human_rungs(folder: Path) -> dict[str, dict[str, float]]:
    """How often a rule that looks at the ladder alone takes the human's rung, or one beside it."""
    found: dict[str, Counter[str]] = {}
    for row in (row for file in sorted(folder.glob("*.jsonl")) for row in rows(file)):
        for annotation in row["annotations"].values():
            for mention in annotation["entity_mentions"]:
                replacement = mention.get("replacement")
                for chosen in replacement["generalization_selection"] if replacement else ():
                    ladder = next((rungs for rungs in replacement["generalizations"].values() if chosen in rungs), None)
                    if ladder:
                        distance = abs(_rule(mention["entity_type"], ladder) - ladder.index(chosen))
                        for kind in (mention["entity_type"], "all"):
                            counter = found.setdefault(kind, Counter())
                            counter["cases"] += 1
                            counter["same"] += distance == 0
                            counter["one step"] += distance <= 1
    return {
        kind: {"cases": c["cases"], "same": c["same"] / c["cases"], "one step": c["one step"] / c["cases"]}
        for kind, c in sorted(found.items())
    }


def _rule(kind: str, ladder: list[str]) -> int:
    """Place of the rung: the decade for dates, else the first."""
    if kind == "DATETIME":
        return next((place for place, rung in enumerate(ladder) if rung.endswith("0s")), 0)
    return 0


def main() -> None:
    """Print and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    results = {"actors50": actors(data / "actors50"), "wiki_replace100": human_rungs(data / "wiki_replace100")}
    text = json.dumps(results, indent=1)
    print(text)
    (HERE / "generalization.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
