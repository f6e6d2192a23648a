"""More than the server can do: 1,000 small texts a second, 50 uploads at once, and memory over minutes of load.

    python -m benchmarks.speed.flood [--presidio PYTHON] [--seconds 20] [--minutes 15] [-o flood.json]

Requests are sent when they are due, whether earlier ones are answered or not, over 400 connections that stay open; one
that finds no free connection is counted as not sent. A server holds the load, or refuses what is too much at once with
429 or 503; a request without any answer, or one that waits for half a minute, is a failure. Memory is of the server and
its workers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.speed.serve import TEXT, ours, theirs

CONNECTIONS = 400
LONGEST = 30.0  # seconds
Server = Callable[[], AbstractContextManager[tuple[str, dict[str, str]]]]


def request(address: str, headers: dict[str, str]) -> bytes:
    """Return one request as it travels."""
    body = json.dumps({"text": TEXT, "language": "en"}).encode()
    told = {"Host": urlsplit(address).netloc, "Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in {**told, **headers}.items())
    return f"POST /analyze HTTP/1.1\r\n{lines}\r\n".encode() + body


class Line(asyncio.Protocol):
    """One connection: sends a request and tells when its answer is there.

    Nothing is made for a request but one entry in a table, so that one process can send some thousands a second.
    """

    def __init__(self, done: Callable[[Line, int], None]) -> None:
        self.done, self.held, self.began = done, b"", 0.0
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember how to write."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def ask(self, data: bytes) -> None:
        """Send a request."""
        assert self.transport is not None
        self.held, self.began = b"", time.perf_counter()
        self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of the answer; tell its status when it is whole."""
        self.held += data
        head, found, body = self.held.partition(b"\r\n\r\n")
        if found and self.began:
            length = _LENGTH.search(head)
            if len(body) >= (int(length[1]) if length else 0):
                self.began = 0.0
                self.done(self, int(head[9:12]))

    def connection_lost(self, _: Exception | None) -> None:
        """Tell of an answer that never came."""
        self.transport = None
        if self.began:
            self.began = 0.0
            self.done(self, 0)


_LENGTH = re.compile(rb"content-length: (\d+)", re.I)


@dataclass
class Load:
    """What came of a load: answers by status, and how long they took."""

    address: str
    free: list[Line] = field(default_factory=list)
    asked: dict[Line, float] = field(default_factory=dict)
    found: Counter[str] = field(default_factory=Counter)
    took: dict[str, list[float]] = field(default_factory=dict)

    async def connect(self, lines: int) -> None:
        """Open connections."""
        parts = urlsplit(self.address)
        loop = asyncio.get_running_loop()
        for _ in range(lines):
            _, line = await loop.create_connection(lambda: Line(self.answered), parts.hostname, parts.port)
            self.free.append(line)

    def send(self, data: bytes) -> None:
        """Send one request over a connection that is free."""
        while self.free:
            line = self.free.pop()
            if line.transport is not None:
                self.asked[line] = time.perf_counter()
                line.ask(data)
                return
        self.found["not sent"] += 1

    def answered(self, line: Line, status: int) -> None:
        """Count an answer; a connection that the server closed is not used again."""
        name = str(status) if status else "failed"
        self.found[name] += 1
        self.took.setdefault(name, []).append(time.perf_counter() - self.asked.pop(line))
        self.free.append(line)

    def close(self) -> None:
        """Count what was never answered, and end the connections."""
        self.found["failed"] += len(self.asked)
        for line in [*self.free, *self.asked]:
            if line.transport is not None:
                line.began = 0.0
                line.transport.close()


