"""`tacenda apply`: a plan, made before and perhaps reviewed, onto its document."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import click

from tacenda import formats
from tacenda.batch import Recipe
from tacenda.cli.options import Input, output_option, policy_of, policy_options, put, read_text, source_options
from tacenda.errors import PlanError, UsageError
from tacenda.model import Case
from tacenda.protocols import RecordFormat, TableFormat
from tacenda.serialize import plan_from_json


@click.command("apply")
@click.argument("file", metavar="FILE|-")
@click.argument("plan", metavar="PLAN")
@partial(policy_options, required=False)
@source_options
@output_option("Where the text goes")
def command(recipe: Recipe, file: str, plan: str, source: Input, output: str | None) -> None:
    """Apply a plan to its document; any other document is refused.

    What was written is read again and searched for known and protected forms before it leaves, so the policy (if it
    is not a shipped one) and the known identifiers must be those the plan was made with.
    """
    text = read_text(plan, "plan")
    found, files = source.records(file)
    if isinstance(found, TableFormat) and source.per_case in ("", "record"):
        raise UsageError(f"{file}: a table of columns is sanitized as a whole, with 'tacenda sanitize'")
    if output:
        formats.check_output(found.name, output)
    lines = text.splitlines() if isinstance(found, RecordFormat) and source.per_case in ("", "record") else [text]
    names = [plan] if len(lines) == 1 else [f"{plan}, line {n}" for n in range(1, len(lines) + 1)]
    plans = [plan_from_json(line, where=name) for line, name in zip(lines, names, strict=True)]
    if not recipe.policy.name and plans:
        recipe = replace(recipe, policy=policy_of(plans[0]))
    sanitizer, pieces = recipe.sanitizer(), []
    head = source.head(file, found)
    if head:
        pieces += sanitizer.write(head, sanitizer.plan(head.document))
    left = iter(plans)
    for one in files:
        own = next(left, None)
        if own is None:
            raise PlanError(f"{plan}: contains fewer plans than {file} has documents")
        case = Case((recipe.with_known(one.document),))
        pieces += sanitizer.write(one, own, case=case)
    put(b"".join(pieces), output)
