"""`tacenda audit`: check an audit trail, or make a table of it."""

from __future__ import annotations

from pathlib import Path

import click

from tacenda import codes
from tacenda.audit import FORMS, check, export, read
from tacenda.cli.options import read_key
from tacenda.errors import GuaranteeError


@click.group("audit")
def command() -> None:
    """Check an audit trail, or export it."""


@command.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--key-file", metavar="FILE", help="The key the trail was written with (or TACENDA_KEY).")
@click.option("--head", "heads", multiple=True, metavar="HASH", help="A hash that a report kept of this trail.")
def verify_command(file: Path, key_file: str | None, heads: tuple[str, ...]) -> None:
    """Find and name lines that were changed, dropped, swapped or cut off (exit code 7)."""
    verdict = check(file, read_key(key_file), heads=heads)
    if not verdict.holds:
        count = len(verdict.faults)
        listed = "\n".join(f"  {fault.kind}: {fault.text}" for fault in verdict.faults)
        raise GuaranteeError(f"{file.name}: {count} fault{'s' if count > 1 else ''} in the audit trail\n{listed}")
    how = "" if verdict.keyed else " (no key given: that every line was written with it was not checked)"
    click.echo(f"yes: {verdict.entries} entries, none changed, dropped, swapped or cut off{how}; head {verdict.head}")


@command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "form", type=click.Choice(list(FORMS)), default="csv", show_default=True, help="What to make.")
@click.option("--codes", "packs", multiple=True, metavar="NAME", help="Pack of exemption codes (default: all shipped).")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write it (default: standard output).")
def export_command(file: Path, form: str, packs: tuple[str, ...], output: Path | None) -> None:
    """Write a trail as a table, as a page, or as a Vaughn index of what releases withheld."""
    loaded = [codes.load(name) for name in packs or codes.shipped()]

    def explained(id_: str) -> str:
        code = codes.find(id_, loaded)
        return f"{code.shown} {code.title}. {code.text}".strip() if code else id_

    text = export(read(file), form, explain=explained)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, "utf-8")
