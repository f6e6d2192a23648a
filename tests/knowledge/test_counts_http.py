from __future__ import annotations

import json
import pickle
import threading
import time
import urllib.parse
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tacenda.errors import KnowledgeError, UsageError
from tacenda.knowledge.counts_http import HttpCounts, HttpSource, ToldSecretWarning


class Service(BaseHTTPRequestHandler):
    """A search service that does to each request what the script says, the last line over and over."""

    script: list[str]
    asked: list[str]

    def do_GET(self) -> None:
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["q"][0]
        self.asked.append(query)
        act = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        getattr(self, f"do_{act}")(query)

    def answer(self, body: bytes, status: int = 200, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_good(self, query: str) -> None:
        self.answer(json.dumps({"hits": {"total": [len(query)]}}).encode())

    def do_busy(self, _: str) -> None:
        self.answer(b"", 429, Retry_After="7")

    def do_broken(self, _: str) -> None:
        self.answer(b"oops", 500)

    def do_refused(self, _: str) -> None:
        self.answer(b"", 403)

    def do_elsewhere(self, _: str) -> None:
        self.answer(b"", 302, Location="http://127.0.0.1:9/")

    def do_cut(self, _: str) -> None:
        self.answer(b'{"hits": {"tot', length=400)

    def do_nonsense(self, _: str) -> None:
        self.answer(b"<html>42</html>")

    def do_negative(self, _: str) -> None:
        self.answer(b'{"hits": {"total": [-3]}}')

    def do_text(self, _: str) -> None:
        self.answer(b'{"hits": {"total": ["many"]}}')

    def do_missing(self, _: str) -> None:
        self.answer(b'{"took": 3}')

    def do_silent(self, _: str) -> None:
        time.sleep(0.6)

    def do_trickle(self, _: str) -> None:
        self.send_response(200)
        self.end_headers()
        for _n in range(30):
            try:
                self.wfile.write(b" ")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.05)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[tuple[type[Service], str]]:
    handler = type("Scripted", (Service,), {"script": ["good"], "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield handler, f"http://127.0.0.1:{server.server_port}/s?q={{query}}"
    server.shutdown()
    thread.join()
    server.server_close()


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds


def counts_of(url: str, cache: Path, *, real: bool = False, **options: Any) -> tuple[HttpCounts, Time]:
    fake = Time()
    source = HttpSource(url, "hits.total.0", 1000, cache, **{"retries": 2, "timeout": 5.0, **options})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ToldSecretWarning)
        clock = time.monotonic if real else (lambda: fake.now)
        return HttpCounts(source, clock=clock, sleep=fake.sleep), fake


def test_counts_come_from_the_service_then_from_the_cache(service: Any, tmp_path: Path) -> None:
    handler, url = service
    counts, _ = counts_of(url, tmp_path / "c.db")
    groups = [("HIV",), ("HIV", "blood test"), (("HIV", 'a "b'), "x")]
    expected = ['"HIV"', '"HIV" AND "blood test"', '("HIV" OR "a  b") AND "x"']
    assert counts.counts(groups) == [len(q) for q in expected]
    assert handler.asked == expected
    handler.script[:] = ["broken"]
    assert counts.counts(groups) == [len(q) for q in expected]
    assert len(handler.asked) == 3
    replay, _ = counts_of("http://127.0.0.1" + url[16:], tmp_path / "c.db", replay=True)
    assert replay.counts(groups[:1]) == [5]
    with pytest.raises(KnowledgeError, match="replay only"):
        replay.counts([("never asked",)])


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("busy", "HTTP status 429"), ("broken", "HTTP status 500"), ("cut", "cut off|IncompleteRead"),
        ("nonsense", "not JSON"), ("negative", "no count"), ("text", "no count"), ("missing", "in the answer"),
    ],
)  # fmt: skip
def test_a_service_that_misbehaves_ends_in_a_clear_error(service: Any, tmp_path: Path, act: str, reason: str) -> None:
    handler, url = service
    handler.script[:] = [act]
    counts, _ = counts_of(url, tmp_path / "c.db")
    with pytest.raises(KnowledgeError, match=reason) as caught:
        counts.counts([("canarysecret",)])
    assert "canarysecret" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)
    assert len(handler.asked) == 3
    handler.script[:] = ["good"]
    assert counts.counts([("canarysecret",)]) == [14]  # nothing wrong was cached


@pytest.mark.parametrize("act", ["silent", "trickle"])
def test_a_slow_service_is_not_waited_for(service: Any, tmp_path: Path, act: str) -> None:
    handler, url = service
    handler.script[:] = [act]
    counts, _ = counts_of(url, tmp_path / "c.db", real=True, timeout=0.2, retries=1)
    with pytest.raises(KnowledgeError, match="2 attempts"):
        counts.counts([("x",)])


def test_it_tries_again_later_and_as_late_as_it_is_told(service: Any, tmp_path: Path) -> None:
    handler, url = service
    handler.script[:] = ["broken", "busy", "good"]
    counts, fake = counts_of(url, tmp_path / "c.db", per_second=2.0)
    assert counts.counts([("x",)]) == [3]
    assert fake.slept == [0.5, 7.0]  # half a second after the first failure, seven as Retry-After says


def test_requests_are_spaced(service: Any, tmp_path: Path) -> None:
    _, url = service
    counts, fake = counts_of(url, tmp_path / "c.db", per_second=4.0)
    counts.counts([("a",), ("b",), ("c",)])
    assert fake.slept == [0.25, 0.25]


@pytest.mark.parametrize("act", ["refused", "elsewhere"])
def test_a_refusal_or_redirect_is_final(service: Any, tmp_path: Path, act: str) -> None:
    handler, url = service
    handler.script[:] = [act]
    counts, _ = counts_of(url, tmp_path / "c.db")
    with pytest.raises(KnowledgeError, match="refused"):
        counts.counts([("x",)])
    assert len(handler.asked) == 1


def test_nobody_there(tmp_path: Path) -> None:
    counts, _ = counts_of("http://127.0.0.1:1/?q={query}", tmp_path / "c.db", retries=0)
    with pytest.raises(KnowledgeError, match="ConnectionRefused"):
        counts.counts([("x",)])


def test_asking_warns_and_replaying_does_not(tmp_path: Path) -> None:
    source = HttpSource("http://h/?q={query}", "count", 10, tmp_path / "c.db")
    with pytest.warns(ToldSecretWarning, match="is sent to h"):
        HttpCounts(source)
    replay = HttpCounts(HttpSource("http://h/?q={query}", "count", 10, tmp_path / "c.db", replay=True))
    with pytest.raises(KnowledgeError, match="no cache"):
        replay.counts([("x",)])
    assert pickle.loads(pickle.dumps(replay)).source == replay.source  # noqa: S301


def test_a_damaged_cache_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.db").write_bytes(b"no database at all, only text" * 40)
    counts, _ = counts_of("http://h/?q={query}", tmp_path / "c.db")
    with pytest.raises(KnowledgeError, match="damaged"):
        counts.counts([("x",)])


@pytest.mark.parametrize("change", [{"url": "http://h/"}, {"url": "file:///{query}"}, {"total": 0}, {"retries": -1}])
def test_wrong_settings_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    settings = {"url": "http://h/{query}", "path": "count", "total": 1, "cache": tmp_path / "c", **change}
    with pytest.raises(UsageError):
        HttpSource(**settings)
