"""A policy says in words what to protect, how much may be told, and what may stand in its place.

Policies are TOML files; the ones that come with the product lie in `policies/`, each to copy from.
Unknown keys are errors that say what exists. Several policies combine into one: the union of what
they protect, the strictest of their limits, and only the replacements that all of them allow.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from tacenda import registry, sources
from tacenda.errors import PolicyError
from tacenda.model import LABELS, Protected

Settings = Mapping[str, Any]

KEYS = {
    "name": "name shown in plans and messages",
    "description": "one sentence: what this policy is for",
    "language": "language of the documents; only 'en' so far",
    "annotate": "annotators, in order",
    "annotator": 'tables, settings of annotators, e.g. [annotator.spacy] pipeline = "en_core_web_md"',
    "replace": "replacers, most preferred first; suppress is always the last resort",
    "replace_by": "table: label -> replacers for mentions with that label",
    "choose": "chooser",
    "rounds": "how often the rewritten text is assessed again before what remains is suppressed",
    "unknown": "'suppress' or 'keep' terms the index does not know",
    "confidence": "least confidence of a finding, 0 to 1",
    "words": "table: allow, mask (lists of words), patterns (label, regex)",
    "protect": "tables: entity, synonyms, alpha, may_reveal or posterior (with prior); description and examples",
    "risk": "tables, one for each risk model with its settings",
    "vote": "table: models (risk models that vote) and rule ('any', 'two' or 'all' of them)",
    "replacer": "tables, settings of replacers",
    "chooser": "tables, settings of the chooser",
    "reversible": "true: with a key, --vault may store what undoes the replacements, encrypted",
    "review": "table: second (two people must look), codes (packs), show_codes, record_text (encrypted, in the audit)",
    "knowledge": "table: index (path or paths), taxonomies, vectors (path), service (table)",
}
_PROTECT_KEYS = ("entity", "synonyms", "alpha", "may_reveal", "posterior", "prior", "description", "examples")
_WORD_KEYS = ("allow", "mask", "patterns")
_VOTE_KEYS = ("models", "rule")
_REVIEW_KEYS = ("second", "codes", "show_codes", "record_text")
_VOTE_RULES = ("any", "two", "all")
# How two settings of the same name combine into the stricter one.
_STRICTER_LOW = {"limit", "threshold", "m"}
_STRICTER_HIGH = {"k", "t", "alpha", "population_share", "margin"}


@dataclass(frozen=True)
class Policy:
    """What to protect and how; frozen. Make one with `load`, `from_toml` or `combine`."""

    name: str
    description: str = ""
    language: str = "en"
    annotate: tuple[str, ...] = ("encoder", "patterns")
    replace: tuple[str, ...] = ("label", "suppress")
    replace_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choose: str = "greedy"
    rounds: int = 4
    unknown: str = "suppress"
    confidence: float = 0.5
    reversible: bool = False
    allow: tuple[str, ...] = ()
    mask: tuple[str, ...] = ()
    patterns: tuple[tuple[str, str], ...] = ()
    protect: tuple[Protected, ...] = ()
    annotator: Mapping[str, Settings] = field(default_factory=dict)
    risk: Mapping[str, Settings] = field(default_factory=dict)
    vote: tuple[str, ...] = ()
    vote_rule: str = "any"
    replacer: Mapping[str, Settings] = field(default_factory=dict)
    chooser: Mapping[str, Settings] = field(default_factory=dict)
    knowledge: Settings = field(default_factory=dict)
    review: Settings = field(default_factory=dict)

    @classmethod
    def from_toml(cls, path: str | Path) -> Policy:
        """Read a policy file."""
        path = Path(path)
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            raise PolicyError(f"{path}: no such policy file. {_shipped_hint()}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise PolicyError(f"{path}: cannot be read ({type(error).__name__})") from None
        return cls.from_text(text, where=str(path))

    @classmethod
    def from_text(cls, text: str, *, where: str = "policy") -> Policy:
        """Read a policy from TOML text; `where` names it in messages."""
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PolicyError(f"{where}: not valid TOML: {error}") from None
        return _build(table, where)

    @property
    def digest(self) -> str:
        """SHA-256 of everything the policy says, for plans and certificates."""
        return hashlib.sha256(json.dumps(to_dict(self), sort_keys=True).encode()).hexdigest()


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
        raise PolicyError(f"no policy given. {_shipped_hint()}")
    merged = policies[0]
    for other in policies[1:]:
        merged = _combine_two(merged, other)
    return merged


def from_dict(table: dict[str, Any], *, where: str = "policy") -> Policy:
    """Make a policy from plain data, as `to_dict` gives it."""
    return _build(table, where)


def to_dict(policy: Policy) -> dict[str, Any]:
    """Return the policy as the plain data its TOML file would hold."""
    data = {key: getattr(policy, key) for key in ("name", "description", "language", "choose", "rounds", "unknown")}
    data |= {"confidence": policy.confidence, "reversible": policy.reversible}
    data |= {"annotate": list(policy.annotate), "replace": list(policy.replace)}
    data["replace_by"] = {k: list(v) for k, v in policy.replace_by.items()}
    data["words"] = {
        "allow": list(policy.allow),
        "mask": list(policy.mask),
        "patterns": [{"label": label, "regex": regex} for label, regex in policy.patterns],
    }
    data["protect"] = [_protect_dict(p) for p in policy.protect]
    for key in ("annotator", "risk", "replacer", "chooser"):
        data[key] = {name: dict(settings) for name, settings in getattr(policy, key).items()}
    data["knowledge"] = dict(policy.knowledge)
    if policy.vote:
        data["vote"] = {"models": list(policy.vote), "rule": policy.vote_rule}
    if policy.review:
        data["review"] = dict(policy.review)
    return data


def protecting(terms: Sequence[str]) -> Policy:
    """Return a policy that protects these terms and nothing else (`--protect TERM`)."""
    return Policy(
        name="protect",
        protect=tuple(Protected(entity=t) for t in terms),
        replace=("generalize", "label", "suppress"),
        choose="hitting_set",
        risk={"alpha_c": {}, "meaning": {"limit": 0.6, "overrule": 0.1}},
    )


def _protect_dict(p: Protected) -> dict[str, Any]:
    limit: dict[str, Any] = {"may_reveal": p.may_reveal} if p.may_reveal else {"alpha": str(p.alpha)}
    if p.posterior is not None:
        limit = {"posterior": str(p.posterior)} | ({"prior": str(p.prior)} if p.prior is not None else {})
    told = {"description": p.description, "examples": list(p.examples)}
    return {"entity": p.entity, "synonyms": list(p.forms), **limit, **{k: v for k, v in told.items() if v}}


def _build(table: dict[str, Any], where: str) -> Policy:
    _check_keys(table, tuple(KEYS), where)
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
        protect=tuple(_protected(p, where) for p in table.get("protect", [])),
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
    """A misspelt label would protect nothing; only annotators of third parties may bring labels of their own."""
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
        raise PolicyError(f"{where}: '{entity}' has both {limits[0]} and {limits[1]}; give the one that you mean")
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
    for entry in entries:
        _check_keys(entry, ("label", "regex"), f"{where}, [[words.patterns]]")
        if not {"label", "regex"} <= set(entry):
            raise PolicyError(f"{where}: every [[words.patterns]] needs label and regex")
        found.append((str(entry["label"]), str(entry["regex"])))
    return tuple(found)


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


def _review(table: dict[str, Any], where: str) -> dict[str, Any]:
    _check_keys(table, _REVIEW_KEYS, f"{where}, [review]")
    for key, value in table.items():
        at = f"{where}, [review] {key}"
        _strings(value, at) if key == "codes" else _truth(value, at)
    return table


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


def _shipped_hint() -> str:
    return f"Policies that come with Tacenda: {', '.join(shipped())}; 'tacenda policies NAME' shows one to copy."
