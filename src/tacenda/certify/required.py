"""What must hold of an output: the entities with their names and limits, the rule of evidence, the knowledge.

The recipient of an output derives this from a policy and knowledge of their own (`tacenda.claims.required`); nothing
in it is ever taken from a certificate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Entity:
    """One protected entity.

    names     all its names, normalized; none may stand in the output
    signs     names of medicines, tests and the like that are mainly for it; none may stand in the output
    counted   the names whose windows, taken together, are the entity's
    alpha     α, or
    general   the names counted for what may be revealed, `may_reveal`
    """

    entity: str
    names: tuple[str, ...]
    signs: tuple[str, ...]
    counted: tuple[str, ...]
    alpha: Fraction | None = None
    may_reveal: str = ""
    general: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How much must be counted before a share is believed; see `risk.rules`, which this restates and does not import.

    strict   what passes the limit breaks the claim even where there is too little evidence for it
    groups   False: words are judged alone only
    """

    mode: str
    single_support: int
    single_count: int
    level: Fraction
    support: int
    articles: int
    strict: bool = False
    groups: bool = True


@dataclass(frozen=True)
class Required:
    """Everything that must hold.

    known_context   words that say what kind of text the reader knows this to be
    taxonomies      digest of the taxonomies that the names come from
    """

    entities: tuple[Entity, ...]
    evidence: Evidence
    known_context: tuple[str, ...] = ()
    taxonomies: str = ""
