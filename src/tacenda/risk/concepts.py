"""A replacement taken as a concept: "infection" stands for all infections, and for the secret it hides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tacenda.arrays.window_sets import Windows, union
from tacenda.risk.counts import Counts

_MOST_KINDS = 300


def concept_windows(name: str, counts: Counts, taxonomy: Any, secrets: Iterable[tuple[str, Windows]]) -> Windows:
    """Return the windows of a concept: of its name, of all its kinds, and of every secret that is one of them.

    This is Resnik's counting. Whoever reads a generalization of a secret knows that the secret is among its kinds, so
    with it PMI(s; g) = IC(g), and PMI(s; {g} ∪ T) is at least PMI(s; T): what paper 000 left for future work.

    secrets     what is hidden: its name and its windows
    """
    # A broad concept is counted by its name alone: fewer windows make it look more telling, never less.
    narrow = taxonomy.volume(name) <= _MOST_KINDS
    names = (name, *(taxonomy.specializations(name) if narrow else ()))
    own = counts.union(dict.fromkeys(names))
    for secret, windows in secrets:
        if taxonomy.is_generalization(name, secret):
            own = union((own, windows))
    return own
