"""Give a taxonomy that knows only what is more general the rest that risk models ask for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tacenda.model import Concept
from tacenda.protocols import (
    Digested,
    FullTaxonomy,
    InBits,
    Lineage,
    ReadInSentence,
    Senses,
    Signs,
    Specializations,
    Synonyms,
    Taxonomy,
    Uses,
    Volumes,
)
from tacenda.term import normalize

# `generalizations` is always passed on, with the options that Senses and ReadInSentence add to it.
_FURTHER: dict[type, tuple[str, ...]] = {
    Digested: ("digest",),
    InBits: ("bits",),
    ReadInSentence: ("class_of",),
    Senses: ("sense",),
    Signs: ("signs",),
    Uses: ("uses", "stems"),
}


def complete(taxonomy: Taxonomy | FullTaxonomy) -> FullTaxonomy:
    """Return a taxonomy that answers all that risk models ask; as it is if it does so already."""
    return taxonomy if isinstance(taxonomy, FullTaxonomy) else _Completed(taxonomy)


class _Completed:
    """A taxonomy with an answer on the safe side for what it does not know; all else it answers itself."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self.name = taxonomy.name
        # Further capabilities are the taxonomy's own; they stand on the object, where `isinstance` looks for them.
        for capability, methods in _FURTHER.items():
            if isinstance(taxonomy, capability):
                self.__dict__.update({method: getattr(taxonomy, method) for method in methods})

    def generalizations(self, term: str, context: Sequence[str] = (), **options: Any) -> Sequence[Concept]:
        """Return the rungs above a term, nearest first."""
        return self._taxonomy.generalizations(term, context, **options)

    def synonyms(self, term: str) -> Sequence[str]:
        """Return other names; none if the taxonomy does not know any."""
        return self._taxonomy.synonyms(term) if isinstance(self._taxonomy, Synonyms) else ()

    def specializations(self, term: str) -> Sequence[str]:
        """Return the names of its kinds; none if the taxonomy cannot tell: then the term counts by its name alone."""
        return self._taxonomy.specializations(term) if isinstance(self._taxonomy, Specializations) else ()

    def volume(self, term: str) -> int:
        """Return how broad a term is; what cannot be told is taken as broad."""
        return self._taxonomy.volume(term) if isinstance(self._taxonomy, Volumes) else sys.maxsize

    def is_generalization(self, general: str, term: str) -> bool:
        """Tell whether one term lies above another, if need be by the rungs above it."""
        if isinstance(self._taxonomy, Lineage):
            return self._taxonomy.is_generalization(general, term)
        wanted = normalize(general)
        return any(normalize(rung.name) == wanted for rung in self._taxonomy.generalizations(term))
