"""`tacenda measure`: judge any tool's output. Thin over `tacenda.measure`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table as RichTable

from tacenda.errors import UsageError
from tacenda.measure import report, sections
from tacenda.measure.gold import GoldDocument, Masks, read_gold, read_masks
from tacenda.measure.report import Section

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


@click.group()
def command() -> None:
    """Measure detection, utility, privacy and re-identification of any tool's output."""


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


@command.command()
@GOLD
@MASKS
@REFERENCE
@click.option("--combine", type=click.Choice(["each", "union", "majority"]), default="each", show_default=True)
@outputs
def detection(gold: Path, masks: Sequence[str], reference: Path | None, combine: Any, **to: Any) -> None:
    """How well masks cover what people marked: by token, mention, term and entity."""
    from tacenda.measure.detection import detection as score

    documents = read_gold(gold)
    tools = read_all_masks(masks, documents)
    bits = bits_of(reference, [document.text for document in documents])
    found = {tool: score(documents, held, bits=bits, combine=combine) for tool, held in tools.items()}
    result = {tool: one.to_json() for tool, one in found.items()}
    finish("detection", "Detection", [sections.detection_section(found)], result, **to)


@command.command()
@GOLD
@MASKS
@REFERENCE
@click.option("--clusters", type=click.IntRange(2), help="Also compare clusters of the texts before and after.")
@outputs
def utility(gold: Path, masks: Sequence[str], reference: Path | None, clusters: int | None, **to: Any) -> None:
    """How much information the masked texts keep."""
    from tacenda.measure import utility as measures
    from tacenda.measure.gold import replaced

    documents = read_gold(gold)
    tools = read_all_masks(masks, documents)
    written = [m.replacement for held in tools.values() for spans in held.values() for m in spans]
    bits = bits_of(reference, [*(document.text for document in documents), *written])
    found, extra = {}, {}
    for tool, held in tools.items():
        found[tool] = [measures.text_utility(d.text, held[d.id], bits) for d in documents]
        before, after = [d.text for d in documents], [replaced(d.text, held[d.id]) for d in documents]
        cosines = [measures.bag_cosine(*pair) for pair in zip(before, after, strict=True)]
        extra[tool] = {"cosine of the words": sum(cosines) / len(cosines)}
        if clusters:
            extra[tool]["clusters, adjusted Rand"] = measures.clustering_agreement(before, after, clusters=clusters)
    result = {tool: {"information_kept": [text.kept for text in texts], **extra[tool]} for tool, texts in found.items()}
    finish("utility", "Utility", [sections.utility_section(found, extra)], result, **to)


def sensitivity_of(model: Path | None, sigma: float, texts: Sequence[str], words: Any) -> Any:
    """Sensitivity of each text, by a classifier or the same for all."""
    import numpy as np

    from tacenda.measure.sensitivity import SensitivityModel

    if model is None:
        return np.full(len(texts), sigma)
    return SensitivityModel.load(model).of_words(words.runs, words.vocabulary)


USER = click.option("--user", default="user", show_default=True, help="Field or column that names the user.")
TEXT = click.option("--text", default="text", show_default=True, help="Field or column that holds the text.")
MODEL = click.option("--sensitivity", type=FILE, help="A classifier made by 'measure sensitivity'.")
SIGMA = click.option(
    "--sigma", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="Without a classifier."
)


@command.command()
@click.argument("original", type=FILE)
@click.argument("released", type=FILE, nargs=-1, required=True)
@click.option("--level", "levels", multiple=True, type=click.Choice(["document", "word", "partial"]))
@MODEL
@SIGMA
@USER
@TEXT
@outputs
def privacy(
    original: Path,
    released: Sequence[Path],
    levels: Any,
    sensitivity: Path | None,
    sigma: float,
    user: str,
    text: str,
    **to: Any,
) -> None:
    """Compare released collections with the original: SPI, JSD, KLD, PEL, impressions (paper 002)."""
    from tacenda.measure.collection import LEVELS, compare, read_logs, words_of

    first, rest = read_logs(original, released, user=user, text=text)
    words = words_of(first.texts)
    weights = sensitivity_of(sensitivity, sigma, first.texts, words)
    found = {}
    for path, log in zip(released, rest, strict=True):
        for level in levels or LEVELS:
            name = level if len(released) == 1 else f"{path.stem}, {level}"
            found[name] = compare(first, log, weights, level=level, words=words)
    result = {name: one.to_json() for name, one in found.items()}
    finish("privacy", "Privacy of a released collection", [sections.privacy_section(found)], result, **to)


