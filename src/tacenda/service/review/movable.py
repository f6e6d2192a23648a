"""The limits of a policy that a reviewer may try to move."""

from __future__ import annotations

from typing import Any

from tacenda.sanitizer import Sanitizer


def limits_of(sanitizer: Sanitizer) -> list[dict[str, Any]]:
    """Return the limits of a policy that can be moved: name, value, range, and which way is stricter."""
    policy = sanitizer.policy
    found: list[dict[str, Any]] = []
    alphas = [float(p.alpha) for p in policy.protect if not p.may_reveal]
    if alphas and "alpha_c" in policy.risk:
        found.append({"name": "alpha", "value": max(alphas), "low": 1, "high": 8, "step": 0.25})
    for model in ("person", "k_safety"):
        if model in policy.risk:
            usual = 20 if model == "person" else 5
            value = policy.risk[model].get("k", usual)
            found.append({"name": "k", "value": value, "low": 1, "high": 200, "step": 1, "model": model})
    if policy.choose == "plausibility":
        value = policy.chooser.get("plausibility", {}).get("t", 10)
        found.append({"name": "t", "value": value, "low": 1, "high": 1000, "step": 1})
    if "limit" in policy.risk.get("information", {}):
        value = policy.risk["information"]["limit"]
        found.append({"name": "limit", "value": value, "low": 1, "high": 24, "step": 0.5, "model": "information"})
    return found
