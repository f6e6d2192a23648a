"""Rebuild tests/data/golden: the plans and texts of the examples. Review the difference before committing it.

The plans rest on recorded annotations, so that they are the same on every processor; `--record` makes these anew with
the encoder of this machine, which is needed only when the encoder or an example changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tacenda import Document, Sanitizer, plan_to_json
from tacenda.annotate.encoder import Encoder
from tacenda.testing.recorded import Recorded, record

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "golden"
CASES = {
    "clinic-letter.txt": ("identifiers", "health"),
    "court-paragraph.txt": ("court",),
    "biography.txt": ("person",),
    "email.txt": ("identifiers", "health"),
}


def document(name: str) -> Document:
    """Return an example."""
    return Document((ROOT / "examples" / name).read_text("utf-8"), name)


def recorded(name: str) -> Path:
    """Return where the annotation of an example lies."""
    return GOLDEN / f"{Path(name).stem}.annotation.json"


def golden(name: str) -> tuple[str, str]:
    """Return the plan and the sanitized text of an example, from its recorded annotation."""
    result = Sanitizer(CASES[name], annotators=[Recorded(recorded(name))]).sanitize(document(name))
    return plan_to_json(result.plan) + "\n", result.text


def main() -> None:
    """Write all golden files."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    encoder = Encoder()
    for name in CASES:
        if "--record" in sys.argv[1:] or not recorded(name).exists():
            found = encoder.annotate(document(name))
            made = record(document(name), found, annotator=encoder.name, model=encoder.digest)
            recorded(name).write_text(made, "utf-8")
        plan, text = golden(name)
        (GOLDEN / f"{Path(name).stem}.plan.json").write_text(plan, "utf-8")
        (GOLDEN / name).write_text(text, "utf-8")
        sys.stdout.write(f"wrote {name}\n")


if __name__ == "__main__":
    main()
