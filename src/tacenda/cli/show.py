"""What people look at: progress, tables, before and after with colors. Goes to standard error or the screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tacenda.model import Document, Plan, Sanitized

if TYPE_CHECKING:
    from rich.text import Text

    from tacenda.batch import Tally

_STYLE = {"suppress": "red", "label": "yellow", "generalize": "green", "pseudonym": "cyan", "date": "magenta"}


class Progress:
    """A progress bar on standard error; silent when quiet or when nobody is looking."""

    def __init__(self, quiet: bool, what: str, total: int | None = None) -> None:
        self._bar: Any = None
        if quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(what if total else "sanitizing", total=total)
        self._total = total

    def __enter__(self) -> Progress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def step(self) -> None:
        """One file is done."""
        if self._bar:
            self._bar.advance(self._task)

    def note(self, records: int) -> None:
        """So many records of the file are done."""
        if self._bar and self._total is None:
            self._bar.update(self._task, completed=records)


def tally_table(tally: Tally, failed: int, skipped: int) -> None:
    """Print what a run did as a small table on standard error."""
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=True)
    table = Table(title=f"{tally.documents} document(s), {tally.words:,} words", title_justify="left")
    for column in ("what", "how", "times"):
        table.add_column(column, justify="right" if column == "times" else "left")
    for (label, action), count in sorted(tally.changed.items(), key=lambda kv: -kv[1]):
        table.add_row(label, f"[{_STYLE.get(action, 'white')}]{action}[/]", str(count))
    console.print(table if tally.changed else "nothing had to be changed")
    show_notes(tally)
    if skipped:
        console.print(f"{skipped} file(s) of other kinds were left alone")
    if failed:
        console.print(f"[red]{failed} file(s) or record(s) failed; nothing was written for them[/]")


def show_notes(tally: Tally, *, only_missing: bool = False) -> None:
    """Print the notes of a run on standard error: those that say a guarantee is missing, or all."""
    for note, count in sorted((tally.missing if only_missing else tally.missing + tally.notes).items()):
        click.echo(f"note: {note}" + (f" ({count} documents)" if count > 1 else ""), err=True)


def before(document: Document, plan: Plan) -> Text:
    """Return the original with what changes marked."""
    from rich.text import Text

    text = Text(document.text)
    for d in plan.changes:
        text.stylize(f"bold {_STYLE.get(d.action, 'white')}", d.start, d.end)
    return text


def after(result: Sanitized) -> Text:
    """Return the sanitized text with what changed marked."""
    from rich.text import Text

    text = Text(result.text)
    by_start = {d.start: d for d in result.plan.changes}
    for source, _, start, end in result.offsets:
        if source in by_start:
            text.stylize(f"bold {_STYLE.get(by_start[source].action, 'white')}", start, end)
    return text


def side_by_side(document: Document, result: Sanitized, *, title: str = "") -> None:
    """Print before and after next to each other, or one under the other on a narrow screen."""
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table

    console = Console()
    panels = (Panel(before(document, result.plan), title="before"), Panel(after(result), title="after"))
    if title:
        console.rule(title)
    if console.width < 100:
        for panel in panels:
            console.print(panel)
        return
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(*panels)
    console.print(grid)
