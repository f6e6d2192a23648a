"""Vectors of phrases: trained on a collection, or the static table that comes with Tacenda."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tacenda.errors import KnowledgeError
from tacenda.knowledge.vectors.table import Vectors, cosine

__all__ = ["Vectors", "cosine", "open_vectors"]


def open_vectors(path: str | Path | None = None) -> Vectors:
    """Open a file of vectors; without a path the static table that comes with Tacenda."""
    if path is not None:
        if not Path(path).is_file():
            raise KnowledgeError(
                f"vectors {path}: no such file. Make one with `tacenda vectors train`, or leave the path out to use"
                " the vectors that come with Tacenda."
            )
        return Vectors(path)
    return Vectors(str(resources.files("tacenda") / "data" / "vectors" / "english.tvec"))
