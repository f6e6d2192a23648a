"""`tacenda verify`: check a certificate against an output, under the recipient's own policy."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tacenda import formats
from tacenda.certify.certificate import Verdict
from tacenda.claims import verify
from tacenda.cli.options import chosen_policy
from tacenda.errors import GuaranteeError, InputError, UsageError
from tacenda.protocols import RecordFormat


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}).") from None


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: cannot be read as UTF-8 text.") from None


def _output(path: Path) -> str:
    """Return the text of an output as its format shows it."""
    if not path.exists():
        return _text(path)
    kind = formats.format_of(path) if path.suffix.lower() in formats.suffixes() else None
    if kind is None or kind.name == "text" or isinstance(kind, RecordFormat):
        return _text(path)
    return formats.read(path).text


def _sentence(verdict: Verdict) -> str:
    """Say the verdict in words; all words named are words of the output."""
    if verdict.holds:
        return "\n".join((f"yes: {verdict.reason}. This is what holds, and what it does not cover:", *verdict.lines))
    about = f" about {verdict.entity}" if verdict.entity else ""
    words = f": {' + '.join(verdict.words[:12])}" if verdict.words else ""
    numbers = ""
    if verdict.status == "broken" and verdict.counts:
        joint, count = verdict.counts[:2]
        numbers = f" (of {count} windows that hold this, {joint} hold the entity)"
    return f"no, {verdict.status}{about}: {verdict.reason}{words}{numbers}."


@click.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option("-p", "--policy", metavar="NAME", multiple=True, help="What must hold: policy or .toml file; repeatable.")
@click.option("--protect", metavar="TERM", multiple=True, help="This must be protected too; may be repeated.")
@click.option(
    "--index",
    "indexes",
    multiple=True,
    help="Index file; repeatable (default: as in the policy, or the embedded one).",
)
@click.option("--public-key", type=click.Path(path_type=Path), help="Ed25519 key (PEM) of the issuer you trust.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def command(
    output: Path,
    certificate: Path,
    policy: tuple[str, ...],
    protect: tuple[str, ...],
    indexes: tuple[str, ...],
    public_key: Path | None,
    as_json: bool,
) -> None:
    """Check that an OUTPUT complies with your policy, and that its CERTIFICATE says so: yes, or what breaks it.

    What must hold (entities, names, limits, rule of evidence, counts) comes from your policy and your index, never from
    the certificate, which is refused if it claims anything else. Exit code 0 only if every word and group of the output
    was checked and nothing breaks the claim.
    """
    if not (policy or protect):
        raise UsageError("say what must hold: --policy NAME, the policy you ask this output to keep.")
    key = _bytes(public_key) if public_key else None
    claimed = _text(certificate)
    verdict = verify(_output(output), claimed, chosen_policy(policy, protect), indexes=indexes, public_key=key)
    if as_json:
        click.echo(json.dumps(vars(verdict), ensure_ascii=False))
    else:
        click.echo(_sentence(verdict))
    if not verdict.holds:
        raise SystemExit(GuaranteeError.exit_code)
