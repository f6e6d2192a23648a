"""Who may ask: tokens, sites, names, sizes, rates; and what every answer carries."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.service.conftest import PEOPLE, TOKEN, client_of

from tacenda.errors import InputError, UsageError
from tacenda.service.guard import Bucket, new_session, read_session
from tacenda.service.settings import Person, read_people

PATHS = ["/analyze", "/anonymize", "/recognizers", "/metrics"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic YTpi", f"Bearer {TOKEN}x"])
def test_nobody_without_a_token(path: str, header: str) -> None:
    with client_of() as client:
        client.headers["Authorization"] = header
        answer = client.request("POST" if path in ("/analyze", "/anonymize") else "GET", path)
        assert answer.status_code == 401
        assert answer.json()["error"]


def test_health_needs_none_and_says_nothing() -> None:
    with client_of() as client:
        del client.headers["Authorization"]
        assert client.get("/health").status_code == 200


def test_open_presidio_routes_open_nothing_else() -> None:
    with client_of(open_presidio=True) as client:
        del client.headers["Authorization"]
        assert client.get("/anonymizers").status_code == 200
        assert client.get("/metrics").status_code == 401
    with client_of(open_presidio=True, host="0.0.0.0") as client:
        del client.headers["Authorization"]
        assert client.get("/anonymizers").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_are_refused(headers: dict[str, str]) -> None:
    with client_of() as client:
        body = {"text": "a", "analyzer_results": []}
        assert client.post("/anonymize", json=body, headers=headers).status_code == 403
        assert client.post("/anonymize", json=body, headers={"Origin": "http://127.0.0.1:8765"}).status_code == 200


def test_other_names_of_the_server_are_refused() -> None:
    with client_of() as client:
        assert client.get("/health", headers={"Host": "evil.example"}).status_code == 403
        assert client.get("/health", headers={"Host": "localhost:8765"}).status_code == 200


def test_a_cookie_alone_cannot_change_anything() -> None:
    cookie = f"tacenda={new_session(PEOPLE[0], time.time())}"
    with client_of() as client:
        del client.headers["Authorization"]
        body = {"text": "a", "analyzer_results": []}
        assert client.get("/anonymizers", headers={"Cookie": cookie}).status_code == 200
        assert client.post("/anonymize", json=body, headers={"Cookie": cookie}).status_code == 403
        assert client.post("/anonymize", json=body, headers={"Cookie": cookie, "X-Tacenda": "1"}).status_code == 200


def test_sessions_end_and_cannot_be_made_up() -> None:
    now = time.time()
    good = new_session(PEOPLE[0], now)
    assert read_session(PEOPLE, f"tacenda={good}") == "ann"
    assert read_session(PEOPLE, f"tacenda={new_session(PEOPLE[0], now - 10**6)}") == ""
    name, end, signature = good.split(".")
    assert read_session(PEOPLE, f"tacenda={b'bob'.hex()}.{end}.{signature}") == ""
    assert read_session(PEOPLE, f"tacenda={name}.{int(end) + 9}.{signature}") == ""
    assert read_session((Person("ann", "x" * 20),), f"tacenda={good}") == ""
    for broken in ("", "tacenda=", "tacenda=a.b.c", "tacenda=zz.1.1", "=;;", "tacenda=" + "." * 9):
        assert read_session(PEOPLE, broken) == ""


def test_large_bodies_are_refused_by_length_and_by_count() -> None:
    with client_of(size=1000) as client:
        assert client.post("/anonymize", content=b"x" * 1001).status_code == 413

        def endless() -> object:
            for _ in range(100):
                yield b"x" * 100

        assert client.post("/anonymize", content=endless()).status_code == 413  # type: ignore[arg-type]
        assert client.post("/anonymize", content=b"{}", headers={"Content-Length": "x"}).status_code in (400, 413)


def test_too_many_requests_are_refused_with_when_to_come_back() -> None:
    with client_of(rate=0.5) as client:
        answers = [client.get("/anonymizers") for _ in range(8)]
        assert [a.status_code for a in answers] == [200] * 5 + [429] * 3
        assert answers[-1].headers["Retry-After"] == "1"


def test_buckets_fill_again() -> None:
    bucket = Bucket(1, 0.0)
    assert bucket.take(2, 0.0)
    assert not bucket.take(2, 0.1)
    assert bucket.take(2, 0.7)


@pytest.mark.parametrize("path", ["/health", "/metrics", "/nothing", "/../etc/passwd", "/static/../app.py"])
def test_every_answer_carries_the_headers(path: str) -> None:
    with client_of() as client:
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_metrics_count_routes_not_urls(canary: str) -> None:
    with client_of() as client:
        client.get(f"/{canary}?{canary}={canary}")
        client.get(f"/anonymizers?q={canary}")
        text = client.get("/metrics").text
        assert canary not in text
        assert 'tacenda_requests_total{method="GET",route="/anonymizers",status="200"} 1' in text
        assert 'route="other",status="404"' in text


def test_token_files(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("# who\nann aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\n")
    file.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        read_people(file)
    file.chmod(0o600)
    assert [person.name for person in read_people(file)] == ["ann", "bob"]
    assert "aaaa" not in repr(read_people(file))
    for bad in (
        "ann short\n",
        "",
        "ann aaaaaaaaaaaaaaaaaaaa\nann bbbbbbbbbbbbbbbbbbbb\n",
        "a b cccccccccccccccccccc\n",
    ):
        file.write_text(bad)
        with pytest.raises(UsageError):
            read_people(file)
