"""`tacenda explain`: before, after, and the reason for every change. For those who may read the original."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from tacenda.batch import Recipe
from tacenda.cli.options import Input, chosen_policy, policy_options, read_text, source_options
from tacenda.cli.show import side_by_side
from tacenda.errors import PlanError
from tacenda.model import Document, Plan
from tacenda.plan.applying import spliced
from tacenda.serialize import plan_from_json
from tacenda.wording import is_inferred, note_in_words

if TYPE_CHECKING:
    from rich.table import Table


@click.command("explain")
@click.argument("file", metavar="FILE|-")
@partial(policy_options, required=False)
@source_options
@click.option("--plan", "plan_file", metavar="PLAN", help="Explain this plan instead of making one; needs no policy.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(recipe: Recipe, file: str, source: Input, plan_file: str | None, as_json: bool) -> None:
    """Show before, after, and the reason for every change.

    The output quotes the original: it is for those who may read it.
    """
    if not (plan_file or recipe.policy.name):
        chosen_policy((), ())
    plans = _plans(plan_file)
    sanitizer = recipe.sanitizer()
    for one in source.records(file)[1]:
        document = recipe.with_known(one.document)
        plan = next(plans, None) if plan_file else sanitizer.plan(document)
        if plan is None:
            raise PlanError(f"{plan_file}: contains fewer plans than {file} has documents")
        if as_json:
            click.echo(json.dumps(_as_json(document, plan), ensure_ascii=False))
        else:
            _print(document, plan, document.id)


def _plans(path: str | None) -> Iterator[Plan]:
    """Read the plan of a file, or the plans of a file of records, one a line."""
    if path is None:
        return
    text = read_text(path, "plan")
    lines = text.splitlines() if text.count('"tacenda_plan"') > 1 else [text]
    yield from (plan_from_json(line, where=path) for line in lines)


def _print(document: Document, plan: Plan, title: str) -> None:
    from rich.console import Console

    side_by_side(document, spliced(document, plan), title=title)
    console = Console()
    console.print(reasons_table(document, plan))
    for note in plan.notes:
        console.print(f"note: {note_in_words(note)}", markup=False)


def _as_json(document: Document, plan: Plan) -> dict[str, object]:
    rows = []
    for one in plan.explain(document):
        d = plan.decisions[one.number]
        rows.append(
            {"start": d.start, "end": d.end, "action": d.action, "replacement": d.replacement, "reason": one.why}
        )
    notes = [note_in_words(note) for note in plan.notes]
    return {"id": document.id, "text": spliced(document, plan).text, "decisions": rows, "notes": notes}


def reasons_table(document: Document, plan: Plan, *, most: int = 0) -> Table:
    """Return a table: what, what it becomes, why; `most` rows, or all."""
    from rich.markup import escape
    from rich.table import Table

    rows = list(plan.explain(document))
    if most:
        # What is inferred is more worth a look than names and numbers.
        rows.sort(key=lambda row: not is_inferred(plan, row.number))
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("was", style="red", max_width=28)
    table.add_column("becomes", style="green", max_width=28)
    table.add_column("because")
    for row in rows[: most or None]:
        table.add_row(escape(row.was), escape(row.becomes), escape(row.why))
    if most and len(rows) > most:
        table.add_row("...", "...", f"and {len(rows) - most} more")
    return table
