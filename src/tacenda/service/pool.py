"""Work in processes of their own: a hostile file can stop its worker, never the server or the others.

A call that takes longer than its limit ends with its worker killed and a new one in its place. Calls with the same
`near` go to the same worker, which remembers what it has prepared for them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tacenda
from tacenda.service import wire
from tacenda.service.problems import Problem

Answer = tuple[dict[str, Any], bytes]
WORKER = (sys.executable, "-m", "tacenda.service.worker")
# Workers import the very package that the server runs, installed or not.
_PACKAGES = str(Path(tacenda.__file__).parent.parent)


@dataclass
class Worker:
    """One process, made when it is first needed."""

    config: dict[str, Any] = field(repr=False)
    command: tuple[str, ...] = WORKER
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    process: asyncio.subprocess.Process | None = None
    waiting: int = 0

    async def ask(self, header: dict[str, Any], data: bytes, seconds: float) -> Answer:
        """Send one message and wait for its answer; kill the process if it takes too long."""
        async with self.lock:
            try:
                return await asyncio.wait_for(self._exchange(header, data), seconds)
            except TimeoutError:
                await self.stop()
                raise Problem("TooLong", f"the work took longer than {seconds:g} seconds and was stopped") from None
            except (asyncio.IncompleteReadError, ConnectionError):
                await self.stop()
                raise Problem("Crashed", "the process that worked on this ended unexpectedly") from None
            except asyncio.CancelledError:
                # The answer of a call nobody waits for any more must not be taken for that of the next.
                await self.stop()
                raise

    async def _exchange(self, header: dict[str, Any], data: bytes) -> Answer:
        if self.process is None:
            await self._start()
        process = self.process
        assert process is not None
        assert process.stdin is not None
        process.stdin.write(wire.pack(header, data))
        await process.stdin.drain()
        return await self._received(process)

    async def _start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # what a library prints could hold source text
            env={**os.environ, "PYTHONPATH": os.pathsep.join([_PACKAGES, os.environ.get("PYTHONPATH", "")])},
            limit=2**20,
        )
        assert self.process.stdin is not None
        self.process.stdin.write(wire.pack(self.config))
        await self.process.stdin.drain()

    async def _received(self, process: asyncio.subprocess.Process) -> Answer:
        assert process.stdout is not None
        body, data = wire.lengths(await process.stdout.readexactly(wire.LENGTHS))
        header = wire.header_of(await process.stdout.readexactly(body))
        return header, await process.stdout.readexactly(data)

    async def stop(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        # asyncio closes the pipes of a process only when it is told to.
        transport = getattr(process, "_transport", None)
        if transport is not None:
            transport.close()


class Pool:
    """A fixed number of workers, and a limit to how many calls may wait for them."""

    def __init__(
        self,
        config: dict[str, Any],
        *,
        workers: int,
        seconds: float,
        waiting: int,
        command: tuple[str, ...] = WORKER,
    ) -> None:
        self.workers = [Worker(config, command) for _ in range(workers)]
        self.seconds, self.limit = seconds, waiting

    @property
    def waiting(self) -> int:
        """How many calls are at work or wait."""
        return sum(worker.waiting for worker in self.workers)

    async def call(
        self, task: str, arguments: dict[str, Any], data: bytes = b"", *, near: str = "", seconds: float | None = None
    ) -> Answer:
        """Have a task done; raise its problem if it fails."""
        if self.waiting >= self.limit:
            raise Problem("Busy", "the server is busy; try again later", retry=2)
        worker = self._near(near) if near else min(self.workers, key=lambda one: one.waiting)
        worker.waiting += 1
        try:
            asked = {"task": task, "arguments": arguments}
            header, payload = await worker.ask(asked, data, seconds or self.seconds)
        finally:
            worker.waiting -= 1
        if "problem" in header:
            raise Problem(header["problem"]["kind"], header["problem"]["message"])
        return header, payload

    def _near(self, near: str) -> Worker:
        return self.workers[zlib.crc32(near.encode()) % len(self.workers)]

    async def warm(self) -> None:
        """Start all workers and let them open what they need; what is wrong is told to the first who asks."""
        asked = [worker.ask({"task": "warm", "arguments": {}}, b"", 300.0) for worker in self.workers]
        with suppress(Problem):
            await asyncio.gather(*asked)

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))
