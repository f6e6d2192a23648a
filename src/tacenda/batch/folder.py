"""Files and folders: what belongs together is planned together, and every name that leaves is looked at.

per_case    "file": each file is a case (the default); "record": each record of JSONL, CSV and TSV files (the default
            for these); "folder": all files of a folder. A field that names the case joins the records that share it
"""

from __future__ import annotations

import io
import itertools
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tacenda import formats
from tacenda.batch.folder_files import ASIDE, FolderFiles, finish
from tacenda.batch.one_case import Outcome, Recipe, Tally, Task, Worker
from tacenda.batch.write import Records, atomic, fingerprint, is_special, only_one, writing
from tacenda.errors import InputError, TacendaError, UsageError
from tacenda.formats import File
from tacenda.model import AS_GIVEN, Reading
from tacenda.parallel import ordered
from tacenda.policy import Policy, policy_of
from tacenda.protocols import Format, Opened, Placed, RecordFormat, Sourced, TableBatch, TableFormat

PerCase = Literal["", "file", "record", "folder"]
_MOST_HIDDEN = 2_000  # words hidden in a record file that its own name is compared with


@dataclass
class Run:
    """One run: where things come from and go to, and what happened.

    on_error    called with every error of a folder or of a record, while the other files and records go on
    quarantine  where records that failed were set aside as they came, and how many of them
    on_step     called with the number of records done, or 0 after each file of a folder
    """

    recipe: Recipe
    reading: Reading = AS_GIVEN
    format: str = ""
    jobs: int = 1
    per_case: PerCase = ""
    on_error: Callable[[TacendaError], None] = lambda _: None
    on_step: Callable[[int], None] = lambda _: None
    tally: Tally = field(default_factory=Tally)
    failed: list[TacendaError] = field(default_factory=list)
    quarantine: dict[Path, int] = field(default_factory=dict)
    skipped: int = 0

    def __post_init__(self) -> None:
        self.worker = Worker(self.recipe)
        self._head: Opened | None = None
        self._out: Records | None = None
        self._rows = 0
        # One process asks a search service: the rate it is promised holds for all questions together.
        self.processes = 1 if "service" in self.recipe.policy.knowledge else self.jobs
        known = sorted(self.recipe.known)
        self.settings = json.dumps(
            [self.recipe.policy.digest, repr(self.reading), self.per_case, known, self.recipe.subject]
        )

    def data(self, data: bytes, name: str) -> bytes:
        """Return bytes sanitized, whole."""
        found = formats.named(self.format, where=name) if self.format else formats.find(name, data[:4096])
        reading = self._reading(name)
        if self.by_record(found):
            return _whole(found, list(self._streamed(found, io.BytesIO(data), reading)))
        file = File(found, found.open(data, reading), reading)
        task = Task(name, records=(file.opened,), format=found.name, reading=reading)
        return self._done(task).data[0]

    def show(self, path: Path) -> bytes:
        """Return a file sanitized, whole."""
        return self._all(path, formats.format_of(path, format=self.format))

    def one(self, path: Path, target: Path) -> None:
        """Sanitize a file into a file; a name the user chose stays."""
        found = formats.format_of(path, format=self.format)
        if is_special(target) or not self.by_record(found):
            data = self._all(path, found)
            with atomic(target, binary=True) as out:
                out.write(data)
            return
        beside = target.with_name(f"{target.name}.rows") if isinstance(found, TableFormat) else target
        aside = f"{target.stem}.quarantine{target.suffix}{ASIDE if isinstance(found, TableFormat) else ''}"
        with only_one(target), Records(beside, fingerprint(path, self.settings), target.with_name(aside)) as out:
            self.into(out, path, found)
            finish(out, found, target)
        self.note_aside(out)

    def note_aside(self, out: Records) -> None:
        """Note where records that failed were set aside."""
        if out.aside:
            self.quarantine[out.quarantine] = out.aside

    def folder(self, folder: Path, target: Path) -> None:
        """Sanitize every readable file below a folder; errors are collected, the other files finish."""
        files = [f for f in sorted(folder.rglob("*")) if f.is_file() and not f.name.startswith(".")]
        wanted = [f for f in files if self.format or f.suffix.lower() in formats.suffixes()]
        if not wanted:
            raise InputError(f"{folder}: contains no file that Tacenda can read ({', '.join(formats.suffixes())})")
        self.skipped = len(files) - len(wanted)
        with only_one(target):
            with writing(target):
                target.mkdir(parents=True, exist_ok=True)
            FolderFiles(self, folder, target, wanted).work()

    def several(self, files: Sequence[Path], target: Path) -> None:
        """Sanitize files that were named one by one, into a folder."""
        for path in files:
            formats.format_of(path, format=self.format)
        folders = {path.parent for path in files}
        with only_one(target):
            with writing(target):
                target.mkdir(parents=True, exist_ok=True)
            done = 0
            for folder in sorted(folders):
                own = sorted(path for path in files if path.parent == folder)
                FolderFiles(self, folder, target, own, first=done + 1).work()
                done += len(own)

    # ---- one file ----------------------------------------------------------------------------------

    def _reading(self, name: str) -> Reading:
        return replace(self.reading, name=name)

    def by_record(self, found: Format) -> bool:
        """Tell whether the records of a file are cases of their own."""
        return isinstance(found, RecordFormat) and self.per_case in ("", "record")

    def _all(self, path: Path, found: Format) -> bytes:
        pieces = list(self._pieces(path, found))
        return _whole(found, pieces) if self.by_record(found) else b"".join(pieces)

    def _pieces(self, path: Path, found: Format, *, names: Sequence[str] = ()) -> Iterator[bytes]:
        reading = self._reading(str(path))
        if self.by_record(found):
            with formats.binary(path) as file:
                yield from self._streamed(found, file, reading)
            return
        task = Task(str(path), (path,), names=(tuple(names),) if names else (), format=found.name, reading=reading)
        yield from self._done(task).data

    def _done(self, task: Task) -> Outcome:
        result = self.worker(task)
        if isinstance(result, TacendaError):
            raise result
        self.tally.add(result.plan, result.words)
        return result

    def into(self, out: Records, path: Path, found: Format) -> set[str]:
        """Write the records of a file, from where an earlier run was broken off; return the words hidden."""
        hidden: set[str] = set()
        with formats.binary(path) as file:
            pieces = self._streamed(found, file, self._reading(str(path)), out=out, hidden=hidden)
            for number, data in enumerate(pieces):
                head = number == 0 and out.done == 0 and self._head is not None
                out.write(data, record=not head)
                if isinstance(found, TableFormat):
                    out.save()  # a piece is many rows
                self.on_step(self._rows or out.done)
        return hidden

    def _streamed(
        self, found: Any, file: Any, reading: Reading, *, out: Records | None = None, hidden: set[str] | None = None
    ) -> Iterator[bytes]:
        """Yield the head, then each record; those that `out` holds were written by an earlier run, with the head."""
        if out and reading.case_field:
            out.restart()  # records of a case may stand anywhere: all are done anew
        skip = out.done if out else 0
        self._rows, self._head, self._out = 0, None, out
        if isinstance(found, TableFormat):
            yield from self._by_batch(found, file, reading, skip, hidden)
            return
        self._head = head = found.head(file, reading)
        file.seek(0)
        if head is not None and not skip:
            yield self.worker_do(Task(reading.name, records=(head,), format=found.name, reading=reading)).data[0]
        if reading.case_field:
            yield from self._cases_of(list(found.records(file, reading)), found, reading, hidden)
            return
        records = itertools.islice(found.records(file, reading), skip, None)
        yield from self._lines(found, records, reading, hidden)

    def _by_batch(
        self, found: TableFormat, file: Any, reading: Reading, skip: int, hidden: set[str] | None
    ) -> Iterator[bytes]:
        """Yield the rows of a table some at a time, each row a case of its own unless a field joins them."""
        head = found.head(file, reading)
        assert head is not None
        names = self.worker_do(Task(reading.name, records=(head,), format=found.name, reading=reading))
        self.tally.note(n for n in names.plan.notes if n.kind == "dropped")
        file.seek(0)
        waiting: deque[TableBatch] = deque()
        lines: list[bytes] = []

        def records() -> Iterator[Opened]:
            for batch in itertools.islice(found.batches(file, reading), skip, None):
                waiting.append(batch)
                yield from batch.records

        for line in itertools.chain(self._lines(found, records(), reading, hidden), [None]):
            while waiting and len(lines) == len(waiting[0].records):
                self._rows += len(lines)
                yield waiting.popleft().written(names.data[0], lines)
                lines = []
            lines += [] if line is None else [line]

    def _lines(
        self, found: Format, records: Iterator[Opened], reading: Reading, hidden: set[str] | None
    ) -> Iterator[bytes]:
        """Yield what each row wrote, in order. Rows that share a case are planned together, once all are read."""
        if not reading.case_field:
            waiting: deque[Opened] = deque()

            def tasks() -> Iterator[Task]:
                for record in records:
                    waiting.append(record)
                    yield _row(record, found, reading)

            for result in ordered(self.worker, tasks(), jobs=self.processes):
                yield self._record(result, hidden, [waiting.popleft()])[0]
            return
        yield from self._cases_of(list(records), found, reading, hidden)

    def _record(
        self, result: Outcome | TacendaError, hidden: set[str] | None, records: Sequence[Opened]
    ) -> Sequence[bytes]:
        """Return what is written for the records of a case; those of one that failed are set aside, others go on."""
        if not isinstance(result, TacendaError):
            return self.counted(result, hidden).data
        self.failed.append(result)
        self.on_error(result)
        head = self._head.source if isinstance(self._head, Sourced) else b""
        told = json.dumps({"error": type(result).__name__, "message": str(result)}).encode()
        for record in records:
            # A row of a table kept by columns is no line of its own: its place is told.
            source = record.source if isinstance(record, Sourced) else b""
            if self._out is not None:
                self._out.set_aside(source or told, head)
        return [b""] * len(records)

    def worker_do(self, task: Task) -> Outcome:
        """Do a task that is no document of its own, such as the head of a table."""
        result = self.worker(task)
        if isinstance(result, TacendaError):
            raise result
        return result

    def _cases_of(self, records: list[Any], found: Any, reading: Reading, hidden: set[str] | None) -> list[bytes]:
        """Plan records that share a case together; what each wrote, in the order they came in."""
        cases: dict[str, list[int]] = {}
        for number, record in enumerate(records):
            cases.setdefault(_case_of(record) or f"\0{number}", []).append(number)
        tasks = [
            Task(records[own[0]].where, records=tuple(records[n] for n in own), format=found.name, reading=reading)
            for own in cases.values()
        ]
        written: list[bytes] = [b""] * len(records)
        for own, result in zip(cases.values(), ordered(self.worker, tasks, jobs=self.processes), strict=True):
            for number, data in zip(own, self._record(result, hidden, [records[n] for n in own]), strict=True):
                written[number] = data
        return written

    def counted(self, result: Outcome | TacendaError, hidden: set[str] | None) -> Outcome:
        """Count what became of a task; raise its error."""
        if isinstance(result, TacendaError):
            raise result
        self.tally.add(result.plan, result.words)
        if hidden is not None and len(hidden) < _MOST_HIDDEN:
            hidden |= result.hidden
        return result


