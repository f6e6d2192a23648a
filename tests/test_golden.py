"""Golden plans: what the examples become. After a wanted change run scripts/make_golden.py and review it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_golden", ROOT / "scripts" / "make_golden.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = _script()


@pytest.mark.xdist_group("golden")
@pytest.mark.parametrize("name", SCRIPT.CASES)
def test_golden_plan(name: str) -> None:
    plan, text = SCRIPT.golden(name)
    assert text == (SCRIPT.GOLDEN / name).read_text("utf-8")
    assert steady(plan) == steady((SCRIPT.GOLDEN / f"{Path(name).stem}.plan.json").read_text("utf-8"))


def steady(plan: str) -> dict[str, Any]:
    """Return a plan without the probabilities of the model that reads sentences anew: they vary with the processor."""
    body: dict[str, Any] = json.loads(plan)
    for risk in body["risks"]:
        if risk["model"] == "meaning":
            risk["score"] = risk["reason"]["numbers"] = None
    return body
