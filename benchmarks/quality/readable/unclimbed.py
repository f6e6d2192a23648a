"""Count verbs, adjectives, abbreviations, headings and titles that were climbed as if they were nouns.

    python benchmarks/quality/readable/unclimbed.py

Each line of `unclimbed.txt` has a class and a text with one mention between < and >. Under each of three policies a
rung of a taxonomy in place of the mention is a fault; a title may be called the kind of work it is.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tacenda import policy
from tacenda.language import HEAD_NOUNS, SHORTHAND, WORK_CUES
from tacenda.model import Document
from tacenda.sanitizer import Sanitizer

HERE = Path(__file__).parent
POLICIES = ("health", "special-categories", "person")
WORKS = frozenset((*WORK_CUES.values(), "creative work"))


def is_fault(kind: str, source: str, replacement: str) -> bool:
    """Tell whether a generalization says of a mention what only a wrong sense says."""
    words = replacement.casefold().removeprefix("another ").removeprefix("an ").removeprefix("a ")
    if kind == "title":
        return bool(words) and words not in WORKS
    # An abbreviation of the glossary may be called what it stands for.
    return not (kind == "abbreviation" and source.casefold() in SHORTHAND) and words not in HEAD_NOUNS


def main() -> None:
    """Print how many of each class were touched, and how many climbed."""
    touched: Counter[str] = Counter()
    climbed: Counter[str] = Counter()
    rows = [line.split("\t") for line in (HERE / "unclimbed.txt").read_text(encoding="utf-8").splitlines()]
    for name in POLICIES:
        sanitizer = Sanitizer(policy.load(name))
        for kind, marked in rows:
            marked = marked.replace("\\n", "\n")
            start, end = marked.index("<"), marked.index(">") - 1
            text = marked.replace("<", "").replace(">", "")
            inside = [d for d in sanitizer.plan(Document(text)).changes if start <= d.start and d.end <= end]
            touched[kind] += bool(inside)
            faults = [d for d in inside if d.action == "generalize" and is_fault(kind, text[start:end], d.replacement)]
            climbed[kind] += bool(faults)
            for fault in faults:
                print(f"{name}: {text[fault.start : fault.end]} -> {fault.replacement}")
    print(
        json.dumps({kind: {"touched": touched[kind], "climbed": climbed[kind]} for kind in sorted(touched)}, indent=1)
    )


if __name__ == "__main__":
    main()
