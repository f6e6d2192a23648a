"""What the policy `health` hides in clinical notes, for reading: touched words and the terms hidden, note by note.

    python benchmarks/quality/risk/notes.py DATA ENCODER NOTE...

Without note ids: the first ten. Uses the embedded index and taxonomies (the notes are in neither).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import notes, write

from tacenda import Document, Sanitizer
from tacenda.policy import load
from tacenda.term import words


def main() -> None:
    """Sanitize and list."""
    chosen = set(sys.argv[3:])
    every = notes(Path(sys.argv[1]))
    picked = [(name, text) for name, text in every if not chosen or name in chosen][: len(chosen) or 10]
    sanitizer = Sanitizer(load("health"))
    rows = {}
    for name, text in picked:
        plan = sanitizer.plan(Document(text, name))
        touched = sum(len(words(text[d.start : d.end])) for d in plan.changes)
        why = {}
        for decision in plan.changes:
            reasons = sorted({plan.risks[r].discloses for r in decision.risks}) or [decision.why]
            why.setdefault(" ".join(words(text[decision.start : decision.end])), [decision.replacement, *reasons])
        rows[name] = {"words": len(words(text)), "touched": round(touched / len(words(text)), 3), "hidden": why}
        print(name, rows[name]["words"], rows[name]["touched"], why, flush=True)
    write("notes", {"policy": "health", "notes": rows})


main()
