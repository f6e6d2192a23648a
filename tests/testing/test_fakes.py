"""The fakes are what the checks ask for, and the parts of the product pass their own checks."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest

from tacenda.knowledge.taxonomy.complete import complete
from tacenda.model import Document, Risk
from tacenda.protocols import Digested, InBits, Senses
from tacenda.testing import (
    FakeAnnotator,
    FakeEmbeddings,
    FakeIndex,
    FakeTaxonomy,
    check_annotator,
    check_count_source,
    check_embeddings,
    check_index,
    check_risk_model,
    check_taxonomy,
    fakes,
)

INDEX = FakeIndex(["HIV and AIDS", "a condom against HIV", "a bicycle", "HIV on a bicycle"], articles=[0, 0, 1, 2])
TAXONOMY = FakeTaxonomy({"hepatitis c": "hepatitis", "hepatitis": "disease"}, {"hepatitis c": ["HCV"]})


def test_examples_run() -> None:
    assert doctest.testmod(fakes).failed == 0


def test_fakes_pass_the_checks() -> None:
    check_index(INDEX, ["HIV", "bicycle", "condom"])
    check_taxonomy(TAXONOMY, ["hepatitis c", "hepatitis"])
    check_embeddings(FakeEmbeddings({"hiv": (1, 2, 2), "rain": (0, 3, 4)}), ["HIV", "rain"])
    check_annotator(FakeAnnotator({"Leeds": "LOC", "methadone": "TERM"}))
    check_annotator(FakeAnnotator({}))


def test_the_embedded_knowledge_passes_the_checks() -> None:
    from tacenda import knowledge

    check_index(knowledge.open_index(), ["HIV", "methadone", "bicycle", "city"])
    check_taxonomy(knowledge.open_taxonomy(), ["methadone", "HIV", "Paris", "34-year-old", "12 March 2019"])
    check_embeddings(knowledge.open_vectors(), ["hospital", "methadone"])


def test_the_taxonomy_tells_classes_by_what_the_encoder_read() -> None:
    from tacenda import knowledge
    from tacenda.annotate.encoder import Encoder

    found = Encoder().annotate(Document("The nurse gave him methadone in Leeds.")).mentions
    check_taxonomy(knowledge.open_taxonomy(), ["methadone"], readings=[mention.reading for mention in found])


def test_a_model_that_invents_risks_when_it_overrules_is_found_out() -> None:
    class Inventing:
        name, unit, monotone, guarantee = "inventing", "bits", True, "None."

        def assess(self, mentions, context):
            return [Risk(self.name, (0,), "HIV", 2.0, 1.0, "bits")] if any(m.text for m in mentions) else []

        def left(self, risks, mentions, context):
            return [replace(risk, score=9.0) for risk in risks]

    with pytest.raises(AssertionError, match="unchanged"):
        check_risk_model(Inventing())


def test_a_taxonomy_that_adds_rungs_where_it_should_be_sure_is_found_out() -> None:
    class Careless(FakeTaxonomy):
        def class_of(self, reading):
            return -1

        def generalizations(self, term, context=(), *, prefer="", sure=0.0, reading=None):
            return super().generalizations("hepatitis c" if sure and term == "hepatitis" else term)

    with pytest.raises(AssertionError, match="never others"):
        check_taxonomy(Careless({"hepatitis c": "hepatitis", "hepatitis": "disease"}), ["hepatitis"])


def test_vectors_with_an_impossible_threshold_are_found_out() -> None:
    with pytest.raises(AssertionError, match="cosine"):
        check_embeddings(FakeEmbeddings({"hiv": (1, 2, 2)}, threshold=3), ["HIV"])


def test_an_index_that_counts_wrong_is_found_out() -> None:
    class Wrong(FakeIndex):
        def counts(self, groups):
            return [(n or 0) + 1 for n in super().counts(groups)]

    with pytest.raises(AssertionError, match="must agree"):
        check_index(Wrong(["HIV", "AIDS"]), ["HIV"])


def test_a_taxonomy_that_knows_everything_is_found_out() -> None:
    class Guessing(FakeTaxonomy):
        def synonyms(self, term):
            return ("thing",)

    with pytest.raises(AssertionError, match="no synonyms"):
        check_taxonomy(Guessing({"a": "b"}), ["a"])


def test_a_search_service_is_checked() -> None:
    class Service:
        total = 100

        def counts(self, groups, /):
            return [10 * len(group) for group in groups]

    with pytest.raises(AssertionError, match="no more pages"):
        check_count_source(Service(), ["HIV", "AIDS"])


def test_what_a_taxonomy_lacks_is_answered_on_the_safe_side() -> None:
    class Bare:
        name, digest = "bare", "d"

        def generalizations(self, term, context=()):
            return TAXONOMY.generalizations(term)

        def bits(self, term):
            return 3.0

    full = complete(Bare())
    assert full.is_generalization("disease", "hepatitis c")
    assert not full.is_generalization("hepatitis c", "disease")
    assert (tuple(full.synonyms("hepatitis c")), tuple(full.specializations("disease"))) == ((), ())
    assert full.volume("disease") > 10**9, "what cannot be told is broad"
    assert isinstance(full, Digested)
    assert isinstance(full, InBits)
    assert not isinstance(full, Senses)
    assert complete(TAXONOMY) is TAXONOMY
