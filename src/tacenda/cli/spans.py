"""`tacenda spans`: what was found and what stands in its place, in the form evaluation tools read."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tacenda.cli.options import Recipe, output_option, policy_options
from tacenda.cli.run import Runner
from tacenda.cli.write import atomic
from tacenda.errors import InputError
from tacenda.read import open_file


@click.command("spans")
@click.argument("file", metavar="FILE.jsonl")
@policy_options
@click.option("--field", default="text", show_default=True, metavar="NAME", help="Field with the text.")
@click.option("--id-field", default="id", show_default=True, metavar="NAME", help="Field with the record's id.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to work in.")
@output_option("Where the JSON goes")
def command(recipe: Recipe, file: str, field: str, id_field: str, jobs: int, output: str | None) -> None:
    """Write the spans found in a JSONL file as {id: [[start, end, label, replacement], ...]}."""
    source = open_file(file, format="jsonl", fields=(field,), keep=(id_field,))
    spans: dict[str, list[list[object]]] = {}
    with Runner(recipe, jobs) as runner:
        for item, results in runner.run(source.items()):
            number = str(json.loads(item.render([""] * len(item.documents)))[id_field])
            if number in spans:
                raise InputError(f"{item.where}: the id in field '{id_field}' occurs twice; ids must differ")
            changes = [d for r in results for d in r.plan.changes]
            spans[number] = [[d.start, d.end, d.label, d.replacement] for d in changes]
    text = json.dumps(spans, ensure_ascii=False)
    if output is None:
        click.echo(text)
        return
    with atomic(Path(output)) as out:
        out.write(text + "\n")
