"""Checks for the parts of third parties, and fakes for their tests.

    from tacenda.testing import check_risk_model
    def test_my_model():
        check_risk_model(MyModel())

Each check asks a part everything that a sanitizer may ask it, its optional capabilities included, and raises
AssertionError with a sentence that says what a part must do and did not. The fakes are small enough to count by hand.
"""

from tacenda.testing.checks import (
    CANARY,
    TEXTS,
    check_annotator,
    check_chooser,
    check_replacer,
    check_risk_model,
    sample_mentions,
)
from tacenda.testing.fakes import FakeAnnotator, FakeEmbeddings, FakeIndex, FakeTaxonomy
from tacenda.testing.formats import check_format
from tacenda.testing.knowledge import check_count_source, check_embeddings, check_index, check_taxonomy

__all__ = [
    "CANARY",
    "TEXTS",
    "FakeAnnotator",
    "FakeEmbeddings",
    "FakeIndex",
    "FakeTaxonomy",
    "check_annotator",
    "check_chooser",
    "check_count_source",
    "check_embeddings",
    "check_format",
    "check_index",
    "check_replacer",
    "check_risk_model",
    "check_taxonomy",
    "sample_mentions",
]
