"""Shared pieces: a small policy on real parts, a tiny taxonomy, a word that must never show up, a search service."""

from __future__ import annotations

import json
import os
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tacenda.model import Concept
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer
from tacenda.testing import CANARY

# Machines that run tests are busy: how long an example takes says nothing. `make test-slow` draws more of them.
settings.register_profile("quick", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

SMALL = """
name = "small"
annotate = ["patterns"]
replace = ["label", "suppress"]
[risk.entity]
labels = ["EMAIL", "PHONE", "DATETIME", "SSN"]
"""


class TinyTaxonomy:
    """Knows that HIV is also AIDS, and nothing else."""

    name = "tiny"

    def generalizations(self, term: str, context: Sequence[str] = ()) -> Sequence[Concept]:
        return ()

    def synonyms(self, term: str) -> tuple[str, ...]:
        return ("human immunodeficiency virus",) if term == "HIV" else ()

    def specializations(self, term: str) -> tuple[str, ...]:
        return ("AIDS",) if term == "HIV" else ()


@lru_cache
def _ready(policy: str) -> Sanitizer:
    return Sanitizer(policy)


@pytest.fixture(scope="session")
def ready() -> Callable[[str], Sanitizer]:
    """Sanitizers by the name of a shipped policy, each made and warmed up once for all tests of a process."""
    return _ready


@pytest.fixture
def small() -> Policy:
    return Policy.from_text(SMALL)


@pytest.fixture
def taxonomy() -> TinyTaxonomy:
    return TinyTaxonomy()


@pytest.fixture
def canary() -> str:
    return CANARY


class Service(BaseHTTPRequestHandler):
    """A search service that does to each request what the script says, the last line over and over."""

    script: list[str]
    asked: list[str]
    counts: dict[str, int]

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
        self.answer(json.dumps({"hits": {"total": [self.counts.get(query, len(query))]}}).encode())

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
    handler = type("Scripted", (Service,), {"script": ["good"], "asked": [], "counts": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield handler, f"http://127.0.0.1:{server.server_port}/s?q={{query}}"
    server.shutdown()
    thread.join()
    server.server_close()
