"""A table of vectors on disk: phrases in, unit vectors out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import KnowledgeError
from tacenda.knowledge.damage import read_soundly, sound
from tacenda.knowledge.vectors.vector_file import File, hash_of

Floats = npt.NDArray[np.float32]
SMOOTH = 1e-3  # a in a / (a + p), the weight of a word among the parts of a phrase
LONGEST_PART = 4
_CACHE = 50_000


class Vectors:
    """Vectors of phrases, read from a file: trained on a collection, or the static table.

    A phrase the table holds as a whole has its own vector. Any other gets one from its parts: the longest known
    phrases inside it, then words, then (static table) pieces of words, each weighted a / (a + p) by how rare it is.
    Opens on first use and pickles as its path.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._known: dict[str, tuple[Floats, bool] | None] = {}

    def __reduce__(self) -> tuple[type[Vectors], tuple[str]]:
        return Vectors, (str(self.path),)

    @cached_property
    def file(self) -> File:
        """The mapped file."""
        with sound(self.path):
            return File(self.path)

    @property
    def meta(self) -> dict[str, Any]:
        """What the file says of itself: kind, dimensions, threshold, how it was made."""
        return self.file.meta

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        with sound(self.path):
            return int(self.meta["dimensions"])

    @property
    def threshold(self) -> float:
        """The similarity from which on a phrase tells too much, unless a policy says otherwise."""
        with sound(self.path):
            return float(self.meta["threshold"])

    @property
    def trained(self) -> bool:
        """Tell whether the vectors were trained on a collection, so that what they do not hold is rare there."""
        with sound(self.path):
            return bool(self.meta["kind"] == "trained")

    def __len__(self) -> int:
        return len(self.file.array("hashes"))

    def vectors(self, phrases: Sequence[str]) -> list[Floats | None]:
        """Return a unit vector for each phrase; None where neither it nor any part of it is known."""
        found = [self._find(self._key(phrase)) for phrase in phrases]
        return [entry[0] if entry else None for entry in found]

    def whole(self, phrase: str) -> bool:
        """Tell whether the table holds a phrase as a whole, not only parts of it."""
        entry = self._find(self._key(phrase))
        return entry is not None and entry[1]

    def similar(self, phrase: str, count: int = 10) -> list[tuple[str, float]]:
        """Return the keys nearest to a phrase, with their cosine."""
        own = self._key(phrase)
        entry = self._find(own)
        if entry is None:
            raise KnowledgeError(
                f"vectors {self.path}: neither this phrase nor any word of it is known. Continue training"
                " with documents that mention it."
            )
        blocks = np.array_split(np.arange(len(self)), len(self) // 65_536 + 1)
        scores = np.concatenate([_unit(self._rows(block)) @ entry[0] for block in blocks])
        best = np.argsort(-scores, kind="stable")
        named = ((self.key(int(i)), float(scores[i])) for i in best[: count + 64])
        return [(k, s) for k, s in named if k != own and not k.startswith("##")][:count]

    def _key(self, phrase: str) -> str:
        # The static table knows no capitals; trained vectors keep acronyms apart.
        key = term.normalize(phrase)
        return key if self.trained else term.fold(key)

    def key(self, row: int) -> str:
        """Return the phrase of a row."""
        _, offsets, names = self._keys
        return str(names[offsets[row] : offsets[row + 1]], "utf-8")

    def row(self, key: str) -> int | None:
        """Return the row of a key, None if the table does not hold it."""
        hashes, _, _ = self._keys
        wanted = hash_of(key)
        at = bisect_left(hashes, wanted)
        # Equal hashes of different keys do not occur inside a file (checked when written), but a key asked for may
        # share its hash with another one.
        return at if at < len(hashes) and hashes[at] == wanted and self.key(at) == key else None

    @cached_property
    def _keys(self) -> tuple[memoryview, memoryview, memoryview]:
        # Plain views of the mapped file: for single look-ups several times as fast as indexing arrays.
        hashes, offsets, names = (np.asarray(self.file.array(n)) for n in ("hashes", "offsets", "names"))
        return hashes.data, offsets.data, names.data

    def _find(self, key: str) -> tuple[Floats, bool] | None:
        if key not in self._known:
            if len(self._known) >= _CACHE:
                self._known.clear()
            self._known[key] = self._look_up(key)
        return self._known[key]

    @read_soundly
    def _look_up(self, key: str) -> tuple[Floats, bool] | None:
        row = self.row(key) if key else None
        if row is not None:
            return _unit(self._rows(np.array([row])))[0], True
        parts = self._parts(key)
        if not parts:
            return None
        values = self._rows(np.array(parts))
        total = (self._weights[parts] / np.sqrt(np.einsum("ij,ij->i", values, values)).clip(1e-12)) @ values
        norm = float(np.sqrt(total @ total))
        return (np.asarray(total / norm, dtype=np.float32), False) if norm > 0 else None

    def _parts(self, key: str) -> list[int]:
        """Cover a phrase from the left with the longest phrases the table holds, unknown words with pieces."""
        words = key.split()
        found: list[int] = []
        at = 0
        while at < len(words):
            for end in range(min(at + LONGEST_PART, len(words)), at, -1):
                row = self.row(" ".join(words[at:end]))
                if row is not None:
                    found.append(row)
                    at = end
                    break
            else:
                found += () if self.trained else self._pieces(words[at])
                at += 1
        return found

    def _pieces(self, word: str) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(word):
            for end in range(len(word), at, -1):
                row = self.row(("##" if at else "") + word[at:end])
                if row is not None:
                    found.append(row)
                    at = end
                    break
            else:
                return []
        return found

    def _rows(self, rows: npt.NDArray[np.int64]) -> Floats:
        matrix, scales = self._matrix
        values = matrix[rows].astype(np.float32)
        return values if scales is None else values * scales[rows, None]

    @cached_property
    def _matrix(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
        scales = np.asarray(self.file.array("scales")) if "scales" in self.file else None
        return np.asarray(self.file.array("rows")), scales

    @cached_property
    def _weights(self) -> Floats:
        counts = np.asarray(self.file.array("counts"), dtype=np.float64)
        return np.asarray(SMOOTH / (SMOOTH + counts / counts.sum()), dtype=np.float32)


def _unit(rows: Floats) -> Floats:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(norms > 0, norms, 1), dtype=np.float32)


def cosine(one: Floats, other: Floats) -> float:
    """Return the cosine of two unit vectors; vectors of different dimension are an error."""
    if one.shape != other.shape:
        raise KnowledgeError(
            f"vectors of {one.shape[0]} and of {other.shape[0]} dimensions cannot be compared. Take both from one file."
        )
    return float(one @ other)
