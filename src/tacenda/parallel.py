"""Work on many things in several processes, with the results in order and errors as values."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, Protocol, TypeVar, runtime_checkable

from tacenda.errors import TacendaError

Item = TypeVar("Item")
Result = TypeVar("Result")
_task: Callable[[Any], Any] | None = None


@runtime_checkable
class Prepared(Protocol):
    """A task that can load what it works with beforehand."""

    def prepare(self) -> None:
        """Load now; processes that are forked afterwards share it."""
        ...


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start(task: Callable[[Any], Any]) -> None:
    global _task
    _task = task
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that gave it work is gone, killed or not: nobody would take the results."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(item: Any) -> Any:
    assert _task is not None
    return _task(item)


def ordered(task: Callable[[Item], Result], items: Iterable[Item], *, jobs: int = 1) -> Iterator[Result]:
    """Yield the result of each item in order, with a bounded number in flight; `jobs=1` stays in this process."""
    if jobs <= 1:
        yield from map(task, items)
        return
    if isinstance(task, Prepared) and multiprocessing.get_start_method() == "fork":
        task.prepare()
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(task,)) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(_run, item))
                if len(waiting) >= 8 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def told(function: Callable[..., Result], *arguments: Any, where: str = "") -> Result | TacendaError:
    """Call a function; return an error as a value. Of an unforeseen one only the kind is told."""
    try:
        return function(*arguments)
    except TacendaError as error:
        return error
    except Exception as error:
        # The text of an unforeseen error may quote the document.
        return TacendaError(
            f"{where or 'document'}: internal error ({type(error).__name__}); nothing was written for it."
            " Please report it"
        )
