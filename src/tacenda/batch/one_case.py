"""One case through the sanitizer: files are opened, planned together with their names, written and checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tacenda import formats, term
from tacenda.errors import TacendaError
from tacenda.formats import File
from tacenda.model import AS_GIVEN, Case, Document, Note, Part, Plan, Reading, Sanitized
from tacenda.parallel import told
from tacenda.policy import Policy
from tacenda.protocols import Format, Opened
from tacenda.replace.keys import Key
from tacenda.sanitizer import Sanitizer

_RUN_TOGETHER = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|[_\-.+]+")
_NAMING = ("PERSON", "RECORD", "CASE", "CODE")


@dataclass(frozen=True)
class Recipe:
    """Everything a worker process needs to make the same sanitizer, and what is known of the subject."""

    policy: Policy
    key: Key | None = None
    known: tuple[str, ...] = field(default=(), repr=False)
    force_language: bool = False
    subject: str = field(default="", repr=False)

    def sanitizer(self) -> Sanitizer:
        """Make the sanitizer; knowledge is opened on first use."""
        return Sanitizer(self.policy, key=self.key, force_language=self.force_language)

    def with_known(self, document: Document) -> Document:
        """Add what is known of the subject to what the record says."""
        if not (self.known or self.subject):
            return document
        return replace(document, known=document.known + self.known, subject=self.subject or document.subject)


@dataclass(frozen=True)
class Task:
    """What is released together: files to open, or records that are open; and the names they would leave under.

    names   for each file the parts of its path that leave: folders, then the name without its ending
    """

    where: str
    paths: tuple[Path, ...] = ()
    records: tuple[Opened, ...] = field(default=(), repr=False)
    names: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    format: str = ""
    reading: Reading = AS_GIVEN


@dataclass(frozen=True)
class Outcome:
    """What became of a task: the bytes of each file, the plan, and which parts of the names must not leave."""

    where: str
    data: tuple[bytes, ...] = field(repr=False)
    plan: Plan
    words: int = 0
    told: tuple[tuple[bool, ...], ...] = ()
    hidden: frozenset[str] = field(default=frozenset(), repr=False)


@dataclass
class Worker:
    """Does tasks; made anew in every process."""

    recipe: Recipe

    def __post_init__(self) -> None:
        self._sanitizer: Sanitizer | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"recipe": self.recipe, "_sanitizer": None}

    @property
    def sanitizer(self) -> Sanitizer:
        """The sanitizer, made on first use."""
        if self._sanitizer is None:
            self._sanitizer = self.recipe.sanitizer()
        return self._sanitizer

    def prepare(self) -> None:
        """Load the model and all knowledge once; the processes that are forked then share their memory."""
        told(replace_language(self.sanitizer).plan, Document("A line to begin with."))

    def __call__(self, task: Task) -> Outcome | TacendaError:
        return told(self.do, task, where=task.where)

    def do(self, task: Task) -> Outcome:
        """Open, plan, write and check one task."""
        files = opened(task)
        documents = [self.recipe.with_known(file.document) for file in files]
        case = Case((*documents, *map(_names, task.names)), task.where)
        plan = self.sanitizer.plan(case)
        data = tuple(self.sanitizer.write(files, plan, case=case))
        words = sum(len(term.words(d.text)) for d in documents)
        return Outcome(task.where, data, plan, words, _told(case, len(files), plan), hidden_words(case.flat, plan))

    def tells(self, names: Sequence[str], known: Sequence[str]) -> tuple[bool, ...]:
        """Tell which parts of a path must not leave, given the words that were hidden in what it holds."""
        document = replace(self.recipe.with_known(_names(names)), subject="")
        case = Case((replace(document, known=(*document.known, *known)),))
        plan = replace_language(self.sanitizer).plan(case)
        return _hit(case.flat.parts, plan)


def replace_language(sanitizer: Sanitizer) -> Sanitizer:
    """A name of a file is too short to tell its language."""
    if sanitizer.force_language:
        return sanitizer
    made = Sanitizer(sanitizer.policy, force_language=True)
    made.parts = sanitizer.parts
    return made


def opened(task: Task) -> list[File]:
    """Open the files of a task."""
    if task.records:
        found: Format = formats.named(task.format)
        return [File(found, record, task.reading) for record in task.records]
    return [formats.open_file(path, format=task.format, reading=task.reading) for path in task.paths]


def _names(names: Sequence[str]) -> Document:
    """Return parts of a path as a document; words that are run together are set apart, so that they are found."""
    texts = [" ".join(_RUN_TOGETHER.sub(" ", name).split()) or "-" for name in names]
    parts, at = [], 0
    for text in texts:
        parts.append(Part(at, at + len(text), "name", "file name"))
        at += len(text) + 2
    return Document("\n\n".join(texts), "file name", parts=tuple(parts))


def _told(case: Case, files: int, plan: Plan) -> tuple[tuple[bool, ...], ...]:
    result = []
    for document, start in zip(case.documents[files:], case.starts[files:], strict=True):
        parts = [replace(p, start=p.start + start, end=p.end + start) for p in document.parts]
        result.append(_hit(parts, plan))
    return tuple(result)


def _hit(parts: Sequence[Part], plan: Plan) -> tuple[bool, ...]:
    changes = plan.changes
    return tuple(any(part.start <= d.start < part.end for d in changes) for part in parts)


def hidden_words(document: Document, plan: Plan) -> frozenset[str]:
    """The words of names and numbers that a plan hides: what the name of a file must not tell either."""
    found: set[str] = set()
    for decision in plan.changes:
        if decision.kind in ("known", "protected") or decision.label in _NAMING:
            words = term.words(document.text[decision.start : decision.end])
            found.update(w for w in words if len(w) > 2 and w not in term.STOP_WORDS)
    return frozenset(found)


@dataclass
class Tally:
    """What a run did, in numbers: safe to print and to publish."""

    documents: int = 0
    words: int = 0
    changed: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)

    def add(self, plan: Plan, words: int) -> None:
        """Count one case."""
        self.documents += 1
        self.words += words
        self.changed.update((d.label, d.action) for d in plan.changes)
        self.note(plan.notes)

    def note(self, notes: Iterable[Note]) -> None:
        """Count what was noted."""
        from tacenda.wording import note_in_words

        for note in notes:
            (self.missing if note.missing else self.notes)[note_in_words(note)] += 1

    def add_result(self, document: Document, result: Sanitized) -> None:
        """Count one sanitized document."""
        self.add(result.plan, len(term.words(document.text)))

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        notes = self.notes + self.missing
        return {
            "documents": self.documents,
            "words": self.words,
            "changed": [{"label": a, "action": b, "count": n} for (a, b), n in sorted(self.changed.items())],
            "notes": dict(sorted(notes.items())),
        }
