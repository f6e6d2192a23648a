"""Sanitize the documents of this folder and show before, after and why. Run by `make demo`."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from tacenda import Reading, Sanitizer, combine_policies, load_policy
from tacenda.cli.explain import reasons_table
from tacenda.cli.options import Input
from tacenda.cli.show import side_by_side

HERE = Path(__file__).parent
POLICIES = {
    "clinic-letter.txt": ("identifiers", "health"),
    "court-paragraph.txt": ("court",),
    "biography.txt": ("person",),
    "email.txt": ("identifiers", "health"),
    "notes.jsonl": ("identifiers", "health"),
    "referral.docx": ("identifiers", "health"),
    "visits.xlsx": ("identifiers",),
    "message.eml": ("identifiers", "health"),
}


def main() -> None:
    """Show every example under the policies that fit it."""
    console = Console()
    for name, policies in POLICIES.items():
        sanitizer = Sanitizer(combine_policies([load_policy(p) for p in policies]))
        source = Input(Reading(known_field="patient")) if name.endswith("jsonl") else Input()
        for file in source.records(str(HERE / name))[1]:
            document = file.document
            result = sanitizer.sanitize(document)
            side_by_side(document, result, title=f"{document.id.split('/')[-1]} under {' + '.join(policies)}")
            console.print(reasons_table(document, result.plan, most=8))
    console.print("Guarantees hold relative to the knowledge that comes with Tacenda; see README.md.")


if __name__ == "__main__":
    main()
