"""`tacenda apply`: a plan, made before and perhaps reviewed, onto its document."""

from __future__ import annotations

from pathlib import Path

import click

from tacenda.cli.options import Reading, output_option, source_options
from tacenda.cli.write import atomic
from tacenda.errors import InputError, PlanError
from tacenda.sanitizer import apply
from tacenda.serialize import plan_from_json


@click.command("apply")
@click.argument("file", metavar="FILE|-")
@click.argument("plan", metavar="PLAN")
@source_options
@output_option("Where the text goes")
def command(
    file: str,
    plan: str,
    reading: Reading,
    output: str | None,
) -> None:
    """Apply a plan to its document; any other document is refused."""
    source = reading.open(file)
    try:
        text = Path(plan).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{plan}: the plan cannot be read ({type(error).__name__})") from None
    if source.format == "text":
        plans = iter([plan_from_json(text, where=plan)])
    else:
        lines = text.splitlines()
        plans = iter([plan_from_json(line, where=f"{plan}, line {n}") for n, line in enumerate(lines, 1)])
    pieces = [source.header()]
    for item in source.items():
        try:
            pieces.append(item.render([apply(d, next(plans)).text for d in item.documents]))
        except StopIteration:
            raise PlanError(f"{plan}: holds fewer plans than {file} has documents") from None
    if output is None:
        click.echo("".join(pieces), nl=False)
        return
    with atomic(Path(output)) as out:
        out.write("".join(pieces))
