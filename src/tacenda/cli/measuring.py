"""Options and steps that the commands of `tacenda measure` share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table as RichTable

from tacenda.errors import UsageError
from tacenda.measure import report, sections
from tacenda.measure.gold import GoldDocument, Masks, read_masks, replaced
from tacenda.measure.report import Section

if TYPE_CHECKING:
    from tacenda.measure.attack import AttackReport
    from tacenda.measure.detection import Detection

PATH = click.Path(path_type=Path, dir_okay=True)
FILE = click.Path(path_type=Path, dir_okay=False)


def outputs(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every measurement has."""
    function = click.option("--json", "json_path", type=FILE, help="Write the numbers as JSON ('-': print them).")(
        function
    )
    return click.option("-o", "--output", type=FILE, help="Write a self-contained HTML page.")(function)


def finish(
    kind: str, title: str, found: Sequence[Section], result: dict[str, Any], output: Path | None, json_path: Path | None
) -> None:
    """Print the tables, and write the page and the JSON where asked."""
    command = report.command_line(sys.argv[1:])
    text = json.dumps(report.envelope(kind, result, command=command), indent=1, sort_keys=True) + "\n"
    if output:
        output.write_text(report.page(title, found, command=command), encoding="utf-8")
    if json_path and str(json_path) == "-":
        click.echo(text, nl=False)
        return
    if json_path:
        json_path.write_text(text, encoding="utf-8")
    console = Console(highlight=False)
    for section in found:
        console.print(f"[bold]{section.title}[/bold]")
        for name, value in section.figures:
            console.print(f"  {name}: {report.shown(value)}")
        for table in section.tables:
            drawn = RichTable(*table.columns, box=None, padding=(0, 2, 0, 0))
            for row in table.rows:
                drawn.add_row(*(report.shown(cell) for cell in row))
            console.print(drawn)


def named(values: Sequence[str], what: str) -> dict[str, Path]:
    """Read NAME=PATH or PATH, whose name is then the file's."""
    found: dict[str, Path] = {}
    for value in values:
        name, sign, path = value.partition("=")
        held = Path(path if sign else value)
        name = name if sign else held.stem
        if name in found:
            raise UsageError(f"two {what} are named '{name}'; write NAME=PATH to tell them apart")
        found[name] = held
    return found


def read_all_masks(values: Sequence[str], documents: Sequence[GoldDocument]) -> dict[str, Masks]:
    """Read the masks of each tool."""
    return {name: read_masks(path, documents) for name, path in named(values, "tools").items()}


def bits_of(reference: Path | None, texts: Sequence[str]) -> Callable[[str], float]:
    """Information of a term: from a reference collection, else from the index that comes with Tacenda."""
    from tacenda import term
    from tacenda.knowledge.index import open_index
    from tacenda.measure.gold import TEXT_KEYS, field_of, records
    from tacenda.measure.utility import count_documents, word_bits

    if reference is not None:
        held = (str(field_of(record, TEXT_KEYS, reference, line)) for record, line in records(reference))
        return word_bits(*count_documents(held))
    words = {word for text in texts for word in term.words(text)}
    forms = sorted({form for word in words for form in (word, term.singular(word), term.plural(word))})
    index = open_index()
    counts = index.counts([[form] for form in forms])
    return word_bits({form: n for form, n in zip(forms, counts, strict=True) if n}, index.total)


GOLD = click.option("--gold", required=True, type=FILE, help="What people marked: TAB JSON, or JSONL with spans.")
MASKS = click.option(
    "--masks",
    required=True,
    multiple=True,
    metavar="[NAME=]PATH",
    help="What a tool masked: {id: [[start, end, label, replacement], ...]}, JSONL, a plan, or a folder of plans.",
)
REFERENCE = click.option(
    "--reference", type=FILE, help="JSONL with texts to count the information of words in (default: the own index)."
)


CLUSTERS = click.option(
    "--clusters", type=click.IntRange(2), help="Also compare clusters of the texts before and after."
)
CLASSES = click.option(
    "--classes", type=FILE, help="JSONL with id and class: also compare what a plain classifier says before and after."
)


