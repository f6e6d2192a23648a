"""The taxonomies that ship with the product, opened once."""

from __future__ import annotations

import pytest

from tacenda.knowledge.taxonomy import Taxonomies, open_taxonomy


@pytest.fixture(scope="session")
def shipped() -> Taxonomies:
    return open_taxonomy()


@pytest.fixture(scope="session")
def wordnet() -> Taxonomies:
    return open_taxonomy("wordnet")
