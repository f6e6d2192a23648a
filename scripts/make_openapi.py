"""Write src/tacenda/service/openapi.json from the routes and the shapes below: `python scripts/make_openapi.py`."""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from starlette.routing import Route  # noqa: E402

from tacenda import __version__  # noqa: E402
from tacenda.service.app import make_app  # noqa: E402
from tacenda.service.guard import PRESIDIO  # noqa: E402
from tacenda.service.problems import STATUS  # noqa: E402
from tacenda.service.settings import Person, Settings  # noqa: E402

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
NAMES = {"oneOf": [TEXT, {"type": "array", "items": TEXT}]}


def fields(required: str, **known: Any) -> dict[str, Any]:
    """An object with these fields; the required ones are named in one string."""
    return {"type": "object", "required": required.split(), "properties": known}


VERSIONED = {"version": NUMBER, "ids": {"type": "array", "items": TEXT}, "scope": {"enum": ["this", "like", "all"]}}
BODIES: dict[str, dict[str, Any]] = {
    "/v1/plan": fields("text", text=TEXT, policy=NAMES, known={"type": "array", "items": TEXT}),
    "/v1/apply": fields("text plan", text=TEXT, plan={"type": "object"}, policy=NAMES),
    "/v1/sanitize": fields("text", text=TEXT, policy=NAMES, known={"type": "array", "items": TEXT}),
    "/v1/verify": fields("text certificate", text=TEXT, certificate={"type": "object"}),
    "/v1/measure": fields("text gold found", text=TEXT, gold={"type": "array"}, found={"type": "array"}),
    "/v1/cases/{id}/decide": fields(
        "version ids choice",
        **VERSIONED,
        choice={"enum": ["accept", "keep", "own", "label", "generalize", "suppress", "pseudonym", "date"]},
        replacement=TEXT,
        code=TEXT,
    ),
    "/v1/cases/{id}/hide": fields("start end", start=NUMBER, end=NUMBER, label=TEXT, scope=VERSIONED["scope"]),
    "/v1/cases/{id}/code": fields("version ids code", **VERSIONED, code=TEXT),
    "/v1/cases/{id}/state": fields(
        "", state={"enum": ["to do", "reviewed", "second look", "approved"]}, version=NUMBER
    ),
    "/v1/cases/{id}/preview": fields("name value", name=TEXT, model=TEXT, value={"type": "number"}),
    "/v1/cases/{id}/release": fields(
        "version", version=NUMBER, show_codes={"type": "boolean"}, accept_remaining={"type": "boolean"}
    ),
    "/v1/cases/{id}/boxes": fields("spans", spans={"type": "array"}),
    "/session": fields("token", token=TEXT),
    "/analyze": fields("text language", text=NAMES, language=TEXT),
    "/anonymize": fields("text analyzer_results", text=TEXT, analyzer_results={"type": "array"}),
    "/deanonymize": fields("text anonymizer_results", text=TEXT, anonymizer_results={"type": "array"}),
}
FILES = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}, "policy": TEXT}}
UPLOADS = ("/v1/plan", "/v1/apply", "/v1/sanitize", "/v1/jobs", "/v1/cases")
CREATED = {("/v1/jobs", "post"): "202", ("/v1/cases", "post"): "202"}
EMPTY = {("/v1/jobs/{id}", "delete"): "204", ("/session", "delete"): "204"}
OPEN = ("/health", "/", "/session")


def main() -> None:
    """Write the file."""
    app = make_app(Settings(policies=("identifiers",), people=(Person("reviewer", "x" * 24),)))
    paths: dict[str, Any] = {}
    for route in app.routes:
        if isinstance(route, Route):
            path = re.sub(r":\w+", "", route.path)
            for method in sorted((route.methods or set()) - {"HEAD"}):
                paths.setdefault(path, {})[method.lower()] = operation(route, path, method.lower())
    table = {
        "openapi": "3.1.0",
        "info": {"title": "Tacenda", "version": __version__, "license": {"name": "Apache-2.0"}},
        "security": [{"token": []}, {"session": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "tacenda"},
            },
            "schemas": {
                "Error": fields("error", error=fields("kind message", kind={"enum": sorted(STATUS)}, message=TEXT)),
                "PresidioError": fields("error", error=TEXT),
            },
        },
    }
    out = ROOT / "src" / "tacenda" / "service" / "openapi.json"
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else out
    target.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"wrote {target.name}")


def operation(route: Route, path: str, method: str) -> dict[str, Any]:
    """Describe one method of one path."""
    status = CREATED.get((path, method)) or EMPTY.get((path, method)) or "200"
    shape = "PresidioError" if path in PRESIDIO else "Error"
    error = {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape}"}}}
    found: dict[str, Any] = {
        "summary": (inspect.getdoc(route.endpoint) or route.name).split("\n")[0],
        "responses": {status: {"description": "done"}, "default": {"description": "refused", "content": error}},
    }
    names = re.findall(r"\{(\w+)\}", path)
    if names:
        found["parameters"] = [{"name": n, "in": "path", "required": True, "schema": TEXT} for n in names]
    content = {}
    if method == "post" and path in BODIES:
        content["application/json"] = {"schema": BODIES[path]}
    if method == "post" and path in UPLOADS:
        content["multipart/form-data"] = {"schema": FILES}
    if content:
        found["requestBody"] = {"required": True, "content": content}
    if path in OPEN:
        found["security"] = []
    return found


if __name__ == "__main__":
    main()
