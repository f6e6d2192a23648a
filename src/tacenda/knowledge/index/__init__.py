"""An index that counts any group of terms in the windows of a collection."""

from tacenda.knowledge.index.build import BuildOptions, build_index
from tacenda.knowledge.index.combined_index import CombinedIndex
from tacenda.knowledge.index.corpus import Index, open_index
from tacenda.knowledge.index.word_forms import Count, Term, with_specializations

__all__ = [
    "BuildOptions",
    "CombinedIndex",
    "Count",
    "Index",
    "Term",
    "build_index",
    "open_index",
    "with_specializations",
]
