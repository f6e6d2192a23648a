"""`tacenda key`: the secret behind pseudonyms. Never in a policy."""

from __future__ import annotations

from pathlib import Path

import click


@click.group("key")
def command() -> None:
    """Make a secret key for pseudonyms."""


@command.command("new")
@click.option("-o", "--output", metavar="FILE", help="Write the key to this new file, readable by you alone.")
def new(output: str | None) -> None:
    """Make a new key; print it, or write it to a file.

    Give it to other commands with --key-file FILE or in the environment as TACENDA_KEY. The same key
    gives the same pseudonyms; without it nobody can tell which name stands behind one.
    """
    from tacenda.replace.keys import new_key, write_key

    key = new_key()
    if output is None:
        click.echo(key.encoded())
        return
    write_key(key, Path(output))
    click.echo(
        f"key written to {output}; keep it secret, and keep it: without it pseudonyms cannot be made again", err=True
    )
