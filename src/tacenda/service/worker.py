"""A worker process: reads tasks from standard input, writes answers to standard output, one at a time."""

from __future__ import annotations

import logging
import os
import resource
import sys
import warnings
from contextlib import suppress
from typing import Any

from tacenda.service import wire
from tacenda.service.problems import from_error

MEMORY = 4 * 1024**3


def main() -> None:
    """Serve until standard input ends."""
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # Nothing else may write between the messages.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    first = wire.receive(incoming)
    if first is None:
        return
    memory = int(first[0].get("memory", MEMORY))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    from tacenda.service.tasks import Bench

    bench = Bench.from_config(first[0])
    while (message := wire.receive(incoming)) is not None:
        header, data = message
        outgoing.write(wire.pack(*_done(bench, header, data)))
        outgoing.flush()


def _done(bench: Any, header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        answer: tuple[dict[str, Any], bytes] = bench.do(header["task"], header["arguments"], data)
        return answer
    except Exception as error:
        problem = from_error(error)
        return {"problem": {"kind": problem.kind, "message": problem.message}}, b""


if __name__ == "__main__":
    main()
