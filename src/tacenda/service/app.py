"""The application: routes, guard, workers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tacenda.service import presidio
from tacenda.service.guard import PRESIDIO, Guard
from tacenda.service.metrics import Metrics
from tacenda.service.pool import Pool
from tacenda.service.problems import KINDS, Problem, answer, from_error
from tacenda.service.settings import Settings


def make_app(settings: Settings) -> Starlette:
    """Put the server together."""
    config: dict[str, Any] = {
        "policies": list(settings.policies),
        "key": settings.key.secret.hex() if settings.key else "",
        "force_language": settings.force_language,
        "memory": settings.memory,
    }
    pool = Pool(config, workers=settings.workers, seconds=settings.seconds, waiting=settings.waiting)
    measured = Metrics()

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(measured.text(waiting=pool.waiting), media_type="text/plain; version=0.0.4")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await pool.close()

    app = Starlette(
        routes=[*presidio.ROUTES, Route("/metrics", metrics)],
        middleware=[Middleware(Guard, settings=settings, metrics=measured)],
        exception_handlers={HTTPException: _http_failed, Problem: _failed, Exception: _failed},
        lifespan=lifespan,
    )
    app.state.settings, app.state.pool, app.state.metrics = settings, pool, measured
    return app


async def _failed(request: Request, error: Exception) -> Response:
    problem = from_error(error)
    if request.url.path in PRESIDIO:
        return presidio.failed(problem.message, problem.status, retry=problem.retry)
    return answer(problem)


async def _http_failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = KINDS.get(error.status_code, "UsageError" if error.status_code < 500 else "Internal")
    return await _failed(request, Problem(kind, error.detail))
