"""`tacenda serve`: REST, Presidio's routes and the review page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacenda.cli.options import chosen_policy, read_key
from tacenda.errors import UsageError


@click.command("serve")
@click.option(
    "-p", "--policy", "policy", metavar="NAME", multiple=True, help="Shipped policy or .toml file; repeatable."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port to listen on.")
@click.option("--token-file", type=click.Path(path_type=Path), help='Who may connect: lines "NAME TOKEN" (mode 0600).')
@click.option("--work", type=click.Path(path_type=Path), help="Folder for cases under review and the audit trail.")
@click.option("--cases", type=click.Path(path_type=Path), help="Folder whose files and folders become cases.")
@click.option("--codes", multiple=True, metavar="NAME", help="Pack of exemption codes or .toml file; repeatable.")
@click.option("--key-file", metavar="FILE", help="Secret key for pseudonyms and the audit trail (or TACENDA_KEY).")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Number of processes.")
@click.option("--max-size", type=click.IntRange(1), default=64, show_default=True, help="Largest upload, in MB.")
@click.option("--seconds", type=click.FloatRange(1), default=120, show_default=True, help="Longest time for one task.")
@click.option("--upload-seconds", type=click.FloatRange(0.1), default=60, help="Longest time for an upload.")
@click.option(
    "--rate", type=click.FloatRange(0.1), default=50, show_default=True, help="Requests per second, for each person."
)
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="Host name under which a proxy forwards requests."
)
@click.option("--open-presidio", is_flag=True, help="Require no token on Presidio's routes (loopback only).")
@click.option("--certified", is_flag=True, help="Hide what the index cannot judge: releases carry a certificate.")
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate (PEM) to serve HTTPS with.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its private key (PEM).")
@click.option("--force-language", is_flag=True, help="Sanitize even if a text does not look like English.")
def command(
    policy: tuple[str, ...],
    host: str,
    port: int,
    token_file: Path | None,
    key_file: str | None,
    max_size: int,
    tls_cert: Path | None,
    tls_key: Path | None,
    **others: Any,
) -> None:
    """Serve REST, Presidio's routes and the review page.

    Listens on this machine only and prints the address of the review page with its token. Any other address needs
    --token-file.
    """
    try:
        from tacenda.service.run import serve
    except ImportError:
        raise UsageError("the server needs the extra tacenda[serve]: pip install 'tacenda[serve]'") from None
    from tacenda.service.settings import Person, Settings, is_loopback, new_token, read_people

    names = policy or ("identifiers",)
    chosen_policy(names, ())  # says now, not at the first request, what is wrong with it
    _check_files(others["cases"], tls_cert, tls_key)
    if not is_loopback(host):
        _check_open(token_file, tls_cert, presidio=others["open_presidio"])
    people = read_people(token_file) if token_file else (Person("reviewer", new_token(others["work"])),)
    if not others["codes"]:
        del others["codes"]  # the usual packs
    settings = Settings(
        policies=names,
        warm=True,
        people=people,
        host=host,
        port=port,
        key=read_key(key_file),
        size=max_size * 1024**2,
        **others,
    )
    shown = None if token_file else people[0].token
    serve(settings, echo=click.echo, token=shown, certificate=tls_cert, private_key=tls_key)


def _check_files(cases: Path | None, tls_cert: Path | None, tls_key: Path | None) -> None:
    """Check that what the options name is there."""
    if (tls_cert is None) != (tls_key is None):
        raise UsageError("--tls-cert and --tls-key go together")
    if cases is not None and not cases.is_dir():
        raise UsageError(f"--cases {cases.name}: there is no such folder")


def _check_open(token_file: Path | None, tls_cert: Path | None, *, presidio: bool) -> None:
    """Check what an address needs that others can reach."""
    if token_file is None:
        raise UsageError("an address that others can reach needs --token-file: a file with lines NAME TOKEN")
    if presidio:
        raise UsageError("--open-presidio works on loopback only: others would need no token")
    if tls_cert is None:
        click.echo("warning: no TLS: tokens and documents travel in the clear. Put a TLS proxy in front.", err=True)
