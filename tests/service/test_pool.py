"""Work in other processes: what misbehaves there hurts nobody else."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tacenda.service.pool import Pool
from tacenda.service.problems import Problem

COMMAND = (sys.executable, str(Path(__file__).parent / "hostile_worker.py"))


@asynccontextmanager
async def pool_of(workers: int = 2, seconds: float = 20.0, waiting: int = 20) -> AsyncIterator[Pool]:
    config = {"policies": ["identifiers"], "memory": 600 * 1024**2}
    pool = Pool(config, workers=workers, seconds=seconds, waiting=waiting, command=COMMAND)
    try:
        yield pool
    finally:
        await pool.close()


async def kind_of(call: asyncio.Future[object] | object) -> str:
    try:
        await call  # type: ignore[misc]
    except Problem as problem:
        return problem.kind
    return "none"


def test_what_takes_too_long_is_stopped_and_the_next_call_works() -> None:
    async def main() -> None:
        async with pool_of(1) as pool:
            await pool.call("sleep", {"seconds": 0})
            began = time.monotonic()
            assert await kind_of(pool.call("sleep", {"seconds": 60}, seconds=0.5)) == "TooLong"
            assert time.monotonic() - began < 5
            header, _ = await pool.call("sleep", {"seconds": 0})
            assert header["pid"]

    asyncio.run(main())


def test_a_crash_hurts_only_its_own_call() -> None:
    async def main() -> None:
        async with pool_of(2) as pool:
            calls = [pool.call("crash" if i % 3 == 0 else "sleep", {"seconds": 0.01}) for i in range(9)]
            kinds = [await kind_of(asyncio.ensure_future(call)) for call in calls]
            assert kinds == ["Crashed", "none", "none"] * 3

    asyncio.run(main())


def test_an_unforeseen_error_tells_only_its_type(canary: str) -> None:
    async def main() -> None:
        async with pool_of(1) as pool:
            with pytest.raises(Problem) as caught:
                await pool.call("fail", {}, canary.encode())
            assert str(caught.value) == "internal error (RuntimeError)"

    asyncio.run(main())


def test_prints_of_a_library_do_not_get_between_the_messages(canary: str, capfd: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        async with pool_of(1) as pool:
            assert (await pool.call("noise", {}, canary.encode()))[1] == canary.encode()

    asyncio.run(main())
    captured = capfd.readouterr()
    assert canary not in captured.out + captured.err


def test_memory_of_a_worker_has_an_end() -> None:
    async def main() -> None:
        async with pool_of(1) as pool:
            assert await kind_of(pool.call("bloat", {})) in ("Internal", "Crashed")
            assert await kind_of(pool.call("sleep", {"seconds": 0})) == "none"

    asyncio.run(main())


def test_too_many_calls_are_refused_at_once() -> None:
    async def main() -> None:
        async with pool_of(1, waiting=3) as pool:
            calls = [asyncio.ensure_future(pool.call("sleep", {"seconds": 0.3})) for _ in range(8)]
            kinds = [await kind_of(call) for call in calls]
            assert kinds.count("none") == 3
            assert kinds.count("Busy") == 5

    asyncio.run(main())


def test_calls_of_one_case_go_to_one_worker() -> None:
    async def main() -> None:
        async with pool_of(2) as pool:
            pids = {(await pool.call("sleep", {"seconds": 0}, near="case 7"))[0]["pid"] for _ in range(4)}
            assert len(pids) == 1

    asyncio.run(main())


def test_a_call_given_up_does_not_answer_the_next() -> None:
    async def main() -> None:
        async with pool_of(1) as pool:
            given_up = asyncio.ensure_future(pool.call("sleep", {"seconds": 0.5}))
            await asyncio.sleep(0.3)
            given_up.cancel()
            with pytest.raises(asyncio.CancelledError):
                await given_up
            header, data = await pool.call("noise", {}, b"mine")
            assert data == b"mine"
            assert header == {}

    asyncio.run(main())
