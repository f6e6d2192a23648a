"""Draw replacements to be read: documents of four kinds under four policies, each replacement in its sentence.

    python benchmarks/quality/readable/sample.py DATA_FOLDER --draw 1 -o rows.json

DATA_FOLDER holds aci_bench, tab_test127, ud_ewt, nvidia_bios and wiki_replace100. Every draw takes other documents, so
that what one draw taught can be checked on the next. The rows hold source text: they stay where the data are, and only
the counts of a reading are kept (`readings.json`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tacenda import policy
from tacenda.model import Document, Plan
from tacenda.sanitizer import Sanitizer

# Documents of a kind in one draw, and the policies that somebody would choose for them.
DOCUMENTS = {"note": 6, "court": 4, "life": 5, "mail": 6}
POLICIES = {
    "note": ("health", "special-categories", "person"),
    "court": ("court", "person", "special-categories"),
    "life": ("person", "special-categories"),
    "mail": ("person", "special-categories"),
}
LENGTH, SHORTEST = 1800, 300
EACH = 7  # replacements of one document under one policy


def beginning(text: str) -> str:
    """The beginning of a text, up to the end of a sentence."""
    return text if len(text) <= LENGTH else text[: text.rfind(".", 0, LENGTH) + 1]


def lines(path: Path, key: str) -> list[str]:
    """One field of every line of a JSONL file."""
    return [json.loads(line)[key] for line in path.read_text(encoding="utf-8").splitlines()]


def mails(path: Path) -> list[str]:
    """The e-mails of the treebank, sentence by sentence."""
    found: dict[str, list[str]] = {}
    name = ""
    with gzip.open(path, "rt", encoding="utf-8") as treebank:
        for line in treebank:
            if match := re.match(r"# sent_id = (email.*)-\d+", line):
                name = match[1]
            elif line.startswith("# sent_id"):
                name = ""
            elif name and line.startswith("# text ="):
                found.setdefault(name, []).append(line[9:].strip())
    return ["\n".join(mail) for _, mail in sorted(found.items()) if len("\n".join(mail)) > SHORTEST]


def documents(data: Path, draw: int) -> Iterator[tuple[str, int, str]]:
    """Kind, number and text of the documents of a draw."""
    notes = [lines(data / f"aci_bench/{part}_notes.jsonl", "note") for part in ("train", "valid")]
    lives = lines(data / "nvidia_bios/bios.jsonl", "text") + lines(data / "wiki_replace100/wiki_dev30.jsonl", "text")
    found = {
        "note": [text for part in notes for text in part],
        "court": lines(data / "tab_test127/tab_dev40.jsonl", "text"),
        "life": lives,
        "mail": mails(data / "ud_ewt/ewt_train.conllu.gz"),
    }
    for kind, texts in found.items():
        numbered = list(enumerate(texts))
        random.Random(20).shuffle(numbered)
        for number, text in numbered[DOCUMENTS[kind] * (draw - 1) : DOCUMENTS[kind] * draw]:
            yield kind, number, beginning(text)


def shown(text: str, plan: Plan, at: int) -> tuple[str, str]:
    """The line of a change as it was and as it is, with the change between marks."""
    change = plan.changes[at]
    start = max(text.rfind("\n", 0, change.start) + 1, change.start - 130)
    end = text.find("\n", change.end)
    end = min(len(text) if end < 0 else end, change.end + 90)
    pieces, done = [], start
    for low, high, new in sorted(plan.edits):
        if low < start or high > end:
            continue
        pieces += [text[done:low], f"«{new}»" if (low, high) == change.span else new]
        done = high
    before = f"{text[start : change.start]}«{text[change.start : change.end]}»{text[change.end : end]}"
    return before, "".join([*pieces, text[done:end]])


def rows(data: Path, draw: int) -> Iterator[dict[str, Any]]:
    """A few replacements of every document under every policy, drawn at random."""
    sanitizers = {name: Sanitizer(policy.load(name)) for names in POLICIES.values() for name in names}
    for kind, number, text in documents(data, draw):
        for name in POLICIES[kind]:
            plan = sanitizers[name].plan(Document(text))
            drawn = random.Random(f"{draw}/{kind}/{number}/{name}").sample(
                range(len(plan.changes)), min(EACH, len(plan.changes))
            )
            for at in sorted(drawn):
                before, after = shown(text, plan, at)
                change = plan.changes[at]
                told = {"action": change.action, "label": change.label, "concept": change.concept}
                yield {"kind": kind, "document": number, "policy": name, **told, "before": before, "after": after}


def main() -> None:
    """Write the rows of a draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    found = list(rows(options.data, options.draw))
    options.output.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