@command.command()
@click.argument("labelled", type=FILE)
@click.option("--label", default="sensitive", show_default=True, help="Field that is true for a sensitive text.")
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True)
@click.option("--save", type=FILE, help="Write the classifier; the file holds the words of the training texts.")
@TEXT
@outputs
def sensitivity(labelled: Path, label: str, folds: int, save: Path | None, text: str, **to: Any) -> None:
    """Train the naive Bayes sensitivity classifier and report its cross-validation."""
    from tacenda.measure.gold import field_of, records
    from tacenda.measure.sensitivity import cross_validate, train

    texts, labels = [], []
    for record, line in records(labelled):
        texts.append(str(field_of(record, (text,), labelled, line)))
        labels.append(bool(field_of(record, (label,), labelled, line)))
    found = cross_validate(texts, labels, folds=folds)
    if save:
        train(texts, labels).save(save)
    finish("sensitivity", "Sensitivity classifier", [sections.sensitivity_section(found)], found.to_json(), **to)


@command.command()
@click.argument("original", type=FILE)
@click.option("-k", "k", type=click.IntRange(1), required=True, help="Release what at least so many users wrote.")
@click.option("-o", "--output", type=FILE, required=True, help="Where to write the release (JSONL).")
@USER
@TEXT
def release(original: Path, k: int, output: Path, user: str, text: str) -> None:
    """Write the k-anonymous release of a log: each text only if k distinct users wrote it."""
    from tacenda.measure.collection import read_logs
    from tacenda.measure.logs import k_anonymous

    log, _ = read_logs(original, [], user=user, text=text)
    kept = k_anonymous(log, k)
    with output.open("w", encoding="utf-8") as file:
        for who, what in zip(kept.user.tolist(), kept.text.tolist(), strict=True):
            file.write(json.dumps({user: log.users[who], text: log.texts[what]}, ensure_ascii=False) + "\n")
    click.echo(f"{len(kept)} of {len(log)} documents released to {output}")


@command.command()
@click.argument("original", type=FILE)
@click.option("--private", type=FILE, help="Names, places and private words, one a line (the paper's PPP).")
@MODEL
@SIGMA
@USER
@TEXT
@outputs
def log(
    original: Path, private: Path | None, sensitivity: Path | None, sigma: float, user: str, text: str, **to: Any
) -> None:
    """How private k-anonymous and other releases of a log would be: both figures of paper 002."""
    from tacenda.measure.collection import read_logs, words_of
    from tacenda.measure.gold import open_text
    from tacenda.measure.logs import contains_word, ks_for, sweep_k, sweep_strategies

    held, _ = read_logs(original, [], user=user, text=text)
    weights = sensitivity_of(sensitivity, sigma, held.texts, words_of(held.texts))
    curve = sweep_k(held, weights, ks_for(held))
    found, result = [sections.k_section(curve)], {"by_k": curve}
    if private:
        marked = contains_word(held.texts, open_text(private).splitlines())
        both = {
            name: sweep_strategies(held, weights, marked, [0.1, 0.2, 0.3, 0.4, 0.5], directed=name != "as printed")
            for name in ("as printed", "direction-aware")
        }
        found += [sections.strategy_section(curves, name) for name, curves in both.items()]
        result["by_strategy"] = both  # type: ignore[assignment]
    finish("log", "Releases of a log", found, result, **to)


@command.command()
@click.option(
    "--documents", required=True, type=FILE, help="Released texts (JSONL) with the name of whom each is about."
)
@click.option("--background", required=True, type=FILE, help="What the attacker knows (JSONL): name and text.")
@click.option("--text", default="text", show_default=True, help="Field of the documents that holds the text.")
@click.option("--share", "shares", multiple=True, type=click.FloatRange(0, 100, min_open=True), help="Background in %.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which part of the background is known.")
@click.option("--encoder", is_flag=True, help="Add Tacenda's encoder as an attacker (slow: it reads the background).")
@outputs
def attack(
    documents: Path, background: Path, text: str, shares: Sequence[float], seed: int, encoder: bool, **to: Any
) -> None:
    """Try to find out whom the texts are about, with several attackers; report the worst."""
    from tacenda.measure.attack import ATTACKERS, read_candidates, read_targets, run_attacks
    from tacenda.measure.attack.suite import BACKGROUNDS

    candidates = read_candidates(background)
    targets = read_targets(documents, candidates, text=text)
    parts = [share / 100 for share in shares] or list(BACKGROUNDS)
    attackers = ATTACKERS | ({"encoder": encoder_attacker()} if encoder else {})
    found = run_attacks(targets, candidates, attackers=attackers, backgrounds=parts, seed=seed)
    finish("attack", "Re-identification", [sections.attack_section(found)], found.to_json(), **to)
