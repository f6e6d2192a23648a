"""Policies read from TOML or plain data. Unknown keys are errors that say what exists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from tacenda import registry, sources
from tacenda.errors import PolicyError
from tacenda.model import LABELS, Protected
from tacenda.policy.policy_type import KEYS, Policy

_PROTECT_KEYS = ("entity", "synonyms", "alpha", "may_reveal", "posterior", "prior", "description", "examples")
_WORD_KEYS = ("allow", "mask", "patterns")
_VOTE_KEYS = ("models", "rule")
_REVIEW_KEYS = ("second", "codes", "show_codes", "record_text")
_VOTE_RULES = ("any", "two", "all")


def shipped() -> tuple[str, ...]:
    """Return the names of the policies that come with the product."""
    folder = resources.files("tacenda") / "policies"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


def shipped_text(name: str) -> str:
    """Return the TOML text of a shipped policy, to copy from."""
    if name not in shipped():
        raise PolicyError(registry.unknown_name("policy", name, shipped()) + " Or give the path of a .toml file.")
    return (resources.files("tacenda") / "policies" / f"{name}.toml").read_text("utf-8")


def load(name: str | Path) -> Policy:
    """Load a policy by the name of a shipped one or by the path of a file."""
    if str(name).endswith(".toml"):
        return Policy.from_toml(name)
    return Policy.from_text(shipped_text(str(name)), where=f"policy '{name}'")


def from_dict(table: dict[str, Any], *, where: str = "policy") -> Policy:
    """Make a policy from plain data, as `to_dict` gives it."""
    return _build(table, where)


def read(path: str | Path) -> Policy:
    """Read a policy file."""
    path = Path(path)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise PolicyError(f"{path}: no such policy file. {shipped_hint()}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path}: cannot be read ({type(error).__name__})") from None
    return parse(text, where=str(path))


def parse(text: str, *, where: str = "policy") -> Policy:
    """Read a policy from TOML text; `where` names it in messages."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{where}: not valid TOML: {error}") from None
    return _build(table, where)


def _listed(table: dict[str, Any], key: str, where: str) -> list[Any]:
    found = table.get(key, [])
    if not isinstance(found, list):
        raise PolicyError(f"{where}: write [[{key}]], one table for each")
    return found


