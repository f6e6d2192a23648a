"""What a sentence tells about the sense of a word in it: the encoder's state of the word times a vector for each sense.

Learned together with everything else the encoder learned (train/senses): a sense is the sum of what was learned for
its synset, for all above it, and for its gloss. Only synsets that share a word with another have one. docs/replacing.md
says what it is worth.
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

DATA = Path(__file__).parents[2] / "data" / "senses"
Floats = npt.NDArray[np.float32]

_BITS = 1 / math.log(2)
_CLASS = 0.8  # probability from which the class of a word is told


class SensesInContext:
    """Scores the senses of a word, and tells its broadest class, by how the encoder read it (`Mention.reading`)."""

    def __init__(self, path: Path = DATA) -> None:
        self.path = path

    def bits(self, synsets: Sequence[int], reading: Any) -> list[float | None]:
        """Evidence for each synset (its number in WordNet), in bits; None for one that was not learned."""
        weights, bias = self._query
        query = np.asarray(reading, dtype=np.float32) @ weights + bias
        places = [self._place.get(synset) for synset in synsets]
        return [None if at is None else float(self._vector(at) @ query) * _BITS for at in places]

    def class_of(self, reading: Any) -> int:
        """Number of the lexicographer's class that a word has as it was read, -1 where that is open."""
        scores = np.asarray(reading, dtype=np.float32) @ self._class[0] + self._class[1]
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        best = int(shares.argmax())
        return best if float(shares[best]) >= _CLASS else -1

    def _vector(self, place: tuple[int, int]) -> Floats:
        arrays, row = self._parts[place[0]][1], place[1]
        width = self._parts[0][0]["dimensions"]
        small = arrays["vector"][row * width : (row + 1) * width]
        return np.asarray(small.astype(np.float32) * arrays["scale"][row])

    @cached_property
    def _parts(self) -> list[tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]]:
        return [taxonomy_file.read(path) for path in sorted(self.path.glob("senses-*.tax"))]

    @cached_property
    def _place(self) -> dict[int, tuple[int, int]]:
        """Where each synset's vector lies: number of the file, and row."""
        return {
            synset: (part, row)
            for part, (_, arrays) in enumerate(self._parts)
            for row, synset in enumerate(arrays["id"].tolist())
        }

    @cached_property
    def _query(self) -> tuple[Floats, Floats]:
        meta, arrays = self._parts[0]
        return arrays["query"].reshape(-1, meta["dimensions"]).astype(np.float32), arrays["query_bias"]

    @cached_property
    def _class(self) -> tuple[Floats, Floats]:
        arrays = self._parts[0][1]
        bias = arrays["class_bias"]
        return arrays["class"].reshape(-1, len(bias)).astype(np.float32), bias
