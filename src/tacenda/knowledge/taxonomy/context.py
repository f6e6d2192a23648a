"""What the words around a term tell about its sense: a vector for the context, one for each sense, their product.

Learned from texts with senses (train/senses): the context is the mean of the static vectors of the words around; a
sense is the sum of what was learned for its synset, for all above it, and for the words of its gloss. Only synsets that
share a word with another have one. docs/replacing.md says what it is worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.knowledge.taxonomy import taxonomy_file
from tacenda.language import STOP_WORDS

DATA = Path(__file__).parents[2] / "data" / "senses"
Floats = npt.NDArray[np.float32]

_BITS = 1 / math.log(2)
_MOST = 40  # words around a term that are looked at
_CLASS = 0.8  # probability from which the class of a word is told


class SensesInContext:
    """Scores senses by the words around a term, and tells the broadest class of a word from how it was read."""

    def __init__(self, path: Path = DATA) -> None:
        self.path = path

    def bits(self, synsets: Sequence[int], words: Sequence[str]) -> list[float | None]:
        """Evidence of the words for each synset (its number in WordNet), in bits; None for one that was not learned."""
        context = self._context(words)
        if context is None:
            return [None] * len(synsets)
        places = [self._place.get(synset) for synset in synsets]
        return [None if at is None else float(self._vectors[at] @ context) * _BITS for at in places]

    def class_of(self, reading: Any) -> int:
        """Number of the lexicographer's class that a word has as it was read, -1 where that is open."""
        scores = np.asarray(reading, dtype=np.float32) @ self._class[0] + self._class[1]
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        best = int(shares.argmax())
        return best if float(shares[best]) >= _CLASS else -1

    def _context(self, words: Sequence[str]) -> Floats | None:
        said = [word for word in words if len(word) > 2 and word.isalpha() and word not in STOP_WORDS][:_MOST]
        known = [vector for vector in self._words.vectors(said) if vector is not None] if said else []
        if not known:
            return None
        mean = np.mean(np.asarray(known, dtype=np.float32), axis=0)
        weights, bias = self._query
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-6) @ weights + bias, dtype=np.float32)

    @cached_property
    def _parts(self) -> list[tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]]:
        return [taxonomy_file.read(path) for path in sorted(self.path.glob("senses-*.tax"))]

    @cached_property
    def _place(self) -> dict[int, int]:
        ids = np.concatenate([arrays["id"] for _, arrays in self._parts])
        return {synset: place for place, synset in enumerate(ids.tolist())}

    @cached_property
    def _vectors(self) -> Floats:
        width = self._parts[0][0]["dimensions"]
        rows = [a["vector"].reshape(-1, width).astype(np.float32) * a["scale"][:, None] for _, a in self._parts]
        return np.concatenate(rows)

    @cached_property
    def _query(self) -> tuple[Floats, Floats]:
        meta, arrays = self._parts[0]
        return arrays["query"].reshape(-1, meta["dimensions"]), arrays["query_bias"]

    @cached_property
    def _class(self) -> tuple[Floats, Floats]:
        arrays = self._parts[0][1]
        bias = arrays["class_bias"]
        return arrays["class"].reshape(-1, len(bias)).astype(np.float32), bias

    @cached_property
    def _words(self) -> Any:
        from tacenda.knowledge.vectors import open_vectors

        return open_vectors()
