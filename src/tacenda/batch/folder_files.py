"""The files of one folder: which are done, what belongs together, and the names under which they leave."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacenda import formats
from tacenda.batch.one_case import Outcome, Task
from tacenda.batch.write import Journal, Records, atomic, fingerprint
from tacenda.errors import TacendaError
from tacenda.parallel import ordered
from tacenda.protocols import Format, TableFormat

if TYPE_CHECKING:
    from tacenda.batch.folder import Run

ASIDE = ".jsonl"  # of what is set aside from a table kept by columns: places, not rows


def finish(out: Records, found: Format, target: Path) -> None:
    """Give a record file its name; of a table, make the file of its pieces first."""
    if not isinstance(found, TableFormat):
        out.finish(target)
        return
    with out.reread() as pieces, atomic(target, binary=True) as made:
        found.finish(pieces, made)
    out.keep_aside()


class FolderFiles:
    """The files of one folder, with the journal of what is done and the names they leave under."""

    def __init__(self, run: Run, folder: Path, target: Path, files: list[Path], *, first: int = 1) -> None:
        self.run, self.folder, self.target, self.files = run, folder, target, files
        self.journal = Journal(target)
        self.number = {path: n for n, path in enumerate(files, first)}
        folders = sorted({p for f in files for p in f.relative_to(folder).parents if p != Path()})
        self._neutral = {p: f"folder-{n:04d}" for n, p in enumerate(folders, 1)}
        self._telling: set[Path] = set()

    def work(self) -> None:
        """Sanitize all files that are not done yet: documents in several processes, then record files one by one."""
        done = self.journal.read()
        fresh, streams = [], []
        for case in self._cases():
            try:
                if all(self._digest(path) in done for path in case):
                    self._step(case)
                elif len(case) == 1 and self.run.by_record(formats.format_of(case[0], format=self.run.format)):
                    streams.append(case)
                else:
                    fresh.append(case)
            except TacendaError as error:
                self._failed(case, error)
        results = ordered(self.run.worker, map(self._task, fresh), jobs=min(self.run.processes, len(fresh)))
        for case, result in zip(fresh, results, strict=True):
            self._finish(case, result)
        for case in streams:
            try:
                self._record_file(case[0])
                self._step(case)
            except TacendaError as error:
                self._failed(case, error)
        if not self.run.failed:
            self.journal.close()

    def _digest(self, path: Path) -> str:
        return fingerprint(path, f"{self.run.settings} {path.relative_to(self.folder)}")

    def _failed(self, case: Sequence[Path], error: TacendaError) -> None:
        self.run.failed.append(error)
        self.run.on_error(error)
        self._step(case)

    def _step(self, case: Sequence[Path]) -> None:
        for _ in case:
            self.run.on_step(0)

    def _cases(self) -> list[list[Path]]:
        if self.run.per_case != "folder":
            return [[path] for path in self.files]
        cases: dict[Path, list[Path]] = {}
        for path in self.files:
            cases.setdefault(path.parent, []).append(path)
        return list(cases.values())

    def _task(self, paths: Sequence[Path]) -> Task:
        names = tuple(self._leaving(path) for path in paths)
        where = str(paths[0] if len(paths) == 1 else paths[0].parent)
        return Task(where, tuple(paths), names=names, format=self.run.format, reading=self.run.reading)

    def _finish(self, paths: Sequence[Path], result: Outcome | TacendaError) -> None:
        try:
            outcome = self.run.counted(result, None)
            for path, data, told in zip(paths, outcome.data, outcome.told, strict=True):
                final = self._final(path, told)
                with atomic(final, binary=True) as out:
                    out.write(data)
                self.journal.add(self._digest(path), str(final.relative_to(self.target)))
            self._step(paths)
        except TacendaError as error:
            self._failed(paths, error)

    def _record_file(self, path: Path) -> None:
        found = formats.format_of(path, format=self.run.format)
        # Beside the folder, not in it: what is set aside must not be shared with the rest.
        ending = ASIDE if isinstance(found, TableFormat) else ""
        beside = self.target.with_name(f"{self.target.name}.quarantine") / f"{path.relative_to(self.folder)}{ending}"
        with Records(self.target / f"{self.number[path]:06d}", fingerprint(path, self.run.settings), beside) as out:
            hidden = self.run.into(out, path, found)
            final = self._final(path, self.run.worker.tells(self._leaving(path), sorted(hidden)))
            final.parent.mkdir(parents=True, exist_ok=True)
            finish(out, found, final)
        self.run.note_aside(out)
        if not out.aside:  # else a second run tries those set aside again
            self.journal.add(self._digest(path), str(final.relative_to(self.target)))

    def _leaving(self, path: Path) -> tuple[str, ...]:
        relative = path.relative_to(self.folder)
        return (*relative.parts[:-1], relative.stem)

    def _final(self, path: Path, told: Sequence[bool]) -> Path:
        """Return where a file goes: under its own name, or under a neutral one where that tells something."""
        relative = path.relative_to(self.folder)
        for depth, tells in enumerate(told[:-1], 1):
            if tells:
                self._hide(Path(*relative.parts[:depth]))
        suffix = formats.written_suffix(relative.suffix)
        name = f"document-{self.number[path]:04d}{suffix}" if told[-1] else relative.stem + suffix
        return self.target / self._shown(relative.parent) / name

    def _shown(self, folder: Path) -> Path:
        """Return a folder as it is named in the output."""
        parts = [Path(*folder.parts[:n]) for n in range(1, len(folder.parts) + 1)]
        return Path(*(self._neutral[p] if p in self._telling else p.name for p in parts))

    def _hide(self, folder: Path) -> None:
        """Give a folder a neutral name, also for what already lies in it."""
        if folder in self._telling:
            return
        old = self._shown(folder)
        self._telling.add(folder)
        new = self._shown(folder)
        if (self.target / old).exists():
            (self.target / old).rename(self.target / new)
            self.journal.moved(str(old), str(new))
