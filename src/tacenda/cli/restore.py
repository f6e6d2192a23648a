"""`tacenda restore`: undo the replacements of a text, with its vault and the key."""

from __future__ import annotations

from pathlib import Path

import click

from tacenda.batch import atomic
from tacenda.cli.options import output_option
from tacenda.errors import InputError
from tacenda.replace.keys import load_key
from tacenda.replace.vault import restore


@click.command("restore")
@click.argument("file", metavar="FILE")
@click.argument("vault", metavar="VAULT")
@click.option("--key-file", metavar="FILE", help="The key it was sealed with (or TACENDA_KEY in the environment).")
@output_option("Where the original goes")
def command(file: str, vault: str, key_file: str | None, output: str | None) -> None:
    """Give back the original of a sanitized text, from its vault and the key.

    Only for outputs of a policy that says reversible = true, written with --vault. Another text, another key or a
    changed vault is refused.
    """
    key = load_key(Path(key_file) if key_file else None)
    try:
        text, sealed = Path(file).read_bytes().decode("utf-8"), Path(vault).read_bytes()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} or {vault}: cannot be read ({type(error).__name__})") from None
    original = restore(text, sealed, key)
    if output is None:
        click.echo(original, nl=False)
        return
    with atomic(Path(output)) as out:
        out.write(original)
