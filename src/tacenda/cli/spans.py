"""`tacenda spans`: what was found and what stands in its place, in the form evaluation tools read."""

from __future__ import annotations

import json
from dataclasses import replace

import click

from tacenda.batch import Recipe
from tacenda.cli.options import Input, output_option, policy_options, put
from tacenda.errors import InputError, TacendaError
from tacenda.model import Reading


@click.command("spans")
@click.argument("file", metavar="FILE.jsonl")
@policy_options
@click.option("--field", default="text", show_default=True, metavar="NAME", help="Field with the text.")
@click.option("--id-field", default="id", show_default=True, metavar="NAME", help="Field with the record's id.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Number of processes.")
@output_option("Where the JSON goes")
def command(recipe: Recipe, file: str, field: str, id_field: str, jobs: int, output: str | None) -> None:
    """Write the spans found in a JSONL file as {id: [[start, end, label, replacement], ...]}."""
    reading = Reading(fields=(field,), case_field=id_field)
    documents = [recipe.with_known(one.document) for one in Input(reading, "jsonl").records(file)[1]]
    numbers = [document.case for document in documents]
    for document in documents:
        if numbers.count(document.case) > 1:
            raise InputError(f"{document.id}: the id in field '{id_field}' occurs twice; ids must differ")
    # Only the text itself is of interest here, not the name of its field.
    bare = [replace(d, text=d.text[: d.parts[0].end], parts=()) for d in documents]
    spans: dict[str, list[list[object]]] = {}
    for document, result in zip(documents, recipe.sanitizer().pipe(bare, jobs=jobs), strict=True):
        assert not isinstance(result, TacendaError)
        spans[document.case] = [[d.start, d.end, d.label, d.replacement] for d in result.plan.changes]
    put(json.dumps(spans, ensure_ascii=False) + "\n", output)