def _case_of(record: Opened) -> str:
    """A record that cannot be read stands alone: the worker says what is wrong with it."""
    try:
        return record.read().case
    except TacendaError:
        return ""


def _row(record: Opened, found: Format, reading: Reading) -> Task:
    where = record.where if isinstance(record, Placed) else reading.name
    return Task(where, records=(record,), format=found.name, reading=reading)


def _whole(found: Format, pieces: Sequence[bytes]) -> bytes:
    """Return a file of its pieces."""
    if not isinstance(found, TableFormat):
        return b"".join(pieces)
    out = io.BytesIO()
    found.finish(io.BytesIO(b"".join(pieces)), out)
    return out.getvalue()


def sanitize_folder(
    source: str | Path,
    target: str | Path,
    *,
    policy: Policy | str | Path | Sequence[Policy | str | Path],
    jobs: int = 1,
    known: Sequence[str] = (),
    per_case: PerCase = "",
    reading: Reading = AS_GIVEN,
    force_language: bool = False,
) -> Run:
    """Sanitize every readable file below a folder into another folder; return what was done.

    `Run.tally` holds the numbers and `Run.failed` the errors of files that could not be sanitized; the others are
    written all the same. An interrupted call can be repeated: it continues where it stopped.
    """
    if not Path(source).is_dir():
        raise InputError(f"{source}: no such folder")
    if Path(source).resolve() == Path(target).resolve():
        raise UsageError("source and target are the same folder; an original is never overwritten")
    recipe = Recipe(policy_of(policy), known=tuple(known), force_language=force_language)
    run = Run(recipe, reading, jobs=jobs, per_case=per_case)
    run.folder(Path(source), Path(target))
    return run