def _check_plain(value: Any, where: str) -> None:
    """Refuse what JSON cannot hold, such as a date: the digest of a policy is made of it."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        _check_plain(inner, where)
    if not isinstance(value, dict | list | tuple | str | int | float | None):
        raise PolicyError(f"{where}: holds a {type(value).__name__}; write it in quotation marks")


def _build(table: dict[str, Any], where: str) -> Policy:
    _check_keys(table, tuple(KEYS), where)
    _check_plain(table, where)
    if "name" not in table:
        raise PolicyError(f'{where}: a policy needs a name, e.g. name = "hospital"')
    words = _table(table, "words", where)
    _check_keys(words, _WORD_KEYS, f"{where}, [words]")
    voting = _table(table, "vote", where)
    _check_keys(voting, _VOTE_KEYS, f"{where}, [vote]")
    policy = Policy(
        name=str(table["name"]),
        description=str(table.get("description", "")),
        language=_one_of(table.get("language", "en"), ("en",), f"{where}: language"),
        annotate=_names(table, "annotate", "annotate", Policy.annotate, where),
        replace=_names(table, "replace", "replace", Policy.replace, where),
        replace_by={
            label: _names(table["replace_by"], label, "replace", (), f"{where}, [replace_by]")
            for label in _table(table, "replace_by", where)
        },
        choose=_known("choose", str(table.get("choose", Policy.choose)), where),
        rounds=_number(table.get("rounds", 4), 1, 100, f"{where}: rounds", whole=True),
        unknown=_one_of(table.get("unknown", "suppress"), ("suppress", "keep"), f"{where}: unknown"),
        confidence=float(_number(table.get("confidence", 0.5), 0, 1, f"{where}: confidence")),
        reversible=_truth(table.get("reversible", False), f"{where}: reversible"),
        allow=_strings(words.get("allow", []), f"{where}, [words] allow"),
        mask=_strings(words.get("mask", []), f"{where}, [words] mask"),
        patterns=_patterns(words.get("patterns", []), where),
        protect=tuple(_protected(p, where) for p in _listed(table, "protect", where)),
        annotator=_parts(table, "annotator", where),
        risk=_parts(table, "risk", where),
        vote=_strings(voting.get("models", []), f"{where}, [vote] models"),
        vote_rule=_one_of(voting.get("rule", "any"), _VOTE_RULES, f"{where}, [vote] rule"),
        replacer=_parts(table, "replacer", where),
        chooser=_parts(table, "chooser", where),
        knowledge=sources.check(_table(table, "knowledge", where), where),
        review=_review(_table(table, "review", where), where),
    )
    return check(policy, where=where)


def check(policy: Policy, *, where: str = "policy") -> Policy:
    """Refuse a policy that contradicts itself or protects nothing; add the risk model `protect` needs."""
    both = {a.casefold() for a in policy.allow} & {m.casefold() for m in policy.mask}
    if both:
        raise PolicyError(f"{where}: {len(both)} word(s) are in both allow and mask; remove them from one")
    if policy.protect and not {"alpha_c", "similarity", "correlation", "service"} & set(policy.risk):
        policy = replace(policy, risk={**policy.risk, "alpha_c": {}})
    if ("service" in policy.knowledge) != ("service" in policy.risk):
        raise PolicyError(
            f"{where}: a search service needs both [knowledge.service] and [risk.service]; one is missing"
        )
    absent = [name for name in policy.vote if name not in policy.risk]
    if absent or len(policy.vote) == 1:
        available = ", ".join(policy.risk) or "none"
        what = f"'{absent[0]}' has no [risk.{absent[0]}]" if absent else "one model alone cannot vote"
        raise PolicyError(f"{where}, [vote]: {what}. Name two or more of the policy's risk models: {available}")
    _check_labels(policy, where)
    if not (policy.risk or policy.mask or policy.patterns):
        raise PolicyError(f"{where}: protects nothing. Give at least one [[protect]], [risk.NAME] or words to mask")
    return policy


def _check_labels(policy: Policy, where: str) -> None:
    """A misspelled label would protect nothing; only annotators of third parties may bring labels of their own."""
    if not set(policy.annotate) <= set(registry.PARTS["annotate"]):
        return
    known = tuple(sorted(LABELS | {label for label, _ in policy.patterns}))
    named = [*policy.risk.get("entity", {}).get("labels", ()), *policy.replace_by]
    for label in named:
        if isinstance(label, str) and label.partition(":")[0] not in known:
            raise PolicyError(registry.unknown_name("label", label.partition(":")[0], known, where=where))


def _parts(table: dict[str, Any], key: str, where: str) -> dict[str, dict[str, Any]]:
    kind = {"annotator": "annotate", "risk": "risk", "replacer": "replace", "chooser": "choose"}[key]
    parts = _table(table, key, where)
    for name, settings in parts.items():
        _known(kind, name, where)
        if not isinstance(settings, dict):
            raise PolicyError(f"{where}: [{key}.{name}] must be a table of settings")
    return parts


def _protected(entry: Any, where: str) -> Protected:
    if not isinstance(entry, dict):
        raise PolicyError(f"{where}: 'protect' must be written as [[protect]] tables")
    _check_keys(entry, _PROTECT_KEYS, f"{where}, [[protect]]")
    entity = entry.get("entity")
    if not isinstance(entity, str) or not entity.strip():
        raise PolicyError(f'{where}: every [[protect]] needs entity = "..."')
    limits = [key for key in ("alpha", "may_reveal", "posterior") if key in entry]
    if len(limits) > 1:
        raise PolicyError(f"{where}: '{entity}' has both {limits[0]} and {limits[1]}; give only one of them")
    if "prior" in entry and "posterior" not in entry:
        raise PolicyError(f"{where}: '{entity}' has a prior but no posterior, from which alpha would follow")
    return Protected(
        entity=entity,
        forms=_strings(entry.get("synonyms", []), f"{where}: synonyms of '{entity}'"),
        alpha=alpha(entry.get("alpha", 2), f"{where}: alpha of '{entity}'"),
        may_reveal=str(entry.get("may_reveal", "")),
        posterior=_likelihood(entry, "posterior", where),
        prior=_likelihood(entry, "prior", where),
        description=str(entry.get("description", "")),
        examples=_strings(entry.get("examples", []), f"{where}: examples of '{entity}'"),
    )


def _likelihood(entry: dict[str, Any], key: str, where: str) -> Fraction | None:
    if key not in entry:
        return None
    try:
        value = Fraction(str(entry[key]))
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value < 1:
        raise PolicyError(f"{where}: {key} of '{entry['entity']}' must be a number between 0 and 1, e.g. {key} = 0.2")
    return value


def alpha(value: Any, where: str) -> Fraction:
    """Read an alpha: a number or a fraction such as "3/2", at least 1."""
    try:
        fraction = Fraction(str(value)).limit_denominator(1000)
    except (ValueError, ZeroDivisionError):
        raise PolicyError(f"{where}: '{value}' is not a number; give, for example, 2, 1.5 or \"3/2\"") from None
    if fraction < 1:
        raise PolicyError(f"{where} is {value}: alpha must be at least 1 (1 hides least, larger values hide more)")
    return fraction


def _patterns(entries: Any, where: str) -> tuple[tuple[str, str], ...]:
    found = []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PolicyError(f"{where}: [[words.patterns]] must be tables with label and regex")
    for entry in entries:
        _check_keys(entry, ("label", "regex"), f"{where}, [[words.patterns]]")
        if not {"label", "regex"} <= set(entry):
            raise PolicyError(f"{where}: every [[words.patterns]] needs label and regex")
        found.append((str(entry["label"]), str(entry["regex"])))
    return tuple(found)


def _review(table: dict[str, Any], where: str) -> dict[str, Any]:
    _check_keys(table, _REVIEW_KEYS, f"{where}, [review]")
    for key, value in table.items():
        at = f"{where}, [review] {key}"
        _strings(value, at) if key == "codes" else _truth(value, at)
    return table


def _check_keys(table: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in allowed:
            raise PolicyError(registry.unknown_name("key", key, allowed, where=where))


def _table(table: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise PolicyError(f"{where}: '{key}' must be a table, written [{key}]")
    return value


def _known(kind: str, name: str, where: str) -> str:
    if name not in registry.names(kind):
        raise PolicyError(registry.unknown_name(f"{kind} part", name, registry.names(kind), where=where))
    return name


def _names(table: dict[str, Any], key: str, kind: str, default: tuple[str, ...], where: str) -> tuple[str, ...]:
    return tuple(_known(kind, n, where) for n in _strings(table.get(key, list(default)), f"{where}: {key}"))


def _strings(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise PolicyError(f'{where} must be a list of words, e.g. ["one", "two"]')
    return tuple(value)


def _one_of(value: Any, allowed: tuple[str, ...], where: str) -> str:
    if value not in allowed:
        raise PolicyError(f"{where} is '{value}'; possible: {', '.join(allowed)}")
    return str(value)


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise PolicyError(f"{where} must be true or false, not '{value}'")
    return value


def _number(value: Any, low: float, high: float, where: str, *, whole: bool = False) -> Any:
    right = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    if not right or not low <= value <= high:
        raise PolicyError(f"{where} must be a {'whole ' if whole else ''}number from {low} to {high}, not '{value}'")
    return value


def shipped_hint() -> str:
    """Say which policies there are, for messages."""
    return f"Policies that come with Tacenda: {', '.join(shipped())}; 'tacenda policies NAME' shows one to copy."
