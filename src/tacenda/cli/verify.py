"""`tacenda verify`: check a certificate against an output."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tacenda.certify.certificate import read_certificate
from tacenda.certify.verify import Verdict, verify
from tacenda.errors import GuaranteeError, InputError


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({type(error).__name__}).") from None


def _sentence(verdict: Verdict) -> str:
    """Say the verdict in words; all words named are words of the output."""
    about = f" about {verdict.entity}" if verdict.entity else ""
    words = f": {' + '.join(verdict.words[:12])}" if verdict.words else ""
    numbers = ""
    if verdict.status == "broken" and verdict.counts:
        joint, count = verdict.counts[:2]
        numbers = f" (of {count} windows that hold this, {joint} hold the entity)"
    if verdict.holds:
        return f"yes: {verdict.reason}; the claim holds relative to this index."
    return f"no, {verdict.status}{about}: {verdict.reason}{words}{numbers}."


@click.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option(
    "--index", "indexes", multiple=True, help="Index file; repeatable, as in the policy; default: the embedded one."
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def command(output: Path, certificate: Path, indexes: tuple[str, ...], as_json: bool) -> None:
    """Check a CERTIFICATE against an OUTPUT, trusting neither: yes, or what breaks it.

    Exit code 0 only if every word and group of the output was checked and nothing breaks the claim.
    """
    from tacenda.knowledge import open_index

    claimed = read_certificate(_read(certificate), str(certificate))
    verdict = verify(_read(output), claimed, open_index(*indexes))
    if as_json:
        click.echo(json.dumps(vars(verdict), ensure_ascii=False))
    else:
        click.echo(_sentence(verdict))
    if not verdict.holds:
        raise SystemExit(GuaranteeError.exit_code)
