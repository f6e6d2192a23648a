"""`tacenda measure`: judge any tool's output. Thin over `tacenda.measures`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tacenda.cli.measuring import (
    CLASSES,
    CLUSTERS,
    ENCODER,
    FILE,
    GOLD,
    MASKS,
    REFERENCE,
    SEED,
    SHARES,
    finish,
    outputs,
    read_all_masks,
)
from tacenda.measures import sections
from tacenda.measures.gold import read_gold
from tacenda.studies.measurements import all_attackers, attacks_on, backgrounds_of, detection_of, utility_of


@click.group()
def command() -> None:
    """Measure detection, utility, privacy and re-identification of any tool's output."""


@command.command()
@GOLD
@MASKS
@REFERENCE
@click.option("--combine", type=click.Choice(["each", "union", "majority"]), default="each", show_default=True)
@outputs
def detection(gold: Path, masks: Sequence[str], reference: Path | None, combine: Any, **to: Any) -> None:
    """How well masks cover what people marked: by token, mention, term and entity."""
    documents = read_gold(gold)
    section, found = detection_of(documents, read_all_masks(masks, documents), reference, combine)
    finish("detection", "Detection", [section], {tool: one.to_json() for tool, one in found.items()}, **to)


@command.command()
@GOLD
@MASKS
@REFERENCE
@CLUSTERS
@CLASSES
@outputs
def utility(
    gold: Path, masks: Sequence[str], reference: Path | None, clusters: int | None, classes: Path | None, **to: Any
) -> None:
    """How much information the masked texts keep, in all and per term, and what can still be told apart."""
    documents = read_gold(gold)
    section, result = utility_of(documents, read_all_masks(masks, documents), reference, clusters, classes)
    finish("utility", "Utility", [section], result, **to)


def sensitivity_of(model: Path | None, sigma: float, texts: Sequence[str], words: Any) -> Any:
    """Sensitivity of each text, by a classifier or the same for all."""
    import numpy as np

    from tacenda.measures.sensitivity import SensitivityModel

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
    from tacenda.measures.collection import LEVELS, compare, read_logs, words_of

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
@click.argument("labeled", type=FILE)
@click.option("--label", default="sensitive", show_default=True, help="Field that is true for a sensitive text.")
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True)
@click.option("--save", type=FILE, help="Write the classifier; the file holds the words of the training texts.")
@TEXT
@outputs
def sensitivity(labeled: Path, label: str, folds: int, save: Path | None, text: str, **to: Any) -> None:
    """Train the naive Bayes sensitivity classifier and report its cross-validation."""
    from tacenda.measures.gold import field_of, records
    from tacenda.measures.sensitivity import cross_validate, train

    texts, labels = [], []
    for record, line in records(labeled):
        texts.append(str(field_of(record, (text,), labeled, line)))
        labels.append(bool(field_of(record, (label,), labeled, line)))
    found = cross_validate(texts, labels, folds=folds)
    if save:
        train(texts, labels).save(save)
    finish("sensitivity", "Sensitivity classifier", [sections.sensitivity_section(found)], found.to_json(), **to)


@command.command()
@click.argument("original", type=FILE)
@click.option("-k", "k", type=click.IntRange(1), required=True, help="Release what at least this many users wrote.")
@click.option("-o", "--output", type=FILE, required=True, help="Where to write the release (JSONL).")
@USER
@TEXT
def release(original: Path, k: int, output: Path, user: str, text: str) -> None:
    """Write the k-anonymous release of a log: each text only if k distinct users wrote it."""
    from tacenda.measures.collection import read_logs
    from tacenda.measures.logs import k_anonymous

    log, _ = read_logs(original, [], user=user, text=text)
    kept = k_anonymous(log, k)
    with output.open("w", encoding="utf-8") as file:
        for who, what in zip(kept.user.tolist(), kept.text.tolist(), strict=True):
            file.write(json.dumps({user: log.users[who], text: log.texts[what]}, ensure_ascii=False) + "\n")
    click.echo(f"{len(kept)} of {len(log)} documents released to {output}")


