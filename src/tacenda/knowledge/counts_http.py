"""Counts from a search service over HTTP, with a cache that can be replayed. Asking it tells it the terms."""

from __future__ import annotations

import http.client
import json
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.errors import KnowledgeError, UsageError

_LONGEST_ANSWER = 1 << 22
_LONGEST_WAIT = 60.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})


class ToldSecretWarning(UserWarning):
    """Terms, and with them what is to be protected, are sent to somebody else."""


@dataclass(frozen=True)
class HttpSource:
    """How to ask a search service for a number of pages.

    url         template; {query} stands for the terms. Elasticsearch: http://host/index/_count?q={query};
                MediaWiki: https://host/w/api.php?action=query&list=search&format=json&srsearch={query}
    path        where the number stands in the JSON answer: count, query.searchinfo.totalhits
    total       number of pages the service holds: counts are shares of it
    cache       SQLite file of all answers; what it holds is not asked again
    replay      answer from the cache only, ask nothing
    per_second  requests a second, at most
    retries     attempts after the first, each after twice the wait of the one before
    timeout     seconds for one whole answer
    both        what joins terms that must occur together, either what joins synonyms
    """

    url: str
    path: str
    total: int
    cache: Path
    replay: bool = False
    per_second: float = 1.0
    retries: int = 4
    timeout: float = 10.0
    both: str = " AND "
    either: str = " OR "

    def __post_init__(self) -> None:
        if "{query}" not in self.url or not self.url.startswith(("http://", "https://")):
            raise UsageError("HTTP counts: the URL must begin with http:// or https:// and hold {query}.")
        if self.total < 1 or self.per_second <= 0 or self.retries < 0 or self.timeout <= 0:
            raise UsageError("HTTP counts: total, per_second and timeout must be positive, retries not negative.")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the query to a host nobody named."""

    def redirect_request(self, *_: Any) -> None:
        return None


class HttpCounts:
    """Counts of a search service. An answer is the service's or the cache's; anything else is an error, not a guess."""

    def __init__(
        self,
        source: HttpSource,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.source = source
        self.total = source.total
        self._clock, self._sleep = clock, sleep
        self._next = 0.0
        if not source.replay:
            message = f"every term asked for, also what is to be protected, is sent to {self._host}"
            warnings.warn(message, ToldSecretWarning, stacklevel=2)

    def __reduce__(self) -> tuple[Any, ...]:
        return HttpCounts, (self.source,)

    @property
    def _host(self) -> str:
        return urllib.parse.urlsplit(self.source.url).netloc.rpartition("@")[2]

    def counts(self, groups: Sequence[Sequence[str | Sequence[str]]]) -> list[int | None]:
        """Number of pages that hold all terms of each group; a member that is a sequence is a set of synonyms."""
        with self._cache() as cache:
            return [self._count(cache, group) for group in groups]

    @contextmanager
    def _cache(self) -> Iterator[sqlite3.Connection]:
        path = self.source.cache
        if self.source.replay and not path.exists():
            raise KnowledgeError(f"HTTP counts: no cache {path} to replay. Run once without replay to fill it.")
        try:
            with closing(sqlite3.connect(path)) as cache:
                cache.execute("CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, count INTEGER NOT NULL)")
                yield cache
        except sqlite3.DatabaseError:
            raise KnowledgeError(f"HTTP counts: cache {path} is damaged or not an SQLite file. Delete it.") from None

    def _count(self, cache: sqlite3.Connection, group: Sequence[str | Sequence[str]]) -> int:
        url = self.source.url.replace("{query}", urllib.parse.quote(self._query(group), safe=""))
        question = f"{self.source.path} {url}"
        row = cache.execute("SELECT count FROM answers WHERE question = ?", (question,)).fetchone()
        if row is not None:
            return int(row[0])
        if self.source.replay:
            message = f"HTTP counts: the cache {self.source.cache} does not hold every group asked for (replay only)."
            raise KnowledgeError(message)
        number = self._ask(url)
        cache.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (question, number))
        cache.commit()
        return number

    def _query(self, group: Sequence[str | Sequence[str]]) -> str:
        return self.source.both.join(_member(term, self.source.either) for term in group)

    def _ask(self, url: str) -> int:
        wait = 1.0 / self.source.per_second
        for attempt in range(self.source.retries + 1):
            self._pause()
            try:
                return _number(self._fetch(url), self.source.path)
            except _TryAgain as problem:
                reason, asked_wait = str(problem), problem.seconds
            if attempt < self.source.retries:
                self._sleep(min(max(wait * 2**attempt, asked_wait), _LONGEST_WAIT))
        message = f"HTTP counts: {self._host} gave no usable answer in {self.source.retries + 1} attempts ({reason})."
        raise KnowledgeError(f"{message} Try later, or replay from a cache.")

    def _pause(self) -> None:
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + 1.0 / self.source.per_second

    def _fetch(self, url: str) -> bytes:
        end = self._clock() + self.source.timeout
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            with opener.open(url, timeout=self.source.timeout) as answer:
                data = b""
                while part := answer.read1(1 << 16):
                    data += part
                    if len(data) > _LONGEST_ANSWER:
                        raise _TryAgain("answer too long")
                    if self._clock() > end:
                        raise _TryAgain("answer too slow")
                if answer.length:
                    raise _TryAgain("answer cut off")
                return data
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in _AGAIN:
                raise _TryAgain(f"HTTP status {error.code}", _seconds(error.headers.get("Retry-After"))) from None
            raise KnowledgeError(
                f"HTTP counts: {self._host} refused (HTTP status {error.code}). Check the URL."
            ) from None
        except (OSError, http.client.HTTPException) as error:
            raise _TryAgain(type(getattr(error, "reason", error)).__name__) from None


class _TryAgain(Exception):
    """The attempt failed in a way that may pass."""

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


def _member(term: str | Sequence[str], either: str) -> str:
    if isinstance(term, str):
        return '"' + term.replace('"', " ").replace("\\", " ") + '"'
    return "(" + either.join(_member(form, either) for form in term) + ")"


def _seconds(header: str | None) -> float:
    return float(header) if header is not None and header.isdigit() else 0.0


def _number(data: bytes, path: str) -> int:
    """The number at a path of a JSON answer."""
    try:
        value = json.loads(data)
    except ValueError:
        raise _TryAgain("answer is not JSON") from None
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            raise _TryAgain(f"no '{path}' in the answer")
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _TryAgain(f"'{path}' is no count")
    return value
