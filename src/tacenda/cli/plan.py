"""`tacenda plan`: what would be done, and why, as JSON."""

from __future__ import annotations

from pathlib import Path

import click

from tacenda.cli.options import Reading, Recipe, output_option, policy_options, source_options
from tacenda.cli.run import Runner
from tacenda.cli.write import atomic
from tacenda.serialize import plan_to_json


@click.command("plan")
@click.argument("file", metavar="FILE|-")
@policy_options
@source_options
@output_option("Where the plan goes")
def command(
    recipe: Recipe,
    file: str,
    reading: Reading,
    output: str | None,
) -> None:
    """Write down what would be done to a document, and why.

    A plan holds offsets, decisions and reasons, never the text; keep it confidential all the same,
    since reasons can disclose. For JSONL and CSV one plan a line is written, in the order of records.
    """
    source = reading.open(file)
    with Runner(recipe) as runner:
        plans = [plan_to_json(r.plan) for _, results in runner.run(source.items()) for r in results]
    text = plans[0] if source.format == "text" else "\n".join(p.replace("\n", "") for p in plans)
    if output is None:
        click.echo(text)
        return
    with atomic(Path(output)) as out:
        out.write(text + "\n")
