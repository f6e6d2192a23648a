"""Under load and abuse, on a real server: held or refused cleanly, and memory stays where it was."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service.live import Live, served

httpx = pytest.importorskip("httpx2")

pytestmark = pytest.mark.slow
TEXT = "Daniel Okafor lives in Sacramento. Mail daniel@example.org or call (916) 555-0142."


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    policy = tmp_path_factory.mktemp("policy") / "small.toml"
    policy.write_text('name = "small"\nannotate = ["patterns"]\n[risk.entity]\n')
    log = tmp_path_factory.mktemp("log") / "log"
    with served("--policy", str(policy), "--rate", "200", "--max-size", "1", output=log) as one:
        yield one
    assert "Okafor" not in log.read_text()


def memory_of(process: int) -> int:
    """Resident kilobytes of a process and its children."""
    total = 0
    for folder in Path("/proc").iterdir():
        try:
            fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
            if int(fields["Pid"]) == process or int(fields["PPid"]) == process:
                total += int(fields["VmRSS"].split()[0])
        except (OSError, KeyError, ValueError):
            continue
    return total


async def answers(live: Live, calls: int, at_once: int, **how: object) -> Counter[int]:
    """Send many requests at once and count the answers by status."""
    found: Counter[int] = Counter()
    limit = asyncio.Semaphore(at_once)
    headers = {"Authorization": f"Bearer {live.token}"}
    async with httpx.AsyncClient(base_url=live.address, headers=headers, timeout=60) as client:

        async def one() -> None:
            async with limit:
                answer = await client.post("/v1/sanitize", **how)
                found[answer.status_code] += 1
                if answer.status_code >= 400:
                    assert set(answer.json()["error"]) == {"kind", "message"}

        await asyncio.gather(*(one() for _ in range(calls)))
    return found


def test_fifty_uploads_at_once(live: Live) -> None:
    found = asyncio.run(answers(live, 50, 50, files={"file": ("a.txt", TEXT.encode() * 20)}))
    assert found == {200: 50}


def test_a_flood_of_small_texts_is_held_or_refused_and_memory_stays(live: Live) -> None:
    asyncio.run(answers(live, 200, 50, json={"text": TEXT}))
    before = memory_of(live.process.pid)
    began = time.monotonic()
    found = asyncio.run(answers(live, 1500, 100, json={"text": TEXT}))
    took = time.monotonic() - began
    assert set(found) <= {200, 429, 503}, found
    assert found[200] > 0
    time.sleep(1.2)
    assert asyncio.run(answers(live, 5, 1, json={"text": TEXT})) == {200: 5}, "it serves again after the flood"
    after = memory_of(live.process.pid)
    assert after < before * 1.3 + 20_000, (before, after, took)


def test_slow_uploads_end() -> None:
    policy = "identifiers"
    with served("--policy", policy, "--upload-seconds", "1") as live:
        host, port = live.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), 10) as connection:
            head = f"POST /v1/sanitize HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {live.token}\r\n"
            connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n".encode())
            connection.sendall(b'{"text": "')
            connection.settimeout(10)
            answer = connection.recv(4096)
        assert b" 408 " in answer.split(b"\r\n")[0]


def test_large_uploads_are_refused_before_they_are_read(live: Live) -> None:
    headers = {"Authorization": f"Bearer {live.token}"}
    with httpx.Client(base_url=live.address, headers=headers) as client:
        assert client.post("/v1/sanitize", json={"text": "x" * 2_000_000}).status_code == 413
        assert client.get("/health").status_code == 200


def test_the_server_stops_gracefully() -> None:
    with served("--policy", "identifiers") as live:
        assert httpx.get(f"{live.address}/health").status_code == 200
        began = time.monotonic()
    assert time.monotonic() - began < 15
    assert live.process.returncode in (0, -15)
