"""`tacenda sanitize`: files, folders or standard input, to the same format."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tacenda.certify.certificate import read_certificate
from tacenda.certify.verify import verify
from tacenda.cli.options import Reading, Recipe, covering, output_option, policy_options, source_options
from tacenda.cli.run import Runner, Tally, safe_name
from tacenda.cli.show import Progress, tally_table
from tacenda.cli.write import Journal, Records, atomic, fingerprint
from tacenda.errors import GuaranteeError, InputError, PolicyError, TacendaError, UsageError
from tacenda.model import Document, Sanitized
from tacenda.read import FORMATS, Item, Source
from tacenda.sanitizer import Sanitizer


@click.command("sanitize")
@click.argument("inputs", nargs=-1, metavar="FILE|FOLDER|-")
@policy_options
@source_options
@output_option("Output file, or folder for a folder")
@click.option("--certificate", metavar="FILE", help="Write a certificate that 'tacenda verify' can check (one text).")
@click.option("--vault", metavar="FILE", help="Store what undoes the replacements, encrypted (policy: reversible).")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to work in.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors (and the text, without --output).")
def command(
    recipe: Recipe,
    inputs: tuple[str, ...],
    reading: Reading,
    output: str | None,
    certificate: str | None,
    vault: str | None,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Sanitize files, folders or standard input.

    The output has the format of the input. Fields of JSONL and CSV records that are not named with
    --field or --keep-field are dropped. A run that is broken off can be started again with the same
    command: it does the rest.
    """
    run = _Run(recipe, reading, jobs, quiet)
    _check(inputs, output, as_json)
    if certificate or vault:
        run.with_papers(inputs, Path(output or ""), certificate, vault)
        run.report(as_json, True)
        return
    folders = [Path(i) for i in inputs if i != "-" and Path(i).is_dir()]
    if folders:
        run.folder(folders[0], Path(output or ""))
    elif not inputs or inputs == ("-",):
        run.standard(Path(output) if output else None)
    elif output:
        run.one(Path(inputs[0]), Path(output))
    else:
        run.show(Path(inputs[0]))
    run.report(as_json, output is not None)
    if run.failed:
        sys.exit(max(e.exit_code for e in run.failed))


def _check(inputs: tuple[str, ...], output: str | None, as_json: bool) -> None:
    if len(inputs) > 1:
        raise UsageError("give one file or one folder; for several files, put them into a folder")
    if inputs and inputs[0] != "-" and Path(inputs[0]).is_dir() and not output:
        raise UsageError(f"{inputs[0]} is a folder: say where the results go with --output FOLDER")
    if inputs and output and inputs[0] != "-" and Path(inputs[0]).resolve() == Path(output).resolve():
        raise UsageError("input and output are the same; Tacenda never overwrites an original. Choose another --output")
    if as_json and not output:
        raise UsageError("--json prints a summary on standard output: say where the text goes with --output")


