"""What gives a term away."""

from __future__ import annotations

import pytest

from tacenda.knowledge.taxonomy.rungs import leaks


@pytest.mark.parametrize(
    ("rung", "term", "lemmas", "leak"),
    [
        ("breast disorder", "breast cancer", (), True),
        ("cancer", "breast cancer", (), False),
        ("thoracic cancer", "breast cancer", (), False),
        ("homosexual person", "homosexuality", (), True),
        ("cancer or benign tumor", "cancer", (), True),
        ("diabetes type 2", "NIDDM", (), True),
        ("Hodgkin lymphoma", "lymphoma nodular", (), True),
        ("acute lumbago", "lumbar pain", ("lumbago",), True),
        ("drug", "marijuana", ("cannabis",), False),
    ],
)
def test_leaks(rung: str, term: str, lemmas: tuple[str, ...], leak: bool) -> None:
    assert leaks(rung, term, lemmas, heads=frozenset({"cancer"}), names=False) is leak


def test_names_are_rungs_where_names_are_the_ladder() -> None:
    assert not leaks("California", "Sacramento", (), heads=frozenset(), names=True)
    assert leaks("California", "Sacramento", (), heads=frozenset(), names=False)
    assert leaks("New York", "New York", (), heads=frozenset(), names=True)
