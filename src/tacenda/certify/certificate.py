"""The certificate: what is claimed of an output, in plain JSON that anyone can check with `tacenda verify`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacenda import __version__, term
from tacenda.errors import InputError
from tacenda.model import digest

FORMAT = "tacenda-certificate"
VERSION = 1
STATEMENT = (
    "Relative to the index named here, no word of the output alone and no group of its words tells as much about a "
    "listed entity as its limit forbids. It says nothing about what a reader knows beyond that index, about words the "
    "index does not know, or about anything but the listed entities."
)


@dataclass(frozen=True)
class Claim:
    """What is claimed for one protected entity.

    forms    all its names; none stands in the output
    counted  the names whose windows, taken together, are the entity's
    alpha    "p/q", or empty where `may_reveal` is the limit
    general  the names counted for `may_reveal`
    count    windows of the entity; general_count those of what may be revealed
    """

    entity: str
    forms: tuple[str, ...]
    counted: tuple[str, ...]
    count: int
    alpha: str = ""
    may_reveal: str = ""
    general: tuple[str, ...] = ()
    general_count: int = 0


@dataclass(frozen=True)
class Certificate:
    """A claim about one output. `rule` holds the evidence asked for, `digests` what it was computed from.

    not_covered   what the claim leaves out, in numbers and words: unknown terms, kept terms, unknown entities
    """

    policy: Mapping[str, Any]
    claims: tuple[Claim, ...]
    rule: Mapping[str, Any]
    total: int
    digests: Mapping[str, str]
    not_covered: tuple[str, ...] = ()
    made_by: str = field(default=f"tacenda {__version__}")

    def to_json(self) -> str:
        """Return the certificate as JSON, keys in a fixed order."""
        claims = [{key: value for key, value in vars(claim).items() if value} for claim in self.claims]
        table = {
            "format": FORMAT,
            "version": VERSION,
            "statement": STATEMENT,
            "made_by": self.made_by,
            "policy": dict(self.policy),
            "claims": claims,
            "rule": dict(self.rule),
            "total": self.total,
            "digests": dict(self.digests),
            "not_covered": list(self.not_covered),
        }
        return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def certify(
    output: str,
    *,
    policy: Mapping[str, Any],
    claims: Sequence[Claim],
    rule: Mapping[str, Any],
    total: int,
    index_digest: str,
    taxonomy_digest: str = "",
    not_covered: Sequence[str] = (),
) -> Certificate:
    """Make the certificate of an output."""
    digests = {
        "output": digest(output),
        "index": index_digest,
        "taxonomies": taxonomy_digest,
        "normalizer": f"term {term.VERSION}",
    }
    return Certificate(policy, tuple(claims), rule, total, digests, tuple(not_covered))


def read_certificate(text: str, where: str = "certificate") -> dict[str, Any]:
    """Parse a certificate; what is not one gets a clear error."""
    try:
        table = json.loads(text)
    except ValueError:
        raise InputError(f"{where}: not JSON. `tacenda sanitize --certificate FILE` writes a certificate.") from None
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise InputError(f"{where}: not a certificate (no format {FORMAT!r}).")
    if table.get("version") != VERSION:
        raise InputError(f"{where}: version {table.get('version')!r}; this program reads version {VERSION}.")
    return table
