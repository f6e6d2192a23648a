"""The policy as a type: what it may say, and the same as plain data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacenda.model import Protected

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
        from tacenda.policy.from_toml import read

        return read(path)

    @classmethod
    def from_text(cls, text: str, *, where: str = "policy") -> Policy:
        """Read a policy from TOML text; `where` names it in messages."""
        from tacenda.policy.from_toml import parse

        return parse(text, where=where)

    @property
    def digest(self) -> str:
        """SHA-256 of everything the policy says, for plans and certificates."""
        return hashlib.sha256(json.dumps(to_dict(self), sort_keys=True).encode()).hexdigest()


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


def _protect_dict(p: Protected) -> dict[str, Any]:
    limit: dict[str, Any] = {"may_reveal": p.may_reveal} if p.may_reveal else {"alpha": str(p.alpha)}
    if p.posterior is not None:
        limit = {"posterior": str(p.posterior)} | ({"prior": str(p.prior)} if p.prior is not None else {})
    told = {"description": p.description, "examples": list(p.examples)}
    return {"entity": p.entity, "synonyms": list(p.forms), **limit, **{k: v for k, v in told.items() if v}}
