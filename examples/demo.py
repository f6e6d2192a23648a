"""Sanitize the documents of this folder and show before, after and why. Run by `make demo`.

The PDF is written to out/demo, with a picture of its page before and after.
"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from tacenda import Reading, Sanitizer, combine_policies, load_policy
from tacenda.cli.explain import reasons_table
from tacenda.cli.options import Input
from tacenda.cli.show import side_by_side
from tacenda.formats import File
from tacenda.formats.pdf import render
from tacenda.model import Plan

HERE = Path(__file__).parent
OUTPUT = HERE.parent / "out" / "demo"
POLICIES = {
    "clinic-letter.txt": ("identifiers", "health"),
    "court-paragraph.txt": ("court",),
    "biography.txt": ("person",),
    "email.txt": ("identifiers", "health"),
    "notes.jsonl": ("identifiers", "health"),
    "referral.docx": ("identifiers", "health"),
    "visits.xlsx": ("identifiers",),
    "message.eml": ("identifiers", "health"),
    "discharge.pdf": ("identifiers",),
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
            if name.endswith(".pdf"):
                console.print(f"Before and after, as pictures: {draw(HERE / name, file, sanitizer, result.plan)}")
    console.print("Guarantees hold relative to the knowledge that comes with Tacenda; see README.md.")


def draw(path: Path, file: File, sanitizer: Sanitizer, plan: Plan) -> str:
    """Write the sanitized PDF, and its first page before and after as pictures; return where they are."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    (clean,) = sanitizer.write(file, plan)
    (OUTPUT / path.name).write_bytes(clean)
    for moment, data in (("before", path.read_bytes()), ("after", clean)):
        (OUTPUT / f"{path.stem}-{moment}.png").write_bytes(render(data, 1))
    return ", ".join(str(p.relative_to(HERE.parent)) for p in sorted(OUTPUT.glob(f"{path.stem}-*.png"), reverse=True))


if __name__ == "__main__":
    main()
