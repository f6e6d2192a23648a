"""Building an index: runs of sorted postings made in parallel, duplicates dropped, runs merged from disk.

Memory stays under a limit whatever the size of the input: text is taken in batches, each batch becomes a run
on disk, and the merge takes as many words at a time as fit. The file depends on the text and the options
only, not on the number of processes or the limit.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tacenda.errors import UsageError
from tacenda.knowledge.index.merge_runs import merge_runs, run_of_index
from tacenda.knowledge.index.windows import UNITS, WINDOW_WORDS, Unit, make_run

_BATCH_CHARACTERS = 8 << 20
LEAST_MEMORY_MB = 512  # three interpreters with NumPy and their tables


@dataclass(frozen=True)
class BuildOptions:
    """How an index is built.

    unit        what counts as a page: a window, a paragraph, a sentence or a document
    most_words  longest window, in words
    most_share  words in more than this share of the windows keep their count but no postings (0: all kept).
                Such an index is final: it cannot be merged or added to
    memory_mb   memory the building may use, in all processes together
    processes   0: one for each core
    """

    unit: Unit = "window"
    most_words: int = WINDOW_WORDS
    most_share: float = 0.0
    memory_mb: int = 1024
    processes: int = 0

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise UsageError(f"index: no unit named '{self.unit}'. Available: {', '.join(UNITS)}.")
        if self.most_words < 1 or not 0 <= self.most_share < 1:
            raise UsageError("index: most_words must be at least 1 and most_share in [0, 1).")
        if self.memory_mb < LEAST_MEMORY_MB:
            raise UsageError(f"index: {self.memory_mb} MB of memory is too little; allow at least {LEAST_MEMORY_MB}.")


def build_index(
    target: str | os.PathLike[str],
    pieces: Iterable[tuple[int, str]],
    *,
    add_to: Sequence[str | os.PathLike[str]] = (),
    options: BuildOptions | None = None,
    describe: Mapping[str, Any] | None = None,
) -> str:
    """Build an index file from (article number, text) pieces; return its digest.

    Pieces of one article follow each other. `add_to` are complete indexes whose windows come first: with no
    pieces this merges them, with pieces it adds documents; counts are those of building everything at once.
    Nothing is left behind if building fails.
    """
    path = Path(target)
    options = options or BuildOptions()
    check_target(path)
    with tempfile.TemporaryDirectory(prefix=".tacenda-index-", dir=path.resolve().parent) as name:
        scratch = Path(name)
        processes = options.processes or os.cpu_count() or 1
        with _Workers(processes) as workers:
            runs = [run_of_index(Path(index), scratch / f"index{n}", options) for n, index in enumerate(add_to)]
            bases = len(runs)
            batches = _batches(pieces, min(_BATCH_CHARACTERS, (options.memory_mb << 20) // (96 * processes)))
            calls = (
                (make_run, scratch / f"run{n}", batch, options.unit, options.most_words)
                for n, batch in enumerate(batches)
            )
            runs.extend(workers.run(calls))
            made = scratch / "index"
            digest = merge_runs(made, runs, bases, options, dict(describe or {}), workers.run)
        os.replace(made, path)
    return digest


def check_target(path: Path) -> None:
    """Refuse a place where no file can be written, before anything is read."""
    folder = path.resolve().parent
    if path.is_dir():
        raise UsageError(f"index {path}: is a folder. Name the file to write, for example {path / 'mine.tix'}.")
    if not folder.is_dir():
        raise UsageError(f"index {path}: there is no folder {folder.name} to write it to. Make it first.")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"index {path}: the folder cannot be written to. Name another.")


def _batches(pieces: Iterable[tuple[int, str]], size: int) -> Iterator[list[tuple[int, str]]]:
    batch: list[tuple[int, str]] = []
    held = 0
    for piece in pieces:
        batch.append(piece)
        held += len(piece[1])
        if held >= size:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


class _Workers:
    """Runs calls in other processes, a bounded number ahead, results in order; the first alone stays here."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def run(self, calls: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Yield the result of each (function, *arguments)."""
        stream = iter(calls)
        head = [call for _, call in zip(range(2), stream, strict=False)]
        if len(head) < 2 or self._processes == 1:
            for function, *arguments in (*head, *stream):
                yield function(*arguments)
            return
        yield from self._spread(head, stream)

    def _spread(self, head: list[tuple[Any, ...]], stream: Iterator[tuple[Any, ...]]) -> Iterator[Any]:
        # Spawned, not forked: safe in programs that hold threads.
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))
        waiting: list[Future[Any]] = [self._pool.submit(*call) for call in head]
        for call in stream:
            waiting.append(self._pool.submit(*call))
            if len(waiting) > 2 * self._processes:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