class _Run:
    """One call of the command: where things come from and go to, and what happened."""

    def __init__(self, recipe: Recipe, reading: Reading, jobs: int, quiet: bool) -> None:
        self.recipe, self.reading, self.jobs, self.quiet = recipe, reading, jobs, quiet
        self.tally = Tally()
        self.failed: list[TacendaError] = []
        self.skipped = 0
        self.settings = json.dumps([recipe.policy.digest, repr(reading), sorted(recipe.known)])

    def standard(self, target: Path | None) -> None:
        """From standard input."""
        source = self.reading.open("-")
        with Runner(self.recipe, self.jobs) as runner:
            text = "".join(self._rendered(source, runner))
        if target is None:
            click.echo(text, nl=False)
            return
        with atomic(target) as out:
            out.write(text)

    def show(self, path: Path) -> None:
        """From a file to standard output, whole or not at all."""
        with Runner(self.recipe, self.jobs) as runner:
            text = "".join(self._rendered(self.reading.open(path), runner))
        click.echo(text, nl=False)

    def one(self, path: Path, target: Path) -> None:
        """From a file to a file; a name the user chose stays."""
        if target.is_dir():
            raise UsageError(f"{target} is a folder; name the output file")
        with Runner(self.recipe, self.jobs) as runner, Progress(self.quiet, path.name) as progress:
            self._file(path, target, runner, progress)

    def with_papers(self, inputs: tuple[str, ...], target: Path, certificate: str | None, vault: str | None) -> None:
        """One text with its certificate, checked before anything is written, or with its vault."""
        if len(inputs) != 1 or inputs[0] == "-" or not target.name:
            raise UsageError("--certificate and --vault go with one text file and --output FILE")
        source = self.reading.open(Path(inputs[0]))
        if source.format != "text":
            raise UsageError(f"{inputs[0]}: a certificate or vault is about one text; this file holds records")
        sanitizer = (covering(self.recipe) if certificate else self.recipe).sanitizer()
        document = self.recipe.with_known(next(iter(source.items())).documents[0])
        result = sanitizer.sanitize(document)
        claimed = self._claimed(sanitizer, result, inputs[0]) if certificate else ""
        sealed = self._sealed(document, result) if vault else b""
        self.tally.add(document, result)
        with atomic(target) as out:
            out.write(result.text)
            if certificate:
                with atomic(Path(certificate)) as paper:
                    paper.write(claimed + "\n")
            if vault:
                with atomic(Path(vault), binary=True) as box:
                    box.write(sealed)

    def _claimed(self, sanitizer: Sanitizer, result: Sanitized, where: str) -> str:
        claimed = sanitizer.certify(result).to_json()
        verdict = verify(result.text, read_certificate(claimed), sanitizer.index)
        if not verdict.holds:
            raise GuaranteeError(
                f"{where}: the certificate would not hold ({verdict.status}: {verdict.reason}). No output was written"
            )
        return claimed

    def _sealed(self, document: Document, result: Sanitized) -> bytes:
        if not self.recipe.policy.reversible:
            raise PolicyError(
                f"policy '{self.recipe.policy.name}': does not allow to undo replacements. Where that is wanted, write"
                " reversible = true into a policy of your own"
            )
        if self.recipe.key is None:
            raise UsageError("--vault needs a key: --key-file or TACENDA_KEY ('tacenda key new' makes one)")
        from tacenda.replace.vault import Entry, seal

        entries = [Entry(start, end, document.text[a:b]) for a, b, start, end in result.offsets]
        return seal(result.text, entries, self.recipe.key)

    def folder(self, folder: Path, target: Path) -> None:
        """Every readable file below a folder; errors are collected, the other files finish."""
        files = [f for f in sorted(folder.rglob("*")) if f.is_file() and not f.name.startswith(".")]
        wanted = [f for f in files if self.reading.format or f.suffix.lower() in FORMATS]
        if not wanted:
            raise InputError(f"{folder}: holds no file that Tacenda reads ({', '.join(FORMATS)})")
        self.skipped = len(files) - len(wanted)
        target.mkdir(parents=True, exist_ok=True)
        journal = Journal(target)
        done = journal.read()
        with Runner(self.recipe, self.jobs) as runner, Progress(self.quiet, "sanitizing", len(wanted)) as progress:
            for number, path in enumerate(wanted, 1):
                digest = fingerprint(path, f"{self.settings} {path.relative_to(folder)}")
                if digest not in done:
                    self._folder_file(path, folder, target, number, digest, journal, runner, progress)
                progress.step()
        if not self.failed:
            journal.close()

    def _folder_file(
        self,
        path: Path,
        folder: Path,
        target: Path,
        number: int,
        digest: str,
        journal: Journal,
        runner: Runner,
        progress: Progress,
    ) -> None:
        tally, self.tally = self.tally, Tally(hidden=set(self.tally.hidden))
        try:
            name = self._file(path, target / path.relative_to(folder), runner, progress, below=target, number=number)
            journal.add(digest, name)
        except TacendaError as error:
            self.failed.append(error)
            click.echo(f"{click.style('tacenda:', fg='red', bold=True)} {error}", err=True)
        tally.documents += self.tally.documents
        tally.words += self.tally.words
        tally.changed += self.tally.changed
        tally.notes += self.tally.notes
        tally.hidden |= self.tally.hidden
        self.tally = tally

    def _file(
        self,
        path: Path,
        target: Path,
        runner: Runner,
        progress: Progress,
        *,
        below: Path | None = None,
        number: int = 0,
    ) -> str:
        """Write one file under its own or, where that tells a name, under a neutral one."""
        source = self.reading.open(path)
        if source.format == "text":
            text = "".join(self._rendered(source, runner))
            final = self._final(target, below, number)
            with atomic(final) as out:
                out.write(text)
        else:
            with Records(target if below is None else below / f"{number:06d}", fingerprint(path, self.settings)) as out:
                if not out.done:
                    out.write(source.header(), record=False)
                for text in self._rendered(source, runner, skip=out.done):
                    out.write(text)
                    progress.note(out.done)
                final = self._final(target, below, number)
                final.parent.mkdir(parents=True, exist_ok=True)
                out.finish(final)
        return str(final.relative_to(below)) if below else str(final)

    def _final(self, target: Path, below: Path | None, number: int) -> Path:
        if below is None:
            return target
        hidden = self.tally.hidden
        parts = target.relative_to(below).parts
        folders = [safe_name(p, hidden, number, "") for p in parts[:-1]]
        return below.joinpath(*folders, safe_name(parts[-1], hidden, number, target.suffix))

    def _rendered(self, source: Source, runner: Runner, *, skip: int = 0) -> Iterator[str]:
        for item, results in runner.run(_after(source.items(), skip)):
            for document, result in zip(item.documents, results, strict=True):
                self.tally.add(document, result)
            yield item.render([r.text for r in results])

    def report(self, as_json: bool, to_file: bool) -> None:
        """Say what was done, in numbers."""
        if as_json:
            body = {**self.tally.to_json(), "failed": len(self.failed), "skipped_files": self.skipped}
            click.echo(json.dumps(body, ensure_ascii=False))
        elif not self.quiet and to_file:
            tally_table(self.tally, len(self.failed), self.skipped)


def _after(items: Iterator[Item], skip: int) -> Iterator[Item]:
    for number, item in enumerate(items):
        if number >= skip:
            yield item
