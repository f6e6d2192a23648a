"""Shared pieces: a small policy on real parts, a tiny taxonomy, and a word that must never show up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tacenda.model import Concept
from tacenda.policy import Policy
from tacenda.testing import CANARY

SMALL = """
name = "small"
annotate = ["patterns"]
replace = ["label", "suppress"]
[risk.entity]
labels = ["EMAIL", "PHONE", "DATETIME", "SSN"]
"""


class TinyTaxonomy:
    """Knows that HIV is also AIDS, and nothing else."""

    name = "tiny"

    def generalizations(self, term: str, context: Sequence[str] = ()) -> Sequence[Concept]:
        return ()

    def synonyms(self, term: str) -> tuple[str, ...]:
        return ("human immunodeficiency virus",) if term == "HIV" else ()

    def specialisations(self, term: str) -> tuple[str, ...]:
        return ("AIDS",) if term == "HIV" else ()


@pytest.fixture
def small() -> Policy:
    return Policy.from_text(SMALL)


@pytest.fixture
def taxonomy() -> TinyTaxonomy:
    return TinyTaxonomy()


@pytest.fixture
def canary() -> str:
    return CANARY
