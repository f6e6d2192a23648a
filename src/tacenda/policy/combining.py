"""Several policies as one: the union of what they protect, the strictest limits, the replacements all of them allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacenda.errors import PolicyError
from tacenda.model import Protected
from tacenda.policy.from_toml import load, shipped_hint
from tacenda.policy.policy_type import Policy, Settings

# How two settings of the same name combine into the stricter one.
_STRICTER_LOW = {"limit", "threshold", "m"}
_STRICTER_HIGH = {"k", "t", "alpha", "population_share", "margin"}


def policy_of(given: Policy | str | Path | Sequence[Policy | str | Path]) -> Policy:
    """Return the policy meant: one as it is, one by name or path, or several combined."""
    if isinstance(given, Policy):
        return given
    if isinstance(given, (str, Path)):
        return load(given)
    return combine([policy_of(one) for one in given])


def combine(policies: Sequence[Policy]) -> Policy:
    """Combine policies: union of what they protect, strictest limits, replacements all allow."""
    if not policies:
        raise PolicyError(f"no policy given. {shipped_hint()}")
    merged = policies[0]
    for other in policies[1:]:
        merged = _combine_two(merged, other)
    return merged


def protecting(terms: Sequence[str]) -> Policy:
    """Return a policy that protects these terms and nothing else (`--protect TERM`)."""
    return Policy(
        name="protect",
        protect=tuple(Protected(entity=t) for t in terms),
        replace=("generalize", "label", "suppress"),
        choose="hitting_set",
        risk={"alpha_c": {}, "meaning": {"limit": 0.6, "overrule": 0.1}},
    )


def _combine_two(a: Policy, b: Policy) -> Policy:
    shared = tuple(r for r in a.replace if r in b.replace)
    return Policy(
        name=f"{a.name}+{b.name}",
        description=" ".join(filter(None, (a.description, b.description))),
        language=a.language,
        annotate=_union(a.annotate, b.annotate),
        replace=shared or ("suppress",),
        replace_by=_combine_orders(a, b),
        choose=a.choose if a.choose == b.choose else _stronger_chooser(a, b),
        rounds=max(a.rounds, b.rounds),
        unknown="suppress" if "suppress" in (a.unknown, b.unknown) else "keep",
        confidence=min(a.confidence, b.confidence),
        reversible=a.reversible and b.reversible,
        allow=tuple(w for w in a.allow if w in b.allow),
        mask=_union(a.mask, b.mask),
        patterns=_union(a.patterns, b.patterns),
        protect=_union(a.protect, b.protect),
        annotator=_combine_tables(a.annotator, b.annotator, f"{a.name}+{b.name}"),
        risk=_combine_tables(a.risk, b.risk, f"{a.name}+{b.name}"),
        # Any one model's finding counts unless both policies ask for the same agreement: the stricter reading.
        vote=a.vote if (a.vote, a.vote_rule) == (b.vote, b.vote_rule) else (),
        vote_rule=a.vote_rule,
        replacer=_combine_tables(a.replacer, b.replacer, f"{a.name}+{b.name}"),
        chooser=_combine_tables(a.chooser, b.chooser, f"{a.name}+{b.name}"),
        knowledge={**b.knowledge, **a.knowledge},
        review={key: _both(a.review.get(key), b.review.get(key)) for key in _union(tuple(a.review), tuple(b.review))},
    )


def _both(a: Any, b: Any) -> Any:
    # What either policy asks of reviewers is asked; packs of codes add up.
    return [*a, *(x for x in b if x not in a)] if isinstance(a, list) and isinstance(b, list) else a or b


def _stronger_chooser(a: Policy, b: Policy) -> str:
    # plausibility adds a guarantee of its own, hitting_set handles groups at least loss.
    return max((a.choose, b.choose), key=["greedy", "hitting_set", "plausibility"].index)


def _combine_orders(a: Policy, b: Policy) -> dict[str, tuple[str, ...]]:
    orders = {}
    for label in _union(tuple(a.replace_by), tuple(b.replace_by)):
        # An order for this very label is the more thoughtful one; only two of them have to agree.
        first, second = a.replace_by.get(label), b.replace_by.get(label)
        if first and second:
            orders[label] = tuple(r for r in first if r in second) or ("suppress",)
        else:
            orders[label] = first or second or ("suppress",)
    return orders


def _combine_tables(a: Mapping[str, Settings], b: Mapping[str, Settings], where: str) -> dict[str, dict[str, Any]]:
    merged = {name: dict(settings) for name, settings in a.items()}
    for name, settings in b.items():
        mine = merged.setdefault(name, {})
        for key, value in settings.items():
            mine[key] = value if key not in mine else _stricter(key, mine[key], value, f"{where}: {name}.{key}")
    return merged


def _stricter(key: str, a: Any, b: Any, where: str) -> Any:
    if a == b:
        return a
    if isinstance(a, list) and isinstance(b, list):
        return [*a, *(x for x in b if x not in a)]
    if key in _STRICTER_LOW:
        return min(a, b)
    if key in _STRICTER_HIGH:
        return max(a, b)
    if key == "finest":
        return max((a, b), key=("month", "year", "decade").index)
    raise PolicyError(f"{where}: the policies say '{a}' and '{b}'; neither is stricter. Make them agree")


def _union(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*a, *b)))
