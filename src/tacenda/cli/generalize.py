"""`tacenda generalize TERM`: the ladder above a term."""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command(name="generalize")
@click.argument("term")
@click.option("--context", default="", help="Words around the term, to choose its sense, or the country it belongs to.")
@click.option(
    "--taxonomy",
    "sources",
    multiple=True,
    help="A taxonomy to climb: a name (wordnet, diseases, groups, places, occupations), or a .csv, .obo or RF2 path. "
    "Several in order of preference; default: all that come with Tacenda.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(term: str, context: str, sources: tuple[str, ...], as_json: bool) -> None:
    """Show the ladder above TERM: each rung with its bits and its volume, and the sense chosen.

    \b
    bits     information of a rung: the fewer, the less it reveals
    volume   how many different things it may stand for
    """
    from tacenda.knowledge.taxonomy import open_taxonomy

    taxonomy = open_taxonomy(*sources)
    rungs = taxonomy.generalizations(term, context.split())
    sense = taxonomy.sense(term, context.split()) if not taxonomy.is_computed(term) else None
    if as_json:
        answer = {"term": term, "sense": asdict(sense) if sense else None, "rungs": [asdict(rung) for rung in rungs]}
        click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
    elif not rungs:
        click.echo(f"No taxonomy contains this term ({', '.join(graph.name for graph in taxonomy.graphs)}).")
    else:
        if sense:
            more = f"; {sense.others} other sense{'s' if sense.others > 1 else ''}" if sense.others else ""
            click.echo(f"{sense.name}, {sense.taxonomy}:{sense.id} ({sense.why}{more})")
        width = max(len(rung.name) for rung in rungs)
        click.echo(f"{'':>4}  {'rung':<{width}}  {'bits':>6}  {'volume':>13}  taxonomy")
        for rung in rungs:
            row = f"{rung.distance:>4}  {rung.name:<{width}}  {rung.bits:>6.2f}  {rung.volume:>13,}  {rung.taxonomy}"
            click.echo(row)
    if not rungs:
        raise SystemExit(1)
