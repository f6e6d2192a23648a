"""A worker with tasks that misbehave, for the tests of the pool."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from tacenda.service import tasks, worker


def sleep(bench: Any, arguments: dict[str, Any], data: bytes) -> tasks.Answer:
    time.sleep(arguments["seconds"])
    return {"pid": os.getpid()}, b""


def crash(bench: Any, arguments: dict[str, Any], data: bytes) -> tasks.Answer:
    os._exit(9)


def fail(bench: Any, arguments: dict[str, Any], data: bytes) -> tasks.Answer:
    raise RuntimeError(data.decode())


def noise(bench: Any, arguments: dict[str, Any], data: bytes) -> tasks.Answer:
    print(data.decode())  # noqa: T201
    print(data.decode(), file=sys.stderr)  # noqa: T201
    return {}, data


def bloat(bench: Any, arguments: dict[str, Any], data: bytes) -> tasks.Answer:
    held = [bytearray(100 * 1024**2) for _ in range(20)]
    return {"held": len(held)}, b""


tasks.TASKS.update(sleep=sleep, crash=crash, fail=fail, noise=noise, bloat=bloat)

if __name__ == "__main__":
    worker.main()
