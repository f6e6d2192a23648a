"""`tacenda vectors`: train vectors on a collection, look into them, choose a threshold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from tacenda.cli.show import Progress
from tacenda.errors import UsageError

_FILE = click.option(
    "--vectors", "file", metavar="FILE", help="File of vectors (default: the ones that come with Tacenda)."
)


@click.group("vectors")
def command() -> None:
    """Vectors of phrases: the closer to what is protected, the more a phrase reveals."""


@command.command("train")
@click.argument("corpus", nargs=-1, required=True, metavar="CORPUS...")
@click.option("-o", "--output", required=True, metavar="FILE", help="File to write.")
@click.option("--field", default="text", show_default=True, metavar="NAME", help="Field of the text in JSONL and CSV.")
@click.option("--no-phrases", is_flag=True, help="Learn single words: for languages that have no encoder.")
@click.option("--continue", "earlier", metavar="FILE", help="Continue from these vectors: new documents, new terms.")
@click.option("--dimensions", type=click.IntRange(2), help="Numbers in a vector (default: 300).")
@click.option("--window", type=click.IntRange(1), default=10, show_default=True, help="Terms to each side that count.")
@click.option("--least", type=click.IntRange(1), default=1, show_default=True, help="Leave out terms seen less often.")
@click.option("--epochs", type=click.IntRange(1), default=5, show_default=True, help="Passes over the collection.")
@click.option("--negative", type=click.IntRange(1), default=5, show_default=True, help="Noise terms for each true one.")
@click.option("--rate", type=float, default=0.1, show_default=True, help="Learning rate at the start.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random numbers.")
@click.option("--workers", type=click.IntRange(1), help="Threads; 1: same bytes each time (default: all cores).")
@click.option("--precision", type=click.Choice(["int8", "float16"]), default="int8", show_default=True)
@click.option("--compact", is_flag=True, help="Half the size; training cannot be continued from it.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def train_command(
    corpus: tuple[str, ...], output: str, field: str, no_phrases: bool, earlier: str | None, dimensions: int | None,
    workers: int | None, precision: str, compact: bool, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Train vectors on text files, folders, JSONL or CSV, compressed or not (paper 004)."""
    from tacenda.knowledge.index.read_collection import read_pieces
    from tacenda.knowledge.vectors import open_vectors
    from tacenda.knowledge.vectors.train import Settings, train
    from tacenda.studies.sequences import term_sequences

    start = open_vectors(earlier) if earlier else None
    texts = [text for _, text in read_pieces(corpus, field=field, whole=True)]
    workers = workers or os.cpu_count() or 1
    with Progress(quiet, "finding phrases", len(texts)) as bar:
        sequences = term_sequences(texts, phrases=not no_phrases, processes=workers, progress=bar.step)
    asked = dimensions or (start.dimensions if start else Settings.dimensions)
    chosen = Settings(dimensions=asked, workers=workers, **settings)
    with Progress(quiet, "training", len(sequences) * chosen.epochs) as bar:
        made = train(
            sequences, output, settings=chosen, earlier=start, precision=precision, keep_context=not compact,
            progress=lambda *_: bar.step(),
        )  # fmt: skip
    if not quiet:
        click.echo(f"{output}: {len(made):,} terms of {len(texts):,} documents, {made.dimensions} dimensions", err=True)


@command.command("info")
@click.argument("file", required=False, metavar="[FILE]")
def info_command(file: str | None) -> None:
    """Show what a file of vectors contains, and check all of it."""
    from tacenda.knowledge.vectors import open_vectors

    vectors = open_vectors(file)
    vectors.file.verify()
    click.echo(f"file        {vectors.path.name}, {vectors.path.stat().st_size:,} bytes, checksums correct")
    click.echo(f"terms       {len(vectors):,}")
    for key, value in sorted(vectors.meta.items()):
        click.echo(f"{key:<11} {value}")
    click.echo(f"digest      {vectors.file.digest}")


@command.command("similar")
@click.argument("phrase")
@click.argument("others", nargs=-1, metavar="[OTHER]...")
@_FILE
@click.option("-n", "--count", type=click.IntRange(1), default=10, show_default=True, help="How many to list.")
def similar_command(phrase: str, others: tuple[str, ...], file: str | None, count: int) -> None:
    """List the terms most similar to a phrase, or its similarity to others."""
    from tacenda.knowledge.vectors import cosine, open_vectors

    vectors = open_vectors(file)
    if not others:
        for key, score in vectors.similar(phrase, count):
            click.echo(f"{score:.3f}  {key}")
        return
    first, *rest = vectors.vectors([phrase, *others])
    for other, vector in zip(others, rest, strict=True):
        if first is None or vector is None:
            click.echo(f"   –   {other} (not known)")
        else:
            click.echo(f"{cosine(first, vector):.3f}  {other}")


@command.command("calibrate")
@click.argument("marked", metavar="MARKED.jsonl", type=click.Path(path_type=Path))
@_FILE
def calibrate_command(marked: Path, file: str | None) -> None:
    """Choose the threshold of risk model `similarity` on documents that people have marked."""
    from tacenda import registry
    from tacenda.annotate import combine
    from tacenda.knowledge.vectors import open_vectors
    from tacenda.measures.gold import read_gold
    from tacenda.model import Document
    from tacenda.studies.calibrate import Marked, calibrate

    documents = [
        Marked(Document(g.text, g.id), tuple((m.start, m.end) for marks in g.annotators.values() for m in marks))
        for g in read_gold(marked)
    ]
    if not documents:
        raise UsageError(f"{marked}: contains no documents")
    parts = [registry.find("annotate", name)() for name in ("encoder", "patterns")]
    found = calibrate(documents, lambda d: combine(d, [p.annotate(d) for p in parts]), open_vectors(file))
    click.echo(f"threshold = {found.threshold:.3f}   # F1 {found.f1:.3f} on {found.documents} marked documents")
