"""The limits of a policy that a reviewer may move, and what another value would change.

Planning anew under every position of a slider takes too long. So the case is assessed once at the strictest end of a
limit; every finding has its score, and a position of the slider only compares scores. What it says is an estimate: a
plan made under that limit may choose another member of a group that discloses together, or other words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tacenda.errors import UsageError
from tacenda.model import Plan, Risk, Span
from tacenda.sanitizer import Sanitizer
from tacenda.service.review.record import FORCED, Item

if TYPE_CHECKING:
    from tacenda.service.review.desk import Desk

_STRICTEST = {"alpha": 8.0, "k": 200.0, "limit": 1.0}


@dataclass(frozen=True)
class Ahead:
    """What is risky at the strictest end of a limit: in the text as it was, and in what stands in its place."""

    before: tuple[Risk, ...]
    after: tuple[Risk, ...]


def limits_of(sanitizer: Sanitizer) -> list[dict[str, Any]]:
    """Return the limits of a policy that can be moved: name, value, range, and which way is stricter."""
    policy = sanitizer.policy
    found: list[dict[str, Any]] = []
    alphas = [float(p.alpha) for p in policy.protect if not p.may_reveal]
    if alphas and "alpha_c" in policy.risk:
        high = _STRICTEST["alpha"]
        found.append({"name": "alpha", "value": max(alphas), "low": 1, "high": high, "step": 0.25})
    for model in ("person", "k_safety"):
        if model in policy.risk:
            usual = 20 if model == "person" else 5
            value = policy.risk[model].get("k", usual)
            high = _STRICTEST["k"]
            found.append({"name": "k", "value": value, "low": 1, "high": high, "step": 1, "model": model})
    if policy.choose == "plausibility":
        value = policy.chooser.get("plausibility", {}).get("t", 10)
        found.append({"name": "t", "value": value, "low": 1, "high": 1000, "step": 1})
    if "limit" in policy.risk.get("information", {}):
        value, low = policy.risk["information"]["limit"], _STRICTEST["limit"]
        found.append({"name": "limit", "value": value, "low": low, "high": 24, "step": 0.5, "model": "information"})
    return found


def varied(sanitizer: Sanitizer, name: str, model: str, value: float) -> Sanitizer:
    """Return a sanitizer whose policy has another limit; knowledge that is open already is shared."""
    policy = sanitizer.policy
    if name == "alpha":
        alpha = Fraction(value).limit_denominator(1000)
        policy = replace(policy, protect=tuple(p if p.may_reveal else replace(p, alpha=alpha) for p in policy.protect))
    elif name == "t":
        settings = {**policy.chooser.get("plausibility", {}), "t": int(value)}
        policy = replace(policy, chooser={**policy.chooser, "plausibility": settings})
    elif name in ("k", "limit") and model in policy.risk:
        number = int(value) if name == "k" else value
        policy = replace(policy, risk={**policy.risk, model: {**policy.risk[model], name: number}})
    else:
        raise UsageError("this policy has no such limit")
    parts = sanitizer.parts
    return Sanitizer(
        policy, index=parts.index, taxonomy=parts.taxonomy, key=parts.key, force_language=sanitizer.force_language
    )


def look_ahead(desk: Desk, name: str, model: str) -> Ahead:
    """Ask the models that a limit is about once, at its strictest end; the others find what they found before."""
    work, parts, context = desk.work, desk.sanitizer.parts, desk.work.context
    if name == "alpha":  # what is protected was looked up already: only its limit differs
        alpha = Fraction(int(_STRICTEST["alpha"]))
        strict = tuple(p if p.may_reveal else replace(p, alpha=alpha) for p in context.protected)
        context = replace(context, protected=strict)
    else:
        parts = varied(desk.sanitizer, name, model, _STRICTEST.get(name, 1.0)).parts
    about = [one for one in parts.risk_models if one.name in ((model,) if model else ("alpha_c", "correlation"))]
    texts = (work.mentions, desk.as_planned())
    before, after = (tuple(r for one in about for r in one.assess(mentions, context)) for mentions in texts)
    return Ahead(before, after)


def preview(desk: Desk, name: str, model: str, value: float) -> dict[str, Any]:
    """Say what another value of a limit would hide, keep, or replace otherwise."""
    if name == "t":
        # How many originals are plausible is no score of a term: only a plan tells.
        return _compared(desk.plan, varied(desk.sanitizer, name, model, value).plan(desk.case))
    if (name, model) not in desk.ahead:
        desk.ahead[name, model] = look_ahead(desk, name, model)
    moved = _Moved(desk, name, model, value)
    fewer, more, other = moved.fewer(), moved.more(), moved.other()
    hidden = sum(item.changes for item in desk.current.values())
    return {
        "hidden": hidden + len(more) - len(fewer),
        "more": [_id(span) for span in sorted(more)],
        "fewer": [_id(span) for span in sorted(fewer)],
        "other": [_id(span) for span in sorted(other - fewer)],
    }


class _Moved:
    """A limit at another value, beside the decisions as they stand; what a reviewer decided stays."""

    def __init__(self, desk: Desk, name: str, model: str, value: float) -> None:
        self.desk, self.name, self.model, self.value = desk, name, model, value
        self.found, self.found_at = desk.ahead[name, model], _STRICTEST["alpha"]
        self.alphas = {p.entity: float(p.alpha) for p in desk.sanitizer.policy.protect if not p.may_reveal}
        self.items = {(item.start, item.end): item for item in desk.current.values()}

    def passes(self, risk: Risk, found_at: float | None = None) -> bool:
        """Tell whether a risk passes its limit at the value; others than those the limit is about always do."""
        if self.name == "alpha":
            alpha = self.alphas.get(risk.discloses)
            if alpha is None or risk.limit <= 0 or risk.unit != "bits":
                return True
            return risk.score >= risk.limit * (found_at or alpha) / self.value  # the limit is IC/α
        if risk.model != self.model or risk.reason.kind == "direct":
            return True
        return risk.score < self.value if self.name == "k" else risk.score > self.value

    def fewer(self) -> set[Span]:
        """Return what is hidden only for risks that no longer pass."""
        plan, mentions = self.desk.plan, self.desk.work.mentions
        telling = {mentions[n].span for r in self.found.before if self.passes(r, self.found_at) for n in r.mentions}
        return {
            d.span
            for d in plan.changes
            if d.kind not in FORCED and d.risks and self._is_free(self.items.get(d.span))
            and d.span not in telling and not any(self.passes(plan.risks[r]) for r in d.risks)
        }  # fmt: skip

    def more(self) -> set[Span]:
        """Return what is kept and would be hidden: every single term that passes, and of each group one member."""
        mentions, work = self.desk.work.mentions, self.desk.work
        hidden = {span for span, item in self.items.items() if item.changes} - self.fewer()
        kept = {span for span, item in self.items.items() if not self._is_free(item)}
        added: set[Span] = set()
        passing = [r for r in self.found.before if self.passes(r, self.found_at)]
        for risk in sorted(passing, key=lambda r: len(r.members)):
            members = risk.members or (risk.mentions,)
            if any(all(mentions[n].span in hidden | added for n in member) for member in members):
                continue
            free = [m for m in members if not any(work.allowed[n] or mentions[n].span in kept for n in m)]
            chosen = min(free, key=lambda m: (sum(len(mentions[n].text) for n in m), m), default=())
            added |= {mentions[n].span for n in chosen} - hidden
        return added

    def other(self) -> set[Span]:
        """Return what is replaced by words that would tell too much."""
        mentions = self.desk.work.mentions
        risky = {mentions[n].span for r in self.found.after if self.passes(r, self.found_at) for n in r.mentions}
        return {span for span in risky if (item := self.items.get(span)) and item.changes and self._is_free(item)}

    def _is_free(self, item: Item | None) -> bool:
        return item is not None and item.state in ("open", "accepted")


def _compared(before: Plan, after: Plan) -> dict[str, Any]:
    old, new = ({d.span: d.replacement for d in plan.changes} for plan in (before, after))
    return {
        "hidden": len(new),
        "more": _ids(new.keys() - old.keys()),
        "fewer": _ids(old.keys() - new.keys()),
        "other": _ids(span for span in old.keys() & new.keys() if old[span] != new[span]),
    }


def _ids(spans: Iterable[Span]) -> list[str]:
    return [_id(span) for span in sorted(spans)]


def _id(span: Span) -> str:
    return f"{span[0]}-{span[1]}"
