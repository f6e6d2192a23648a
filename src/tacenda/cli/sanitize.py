"""`tacenda sanitize`: files, folders or standard input, to the same format."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import click

from tacenda import formats
from tacenda.batch import Recipe, Run, atomic
from tacenda.cli.options import Input, output_option, policy_options, put, source_options, standard_format
from tacenda.cli.show import Progress, show_notes, tally_table
from tacenda.errors import InputError, PolicyError, TacendaError, UsageError
from tacenda.formats import open_file
from tacenda.model import Case, Document, Sanitized
from tacenda.parallel import cores
from tacenda.protocols import RecordFormat

_MOST_TOLD = 20


@click.command("sanitize")
@click.argument("inputs", nargs=-1, metavar="FILE|FOLDER|-")
@policy_options
@source_options
@output_option("Output file, or folder for a folder")
@click.option("--certificate", metavar="FILE", help="Write a certificate that 'tacenda verify' can check (one text).")
@click.option(
    "--sign-key",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Sign the certificate with this Ed25519 key (PEM).",
)
@click.option("--vault", metavar="FILE", help="Store what undoes the replacements, encrypted (policy: reversible).")
@click.option(
    "--jobs", type=click.IntRange(1), help="Number of processes; by default one for each core on a folder, else 1."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors (and the text, without --output).")
def command(
    recipe: Recipe,
    inputs: tuple[str, ...],
    source: Input,
    output: str | None,
    certificate: str | None,
    sign_key: str | None,
    vault: str | None,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Sanitize files, folders or standard input.

    The output has the format of the input. Fields of JSONL, CSV and TSV records and columns of Parquet and Arrow
    tables that are not named with --field or --keep-field are dropped. An interrupted run can be started
    again with the same command: it does the rest.
    """
    _check(inputs, output, as_json)
    many = len(inputs) > 1 or (len(inputs) == 1 and Path(inputs[0]).is_dir())
    run = Run(recipe, source.reading, source.format, jobs or (cores() if many else 1), source.per_case)
    run.on_error = lambda error: _told(error, len(run.failed))
    if certificate or vault:
        _with_papers(run, inputs, Path(output or ""), certificate, sign_key, vault)
    elif not inputs or inputs == ("-",):
        data = sys.stdin.buffer.read()
        run.format = standard_format(source.format, data).name
        put(run.data(data, "standard input"), output)
    elif len(inputs) > 1:
        _several(run, [Path(name) for name in inputs], Path(output or ""), quiet)
    elif Path(inputs[0]).is_dir():
        _folder(run, Path(inputs[0]), Path(output or ""), quiet)
    elif output:
        _one(run, Path(inputs[0]), Path(output), quiet)
    else:
        put(run.show(Path(inputs[0])), None)
    _report(run, as_json, output is not None, quiet)
    if run.failed or run.quarantine:
        sys.exit(max((e.exit_code for e in run.failed), default=InputError.exit_code))


def _one(run: Run, path: Path, output: Path, quiet: bool) -> None:
    if output.is_dir():
        raise UsageError(f"{output} is a folder; name the output file")
    formats.check_output(formats.format_of(path, format=run.format).name, str(output))
    with Progress(quiet, path.name) as progress:
        run.on_step = progress.note
        run.one(path, output)


def _check(inputs: tuple[str, ...], output: str | None, as_json: bool) -> None:
    if len(inputs) > 1:
        if not output:
            raise UsageError("several files need a folder for the results: name it with --output FOLDER")
        if any(name == "-" or Path(name).is_dir() for name in inputs):
            raise UsageError("give several files, or one folder, or standard input; not a mixture of them")
        if len({Path(name).name for name in inputs}) < len(inputs):
            raise UsageError("two of the files have the same name; their results would overwrite each other")
    if inputs and inputs[0] != "-" and Path(inputs[0]).is_dir() and not output:
        raise UsageError(f"{inputs[0]} is a folder: say where the results go with --output FOLDER")
    if inputs and output and inputs[0] != "-" and Path(inputs[0]).resolve() == Path(output).resolve():
        raise UsageError("input and output are the same; Tacenda never overwrites an original. Choose another --output")
    if as_json and not output:
        raise UsageError("--json prints a summary on standard output: say where the text goes with --output")


