"""The addresses of review, all under /v1/cases."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tacenda.service.body import json_of, upload_of
from tacenda.service.problems import Problem
from tacenda.service.review import deciding
from tacenda.service.review.handling import Office

_MOST_SPANS = 2000


def _office(request: Request) -> Office:
    office: Office = request.app.state.office
    return office


def _who(request: Request) -> str:
    return str(request.state.who)


async def queue(request: Request) -> Response:
    """List all cases."""
    return JSONResponse({"cases": _office(request).queue(), "you": _who(request)})


async def add(request: Request) -> Response:
    """Open a case of one or more files."""
    files, fields = await upload_of(request)
    title = (fields.get("title") or [files[0][0]])[0][:120]
    names = [name for name in fields.get("policy", []) if name]
    office = _office(request)
    office.rules_for(names or office.settings.policies)  # an unknown policy is told at once
    return JSONResponse({"id": office.begin(_who(request), title, files, names)}, 202)


async def show(request: Request) -> Response:
    """Give all that the page shows of a case."""
    return JSONResponse(_office(request).whole(request.path_params["id"], _who(request)))


async def changes(request: Request) -> Response:
    """Give what happened since a version."""
    since = request.query_params.get("since", "0")
    if not since.isdigit():
        raise Problem("UsageError", "'since' must be a number")
    return JSONResponse(_office(request).changes(request.path_params["id"], int(since), _who(request)))


async def why(request: Request) -> Response:
    """Say why a decision was taken."""
    return JSONResponse(await _office(request).why(request.path_params["id"], request.path_params["item"]))


async def effect(request: Request) -> Response:
    """Say what keeping a decision would tell."""
    scope = request.query_params.get("scope", "like")
    return JSONResponse(await _office(request).effect(request.path_params["id"], request.path_params["item"], scope))


async def decide(request: Request) -> Response:
    """Take a choice."""
    body = await json_of(request, version=int, ids=list, choice=str)
    return JSONResponse(await deciding.decide(_office(request), request.path_params["id"], _who(request), body))


async def hide(request: Request) -> Response:
    """Hide a selection."""
    body = await json_of(request, start=int, end=int)
    return JSONResponse(await deciding.hide(_office(request), request.path_params["id"], _who(request), body))


async def undo(request: Request) -> Response:
    """Take back the last step."""
    return JSONResponse(await deciding.back(_office(request), request.path_params["id"], _who(request), redo=False))


async def redo(request: Request) -> Response:
    """Take back the last undoing."""
    return JSONResponse(await deciding.back(_office(request), request.path_params["id"], _who(request), redo=True))


async def code(request: Request) -> Response:
    """Set an exemption code."""
    body = await json_of(request, version=int, ids=list, code=str)
    return JSONResponse(await deciding.set_code(_office(request), request.path_params["id"], _who(request), body))


async def state(request: Request) -> Response:
    """Move a case on."""
    body = await json_of(request)
    return JSONResponse(await deciding.set_state(_office(request), request.path_params["id"], _who(request), body))


async def preview(request: Request) -> Response:
    """Say what another limit would change."""
    body = await json_of(request, name=str, value=(int, float))
    return JSONResponse(await _office(request).preview(request.path_params["id"], body))


async def release(request: Request) -> Response:
    """Release a case."""
    body = await json_of(request, version=int)
    return JSONResponse(await _office(request).release(request.path_params["id"], _who(request), body))


async def download(request: Request) -> Response:
    """Give what was released, as one archive."""
    kept = _office(request).kept(request.path_params["id"])
    if not kept.released:
        raise Problem("NotFound", "this case has not been released")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(kept.released.items()):
            archive.writestr(zipfile.ZipInfo(name), data)
    headers = {"Content-Disposition": f'attachment; filename="case-{kept.record.id}.zip"'}
    return Response(out.getvalue(), media_type="application/zip", headers=headers)


async def page(request: Request) -> Response:
    """Draw a page of a PDF."""
    office, id_ = _office(request), request.path_params["id"]
    number = _page_of(request)
    _, png = await office.pool.call("page", {"page": number}, office.kept(id_).files[0][1], near=id_)
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


async def result(request: Request) -> Response:
    """Draw a page of a PDF as the decisions make it, and say where they stand on it."""
    number = _page_of(request)
    header, png = await _office(request).ask(request.path_params["id"], "result", {"page": number})
    return JSONResponse({**header, "picture": base64.b64encode(png).decode()})


def _page_of(request: Request) -> int:
    number = int(request.path_params["number"])
    if not 1 <= number <= _office(request).kept(request.path_params["id"]).view["pages"]:
        raise Problem("NotFound", "there is no such page")
    return number


async def boxes(request: Request) -> Response:
    """Say where stretches of the text stand on pages."""
    body = await json_of(request, spans=list)
    spans = [[int(a), int(b)] for a, b in _pairs(body["spans"])]
    header, _ = await _office(request).ask(request.path_params["id"], "boxes", {"spans": spans})
    return JSONResponse(header)


def _pairs(spans: list[Any]) -> list[Any]:
    right = all(isinstance(s, list) and len(s) == 2 and all(isinstance(n, int) for n in s) for s in spans)
    if not right or len(spans) > _MOST_SPANS:
        raise Problem("UsageError", f"'spans' must be a list of at most {_MOST_SPANS} pairs of numbers")
    return spans


async def codes(request: Request) -> Response:
    """List the exemption codes."""
    packs = _office(request).packs
    return JSONResponse(
        {
            "packs": [
                {
                    "name": pack.name,
                    "title": pack.title,
                    "source": pack.source,
                    "codes": [{"id": c.id, "shown": c.shown, "title": c.title, "text": c.text} for c in pack.codes],
                }
                for pack in packs
            ]
        }
    )


ROUTES = [
    Route("/v1/cases", queue, methods=["GET"]),
    Route("/v1/cases", add, methods=["POST"]),
    Route("/v1/cases/{id}", show),
    Route("/v1/cases/{id}/changes", changes),
    Route("/v1/cases/{id}/decisions/{item}", why),
    Route("/v1/cases/{id}/decisions/{item}/effect", effect),
    Route("/v1/cases/{id}/decide", decide, methods=["POST"]),
    Route("/v1/cases/{id}/hide", hide, methods=["POST"]),
    Route("/v1/cases/{id}/undo", undo, methods=["POST"]),
    Route("/v1/cases/{id}/redo", redo, methods=["POST"]),
    Route("/v1/cases/{id}/code", code, methods=["POST"]),
    Route("/v1/cases/{id}/state", state, methods=["POST"]),
    Route("/v1/cases/{id}/preview", preview, methods=["POST"]),
    Route("/v1/cases/{id}/release", release, methods=["POST"]),
    Route("/v1/cases/{id}/release.zip", download),
    Route("/v1/cases/{id}/pages/{number:int}", page),
    Route("/v1/cases/{id}/pages/{number:int}/result", result),
    Route("/v1/cases/{id}/boxes", boxes, methods=["POST"]),
    Route("/v1/codes", codes),
]
