"""One table of every part that can be named in a policy, and the door for parts of third parties.

A third party adds a part through an entry point in the group `tacenda.<kind>`, for example in its
pyproject.toml:

    [project.entry-points."tacenda.risk"]
    my_model = "my_package:MyModel"

and checks it with `tacenda.testing.check_risk_model`.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from tacenda.errors import PolicyError

# kind -> name -> "module:attribute" of a class or factory; imported when first used.
PARTS: dict[str, dict[str, str]] = {
    "annotate": {
        "encoder": "tacenda.annotate.encoder:Encoder",
        "patterns": "tacenda.annotate.patterns:Patterns",
        "spacy": "tacenda.annotate.spacy_adapter:SpacyAnnotator",
    },
    "risk": {
        "entity": "tacenda.risk.entity:Entity",
        "information": "tacenda.risk.information:Information",
        "correlation": "tacenda.risk.correlation:Correlation",
        "alpha_c": "tacenda.risk.alpha_c:AlphaC",
        "similarity": "tacenda.risk.similarity:Similarity",
        "k_safety": "tacenda.risk.k_safety:KSafety",
        "meaning": "tacenda.risk.meaning.model:Meaning",
        "person": "tacenda.risk.person:Person",
        "reidentify": "tacenda.risk.reidentify:Reidentify",
        "service": "tacenda.risk.service:Service",
    },
    "replace": {
        "suppress": "tacenda.replace.suppress:Suppress",
        "label": "tacenda.replace.label:Label",
        "generalize": "tacenda.replace.generalization:Generalize",
        "pseudonym": "tacenda.replace.pseudonym:Pseudonym",
        "dates": "tacenda.replace.date_shift:Dates",
    },
    "choose": {
        "greedy": "tacenda.choose.greedy:Greedy",
        "hitting_set": "tacenda.choose.hitting_set:HittingSet",
        "plausibility": "tacenda.choose.plausibility:Plausibility",
    },
}


@cache
def _entry_points(kind: str) -> dict[str, Any]:
    return {point.name: point for point in entry_points(group=f"tacenda.{kind}")}


def names(kind: str) -> tuple[str, ...]:
    """Return the names of all parts of a kind, ours first, then those of third parties."""
    ours = PARTS[kind]
    return (*ours, *sorted(n for n in _entry_points(kind) if n not in ours))


def find(kind: str, name: str, *, where: str = "") -> Callable[..., Any]:
    """Return the class or factory registered under a name; the error lists what exists."""
    ours = PARTS[kind]
    if name in ours:
        module, _, attribute = ours[name].partition(":")
        part: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
        return part
    if name in _entry_points(kind):
        loaded: Callable[..., Any] = _entry_points(kind)[name].load()
        return loaded
    raise PolicyError(unknown_name(f"{kind} part", name, names(kind), where=where))


def unknown_name(what: str, name: str, available: tuple[str, ...] | list[str], *, where: str = "") -> str:
    """Say that a name does not exist, what does, and which was probably meant."""
    near = difflib.get_close_matches(name, available, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    prefix = f"{where}: " if where else ""
    return f"{prefix}no {what} named '{name}'. Available: {', '.join(available) or 'none'}.{hint}"
