"""The certificate: what holds of an output, in plain JSON.

A certificate is a function of the output, what must hold and the index: the verifier makes it anew and compares every
leaf. Nothing a certificate says is believed; what it adds is a statement to hand over, and who signed it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tacenda import __version__, term
from tacenda.certify.examine import Findings, examine
from tacenda.certify.index_file import Collection
from tacenda.certify.required import Entity, Evidence, Required
from tacenda.errors import InputError

FORMAT = "tacenda-certificate"
VERSION = 2
_MOST_LISTED = 100
STATEMENT = (
    "Counted in the index named here and under the rule of evidence given here, no word of this output alone{groups} "
    "passes the limit of a listed entity, and none of the listed names and signs stands in it."
)
LIMITS = (
    "It does not say that nothing can be learned about the entities: a reader who knows more than the index may infer "
    "more.",
    "Words are counted as words. What sentences mean, who is spoken of, names of people, numbers, images, layout and "
    "file properties are not covered.",
    "A group of words is counted only where its words stand together in enough windows; words too rare in the known "
    "context are judged alone, in the whole index.",
)


@dataclass(frozen=True)
class Verdict:
    """The answer of the verifier: holds, or refused (another claim), broken (words tell too much), not covered."""

    status: str
    reason: str
    entity: str = ""
    words: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    groups: int = 0
    lines: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """True only if everything was checked and nothing breaks the claim."""
        return self.status == "holds"


def state(output: str, required: Required, index: Collection) -> tuple[Findings, dict[str, Any]]:
    """Examine an output and return what was found, and the certificate as a table."""
    found = examine(output, required, index)
    return found, _table(output, required, index, found)


def to_json(table: dict[str, Any]) -> str:
    """Return a certificate as text, keys in a fixed order."""
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def verify(output: str, certificate: dict[str, Any], required: Required, index: Collection) -> Verdict:
    """Tell whether a certificate says of an output exactly what must hold, and whether it does hold.

    required   what the recipient asks for, from a policy and knowledge of their own
    """
    if not required.entities:
        return Verdict("refused", "the policy protects nothing, so there is nothing to verify")
    try:
        found, expected = state(output, required, index)
    except ValueError as error:
        return Verdict("refused", f"what must hold cannot be checked: {error}")
    if found.status == "broken":
        return Verdict("broken", found.reason, found.entity, found.words, found.counts, found.groups)
    # Who signed it, and which audit trail it belongs to, claim nothing about the output.
    claimed = {key: value for key, value in certificate.items() if key not in ("signature", "audit_head")}
    different = next(_differences(expected, claimed), "")
    if different:
        return Verdict("refused", f"the certificate claims something else than your policy asks for: {different}")
    if found.status != "holds":
        return Verdict("not covered", found.reason, found.entity, found.words, groups=found.groups)
    return Verdict("holds", found.reason, groups=found.groups, lines=tuple(describe(expected)))


def describe(table: dict[str, Any]) -> Iterator[str]:
    """Say in words what was claimed, against what knowledge, under which rule, and what is not covered."""
    yield _plainly(table)
    yield f"Claimed: {table['statement']}"
    for entity in table["entities"]:
        limit = f"at most what '{entity['may_reveal']}' tells" if "may_reveal" in entity else f"alpha {entity['alpha']}"
        names = f"{len(entity['names'])} names, {len(entity['signs'])} medicines, tests and signs"
        yield f"  {entity['entity']} ({limit}): {names}; in {entity['windows']} windows."
    known = table["knowledge"]
    kind = f", {known['windows']} of them with a word of the known context" if known["context"] else ""
    yield f"Knowledge: index {', '.join(d[:12] for d in known['indexes'])} of {known['all_windows']} windows{kind}."
    rule = table["rule"]
    strict = ", also where the counts may be chance" if rule["strict"] else ""
    yield (
        f"Rule of evidence ({rule['mode']}): a word counts from {rule['single_support']} windows with the entity and "
        f"{rule['single_count']} in all, a group from {rule['support']} windows in {rule['articles']} articles, chance "
        f"at most {rule['level']}{strict}."
    )
    weak = table["not_covered"]["passes_the_limit_with_too_little_evidence"]
    if weak["number"]:
        first = "; ".join(list(dict.fromkeys(" + ".join(one["words"]) for one in weak["first"]))[:3])
        yield f"Not covered: {weak['number']} words or groups pass a limit with too little evidence, such as: {first}."
    yield from (f"Not covered: {line}" for line in table["not_covered"]["in_general"])


def _plainly(table: dict[str, Any]) -> str:
    """Say it to a reader who is no expert, so that nobody takes it for more than it is."""
    *others, last = [entity["entity"] for entity in table["entities"]]
    entities = f"{', '.join(others)} or {last}" if others else last
    signs = sum(len(entity["signs"]) for entity in table["entities"])
    listed = f", nor any of the {signs} medicines, tests and signs listed for it" if signs else ""
    return (
        f"In plain words: the text does not name {entities}{listed}, and none of its words is tied closely to it in "
        "the collection that was counted. A reader may still learn of it: from what a sentence means, or by knowing "
        "more than that collection."
    )


def _table(output: str, required: Required, index: Collection, found: Findings) -> dict[str, Any]:
    together = " and no group of its words" if required.evidence.groups else ""
    return {
        "format": FORMAT,
        "version": VERSION,
        "statement": STATEMENT.format(groups=together),
        "made_by": f"tacenda {__version__}",
        "output": {
            "sha256": sha256(output.encode("utf-8", "surrogatepass")).hexdigest(),
            "words": found.checked,
            "groups": found.groups,
        },
        "entities": [_entity(entity, found) for entity in required.entities],
        "rule": _rule(required.evidence),
        "knowledge": {
            "indexes": index.digests,
            "all_windows": found.whole,
            "context": list(required.known_context),
            "windows": found.total,
            "taxonomies": required.taxonomies,
            "normalizer": f"term {term.VERSION}",
        },
        "not_covered": {
            "unknown_words": len(found.words) if found.status == "not covered" else 0,
            "passes_the_limit_with_too_little_evidence": {
                "number": len(found.weak),
                "first": [{**vars(one), "words": list(one.words)} for one in found.weak[:_MOST_LISTED]],
            },
            "in_general": list(LIMITS),
        },
    }


def _entity(entity: Entity, found: Findings) -> dict[str, Any]:
    inside, whole, general = found.entities.get(entity.entity, (0, 0, 0))
    limit: dict[str, Any] = {"alpha": str(entity.alpha)}
    if entity.may_reveal:
        limit = {"may_reveal": entity.may_reveal, "general": list(entity.general), "general_windows": general}
    return {
        "entity": entity.entity,
        **limit,
        "names": list(entity.names),
        "signs": list(entity.signs),
        "counted": list(entity.counted),
        "windows": inside,
        "all_windows": whole,
    }


def _rule(evidence: Evidence) -> dict[str, Any]:
    return {**vars(evidence), "level": str(evidence.level)}


def _differences(expected: Any, claimed: Any, where: str = "") -> Iterator[str]:
    """Yield each place where two tables differ, types included: 1 is not true, nor 1.0."""
    if type(expected) is not type(claimed):
        yield f"{where or 'the certificate'} is of another kind"
    elif isinstance(expected, dict):
        for key in sorted(expected.keys() | claimed.keys()):
            place = f"{where}.{key}" if where else key
            if key not in claimed:
                yield f"{place} is missing"
            elif key not in expected:
                yield f"{place[:80]} was added"
            else:
                yield from _differences(expected[key], claimed[key], place)
    elif isinstance(expected, list):
        if len(expected) != len(claimed):
            yield f"{where} has {len(claimed)} entries, not {len(expected)}"
        for number, (one, other) in enumerate(zip(expected, claimed, strict=False)):
            yield from _differences(one, other, f"{where}[{number}]")
    elif expected != claimed:
        yield f"{where} differs"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: a reader and a program might each believe another of the two."""
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key occurs twice")
    return table


def read_certificate(text: str, where: str = "certificate") -> dict[str, Any]:
    """Parse a certificate; what is not one gets a clear error."""
    try:
        table = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        hint = "`tacenda sanitize --certificate FILE` writes a certificate."
        raise InputError(f"{where}: not valid JSON. {hint}") from None
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise InputError(f"{where}: not a certificate (no format {FORMAT!r}).")
    if table.get("version") != VERSION or type(table["version"]) is not int:
        raise InputError(f"{where}: not version {VERSION}, the one this program reads. Ask for a new certificate.")
    return table
