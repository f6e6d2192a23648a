"""`tacenda reproduce`: run a paper's experiments on the data given and write its tables and figures."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import click

from tacenda.errors import UsageError
from tacenda.measures import report

# paper -> module with run(given) -> (sections, numbers): one visible table
EXPERIMENTS: dict[str, str] = {paper: f"papers.paper{paper}" for paper in ("000", "001", "002", "003", "004")}
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
    "--annotations",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Mentions by encoders that have not seen them (paper 004).",
)
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to.")
def command(paper: str, output: Path | None, **given: Any) -> None:
    """Run the experiments of a paper (000 to 004) beside the paper's own figures, errata listed."""
    if paper not in EXPERIMENTS:
        raise UsageError(f"no experiments for paper '{paper}'. Available: {', '.join(EXPERIMENTS)}")
    if not (_CHECKOUT / "papers" / "source.py").exists():
        raise UsageError("the reproductions are not part of the installed package: run this in a checkout of Tacenda")
    sys.path.insert(0, str(_CHECKOUT))
    source = importlib.import_module("papers.source")
    sections, numbers = importlib.import_module(EXPERIMENTS[paper]).run(source.Given(**given))
    folder = output or Path("out") / "papers"
    folder.mkdir(parents=True, exist_ok=True)
    title, line = f"Paper {paper}", report.command_line(sys.argv[1:])
    text = json.dumps(report.envelope(f"paper-{paper}", numbers, command=line), indent=1, sort_keys=True)
    (folder / f"{paper}.json").write_text(text + "\n", encoding="utf-8")
    (folder / f"{paper}.html").write_text(report.page(title, sections, command=line), encoding="utf-8")
    body = report.markdown_page(title, sections, figures=lambda number: f"{paper}-{number}.svg")
    (folder / f"{paper}.md").write_text(body, encoding="utf-8")
    for number, plot in enumerate(plot for section in sections for plot in section.plots):
        (folder / f"{paper}-{number}.svg").write_text(plot + "\n", encoding="utf-8")
    click.echo(f"paper {paper}: {folder / f'{paper}.html'}, .md, .json and figures written")
