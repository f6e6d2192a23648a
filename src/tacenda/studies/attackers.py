"""Attackers that need Tacenda's own encoder or vectors: nearest neighbors of sentences by meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.measures.attack import mean_rows, nearest_sentences
from tacenda.measures.attack.matching import Attacker

Floats = npt.NDArray[np.float64]


def encoder() -> Attacker:
    """Nearest sentences by the mean of the encoder's phrase vectors. Reading the background takes minutes."""
    from tacenda.annotate.encoder import Encoder
    from tacenda.model import Document

    model = Encoder(vectors=True)

    def embed(sentences: Sequence[str]) -> Floats:
        found = model.annotate_many(Document(sentence) for sentence in sentences)
        return mean_rows([[m.vector for m in one.mentions if m.vector is not None] for one in found])

    return nearest_sentences(remembering(embed))


def vectors(path: str | None = None) -> Attacker:
    """Nearest sentences by the vector of their words, common words counting less. Seconds."""
    from tacenda.knowledge import open_vectors

    table: Any = open_vectors(path)

    def embed(sentences: Sequence[str]) -> Floats:
        return mean_rows([[one] if one is not None else [] for one in table.vectors(sentences)])

    return nearest_sentences(remembering(embed))


def remembering(embed: Callable[[Sequence[str]], Floats]) -> Callable[[Sequence[str]], Floats]:
    """Embed each sentence once: smaller backgrounds are parts of larger ones."""
    held: dict[str, Floats] = {}

    def look_up(sentences: Sequence[str]) -> Floats:
        fresh = [s for s in dict.fromkeys(sentences) if s not in held]
        if fresh:
            held.update(zip(fresh, embed(fresh), strict=True))
        size = max(len(held[s]) for s in sentences)
        return np.stack([held[s] if len(held[s]) == size else np.zeros(size) for s in sentences])

    return look_up
