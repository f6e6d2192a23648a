"""Put keys and vectors into a file, in the order the look-up needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.errors import KnowledgeError
from tacenda.knowledge.vectors import vector_file

Floats = npt.NDArray[np.float32]
PRECISIONS = ("int8", "float16")


def write_vectors(
    path: Path,
    keys: Sequence[str],
    rows: Floats,
    *,
    counts: Sequence[int],
    meta: Mapping[str, Any],
    context: Floats | None = None,
    precision: str = "int8",
) -> None:
    """Write a table of vectors.

    counts      how often each key occurs: parts of a phrase weigh by it
    meta        kind ("trained" or "static"), threshold, and how the vectors were made
    context     weights of the output layer, if training is to be continued
    precision   int8 (one scale a row) or float16
    """
    if precision not in PRECISIONS:
        raise KnowledgeError(f"no precision named '{precision}'. Available: {', '.join(PRECISIONS)}.")
    hashes = np.array([vector_file.hash_of(key) for key in keys], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    if len(np.unique(hashes)) != len(keys):
        raise KnowledgeError("two of the phrases are the same, or share a hash. Give every phrase once.")
    names = [keys[i].encode() for i in order]
    arrays: dict[str, npt.NDArray[Any]] = {
        "hashes": hashes[order],
        "offsets": np.concatenate([[0], np.cumsum([len(name) for name in names])]).astype(np.uint32),
        "names": np.frombuffer(b"".join(names), dtype=np.uint8),
        "counts": np.asarray(counts, dtype=np.int64)[order],
    }
    _add(arrays, "rows", "scales", rows[order], precision)
    if context is not None:
        _add(arrays, "context", "context_scales", context[order], precision)
    vector_file.write(path, {**meta, "dimensions": int(rows.shape[1]), "precision": precision}, arrays)


def _add(arrays: dict[str, npt.NDArray[Any]], name: str, scales: str, rows: Floats, precision: str) -> None:
    if precision == "float16":
        arrays[name] = rows.astype(np.float16)
    else:
        arrays[name], arrays[scales] = vector_file.quantized(rows)
