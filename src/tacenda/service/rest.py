"""REST over the plan's JSON: the same plans as the library and the command line make."""

from __future__ import annotations

import base64
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tacenda import policy as policies
from tacenda.service.body import is_upload, json_of, upload_of
from tacenda.service.problems import Problem


async def _asked(request: Request, **fields: Any) -> tuple[dict[str, Any], bytes]:
    """Return the arguments and the bytes of a request: JSON with a text, or an upload of one file."""
    if not is_upload(request):
        body = await json_of(request, text=str, **fields)
        return {**body, "policies": _names(body.get("policy"))}, b""
    files, form = await upload_of(request, most=1)
    body = {"name": files[0][0], "policies": form.get("policy") or None, "plan": (form.get("plan") or [""])[0]}
    if "plan" in fields and not body["plan"]:
        raise Problem("UsageError", "'plan' is missing")
    return body, files[0][1]


def _names(given: Any) -> list[str] | None:
    if given is None or given == []:
        return None
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Problem("UsageError", "'policy' must be a name or a list of names")
    return names


async def plan(request: Request) -> Response:
    """Make a plan: what would be done, and why; never the text."""
    arguments, data = await _asked(request)
    header, _ = await request.app.state.pool.call("plan", arguments, data)
    return Response(header["plan"], media_type="application/json")


async def apply(request: Request) -> Response:
    """Apply a plan to what it was made for."""
    arguments, data = await _asked(request, plan=(dict, str))
    return _done(request, *await request.app.state.pool.call("apply", arguments, data))


async def sanitize(request: Request) -> Response:
    """Plan and apply."""
    arguments, data = await _asked(request)
    return _done(request, *await request.app.state.pool.call("sanitize", arguments, data))


def _done(request: Request, header: dict[str, Any], data: bytes) -> Response:
    """A text comes back in JSON; a file as a file, or in JSON if the client asks for that."""
    if "text" in header:
        return JSONResponse(header)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({**header, "content": base64.b64encode(data).decode("ascii")})
    headers = {"Content-Disposition": f'attachment; filename="{header["name"]}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


async def verify(request: Request) -> Response:
    """Check a certificate against an output."""
    body = await json_of(request, text=str, certificate=(dict, str))
    header, _ = await request.app.state.pool.call("verify", {**body, "policies": _names(body.get("policy"))})
    return JSONResponse(header)


async def measure(request: Request) -> Response:
    """Measure what spans found are worth beside spans annotated by people."""
    body = await json_of(request, text=str, gold=list, found=list)
    header, _ = await request.app.state.pool.call("measure", body)
    return JSONResponse(header)


async def list_policies(request: Request) -> Response:
    """List the policies that can be named."""
    own = request.app.state.settings.policies
    names = dict.fromkeys([*own, *policies.shipped()])
    found = [{"name": name, "description": policies.load(name).description, "default": name in own} for name in names]
    return JSONResponse({"policies": found})


ROUTES = [
    Route("/v1/plan", plan, methods=["POST"]),
    Route("/v1/apply", apply, methods=["POST"]),
    Route("/v1/sanitize", sanitize, methods=["POST"]),
    Route("/v1/verify", verify, methods=["POST"]),
    Route("/v1/measure", measure, methods=["POST"]),
    Route("/v1/policies", list_policies),
]
