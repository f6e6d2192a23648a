"""What a policy demands of an output, and the two sides of a certificate: issuing one, and verifying one.

Both sides derive what must hold in the same way, each from a policy and knowledge of its own. This module reads
policies and taxonomies with the product's own code (`policy`, `risk.protected.expand`, `knowledge.taxonomy`);
everything after that, from the index file to the answer, is `certify`.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tacenda.certify import signature
from tacenda.certify.certificate import Verdict, read_certificate, state, to_json
from tacenda.certify.certificate import verify as verify_table
from tacenda.certify.index_file import Collection, DamagedIndex, IndexFile
from tacenda.certify.required import Entity, Evidence, Required
from tacenda.errors import GuaranteeError, KnowledgeError, UsageError
from tacenda.policy import Policy, load
from tacenda.protocols import CorpusIndex, Digested, FullTaxonomy, Joined, OnDisk

# What a forged or damaged index can do to the verifier's reader.
_DAMAGE = (DamagedIndex, ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError, zlib.error)
_NEEDED = "a certificate is about protected entities: add [[protect]] and [risk.alpha_c] to the policy"


def index_paths(index: CorpusIndex) -> tuple[Path, ...]:
    """Return the files of an index, one or several taken as one."""
    several = index.indexes if isinstance(index, Joined) else (index,)
    paths = tuple(one.path for one in several if isinstance(one, OnDisk))
    if not paths or len(paths) < len(several):
        raise KnowledgeError("a certificate needs an index file; counts from elsewhere cannot be verified.")
    return paths


def open_collection(index: CorpusIndex) -> Collection:
    """Open the files of an index with the verifier's own reader."""
    try:
        return Collection([IndexFile(path) for path in index_paths(index)])
    except (OSError, *_DAMAGE) as error:
        raise KnowledgeError(_unreadable(error)) from None


def _unreadable(error: Exception) -> str:
    what = error if isinstance(error, DamagedIndex | OSError) else type(error).__name__
    return f"the index cannot be read ({what}). Copy or build it again."


def required(policy: Policy, index: CorpusIndex, taxonomy: FullTaxonomy) -> Required:
    """Derive what a policy demands: entities with all their names and signs, limits, rule of evidence."""
    from tacenda.risk.alpha_c import AlphaC
    from tacenda.risk.protected import expand

    settings = dict(policy.risk.get("alpha_c", {}))
    if not policy.protect or "alpha_c" not in policy.risk:
        raise UsageError(f"policy '{policy.name}': {_NEEDED}")
    if any(entry.posterior is not None for entry in policy.protect):
        raise UsageError(
            f"policy '{policy.name}': a certificate states its limit; give alpha or may_reveal instead of posterior"
        )
    settings.pop("covered", None)
    model = AlphaC(index=index, taxonomy=taxonomy, **{"unknown": policy.unknown, **settings})
    entities = []
    for secret in model.secrets([expand(entry, model.counts, taxonomy) for entry in policy.protect]):
        entry = secret.protected
        alpha = None if entry.may_reveal else entry.alpha
        entities.append(
            Entity(entry.entity, secret.forms, secret.signs, secret.counted, alpha, entry.may_reveal, secret.general)
        )
    evidence = Evidence(**{**vars(model.evidence), "groups": model.groups})
    known = taxonomy.digest if isinstance(taxonomy, Digested) else ""
    return Required(tuple(entities), evidence, model.known_context, known)


def covering(policy: Policy) -> Policy:
    """Return the policy for an output with a certificate: no word that the index cannot judge is left."""
    if not policy.protect:  # said before any work is done, not after it
        raise UsageError(f"policy '{policy.name}': {_NEEDED}")
    settings = {**policy.risk.get("alpha_c", {}), "covered": True}
    return replace(policy, risk={**policy.risk, "alpha_c": settings})


def certify(
    output: str, policy: Policy, index: Any, taxonomy: Any, *, private_key: bytes | None = None, where: str = "output"
) -> str:
    """Return the certificate of an output as JSON, signed where a key is given; refuse where it would not hold."""
    found, table = state(output, required(policy, index, taxonomy), open_collection(index))
    if found.status != "holds":
        about = f" about {found.entity}" if found.entity else ""
        raise GuaranteeError(
            f"{where}: the certificate would not hold{about} ({found.status}: {found.reason}). No output was written"
        )
    return to_json(signature.sign(table, private_key) if private_key else table)


@dataclass(frozen=True)
class StillRead:
    """What the model `meaning` reads in an output: a note beside a certificate, never part of what it proves."""

    entity: str
    sentence: int  # counted from 1
    probability: float


def still_read(output: str, policy: str | Path | Policy, *, least: float = 0.2) -> tuple[StillRead, ...]:
    """Return the protected entities that the shipped reader still reads in sentences of an output, the surest first."""
    from tacenda.assembly import Assembly
    from tacenda.language import sentences
    from tacenda.risk.meaning.model import Meaning

    parts = Assembly(policy if isinstance(policy, Policy) else load(str(policy)))
    model = next((model for model in parts.risk_models if isinstance(model, Meaning)), None)
    if model is None or not parts.protected:
        raise UsageError(f"policy '{parts.policy.name}': no model reads meaning in it: add [risk.meaning]")
    spans = list(sentences(output))
    if not spans:
        return ()
    found = model.reader(parts.protected).look(output, spans, least=least)
    read = (
        StillRead(entry.entity, number + 1, round(float(found[number, at]), 2))
        for at, entry in enumerate(parts.protected)
        for number in range(len(spans))
        if found[number, at] >= least
    )
    return tuple(sorted(read, key=lambda one: (-one.probability, one.sentence, one.entity)))


def verify(
    output: str,
    certificate: str | dict[str, Any],
    policy: str | Path | Policy,
    *,
    indexes: Sequence[str] = (),
    public_key: bytes | None = None,
) -> Verdict:
    """Check a certificate against an output, under the recipient's own policy and knowledge.

    indexes      index files; by default those the policy names, or the embedded one
    public_key   PEM key of the issuer whose signature is required
    """
    from tacenda import knowledge

    table = read_certificate(certificate) if isinstance(certificate, str) else certificate
    asked = policy if isinstance(policy, Policy) else load(str(policy))
    named = asked.knowledge.get("index", ())
    index = knowledge.open_index(*(indexes or ((named,) if isinstance(named, str) else named)))
    taxonomy = knowledge.open_taxonomy(*asked.knowledge.get("taxonomies", ()))
    if wrong := signature.check(table, public_key):
        return Verdict("refused", wrong)
    demanded, collection = required(asked, index, taxonomy), open_collection(index)
    try:
        return verify_table(output, table, demanded, collection)
    except _DAMAGE as error:
        raise KnowledgeError(_unreadable(error)) from None
