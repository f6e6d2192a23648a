"""Take documents through the sanitizer: one or many, in this process or in several, in order."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tacenda import errors, term
from tacenda.cli.options import Recipe
from tacenda.model import Document, Sanitized
from tacenda.read import Item

_worker: tuple[Recipe, Any] | None = None


def _start(recipe: Recipe) -> None:
    global _worker
    _worker = (recipe, recipe.sanitizer())


def _sanitize(document: Document) -> Sanitized:
    assert _worker is not None
    recipe, sanitizer = _worker
    try:
        result: Sanitized = sanitizer.sanitize(recipe.with_known(document))
    except errors.TacendaError:
        raise
    except Exception as error:
        # The text of an unforeseen error may quote the document, so only its kind is told.
        raise errors.TacendaError(
            f"{document.id or 'document'}: internal error ({type(error).__name__}); nothing was written for it."
            " Please report it"
        ) from None
    return result


@dataclass
class Runner:
    """Sanitizes items in order with a bounded number in flight. `jobs=1` stays in this process."""

    recipe: Recipe
    jobs: int = 1
    _pool: ProcessPoolExecutor | None = field(default=None, repr=False)

    def __enter__(self) -> Runner:
        # One process asks a search service: the rate it is promised holds for all questions together.
        if self.jobs > 1 and "service" not in self.recipe.policy.knowledge:
            self._pool = ProcessPoolExecutor(self.jobs, initializer=_start, initargs=(self.recipe,))
        else:
            _start(self.recipe)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def run(self, items: Iterable[Item]) -> Iterator[tuple[Item, list[Sanitized]]]:
        """Yield each item with its sanitized documents, in the order of the items."""
        if self._pool is None:
            for item in items:
                yield item, [_sanitize(d) for d in item.documents]
            return
        waiting: deque[tuple[Item, list[Future[Sanitized]]]] = deque()
        for item in items:
            waiting.append((item, [self._pool.submit(_sanitize, d) for d in item.documents]))
            if len(waiting) >= 8 * self.jobs:
                first, futures = waiting.popleft()
                yield first, [f.result() for f in futures]
        for first, futures in waiting:
            yield first, [f.result() for f in futures]


@dataclass
class Tally:
    """What a run did, in numbers: safe to print and to publish."""

    documents: int = 0
    words: int = 0
    changed: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    hidden: set[str] = field(default_factory=set, repr=False)

    def add(self, document: Document, result: Sanitized) -> None:
        """Count one document; remember the words that were hidden, for file names."""
        self.documents += 1
        self.words += len(term.words(document.text))
        for decision in result.plan.changes:
            self.changed[decision.label, decision.action] += 1
            named = decision.kind in ("known", "protected") or decision.label in ("PERSON", "RECORD", "CASE", "CODE")
            if named:
                words = term.words(document.text[decision.start : decision.end])
                self.hidden.update(w for w in words if len(w) > 2 and w not in term.STOP_WORDS)
        self.notes.update(result.plan.notes)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        return {
            "documents": self.documents,
            "words": self.words,
            "changed": [{"label": a, "action": b, "count": n} for (a, b), n in sorted(self.changed.items())],
            "notes": dict(sorted(self.notes.items())),
        }


def safe_name(name: str, hidden: set[str], number: int, suffix: str) -> str:
    """Replace a file or folder name that carries a word which was hidden in the text."""
    words = term.words(name.replace("_", " "))
    joined = "".join(words)
    if any(w in hidden for w in words) or any(len(h) > 4 and h in joined for h in hidden):
        return f"document-{number:04d}{suffix}"
    return name
