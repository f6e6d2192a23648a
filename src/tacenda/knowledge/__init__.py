"""What is known about the world: an index of counts, taxonomies, vectors. Opened when first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacenda.knowledge.index import CombinedIndex, Index
    from tacenda.knowledge.taxonomy import Taxonomies


def open_index(*paths: str) -> Index | CombinedIndex:
    """Open an index file, or several as one; "english", or no path at all, is the embedded one."""
    from tacenda.knowledge import index

    opened = [index.open_index(None if path == "english" else path) for path in paths or ("english",)]
    return opened[0] if len(opened) == 1 else index.CombinedIndex(opened)


def open_taxonomy(*sources: str) -> Taxonomies:
    """Open the embedded taxonomies, a user's own files before them."""
    from tacenda.knowledge import taxonomy

    return taxonomy.open_taxonomy(*sources)


def open_vectors(path: str | None = None) -> Any:
    """Open a vector file, or the embedded table."""
    from tacenda.knowledge import vectors

    return vectors.open_vectors(path)