async def flood(address: str, headers: dict[str, str], rate: float, seconds: float) -> dict[str, Any]:
    """Offer a load; count answers by status, and how long they took."""
    data, load = request(address, headers), Load(address)
    await load.connect(min(CONNECTIONS, max(20, round(rate))))
    start, due = time.perf_counter(), 0
    while (now := time.perf_counter() - start) < seconds:
        while due < now * rate:
            due += 1
            load.send(data)
        await asyncio.sleep(0.001)
    end = time.perf_counter() + LONGEST
    while load.asked and time.perf_counter() < end:
        await asyncio.sleep(0.05)
    load.close()
    return {
        "due_per_second": rate,
        "sent_per_second": round((due - load.found["not sent"]) / seconds, 1),
        "answers_per_second": {s: round(n / seconds, 1) for s, n in sorted(load.found.items()) if n},
        "median_ms": {s: round(1000 * sorted(t)[len(t) // 2], 1) for s, t in sorted(load.took.items())},
        "p95_ms": {s: round(1000 * sorted(t)[int(0.95 * (len(t) - 1))], 1) for s, t in sorted(load.took.items())},
    }


async def uploads(address: str, headers: dict[str, str], data: bytes) -> dict[str, Any]:
    """Send 50 Word documents at once."""
    import httpx2 as httpx

    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=300) as client:
        began = time.perf_counter()
        sent = [client.post("/v1/sanitize", files={"file": ("letter.docx", data)}) for _ in range(50)]
        answers = await asyncio.gather(*sent)
    statuses = Counter(str(answer.status_code) for answer in answers)
    return {"answers": dict(statuses), "seconds": round(time.perf_counter() - began, 1)}


def _below() -> dict[int, dict[str, str]]:
    """Return what the system says of all processes below this one: the server and its workers."""
    told: dict[int, dict[str, str]] = {}
    for folder in Path("/proc").iterdir():
        try:
            lines = (folder / "status").read_text().splitlines()
            told[int(folder.name)] = dict(line.split(":", 1) for line in lines if ":" in line)
        except (OSError, ValueError):
            continue
    below = {os.getpid()}
    while more := {pid for pid, fields in told.items() if int(fields["PPid"]) in below} - below:
        below |= more
    return {pid: told[pid] for pid in below - {os.getpid()}}


def server_mb() -> float:
    """Return the resident memory of the server and its workers."""
    return round(sum(int(fields.get("VmRSS", "0").split()[0]) for fields in _below().values()) / 1024, 1)


def server_cpu_s() -> float:
    """Return the processor time of the server and its workers, which the load of the machine changes little."""
    ticks = 0
    for pid in _below():
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def warm(address: str, headers: dict[str, str]) -> None:
    """Wait until the server answers."""
    for _ in range(240):
        try:
            if "200" in (await flood(address, headers, 2.0, 0.5))["answers_per_second"]:
                return
        except OSError:
            await asyncio.sleep(0.5)


def cpu_ms(address: str, headers: dict[str, str]) -> float:
    """Return the processor time of one text, at a rate that is held: it says what a quiet machine could do."""
    began = server_cpu_s()
    found = asyncio.run(flood(address, headers, 25.0, 10.0))["answers_per_second"]
    return round(1000 * (server_cpu_s() - began) / max(1.0, 10 * float(found.get("200", 0.0))), 2)


async def lasting(address: str, headers: dict[str, str], minutes: float, rate: float) -> dict[str, Any]:
    """Offer what the server can about hold for minutes; write down its memory all the while."""
    memory = [server_mb()]
    answers: Counter[str] = Counter()
    for _ in range(round(minutes * 2)):
        found = await flood(address, headers, rate, 30.0)
        answers.update({s: round(30 * n) for s, n in found["answers_per_second"].items()})
        memory.append(server_mb())
    return {"minutes": minutes, "due_per_second": rate, "answers": dict(answers), "memory_mb": memory}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presidio", metavar="PYTHON")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--rate", type=float, default=1000.0)
    parser.add_argument("--lasting-rate", type=float, default=50.0)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    patterns = str(Path(__file__).parent / "serve-patterns.toml")
    letter = (Path(__file__).parents[2] / "examples" / "referral.docx").read_bytes()
    servers: dict[str, Server] = {
        "tacenda, patterns only, 2 workers": lambda: ours(patterns, 2),
        "tacenda, identifiers (encoder), 2 workers": lambda: ours("identifiers", 2),
    }
    if arguments.presidio:
        servers["presidio-analyzer, patterns, blank spaCy, waitress"] = lambda: theirs(arguments.presidio)
    rows: dict[str, Any] = {}
    for name, server in servers.items():
        with server() as (address, headers):
            asyncio.run(warm(address, headers))
            before = server_mb()
            rows[name] = asyncio.run(flood(address, headers, arguments.rate, arguments.seconds))
            rows[name]["cpu_ms_a_text"] = cpu_ms(address, headers)
            rows[name]["memory_mb"] = [before, server_mb()]
            if name.startswith("tacenda"):
                rows[name]["fifty_uploads"] = asyncio.run(uploads(address, headers, letter))
            if arguments.minutes and "identifiers" in name:
                rows["lasting"] = asyncio.run(lasting(address, headers, arguments.minutes, arguments.lasting_rate))
        print(name, json.dumps(rows[name]), flush=True)
    result = {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[0], 1), "rows": rows}
    print(json.dumps(rows.get("lasting", {})))
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
