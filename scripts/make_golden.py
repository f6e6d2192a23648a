"""Rebuild tests/data/golden: the plans and texts of the examples. Review the difference before committing it."""

from __future__ import annotations

import sys
from pathlib import Path

from tacenda import Document, Sanitizer, combine_policies, load_policy, plan_to_json

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "golden"
CASES = {
    "clinic-letter.txt": ("identifiers", "health"),
    "court-paragraph.txt": ("court",),
    "biography.txt": ("person",),
    "email.txt": ("identifiers", "health"),
}


def golden(name: str) -> tuple[str, str]:
    """Return the plan and the sanitized text of an example."""
    sanitizer = Sanitizer(combine_policies([load_policy(p) for p in CASES[name]]))
    document = Document((ROOT / "examples" / name).read_text("utf-8"), name)
    result = sanitizer.sanitize(document)
    return plan_to_json(result.plan) + "\n", result.text


def main() -> None:
    """Write all golden files."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        plan, text = golden(name)
        (GOLDEN / f"{Path(name).stem}.plan.json").write_text(plan, "utf-8")
        (GOLDEN / name).write_text(text, "utf-8")
        sys.stdout.write(f"wrote {name}\n")


if __name__ == "__main__":
    main()
