"""`tacenda index`: build an index, look into it, ask it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

_INDEX = click.option("--index", "path", type=click.Path(path_type=Path), help="Index file; default: the English one.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
_KNOWN = click.option("--known", multiple=True, help="Count only windows that contain one of these terms (repeatable).")

_OWN_KEYS = {"articles", "bytes", "digest", "duplicates", "most_words", "postings", "postings_up_to", "term_version",
             "unit", "verified", "windows", "words"}  # fmt: skip


@click.group()
def command() -> None:
    """Count terms, alone and together, in a collection."""


@command.command()
@click.argument("sources", nargs=-1, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Index file to write.")
@click.option(
    "--add-to", multiple=True, type=click.Path(path_type=Path), help="Index to start from (repeatable: merge)."
)
@click.option("--field", default="text", show_default=True, help="Field of the text in JSONL, column in CSV.")
@click.option(
    "--unit",
    type=click.Choice(["window", "paragraph", "sentence", "document"]),
    default="window",
    show_default=True,
    help="What counts as a page.",
)
@click.option("--most-words", default=120, show_default=True, help="Longest window, in words.")
@click.option(
    "--most-share", default=0.0, help="Drop postings of words in more than this share of windows (final index)."
)
@click.option("--memory-mb", default=1024, show_default=True, help="Memory to stay under, all processes together.")
@click.option("--processes", default=0, help="Processes to use; default: one for each core.")
def build(
    sources: tuple[Path, ...], output: Path, add_to: tuple[Path, ...], field: str, unit: Any, most_words: int,
    most_share: float, memory_mb: int, processes: int,
) -> None:  # fmt: skip
    """Build an index from text, Markdown, JSONL, CSV, MediaWiki XML, folders; compressed or not.

    \b
    tacenda index build letters/ reports.jsonl.gz -o mine.tix
    tacenda index build more/ --add-to mine.tix -o both.tix      add documents
    tacenda index build --add-to a.tix --add-to b.tix -o ab.tix  merge
    """
    from tacenda.errors import UsageError
    from tacenda.knowledge.index import BuildOptions, build_index
    from tacenda.knowledge.index.read_collection import read_pieces

    if not sources and not add_to:
        raise UsageError("index build: name a file or folder to read, or indexes to merge with --add-to.")
    options = BuildOptions(
        unit=unit, most_words=most_words, most_share=most_share, memory_mb=memory_mb, processes=processes
    )
    pieces = read_pieces(sources, field=field, whole=unit == "document")
    build_index(output, pieces, add_to=add_to, options=options)
    _print_info(output, verify=False, as_json=False)


@command.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Check the whole file against its checksums.")
@_JSON
def info(path: Path | None, verify: bool, as_json: bool) -> None:
    """Show what an index contains."""
    _print_info(path, verify=verify, as_json=as_json)


def _print_info(path: Path | None, *, verify: bool, as_json: bool) -> None:
    from tacenda.knowledge.index import open_index

    index = open_index(path)
    if verify:
        index.verify()
    told = {**index.meta, "digest": index.digest, "bytes": index.path.stat().st_size, "verified": verify}
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, sort_keys=True))
        return
    for name, text in _described(str(path or "the English index"), told):
        click.echo(f"{name:10} {text}")


def _described(name: str, told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Say what an index holds, line by line; last what its makers wrote into it."""
    least = f" of at most {told['most_words']} words" if told["unit"] == "window" else ""
    most = told["postings_up_to"]
    kind = "complete: documents can be added, indexes merged"
    if most is not None:
        kind = f"final: of words in more than {most:,} {told['unit']}s only the count is kept; nothing can be added"
    yield "index", f"{name}, {told['bytes']:,} bytes{', every checksum right' if told['verified'] else ''}"
    yield f"{told['unit']}s", f"{told['windows']:,}{least}, {told['duplicates']:,} duplicates left out"
    yield "articles", f"{told['articles']:,}"
    yield "words", f"{told['words']:,} different, {told['postings']:,} postings"
    yield "kind", kind
    yield "digest", told["digest"]
    for key in sorted(set(told) - _OWN_KEYS):
        yield key, "; ".join(told[key]) if isinstance(told[key], list) else str(told[key])


@command.command()
@click.argument("terms", nargs=-1, required=True)
@_INDEX
@_KNOWN
@_JSON
def count(terms: tuple[str, ...], path: Path | None, known: tuple[str, ...], as_json: bool) -> None:
    """Count the windows that contain all TERMS.

    Synonyms of one term are written "HIV|human immunodeficiency virus".
    """
    from tacenda.knowledge.index import open_index

    index = open_index(path, known=known)
    found = index.count(*(_term(t) for t in terms))
    if as_json:
        told = {"count": found.number, "how": found.how, "bound": found.bound, "total": index.total}
        click.echo(json.dumps(told))
    elif found.number is None:
        click.echo("unknown: the index does not hold every word asked for")
    else:
        click.echo(f"{_at_most(found.bound)}{found.number} of {index.total} windows ({found.how})")


@command.command()
@click.argument("entity")
@click.argument("term")
@_INDEX
@_KNOWN
@_JSON
def pmi(entity: str, term: str, path: Path | None, known: tuple[str, ...], as_json: bool) -> None:
    """Show how much TERM reveals about ENTITY, in bits.

    Synonyms of one term are written "HIV|human immunodeficiency virus".
    """
    from tacenda.knowledge.index import open_index
    from tacenda.knowledge.index.term_information import information_bits, pmi_bits

    index = open_index(path, known=known)
    first, second = index.count(_term(entity)), index.count(_term(term))
    joint = index.count(_term(entity), _term(term))
    known_both = first.number is not None and second.number is not None and joint.number is not None
    bits = pmi_bits(joint.number or 0, first.number or 0, second.number or 0, index.total) if known_both else None
    ic = information_bits(first.number, index.total) if first.number is not None else None
    if as_json:
        asked = {entity: first, term: second, "joint": joint}
        told = {
            "pmi": bits, "ic": ic, "count": {entity: first.number, term: second.number}, "joint": joint.number,
            "total": index.total, "how": {name: found.how for name, found in asked.items()},
            "bound": {name: found.bound for name, found in asked.items()},
        }  # fmt: skip
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    width = max(30, len(entity) + len(term) + 3)
    for name, found in ((entity, first), (term, second), (f"{entity} + {term}", joint)):
        number = "unknown" if found.number is None else f"{_at_most(found.bound)}{found.number}"
        click.echo(f"{name:{width}} {number:>12}{f'  ({found.how})' if found.number is not None else ''}")
    click.echo(_sentence(entity, term, bits, ic, known_both))


def _term(text: str) -> str | tuple[str, ...]:
    forms = tuple(part.strip() for part in text.split("|") if part.strip())
    return forms if len(forms) > 1 else text


def _at_most(bound: str) -> str:
    return "at most " if bound == "upper" else ""


def _sentence(entity: str, term: str, bits: float | None, ic: float | None, known: bool) -> str:
    if not known or ic is None:
        return "A word is not in the index: nothing can be said, which is not the same as no relation."
    if bits is None:
        return f"'{term}' and '{entity}' never meet in this collection: no evidence, which is not proof of no relation."
    if bits < 0:
        return f"'{term}' makes '{entity}' {2**-bits:.3g} times less likely ({bits:.2f} bits)."
    share = f", {bits / ic:.0%} of the {ic:.2f} bits that '{entity}' carries" if ic else ""
    return f"'{term}' makes '{entity}' {2**bits:.3g} times as likely: it reveals {bits:.2f} bits of it{share}."
