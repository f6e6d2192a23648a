"""Options and steps that the commands of `tacenda measure` share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table as RichTable

from tacenda.errors import UsageError
from tacenda.measures import report
from tacenda.measures.gold import GoldDocument, Masks, read_masks
from tacenda.measures.report import Section

if TYPE_CHECKING:
    pass

PATH = click.Path(path_type=Path, dir_okay=True)
FILE = click.Path(path_type=Path, dir_okay=False)


def outputs(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every measurement has."""
    function = click.option("--json", "json_path", type=FILE, help="Write the numbers as JSON ('-': print them).")(
        function
    )
    return click.option("-o", "--output", type=FILE, help="Write a self-contained HTML page.")(function)


def finish(
    kind: str, title: str, found: Sequence[Section], result: dict[str, Any], output: Path | None, json_path: Path | None
) -> None:
    """Print the tables, and write the page and the JSON where asked."""
    command = report.command_line(sys.argv[1:])
    text = json.dumps(report.envelope(kind, result, command=command), indent=1, sort_keys=True) + "\n"
    if output:
        output.write_text(report.page(title, found, command=command), encoding="utf-8")
    if json_path and str(json_path) == "-":
        click.echo(text, nl=False)
        return
    if json_path:
        json_path.write_text(text, encoding="utf-8")
    console = Console(highlight=False)
    for section in found:
        console.print(f"[bold]{section.title}[/bold]")
        for name, value in section.figures:
            console.print(f"  {name}: {report.shown(value)}")
        for table in section.tables:
            drawn = RichTable(*table.columns, box=None, padding=(0, 2, 0, 0))
            for row in table.rows:
                drawn.add_row(*(report.shown(cell) for cell in row))
            console.print(drawn)


def named(values: Sequence[str], what: str) -> dict[str, Path]:
    """Read NAME=PATH or PATH, whose name is then the file's."""
    found: dict[str, Path] = {}
    for value in values:
        name, sign, path = value.partition("=")
        held = Path(path if sign else value)
        name = name if sign else held.stem
        if name in found:
            raise UsageError(f"two {what} are named '{name}'; write NAME=PATH to tell them apart")
        found[name] = held
    return found


def read_all_masks(values: Sequence[str], documents: Sequence[GoldDocument]) -> dict[str, Masks]:
    """Read the masks of each tool."""
    return {name: read_masks(path, documents) for name, path in named(values, "tools").items()}


GOLD = click.option("--gold", required=True, type=FILE, help="What people marked: TAB JSON, or JSONL with spans.")
MASKS = click.option(
    "--masks",
    required=True,
    multiple=True,
    metavar="[NAME=]PATH",
    help="What a tool masked: {id: [[start, end, label, replacement], ...]}, JSONL, a plan, or a folder of plans.",
)
REFERENCE = click.option(
    "--reference",
    type=FILE,
    help="JSONL with texts in which to count words (default: the embedded index).",
)


CLUSTERS = click.option(
    "--clusters", type=click.IntRange(2), help="Also compare clusters of the texts before and after."
)
CLASSES = click.option(
    "--classes", type=FILE, help="JSONL with id and class: also compare what a plain classifier says before and after."
)


ENCODER = click.option(
    "--encoder", is_flag=True, help="Add Tacenda's encoder as an attacker (slow: it reads the whole background)."
)
SHARES = click.option(
    "--share", "shares", multiple=True, type=click.FloatRange(0, 100, min_open=True), help="Background in %."
)
SEED = click.option("--seed", type=int, default=0, show_default=True, help="Which part of the background is known.")
