from __future__ import annotations

import pickle
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from tacenda.errors import KnowledgeError, UsageError
from tacenda.knowledge.counts_http import HttpCounts, HttpSource, ToldSecretWarning


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
