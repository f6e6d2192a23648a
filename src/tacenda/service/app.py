"""The application: routes, guard, workers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tacenda.service import jobs, presidio, rest
from tacenda.service.body import json_of
from tacenda.service.guard import COOKIE, PRESIDIO, SESSION_SECONDS, Guard, find_person, new_session
from tacenda.service.metrics import Metrics
from tacenda.service.pool import Pool
from tacenda.service.problems import KINDS, Problem, answer, from_error
from tacenda.service.review import routes as review
from tacenda.service.review.handling import Office
from tacenda.service.settings import Settings

STATIC = Path(__file__).parent / "static"


def make_app(settings: Settings) -> Starlette:
    """Put the server together."""
    config: dict[str, Any] = {
        "policies": list(settings.policies),
        "key": settings.key.secret.hex() if settings.key else "",
        "force_language": settings.force_language,
        "certified": settings.certified,
        "memory": settings.memory,
    }
    pool = Pool(config, workers=settings.workers, seconds=settings.seconds, waiting=settings.waiting)
    measured, held, office = Metrics(), jobs.Jobs(pool, settings.seconds), Office(settings, pool)

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(measured.text(waiting=pool.waiting), media_type="text/plain; version=0.0.4")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if settings.warm:
            office.background(pool.warm())
        if settings.cases is not None:
            office.open_folder(settings.cases)
        yield
        await held.close()
        await office.close()
        await pool.close()

    app = Starlette(
        routes=[*presidio.ROUTES, *rest.ROUTES, *jobs.ROUTES, *review.ROUTES, Route("/metrics", metrics), *_own()],
        middleware=[Middleware(Guard, settings=settings, metrics=measured)],
        exception_handlers={HTTPException: _http_failed, Problem: _failed, Exception: _failed},
        lifespan=lifespan,
    )
    app.state.settings, app.state.pool, app.state.metrics = settings, pool, measured
    app.state.jobs, app.state.office = held, office
    return app


def _own() -> list[Route | Mount]:
    """Routes of the page and of signing in."""
    return [
        Route("/openapi.json", openapi),
        Route("/session", sign_in, methods=["POST"]),
        Route("/session", sign_out, methods=["DELETE"]),
        Route("/", page),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


async def page(request: Request) -> Response:
    """Give the review page."""
    return FileResponse(STATIC / "index.html")


async def openapi(request: Request) -> Response:
    """Describe the routes."""
    return FileResponse(Path(__file__).parent / "openapi.json", media_type="application/json")


async def sign_in(request: Request) -> Response:
    """Take a token and give a session: a cookie that scripts cannot read and other sites cannot use."""
    body = await json_of(request, token=str)
    person = find_person(request.app.state.settings.people, body["token"])
    if person is None:
        raise Problem("Unauthorized", "this token is not valid")
    response = JSONResponse({"you": person.name})
    secure = request.url.scheme == "https"
    value = new_session(person, time.time())
    response.set_cookie(COOKIE, value, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=secure)
    return response


async def sign_out(request: Request) -> Response:
    """End the session."""
    response = Response(status_code=204)
    response.delete_cookie(COOKIE)
    return response


async def _failed(request: Request, error: Exception) -> Response:
    problem = from_error(error)
    if request.url.path in PRESIDIO:
        return presidio.failed(problem.message, problem.status, retry=problem.retry)
    return answer(problem)


async def _http_failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = KINDS.get(error.status_code, "UsageError" if error.status_code < 500 else "Internal")
    return await _failed(request, Problem(kind, error.detail))