def _told(error: TacendaError, number: int) -> None:
    if number <= _MOST_TOLD:
        click.echo(f"{click.style('tacenda:', fg='red', bold=True)} {error}", err=True)


def _several(run: Run, files: list[Path], target: Path, quiet: bool) -> None:
    """Files named one by one, into a folder; names that tell something become neutral, as in a folder."""
    with Progress(quiet, "sanitizing", len(files)) as progress:
        run.on_step = lambda records: progress.step() if not records else None
        run.several(files, target)


def _folder(run: Run, folder: Path, target: Path, quiet: bool) -> None:
    total = sum(1 for f in folder.rglob("*") if f.is_file())
    with Progress(quiet, "sanitizing", total) as progress:
        run.on_step = lambda records: progress.step() if not records else None
        run.folder(folder, target)


def _with_papers(
    run: Run, inputs: tuple[str, ...], target: Path, certificate: str | None, sign_key: str | None, vault: str | None
) -> None:
    """One document with its certificate, checked before anything is written, or one text with its vault."""
    if len(inputs) != 1 or inputs[0] == "-" or not target.name:
        raise UsageError("--certificate and --vault go with one text file and --output FILE")
    file = open_file(inputs[0], format=run.format, reading=run.reading)
    formats.check_output(file.format.name, str(target))
    plain = file.format.name == "text"
    if isinstance(file.format, RecordFormat):
        raise UsageError(f"{inputs[0]}: a certificate or vault is about one text; this file holds records")
    if vault and not plain:
        raise UsageError(f"{inputs[0]}: a vault restores plain text only")
    sanitizer = run.worker.sanitizer.covering() if certificate else run.worker.sanitizer
    document = run.recipe.with_known(file.document)
    result = sanitizer.sanitize(document)
    data = result.text.encode("utf-8")
    if not plain:
        # The claim is about what a recipient reads in the file.
        data = sanitizer.write(file, result.plan, case=Case((document,)))[0]
        result = replace(result, text=file.again(data))
    key = Path(sign_key).read_bytes() if sign_key else None
    claimed = sanitizer.certify(result, private_key=key) if certificate else ""
    sealed = _sealed(run.recipe, document, result) if vault else b""
    run.tally.add_result(document, result)
    with atomic(target, binary=True) as out:
        out.write(data)
        if certificate:
            with atomic(Path(certificate)) as paper:
                paper.write(claimed)
        if vault:
            with atomic(Path(vault), binary=True) as box:
                box.write(sealed)


def _sealed(recipe: Recipe, document: Document, result: Sanitized) -> bytes:
    if not recipe.policy.reversible:
        raise PolicyError(
            f"policy '{recipe.policy.name}': does not allow replacements to be undone. To allow that, set"
            " reversible = true in a policy of your own"
        )
    if recipe.key is None:
        raise UsageError("--vault needs a key: --key-file or TACENDA_KEY ('tacenda key new' makes one)")
    from tacenda.replace.vault import Entry, seal

    entries = [Entry(start, end, document.text[a:b]) for a, b, start, end in result.offsets]
    return seal(result.text, entries, recipe.key)


def _report(run: Run, as_json: bool, to_file: bool, quiet: bool) -> None:
    """Say what was done, in numbers; what is not guaranteed is said also where the text goes to the screen."""
    if len(run.failed) > _MOST_TOLD:
        click.echo(f"and {len(run.failed) - _MOST_TOLD} more errors", err=True)
    for path, count in sorted(run.quarantine.items()):
        click.echo(f"{count} record(s) were set aside as they came, unsanitized, in {path}", err=True)
    if as_json:
        aside = {str(path): count for path, count in sorted(run.quarantine.items())}
        body = {**run.tally.to_json(), "failed": len(run.failed), "skipped_files": run.skipped, "quarantine": aside}
        click.echo(json.dumps(body, ensure_ascii=False))
    elif not quiet and to_file:
        tally_table(run.tally, len(run.failed), run.skipped)
    elif not quiet:
        show_notes(run.tally, only_missing=True)
