"""`tacenda explain`: before, after, and the reason for every change. For those who may read the original."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacenda.cli.options import Reading, Recipe, policy_options, source_options
from tacenda.cli.show import side_by_side
from tacenda.errors import InputError
from tacenda.explain import explain
from tacenda.language import LABEL_WORDS, article
from tacenda.model import Decision, Document, Plan
from tacenda.sanitizer import apply
from tacenda.serialize import plan_from_json

if TYPE_CHECKING:
    from rich.table import Table

_WHY = {
    "known": "is known of the subject",
    "protected": "is a form of what is protected",
    "leak": "would have brought back what is protected",
    "rounds": "still told too much after all rounds, so it was suppressed",
    "allowed": "is on the allow-list and was kept although it is risky",
    "reviewer": "was decided by a reviewer",
    "group": "was kept: what tells something together with it was changed",
}


@click.command("explain")
@click.argument("file", metavar="FILE|-")
@policy_options
@source_options
@click.option("--plan", "plan_file", metavar="PLAN", help="Explain this plan instead of making one.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(
    recipe: Recipe,
    file: str,
    reading: Reading,
    plan_file: str | None,
    as_json: bool,
) -> None:
    """Show before, after, and the reason for every change.

    The output quotes the original: it is for those who may read it.
    """
    sanitizer = recipe.sanitizer()
    for item in reading.open(file).items():
        for document in item.documents:
            plan = _read_plan(plan_file) if plan_file else sanitizer.plan(recipe.with_known(document))
            if as_json:
                click.echo(json.dumps(_as_json(document, plan), ensure_ascii=False))
            else:
                _print(document, plan, item.where)


def _read_plan(path: str) -> Plan:
    try:
        return plan_from_json(Path(path).read_text("utf-8"), where=path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the plan cannot be read ({type(error).__name__})") from None


def _print(document: Document, plan: Plan, title: str) -> None:
    from rich.console import Console

    side_by_side(document, apply(document, plan), title=title)
    console = Console()
    console.print(reasons_table(document, plan))
    for note in plan.notes:
        console.print(f"note: {note}")


def _as_json(document: Document, plan: Plan) -> dict[str, object]:
    rows = [
        {"start": d.start, "end": d.end, "action": d.action, "replacement": d.replacement, "reason": reason}
        for d, reason in reasons(document, plan)
    ]
    return {"id": document.id, "text": apply(document, plan).text, "decisions": rows, "notes": list(plan.notes)}


def reasons(document: Document, plan: Plan) -> Iterator[tuple[Decision, str]]:
    """Yield every decision with the reason in words; one row for all mentions decided alike."""
    spans = [d.span for d in plan.decisions]
    seen: set[int] = set()
    for d in plan.decisions:
        if d.group in seen and d.group != -1:
            continue
        seen.add(d.group)
        quoted = document.text[d.start : d.end].replace("\n", " ")
        by_model = [plan.risks[r] for r in d.risks if plan.risks[r].unit not in ("match", "type")]
        told = [explain(risk, document, spans) for risk in sorted(by_model, key=lambda r: r.discloses == "unknown")]
        if any(plan.risks[r].unit == "type" for r in d.risks):
            # What kind of thing it is says enough; that the index does not know a name is no news.
            kind = LABEL_WORDS.get(d.label, d.label.lower().replace("_", " "))
            told = [t for t in told if "nothing vouches" not in t]
            told.insert(0, f"*{quoted}* is {article(kind)} {kind}: the policy hides these.")
        elif d.why in _WHY and not (d.why == "protected" and told):
            told = [f"*{quoted}* {_WHY[d.why]}.", *told]
        yield d, " ".join(dict.fromkeys(filter(None, told[:2])))


def reasons_table(document: Document, plan: Plan, *, most: int = 0) -> Table:
    """Return a table: what, what it becomes, why; `most` rows, or all."""
    from rich.markup import escape
    from rich.table import Table

    rows = list(reasons(document, plan))
    if most:
        # What is inferred is more worth a look than names and numbers.
        rows.sort(key=lambda row: "the policy hides these" in row[1] or "nothing vouches" in row[1])
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("was", style="red", max_width=28)
    table.add_column("becomes", style="green", max_width=28)
    table.add_column("because")
    for d, reason in rows[: most or None]:
        quoted = document.text[d.start : d.end].replace("\n", " ")
        becomes = d.replacement if d.changes else "(kept)"
        table.add_row(escape(quoted), escape(becomes), escape(reason))
    if most and len(rows) > most:
        table.add_row("...", "...", f"and {len(rows) - most} more")
    return table
