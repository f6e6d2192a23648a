"""`tacenda reproduce`: run a paper's experiments on the data given and write its tables and figures."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import click

from tacenda.errors import UsageError
from tacenda.measures import report

EXPERIMENTS = ("000", "001", "002", "003", "004")
_CHECKOUT = Path(__file__).parents[3]


@click.command()
@click.argument("paper", metavar="PAPER")
@click.option("--data", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder with the data.")
@click.option(
    "--index", type=click.Path(path_type=Path, dir_okay=False), help="Index built without the documents reported on."
)
@click.option(
    "--vectors", type=click.Path(path_type=Path, dir_okay=False), help="Vectors trained without them (paper 004)."
)
@click.option(
    "--words", type=click.Path(path_type=Path, dir_okay=False), help="The same, trained on single words (paper 004)."
)
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to.")
def command(paper: str, output: Path | None, **given: Any) -> None:
    """Run the experiments of a paper (000 to 004) beside the paper's own figures, errata listed."""
    if paper not in EXPERIMENTS:
        raise UsageError(f"no experiments for paper '{paper}'. Available: {', '.join(EXPERIMENTS)}")
    if not (_CHECKOUT / "papers" / "source.py").exists():
        raise UsageError("the reproductions are not part of the installed package: run this in a checkout of Tacenda")
    sys.path.insert(0, str(_CHECKOUT))
    source, pages = (importlib.import_module(f"papers.{name}") for name in ("source", "pages"))
    folder = output or Path("out") / "papers"
    pages.write(paper, source.Given(**given), folder, command=report.command_line(sys.argv[1:]))
    click.echo(f"paper {paper}: {folder / f'{paper}.html'}, .md, .json and figures written")
