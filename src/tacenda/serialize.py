"""Versioned JSON of plans. Written by hand, field by field: nothing gets in that was not meant to."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, get_args

from tacenda.errors import PlanError
from tacenda.model import Action, Decision, Kind, Note, Plan, Provenance, Reason, Risk, Vote

PLAN_VERSION = 2
_MADE = ("policy", "known", "index", "taxonomy", "encoder", "versions")
FIX_REACH = 80  # a fix stands beside its mention, never far from it


def plan_to_json(plan: Plan) -> str:
    """Serialize a plan; the same plan gives the same bytes."""
    body: dict[str, Any] = {
        "tacenda_plan": PLAN_VERSION,
        "digest": plan.digest,
        "policy": plan.policy,
        "made": {key: getattr(plan.made, key) for key in _MADE},
        "protected": list(plan.protected),
        "rounds": plan.rounds,
        "decisions": [_decision_to_json(d) for d in plan.decisions],
        "risks": [_risk_to_json(r) for r in plan.risks],
        "notes": [{"kind": n.kind, "numbers": _numbers(n.numbers), "about": n.about} for n in plan.notes],
    }
    return json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False)


def plan_from_json(text: str, *, where: str = "plan") -> Plan:
    """Read a plan; `where` names the file in messages."""
    try:
        body = json.loads(text)
    except ValueError as error:
        raise PlanError(f"{where}: not a plan: the file is not valid JSON ({_position(error)})") from None
    if not isinstance(body, dict) or "tacenda_plan" not in body:
        raise PlanError(f"{where}: not a plan: the key 'tacenda_plan' is missing. Make one with 'tacenda plan'")
    if body["tacenda_plan"] != PLAN_VERSION:
        raise PlanError(
            f"{where}: plan version {body['tacenda_plan']}; this version of Tacenda reads version {PLAN_VERSION}."
            " Make the plan again"
        )
    try:
        plan = Plan(
            digest=str(body["digest"]),
            policy=str(body["policy"]),
            protected=tuple(map(str, body["protected"])),
            rounds=int(body["rounds"]),
            decisions=tuple(_decision_from_json(d) for d in body["decisions"]),
            risks=tuple(_risk_from_json(r) for r in body["risks"]),
            notes=tuple(Note(str(n["kind"]), _read_numbers(n["numbers"]), str(n["about"])) for n in body["notes"]),
            made=Provenance(**{key: str(body["made"][key]) for key in _MADE}),
        )
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise PlanError(
            f"{where}: a part of the plan is missing or has the wrong form ({type(error).__name__})"
        ) from None
    check_plan(plan, where=where)
    return plan


def check_plan(plan: Plan, *, where: str = "plan", length: int | None = None) -> None:
    """Refuse decisions that overlap, run backwards, lie outside the text, or name risks that are not there."""
    last = 0
    for number, decision in enumerate(plan.decisions):
        if not last <= decision.start <= decision.end:
            raise PlanError(f"{where}: decision {number} overlaps the one before it or runs backwards")
        last = decision.end
        if length is not None and last > length:
            raise PlanError(f"{where}: decision {number} lies outside the text")
        if any(not 0 <= r < len(plan.risks) for r in decision.risks):
            raise PlanError(f"{where}: decision {number} names a risk that is not in the plan")
        for start, end, _ in decision.fixes:
            near = decision.start - FIX_REACH <= start <= end <= decision.end + FIX_REACH
            if not near or start < 0 or (length is not None and end > length) or not _beside(decision, start, end):
                raise PlanError(f"{where}: a fix of decision {number} does not stand beside it")


def _beside(decision: Decision, start: int, end: int) -> bool:
    return end <= decision.start or start >= decision.end


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
        "fixes": [list(f) for f in d.fixes],
    }


def _decision_from_json(d: dict[str, Any]) -> Decision:
    return Decision(
        start=int(d["start"]),
        end=int(d["end"]),
        label=str(d["label"]),
        kind=_one_of(d["kind"], get_args(Kind)),
        action=_one_of(d["action"], get_args(Action)),
        replacement=str(d["replacement"]),
        group=int(d["group"]),
        why=str(d["why"]),
        risks=tuple(map(int, d["risks"])),
        by=str(d["by"]),
        concept=str(d["concept"]),
        fixes=tuple((int(a), int(b), str(t)) for a, b, t in d["fixes"]),
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
        "reason": _reason_to_json(r.reason),
        "members": [list(m) for m in r.members],
    }


def _risk_from_json(r: dict[str, Any]) -> Risk:
    return Risk(
        model=str(r["model"]),
        mentions=tuple(map(int, r["mentions"])),
        discloses=str(r["discloses"]),
        score=math.inf if r["score"] is None else float(r["score"]),
        limit=math.inf if r["limit"] is None else float(r["limit"]),
        unit=str(r["unit"]),
        counts={str(k): int(v) for k, v in r["counts"].items()},
        reason=_reason_from_json(r["reason"]),
        members=tuple(tuple(map(int, m)) for m in r["members"]),
    )


def _number(value: float) -> float | None:
    # JSON has no infinity; a score without bound is written as null.
    return None if math.isinf(value) else round(value, 6)


def _numbers(numbers: Mapping[str, float]) -> dict[str, float]:
    return {key: round(value, 6) for key, value in numbers.items()}


def _read_numbers(numbers: Mapping[str, Any]) -> dict[str, float]:
    return {str(key): value if isinstance(value, int) else float(value) for key, value in numbers.items()}


def _reason_to_json(reason: Reason) -> dict[str, Any]:
    body: dict[str, Any] = {"kind": reason.kind}
    if reason.numbers:
        body["numbers"] = _numbers(reason.numbers)
    if reason.votes:
        votes = [[v.model, None if v.score is None else round(v.score, 6), v.unit] for v in reason.votes]
        body["votes"] = votes
    return body


def _reason_from_json(body: dict[str, Any]) -> Reason:
    votes = tuple(Vote(str(m), None if s is None else float(s), str(u)) for m, s, u in body.get("votes", ()))
    return Reason(str(body["kind"]), _read_numbers(body.get("numbers", {})), votes)


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        raise ValueError
    return value
