"""Versioned JSON of plans. Written by hand, field by field: nothing gets in that was not meant to."""

from __future__ import annotations

import json
import math
from typing import Any

from tacenda.errors import PlanError
from tacenda.model import Decision, Plan, Risk

PLAN_VERSION = 1


def plan_to_json(plan: Plan) -> str:
    """Serialize a plan; the same plan gives the same bytes."""
    body: dict[str, Any] = {
        "tacenda_plan": PLAN_VERSION,
        "digest": plan.digest,
        "policy": plan.policy,
        "protected": list(plan.protected),
        "rounds": plan.rounds,
        "decisions": [_decision_to_json(d) for d in plan.decisions],
        "risks": [_risk_to_json(r) for r in plan.risks],
        "fixes": [list(f) for f in plan.fixes],
        "notes": list(plan.notes),
    }
    return json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False)


def plan_from_json(text: str, *, where: str = "plan") -> Plan:
    """Read a plan; `where` names the file in messages."""
    try:
        body = json.loads(text)
    except ValueError as error:
        raise PlanError(f"{where}: not a plan: the file is no valid JSON ({_position(error)})") from None
    if not isinstance(body, dict) or "tacenda_plan" not in body:
        raise PlanError(f"{where}: not a plan: the key 'tacenda_plan' is missing. Make one with 'tacenda plan'")
    if body["tacenda_plan"] != PLAN_VERSION:
        raise PlanError(
            f"{where}: plan version {body['tacenda_plan']}; this Tacenda reads version {PLAN_VERSION}. Make it again"
        )
    try:
        plan = Plan(
            digest=body["digest"],
            policy=body["policy"],
            protected=tuple(body["protected"]),
            rounds=body["rounds"],
            decisions=tuple(_decision_from_json(d) for d in body["decisions"]),
            risks=tuple(_risk_from_json(r) for r in body["risks"]),
            fixes=tuple((int(a), int(b), str(t)) for a, b, t in body["fixes"]),
            notes=tuple(body["notes"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PlanError(
            f"{where}: a part of the plan is missing or has the wrong form ({type(error).__name__})"
        ) from None
    check_plan(plan, where=where)
    return plan


def check_plan(plan: Plan, *, where: str = "plan") -> None:
    """Refuse decisions that overlap, run backwards, or name risks that are not there."""
    last = 0
    for number, decision in enumerate(plan.decisions):
        if not last <= decision.start <= decision.end:
            raise PlanError(f"{where}: decision {number} overlaps the one before it or runs backwards")
        last = decision.end
        if any(not 0 <= r < len(plan.risks) for r in decision.risks):
            raise PlanError(f"{where}: decision {number} names a risk that is not in the plan")


def _position(error: ValueError) -> str:
    return f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "unreadable"


def _decision_to_json(d: Decision) -> dict[str, Any]:
    return {
        "start": d.start,
        "end": d.end,
        "label": d.label,
        "kind": d.kind,
        "action": d.action,
        "replacement": d.replacement,
        "group": d.group,
        "why": d.why,
        "risks": list(d.risks),
        "by": d.by,
        "concept": d.concept,
    }


def _decision_from_json(d: dict[str, Any]) -> Decision:
    return Decision(
        start=int(d["start"]),
        end=int(d["end"]),
        label=str(d["label"]),
        kind=d["kind"],
        action=d["action"],
        replacement=str(d["replacement"]),
        group=int(d["group"]),
        why=str(d["why"]),
        risks=tuple(d["risks"]),
        by=str(d["by"]),
        concept=str(d["concept"]),
    )


def _risk_to_json(r: Risk) -> dict[str, Any]:
    return {
        "model": r.model,
        "mentions": list(r.mentions),
        "discloses": r.discloses,
        "score": _number(r.score),
        "limit": _number(r.limit),
        "unit": r.unit,
        "counts": dict(r.counts),
        "note": r.note,
        "members": [list(m) for m in r.members],
    }


def _risk_from_json(r: dict[str, Any]) -> Risk:
    return Risk(
        model=str(r["model"]),
        mentions=tuple(r["mentions"]),
        discloses=str(r["discloses"]),
        score=math.inf if r["score"] is None else float(r["score"]),
        limit=math.inf if r["limit"] is None else float(r["limit"]),
        unit=str(r["unit"]),
        counts=dict(r["counts"]),
        note=str(r["note"]),
        members=tuple(tuple(m) for m in r["members"]),
    )


def _number(value: float) -> float | None:
    # JSON has no infinity; a score without bound is written as null.
    return None if math.isinf(value) else round(value, 6)
