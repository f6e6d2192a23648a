"""Run a paper's experiments and write its page: Markdown, HTML, JSON and figures, with what it was made with."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

from papers.made_with import PAPERS, digests
from papers.source import Given
from tacenda.errors import UsageError
from tacenda.measures import report
from tacenda.measures.report import Section, Table


def write(paper: str, given: Given, folder: Path, *, command: str, html: bool = True) -> None:
    """Run the experiments of one paper and write its page into a folder."""
    if paper not in PAPERS:
        raise UsageError(f"no experiments for paper '{paper}'. Available: {', '.join(PAPERS)}")
    made = digests(paper)
    sections, numbers = importlib.import_module(f"papers.paper{paper}").run(given)
    sections = [*sections, _made_section(made, given, command)]
    folder.mkdir(parents=True, exist_ok=True)
    envelope = report.envelope(f"paper-{paper}", numbers, command=command) | {"made_with": made}
    (folder / f"{paper}.json").write_text(json.dumps(envelope, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    title = f"Paper {paper}"
    if html:
        (folder / f"{paper}.html").write_text(report.page(title, sections, command=command), encoding="utf-8")
    body = report.markdown_page(title, sections, figures=lambda number: f"{paper}-{number}.svg")
    (folder / f"{paper}.md").write_text(body, encoding="utf-8")
    for old in folder.glob(f"{paper}-*.svg"):
        old.unlink()
    for number, plot in enumerate(plot for section in sections for plot in section.plots):
        (folder / f"{paper}-{number}.svg").write_text(plot + "\n", encoding="utf-8")


def _made_section(made: dict[str, str], given: Given, command: str) -> Section:
    text = (
        "First 16 digits of the SHA-256 of what ships, and of the code of this experiment. A test fails when they no "
        "longer fit: the page then has to be made again.",
        f"Made with `{command}`.",
    )
    rows = [*made.items(), *given.files().items()]
    return Section("Made with", text, tables=(Table(("what", "digest"), tuple(rows)),))
