"""Attackers that need Tacenda's own encoder or vectors: nearest neighbors of sentences by meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.measures.attack import learned_sentences, mean_rows, nearest_sentences
from tacenda.measures.attack.matching import Attacker

Floats = npt.NDArray[np.float64]


Embed = Callable[[Sequence[str]], Floats]


def encoder() -> Attacker:
    """Nearest sentences by the mean of the encoder's phrase vectors. Reading the background takes minutes."""
    return nearest_sentences(_by_encoder())


def learned_encoder(most: int = 8) -> Attacker:
    """Softmax regression over the encoder's vectors, from so many sentences of each candidate."""
    return learned_sentences(_by_encoder(), most=most)


def vectors(path: str | None = None) -> Attacker:
    """Nearest sentences by the vector of their words, common words counting less. Seconds."""
    return nearest_sentences(_by_table(path))


def learned_vectors(path: str | None = None) -> Attacker:
    """Softmax regression over the same vectors."""
    return learned_sentences(_by_table(path))


def _by_encoder() -> Embed:
    from tacenda.annotate.encoder import Encoder
    from tacenda.model import Document

    model = Encoder(vectors=True)

    def embed(sentences: Sequence[str]) -> Floats:
        found = model.annotate_many(Document(sentence) for sentence in sentences)
        return mean_rows([[m.vector for m in one.mentions if m.vector is not None] for one in found])

    return remembering(embed)


def _by_table(path: str | None) -> Embed:
    from tacenda.knowledge import open_vectors

    table: Any = open_vectors(path)

    def embed(sentences: Sequence[str]) -> Floats:
        return mean_rows([[one] if one is not None else [] for one in table.vectors(sentences)])

    return remembering(embed)


def remembering(embed: Embed) -> Embed:
    """Embed each sentence once: smaller backgrounds are parts of larger ones."""
    held: dict[str, Floats] = {}

    def look_up(sentences: Sequence[str]) -> Floats:
        fresh = [s for s in dict.fromkeys(sentences) if s not in held]
        if fresh:
            held.update(zip(fresh, embed(fresh), strict=True))
        size = max(len(held[s]) for s in sentences)
        return np.stack([held[s] if len(held[s]) == size else np.zeros(size) for s in sentences])

    return look_up
