"""`tacenda verify`: check a certificate against an output, under the recipient's own policy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from tacenda import formats
from tacenda.certify.certificate import Verdict
from tacenda.claims import StillRead, still_read, verify
from tacenda.cli.options import chosen_policy
from tacenda.errors import GuaranteeError, InputError, UsageError
from tacenda.protocols import RecordFormat

_MOST_NOTES = 10


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


def _readings(notes: Sequence[StillRead] | None) -> str:
    """Say what a reader may still conclude, as a note."""
    if notes is None:
        return ""
    told = "".join(
        f"note: the model still reads {note.entity} at {note.probability:.2f} in sentence {note.sentence}.\n"
        for note in notes[:_MOST_NOTES]
    )
    more = f"note: and {len(notes) - _MOST_NOTES} further readings.\n" if len(notes) > _MOST_NOTES else ""
    none = "" if notes else "note: the model reads none of the protected entities in any sentence.\n"
    return f"{told}{more}{none}note: a reading is a trained model's judgment, and no part of what is certified.\n"


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
@click.option("--read", is_flag=True, help="Also let the model 'meaning' read the output; a note, never a proof.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def command(
    output: Path,
    certificate: Path,
    policy: tuple[str, ...],
    protect: tuple[str, ...],
    indexes: tuple[str, ...],
    public_key: Path | None,
    read: bool,
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
    asked, text = chosen_policy(policy, protect), _output(output)
    verdict = verify(text, claimed, asked, indexes=indexes, public_key=key)
    notes = still_read(text, asked) if read else None
    if as_json:
        said = vars(verdict) if notes is None else {**vars(verdict), "still_read": [vars(note) for note in notes]}
        click.echo(json.dumps(said, ensure_ascii=False))
    else:
        click.echo(_sentence(verdict))
        click.echo(_readings(notes), nl=False)
    if not verdict.holds:
        raise SystemExit(GuaranteeError.exit_code)
