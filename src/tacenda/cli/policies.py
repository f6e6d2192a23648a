"""`tacenda policies`: what comes with the product, to use or to copy from."""

from __future__ import annotations

import json

import click

from tacenda import policy as policies

_OF_PAPERS = frozenset({"similarity"})  # kept to repeat a paper (004); `person` hides more and keeps more


@click.command("policies")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the policies that come with Tacenda, or print one as TOML to copy from."""
    if name:
        text = policies.shipped_text(name)
        click.echo(
            json.dumps(policies.to_dict(policies.load(name)), ensure_ascii=False) if as_json else text, nl=as_json
        )
        return
    described = {n: policies.load(n).description for n in policies.shipped() if n not in _OF_PAPERS}
    if as_json:
        click.echo(json.dumps(described, ensure_ascii=False))
        return
    width = max(map(len, described))
    for policy, description in described.items():
        click.echo(f"{click.style(policy.ljust(width), bold=True)}  {description}")