@command.command()
@click.argument("original", type=FILE)
@click.option("--private", type=FILE, help="Names, places and private words, one per line (the paper's PPP).")
@MODEL
@SIGMA
@USER
@TEXT
@outputs
def log(
    original: Path, private: Path | None, sensitivity: Path | None, sigma: float, user: str, text: str, **to: Any
) -> None:
    """How private k-anonymous and other releases of a log would be: both figures of paper 002."""
    from tacenda.measures.collection import read_logs, words_of
    from tacenda.measures.gold import open_text
    from tacenda.measures.logs import contains_word, ks_for, sweep_k, sweep_strategies

    held, _ = read_logs(original, [], user=user, text=text)
    weights = sensitivity_of(sensitivity, sigma, held.texts, words_of(held.texts))
    curve = sweep_k(held, weights, ks_for(held))
    found = [sections.k_section(curve)]
    result: dict[str, Any] = {"by_k": curve}
    if private:
        marked = contains_word(held.texts, open_text(private).splitlines())
        both = {
            name: sweep_strategies(held, weights, marked, [0.1, 0.2, 0.3, 0.4, 0.5], withheld=name != "as printed")
            for name in ("as printed", "withheld")
        }
        found += [sections.strategy_section(curves, name) for name, curves in both.items()]
        result["by_strategy"] = both
    finish("log", "Releases of a log", found, result, **to)


@command.command()
@click.option(
    "--documents", required=True, type=FILE, help="Released texts (JSONL) with the name of whom each is about."
)
@click.option("--background", required=True, type=FILE, help="What the attacker knows (JSONL): name and text.")
@click.option("--text", default="text", show_default=True, help="Field of the documents that holds the text.")
@SHARES
@SEED
@ENCODER
@outputs
def attack(
    documents: Path, background: Path, text: str, shares: Sequence[float], seed: int, encoder: bool, **to: Any
) -> None:
    """Try to find out whom the texts are about, with several attackers; report the worst."""
    from tacenda.measures.attack import read_candidates, read_targets, run_attacks

    candidates = read_candidates(background)
    targets = read_targets(documents, candidates, text=text)
    parts = backgrounds_of(shares)
    found = run_attacks(targets, candidates, attackers=all_attackers(encoder=encoder), backgrounds=parts, seed=seed)
    finish("attack", "Re-identification", [sections.attack_section(found)], found.to_json(), **to)


@command.command("report")
@GOLD
@MASKS
@REFERENCE
@CLUSTERS
@CLASSES
@click.option("--background", type=FILE, help="What an attacker knows (JSONL); ids of documents are names in it.")
@click.option("--over", default="setting", show_default=True, help="What the names of the masks are, e.g. alpha or t.")
@SHARES
@SEED
@ENCODER
@outputs
def everything(
    gold: Path,
    masks: Sequence[str],
    reference: Path | None,
    clusters: int | None,
    classes: Path | None,
    background: Path | None,
    over: str,
    shares: Sequence[float],
    seed: int,
    encoder: bool,
    **to: Any,
) -> None:
    """Detection, utility, attacks, and privacy against utility over several settings, on one page."""
    documents = read_gold(gold)
    tools = read_all_masks(masks, documents)
    marked, hit = detection_of(documents, tools, reference)
    useful, kept = utility_of(documents, tools, reference, clusters, classes)
    result: dict[str, Any] = {"detection": {tool: one.to_json() for tool, one in hit.items()}, "utility": kept}
    found = [marked, useful]
    curves = {"marked entities left": {tool: 1 - one.micro["entity"].recall for tool, one in hit.items()}}
    if background:
        attacked = attacks_on(documents, tools, background, shares, seed=seed, encoder=encoder)
        found += [sections.attack_section(one, title=f"Re-identification, {tool}") for tool, one in attacked.items()]
        result["attack"] = {tool: one.to_json() for tool, one in attacked.items()}
        most = max(backgrounds_of(shares))
        curves = {"named first by the worst attacker": {t: a.worst(most).top1 for t, a in attacked.items()}, **curves}
    mean = {tool: sum(one["information_kept"]) / len(documents) for tool, one in kept.items()}
    points = {name: {t: (mean[t], values[t]) for t in tools} for name, values in curves.items()}
    result["tradeoff"] = points
    first = [
        sections.tradeoff_section(held, privacy=name, over=over, title=f"Privacy against utility: {name}")
        for name, held in points.items()
    ]
    finish("report", "Privacy and utility", [*first, *found], result, **to)
