"""The static table that comes with the product: small, whole, and sensible."""

from __future__ import annotations

import numpy as np
import pytest

from tacenda.knowledge.vectors import cosine, open_vectors


def similarity(one: str, other: str) -> float:
    first, second = open_vectors().vectors([one, other])
    assert first is not None
    assert second is not None
    return cosine(first, second)


def test_it_is_at_most_ten_megabytes_and_undamaged() -> None:
    table = open_vectors()
    assert table.path.stat().st_size <= 10_000_000
    table.file.verify()
    assert not table.trained
    assert -1 < table.threshold < 1


@pytest.mark.parametrize(
    ("term", "near", "far"),
    [
        ("HIV", "AIDS", "Paris"),
        ("actor", "actress", "car"),
        ("methadone", "heroin", "bicycle"),
        ("breast cancer", "tumour", "orchestra"),
        ("footballer", "midfielder", "senator"),
    ],
)
def test_what_is_related_is_closer(term: str, near: str, far: str) -> None:
    assert similarity(term, near) > similarity(term, far) + 0.15


def test_every_word_of_latin_letters_has_a_vector() -> None:
    words = ["Mapother", "hydroxychloroquine", "xkcdqz", "Gödel", "1987", "B-17"]
    for vector in open_vectors().vectors(words):
        assert vector is not None
        assert np.isclose(np.linalg.norm(vector), 1, atol=1e-4)
