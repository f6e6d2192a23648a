"""`tacenda plausible`: generalize the sensitive terms of a text so that t originals are plausible."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from tacenda.errors import TacendaError

if TYPE_CHECKING:
    from tacenda.choose.plausibility.plausible_text import Plausible


@click.command(name="plausible")
@click.argument("text")
@click.option(
    "--sensitive", "-s", "terms", multiple=True, required=True, metavar="TERM", help="A sensitive term; repeat."
)
@click.option("-t", "threshold", type=int, default=10, show_default=True, help="Plausible originals wanted.")
@click.option("--uniform", is_flag=True, help="Treat all terms alike (uniform t-plausibility).")
@click.option("--alpha", type=float, default=0.5, show_default=True, help="Weight of the whole text in the cost.")
@click.option(
    "--taxonomy", "sources", multiple=True, metavar="NAME|FILE", help="Taxonomy to climb; default: all shipped."
)
@click.option(
    "--examples", type=click.IntRange(0, 100), default=5, show_default=True, help="Plausible originals shown."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    text: str,
    terms: tuple[str, ...],
    threshold: int,
    uniform: bool,
    alpha: float,
    sources: tuple[str, ...],
    examples: int,
    as_json: bool,
) -> None:
    """Generalize the sensitive terms of TEXT (or of standard input: -) so that at least T originals are plausible.

    Prints the result, |D| (how many originals are plausible), the entropies, and some of the originals.
    """
    from tacenda.choose.plausibility.plausible_text import plausible
    from tacenda.knowledge.taxonomy import open_taxonomy
    from tacenda.knowledge.taxonomy.leaves import leaves

    try:
        source = sys.stdin.read() if text == "-" else text
        taxonomy = open_taxonomy(*sources)
        found = plausible(source, terms, taxonomy, threshold, uniform=uniform, alpha=alpha)
    except TacendaError as error:
        click.echo(f"tacenda plausible: {error}", err=True)
        raise click.exceptions.Exit(error.exit_code) from error
    originals = found.examples(partial(leaves, taxonomy), examples)
    if as_json:
        click.echo(
            json.dumps(
                {**found.to_json(threshold, uniform=uniform), "examples": originals}, ensure_ascii=False, indent=2
            )
        )
    else:
        click.echo(_as_text(found, threshold, originals))


def _as_text(found: Plausible, threshold: int, originals: Sequence[str]) -> str:
    answer = found.answer
    lines = [found.text, "", f"|D| = {_number(answer.product)} plausible originals (t = {_number(threshold)})"]
    lines.append(
        f"H = {math.fsum(answer.entropies):.4f} bits (log2 t = {math.log2(threshold):.4f}), cost {answer.cost:.10g}"
    )
    lines.append("exact" if answer.exact else f"at most {100 * answer.gap:.4f} % from the best")
    for term, volume, entropy in zip(answer.terms, answer.volumes, answer.entropies, strict=True):
        concept = found.concepts[term]
        lines.append(f"  {term} -> {concept.name if concept else '(kept)'}: {volume} originals, {entropy:.4f} bits")
    if originals:
        lines += ["", "Some plausible originals:", *(f"  {text}" for text in originals)]
    return "\n".join(lines)


def _number(value: int) -> str:
    return f"{value:,}" if value < 10**15 else f"about 2^{math.log2(value):.2f}"
