"""What is known about the world: an index of counts, taxonomies, vectors. Opened when first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacenda.knowledge.index import Index
    from tacenda.knowledge.taxonomy import Taxonomies


def open_index(path: str | None = None) -> Index:
    """Open an index file, or the embedded English one."""
    from tacenda.knowledge import index

    return index.open_index(path)


def open_taxonomy(*sources: str) -> Taxonomies:
    """Open the embedded taxonomies, a user's own files before them."""
    from tacenda.knowledge import taxonomy

    return taxonomy.open_taxonomy(*sources)


def open_vectors(path: str | None = None) -> Any:
    """Open a vector file, or the embedded table."""
    from tacenda.knowledge import vectors

    return vectors.open_vectors(path)
