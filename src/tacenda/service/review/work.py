"""The tasks of review that workers do: each finds its desk, or says that it has to be laid out again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacenda.serialize import plan_from_json, plan_to_json
from tacenda.service.problems import Problem
from tacenda.service.review import limits, pages
from tacenda.service.review.desk import Desk, lay_out
from tacenda.service.review.record import Item
from tacenda.service.review.release import released

_DESKS = 8  # cases a worker remembers


def _desk(bench: Any, arguments: dict[str, Any]) -> Desk:
    """Return the desk of a case, brought up to date with what reviewers have done since it was last asked."""
    desk: Desk | None = bench.desks.get(arguments["case"])
    news = arguments.get("news")
    if desk is None or (news is not None and news["since"] not in (desk.version, -1)):
        raise Problem("Unloaded", "the worker has to open this case again")
    if news is not None:
        if news["since"] == -1:
            desk.current = {}
        for name, item in news["items"].items():
            if item is None:
                desk.current.pop(name, None)
            else:
                desk.current[name] = Item.from_json(item)
        desk.version = news["version"]
    return desk


def lay_out_case(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Read the files of a case and plan it, or take a plan that was made before."""
    files, at = [], 0
    for name, size in arguments["files"]:
        files.append((name, data[at : at + size]))
        at += size
    plan = plan_from_json(arguments["plan"]) if arguments["plan"] else None
    desk = lay_out(bench.sanitizer(arguments["policies"]), files, plan)
    made = desk.plan
    while len(bench.desks) >= _DESKS:
        bench.desks.pop(next(iter(bench.desks)))
    bench.desks[arguments["case"]] = desk
    if plan is not None:
        return {}, b""
    about = {
        f"{d.start}-{d.end}": sorted({made.risks[r].discloses for r in d.risks}) for d in made.decisions if d.risks
    }
    header = {"view": desk.view(), "items": [item.to_json() for item in desk.items()], "about": about}
    return header, plan_to_json(made).encode("utf-8", "surrogatepass")


def why(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Why a decision was taken."""
    return _desk(bench, arguments).why(arguments["id"]), b""


def effect(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """What would be told if decisions were kept."""
    desk = _desk(bench, arguments)
    return {"told": desk.effect(arguments["ids"])}, b""


def fit(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Fit a choice to its places."""
    desk = _desk(bench, arguments)
    fitted = desk.fitted(arguments["ids"], arguments["action"], arguments["replacement"])
    return {"items": [item.to_json() for item in fitted]}, b""


def hide(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Hide a selection."""
    desk = _desk(bench, arguments)
    start, end, label = arguments["start"], arguments["end"], arguments["label"]
    return desk.hidden(start, end, label, alike=arguments["alike"]), b""


def assess(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Assess the text as decisions rewrite it."""
    left = _desk(bench, arguments).left()
    return {"count": len(left), "ids": sorted({name for _, names in left for name in names})[:200]}, b""


def preview(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Say what another limit would change."""
    return limits.preview(_desk(bench, arguments), arguments["name"], arguments["model"], arguments["value"]), b""


def release(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Make everything that a release consists of."""
    desk = _desk(bench, arguments)
    files, summary = released(desk, list(desk.current.values()), arguments)
    return {"files": [[name, len(body)] for name, body in files.items()], "summary": summary}, b"".join(files.values())


def page(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Draw a page of a PDF."""
    return {}, pages.picture(data, int(arguments["page"]))


def result(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Draw a page of a PDF as the decisions make it, with their places."""
    made = pages.draft(_desk(bench, arguments), int(arguments["page"]))
    return {"boxes": made.boxes}, made.picture


def boxes(bench: Any, arguments: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return where decisions stand on pages."""
    return {"boxes": _desk(bench, arguments).boxes([(a, b) for a, b in arguments["spans"]])}, b""


Task = Callable[[Any, dict[str, Any], bytes], tuple[dict[str, Any], bytes]]
TASKS: dict[str, Task] = {
    "lay_out": lay_out_case,
    "why": why,
    "effect": effect,
    "fit": fit,
    "hide": hide,
    "assess": assess,
    "preview": preview,
    "release": release,
    "page": page,
    "result": result,
    "boxes": boxes,
}
