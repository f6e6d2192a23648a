"""Where cases are kept: in a work folder, so that a refresh or a restart loses nothing, or in memory.

work/cases/7/case.json       title, policies, the plan's items as they were made, what the page shows
work/cases/7/0.docx ...      the files as they came (mode 0600)
work/cases/7/plan.json       the plan of the sanitizer
work/cases/7/steps.jsonl     one line a step, on disk before it is answered
work/audit.jsonl             the audit trail
work/released/7/             what was released
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacenda.errors import InputError
from tacenda.service.review.record import Item, Record, Step

Files = list[tuple[str, bytes]]
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}$")


@dataclass
class Kept:
    """A case with what belongs to it: files, plan, and what the page shows of the document."""

    record: Record
    files: Files = field(repr=False)
    plan: str = field(repr=False)
    view: dict[str, Any] = field(repr=False)
    released: dict[str, bytes] = field(default_factory=dict, repr=False)


@dataclass
class Store:
    """All cases by number."""

    work: Path | None = None
    cases: dict[str, Kept] = field(default_factory=dict, repr=False)
    _last: int = 0

    def next_id(self) -> str:
        """Return the next number."""
        self._last += 1
        return str(self._last)

    def add(self, kept: Kept) -> None:
        """Keep a new case."""
        self.cases[kept.record.id] = kept
        if self.work is None:
            return
        folder = self._folder(kept.record.id)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        names = []
        for number, (name, data) in enumerate(kept.files):
            suffix = _SUFFIX.search(name)
            stored = f"{number}{suffix.group().lower() if suffix else ''}"
            write_whole(folder / stored, data)
            names.append([stored, name])
        write_whole(folder / "plan.json", kept.plan.encode("utf-8", "surrogatepass"))
        record = kept.record
        body = {
            "title": record.title,
            "policies": list(record.policies),
            "files": names,
            "view": kept.view,
            "items": [item.to_json() for item in record.items.values()],
        }
        # Written last: a folder without it is a case that a crash cut short, and is left alone.
        write_whole(folder / "case.json", json.dumps(body).encode())

    def log(self, record: Record, step: Step) -> None:
        """Write a step down; only then is it taken."""
        if self.work is None:
            return
        line = json.dumps(step.to_json(), separators=(",", ":")) + "\n"
        descriptor = os.open(self._folder(record.id) / "steps.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as out:
            out.write(line)
            out.flush()
            os.fsync(out.fileno())

    def release(self, kept: Kept, files: dict[str, bytes]) -> None:
        """Keep what was released."""
        kept.released = files
        if self.work is None:
            return
        folder = self.work / "released" / kept.record.id
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, data in files.items():
            write_whole(folder / name, data)

    def load(self) -> None:
        """Read all cases of the work folder again."""
        if self.work is None:
            return
        for folder in sorted((self.work / "cases").glob("*/case.json"), key=_number):
            kept = self._read(folder.parent)
            self.cases[kept.record.id] = kept
        self._last = max([self._last, *(int(i) for i in self.cases if i.isdigit())])

    def _read(self, folder: Path) -> Kept:
        try:
            body = json.loads((folder / "case.json").read_text("utf-8"))
            files = [(name, (folder / stored).read_bytes()) for stored, name in body["files"]]
            plan = (folder / "plan.json").read_bytes().decode("utf-8", "surrogatepass")
            items = [Item.from_json(item) for item in body["items"]]
            record = Record(folder.name, body["title"], tuple(body["policies"]), {item.id: item for item in items})
            for step in _steps(folder / "steps.jsonl"):
                record.take(step)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"case {folder.name} of the work folder is damaged ({type(error).__name__})") from None
        kept = Kept(record, files, plan, body["view"])
        released = self.work / "released" / folder.name if self.work else folder
        if record.state == "released" and released.is_dir():
            kept.released = {file.name: file.read_bytes() for file in sorted(released.iterdir()) if file.is_file()}
        if record.steps:
            record.remaining = None  # to be assessed again when someone looks
        return kept

    def _folder(self, id_: str) -> Path:
        assert self.work is not None
        return self.work / "cases" / id_


def _number(path: Path) -> int:
    return int(path.parent.name) if path.parent.name.isdigit() else 0


def _steps(file: Path) -> Iterator[Step]:
    """Read the steps of a case; a line that a crash left half written was never answered and is cut off."""
    if not file.exists():
        return
    data = file.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(file, whole)
    for line in data[:whole].decode("utf-8", "surrogatepass").splitlines():
        yield Step.from_json(json.loads(line))


def write_whole(file: Path, data: bytes) -> None:
    """Write a file that appears only when all of it is there, readable by its owner alone."""
    partial = file.with_name(f".{file.name}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)
