from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tacenda.knowledge.index import BuildOptions, Index, build_index, open_index

Make = Callable[..., Index]
WORDS = ("HIV aids AIDS city cities new york condom patient doctor blood virus infection drug heart bicycle river "
         "mountain the of and treatment test mother child children transmission care").split()  # fmt: skip


def _random_texts(seed: int, count: int) -> list[str]:
    """Small articles of one to three paragraphs; some paragraphs come twice."""
    chance = random.Random(seed)
    known: list[str] = []
    texts = []
    for _ in range(count):
        parts = []
        for _ in range(chance.randint(1, 3)):
            fresh = " ".join(chance.choices(WORDS, k=chance.randint(1, 25)))
            parts.append(chance.choice(known) if known and chance.random() < 0.2 else fresh)
            known.append(parts[-1])
        texts.append("\n".join(parts))
    return texts


@pytest.fixture
def random_texts() -> Callable[[int, int], list[str]]:
    """Make small articles: (seed, how many)."""
    return _random_texts


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Build an index of texts and open it."""

    def build(texts: Sequence[str], name: str = "made.tix", **options: object) -> Index:
        chosen = BuildOptions(**{"processes": 1, **options})  # type: ignore[arg-type]
        build_index(tmp_path / name, enumerate(texts), options=chosen)
        return open_index(tmp_path / name)

    return build