def utility_of(
    documents: Sequence[GoldDocument],
    tools: dict[str, Masks],
    reference: Path | None,
    clusters: int | None,
    classes: Path | None,
) -> tuple[Section, dict[str, Any]]:
    """Measure what texts keep; return the section and the numbers."""
    from tacenda.knowledge import open_vectors
    from tacenda.measure import utility as measures
    from tacenda.measure.gold import read_classes

    labels = read_classes(classes, documents) if classes else None
    written = [m.replacement for held in tools.values() for spans in held.values() for m in spans]
    bits = bits_of(reference, [*(document.text for document in documents), *written])
    vectors = open_vectors().vectors
    before = [d.text for d in documents]
    found, extra, result = {}, {}, {}
    for tool, held in tools.items():
        found[tool] = [measures.text_utility(d.text, held[d.id], bits, vectors=vectors) for d in documents]
        after = [replaced(d.text, held[d.id]) for d in documents]
        cosines = [measures.bag_cosine(*pair) for pair in zip(before, after, strict=True)]
        extra[tool] = {"cosine of the words": sum(cosines) / len(cosines)}
        if clusters:
            extra[tool]["clusters, adjusted Rand"] = measures.clustering_agreement(before, after, clusters=clusters)
        if labels:
            said = measures.classifier_agreement(before, after, labels)
            extra[tool] |= {f"classifier, {name.replace('_', ' ')}": value for name, value in said.items()}
        changes = [change for text in found[tool] for change in text.changes]
        _, kept, cosine = sections.per_term(changes)
        result[tool] = {"information_kept": [text.kept for text in found[tool]], **extra[tool],
                        "kept_per_mask": kept, "cosine_per_mask": cosine}  # fmt: skip
    return sections.utility_section(found, extra), result


ENCODER = click.option(
    "--encoder", is_flag=True, help="Add Tacenda's encoder as an attacker (slow: it reads the whole background)."
)
SHARES = click.option(
    "--share", "shares", multiple=True, type=click.FloatRange(0, 100, min_open=True), help="Background in %."
)
SEED = click.option("--seed", type=int, default=0, show_default=True, help="Which part of the background is known.")


def all_attackers(*, encoder: bool) -> dict[str, Any]:
    """The attackers of the suite, with vectors, and with the encoder where asked."""
    from tacenda.measure.attack import ATTACKERS
    from tacenda.studies import attackers

    return ATTACKERS | {"vectors": attackers.vectors()} | ({"encoder": attackers.encoder()} if encoder else {})


def backgrounds_of(shares: Sequence[float]) -> list[float]:
    """Shares in percent as parts, or the usual three."""
    from tacenda.measure.attack.suite import BACKGROUNDS

    return [share / 100 for share in shares] or list(BACKGROUNDS)


def detection_of(
    documents: Sequence[GoldDocument], tools: dict[str, Masks], reference: Path | None, combine: Any = "each"
) -> tuple[Section, dict[str, Detection]]:
    """Score what tools masked; return the section and the scores."""
    from tacenda.measure.detection import detection

    bits = bits_of(reference, [document.text for document in documents])
    found = {tool: detection(documents, held, bits=bits, combine=combine) for tool, held in tools.items()}
    return sections.detection_section(found), found


def attacks_on(
    documents: Sequence[GoldDocument],
    tools: dict[str, Masks],
    background: Path,
    shares: Sequence[float],
    *,
    seed: int,
    encoder: bool,
) -> dict[str, AttackReport]:
    """Attack what each tool made of documents whose ids are the names of their subjects."""
    from tacenda.measure.attack import read_candidates, run_attacks

    candidates, attackers, parts = read_candidates(background), all_attackers(encoder=encoder), backgrounds_of(shares)
    return {
        tool: run_attacks(
            [(d.id, replaced(d.text, held[d.id])) for d in documents],
            candidates,
            attackers=attackers,
            backgrounds=parts,
            seed=seed,
        )
        for tool, held in tools.items()
    }
