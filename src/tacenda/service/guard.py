"""Who may ask what, how much and how often. Stands before every route.

A request is refused if its Host is not this server's (DNS rebinding), if it comes from another site (Origin), if it
carries no valid token or session, if it is too large, too slow or one of too many. Every answer gets the headers that
keep a browser from running, framing, caching or passing on what it shows.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacenda.service.metrics import Metrics
from tacenda.service.problems import Problem, answer
from tacenda.service.settings import Person, Settings

COOKIE = "tacenda"
SESSION_SECONDS = 12 * 3600
PUBLIC = ("/health", "/", "/session")
PRESIDIO = (
    "/analyze",
    "/anonymize",
    "/deanonymize",
    "/recognizers",
    "/supportedentities",
    "/anonymizers",
    "/deanonymizers",
)
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")


@dataclass
class Bucket:
    """How much one person may still ask: fills at `rate` a second up to ten times that."""

    level: float
    at: float

    def take(self, rate: float, now: float) -> bool:
        """Take one request out, if there is one."""
        self.level = min(rate * 10, self.level + (now - self.at) * rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


@dataclass
class Guard:
    """The middleware."""

    app: ASGIApp
    settings: Settings
    metrics: Metrics
    buckets: dict[str, Bucket] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._admit(scope)
        except Problem as problem:
            await _refuse(scope, problem)(scope, receive, with_headers)
        else:
            await self.app(scope, self._measured(scope, receive), with_headers)
        finally:
            self.metrics.observe(_method(scope), route_of(scope), status, time.perf_counter() - began)

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        self._check_origin(scope, headers)
        who, by_cookie = self._who(scope, headers)
        if by_cookie and scope["method"] not in _SAFE and headers.get("x-tacenda") != "1":
            raise Problem("Forbidden", "requests from the page must carry the header X-Tacenda")
        scope.setdefault("state", {})["who"] = who
        self._check_rate(who or (scope.get("client") or ("?",))[0])
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.settings.size:
            raise Problem("TooLarge", f"more than {self.settings.size} bytes; the server accepts no more at once")

    def _check_host(self, headers: Headers) -> None:
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        allowed = {"127.0.0.1", "localhost", "::1", self.settings.host, *self.settings.hosts}
        if host not in allowed and self.settings.loopback:
            raise Problem("Forbidden", "this server does not answer to that host name")
        if self.settings.hosts and host not in allowed:
            raise Problem("Forbidden", "this server does not answer to that host name")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        origin = headers.get("origin")
        site = headers.get("sec-fetch-site", "same-origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if scope["method"] not in _SAFE and (foreign or site not in ("same-origin", "none")):
            raise Problem("Forbidden", "requests from other sites are refused")

    def _who(self, scope: Scope, headers: Headers) -> tuple[str, bool]:
        """Return who asks, and whether a cookie says so; nobody may on the public paths."""
        path = scope["path"]
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            person = find_person(self.settings.people, token.strip())
            if person:
                return person.name, False
            raise Problem("Unauthorized", "this token is not valid")
        name = read_session(self.settings.people, headers.get("cookie", ""))
        if name:
            return name, True
        if path in PUBLIC or path.startswith("/static/"):
            return "", False
        if path in PRESIDIO and self.settings.open_presidio and self.settings.loopback:
            return "presidio", False
        raise Problem("Unauthorized", "send the token: 'Authorization: Bearer TOKEN', or sign in on the page")

    def _check_rate(self, who: str) -> None:
        now = time.monotonic()
        if len(self.buckets) > 10_000:
            self.buckets.clear()
        bucket = self.buckets.setdefault(who, Bucket(self.settings.rate * 10, now))
        if not bucket.take(self.settings.rate, now):
            raise Problem("TooMany", f"more than {self.settings.rate:g} requests a second", retry=1)

    def _measured(self, scope: Scope, receive: Receive) -> Receive:
        """Stop bodies that grow past the limit or come in too slowly."""
        received, deadline, done = 0, time.monotonic() + self.settings.upload_seconds, False

        async def counted() -> Message:
            nonlocal received, done
            if done:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise HTTPException(408, "the upload took too long") from None
            received += len(message.get("body", b""))
            done = not message.get("more_body", False)
            self.metrics.bytes_in += len(message.get("body", b""))
            if received > self.settings.size:
                raise HTTPException(413, f"more than {self.settings.size} bytes; the server accepts no more at once")
            return message

        return counted


def _refuse(scope: Scope, problem: Problem) -> ASGIApp:
    if scope["path"] in PRESIDIO:
        from tacenda.service.presidio import failed

        return failed(problem.message, problem.status, retry=problem.retry)
    return answer(problem)


def _method(scope: Scope) -> str:
    known = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
    return scope["method"] if scope["method"] in known else "other"


def route_of(scope: MutableMapping[str, Any]) -> str:
    """Return the pattern of the route that answered: what stands in the URL itself is never counted."""
    route = scope.get("route")
    if route is not None and getattr(route, "path", None):
        return str(route.path)
    return scope["path"] if scope["path"] in PRESIDIO or scope["path"] in PUBLIC else "other"


def find_person(people: tuple[Person, ...], token: str) -> Person | None:
    """Return whose token this is; all are compared, in constant time."""
    found = None
    for person in people:
        if hmac.compare_digest(person.token.encode(), token.encode("utf-8", "replace")):
            found = person
    return found


def new_session(person: Person, now: float) -> str:
    """Return the value of a session's cookie: name, end, and a signature with the person's token."""
    end = str(int(now + SESSION_SECONDS))
    return f"{person.name.encode().hex()}.{end}.{_signature(person, end)}"


def read_session(people: tuple[Person, ...], cookies: str) -> str:
    """Return who a cookie says it is; "" if it is missing, too old or not signed by the server."""
    try:
        morsel = SimpleCookie(cookies).get(COOKIE)
        name, end, signature = morsel.value.split(".") if morsel else ("", "", "")
        person = next((p for p in people if p.name == bytes.fromhex(name).decode()), None)
    except (CookieError, ValueError):
        return ""
    if person is None or not end.isdigit() or int(end) < time.time():
        return ""
    return person.name if hmac.compare_digest(signature, _signature(person, end)) else ""


def _signature(person: Person, end: str) -> str:
    return hmac.new(person.token.encode(), f"session {person.name} {end}".encode(), hashlib.sha256).hexdigest()
