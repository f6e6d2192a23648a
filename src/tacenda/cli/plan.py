"""`tacenda plan`: what would be done, and why, as JSON."""

from __future__ import annotations

import click

from tacenda.batch import Recipe
from tacenda.cli.options import Input, output_option, policy_options, put, source_options
from tacenda.protocols import RecordFormat
from tacenda.serialize import plan_to_json


@click.command("plan")
@click.argument("file", metavar="FILE|-")
@policy_options
@source_options
@output_option("Where the plan goes")
def command(recipe: Recipe, file: str, source: Input, output: str | None) -> None:
    """Write down what would be done to a document, and why.

    A plan holds offsets, decisions and reasons, never the text. Keep it confidential all the same:
    reasons can disclose. For JSONL, CSV and TSV one plan a line is written, in the order of records.
    """
    found, files = source.records(file)
    sanitizer = recipe.sanitizer()
    plans = [plan_to_json(sanitizer.plan(recipe.with_known(one.document))) for one in files]
    by_line = isinstance(found, RecordFormat) and source.per_case in ("", "record")
    put(("\n".join(p.replace("\n", "") for p in plans) if by_line else plans[0]) + "\n", output)
