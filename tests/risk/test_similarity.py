"""Similarity to what is protected, with vectors small enough to compute by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import KnowledgeError
from tacenda.model import Context, Document, Mention, Protected, Subject
from tacenda.risk.similarity import Similarity, best_threshold, threshold_for_share
from tacenda.term import normalize
from tacenda.testing import check_risk_model

ANGLES = {"jane roe": 0, "hamlet": 60, "film": 80, "stage": 85, "actor": 70, "HIV": 0, "condom": 50, "bus": 90}


class Compass:
    """Terms as directions in the plane: the cosine of two is that of the angle between them."""

    dimensions = 2
    threshold = 0.25
    trained = False

    def vectors(self, phrases: Sequence[str]) -> list[np.ndarray | None]:
        return [self._vector(normalize(p)) for p in phrases]

    def _vector(self, key: str) -> np.ndarray | None:
        words = [w for w in (key, *key.split()) if w in ANGLES]
        if not words:
            return None
        angle = np.radians(ANGLES[words[0]])
        return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)

    def whole(self, phrase: str) -> bool:
        return normalize(phrase) in ANGLES


def document(*texts: str) -> tuple[list[Mention], Context]:
    text = " | ".join(texts)
    mentions = [Mention(text.index(t), text.index(t) + len(t), t, "TERM") for t in texts]
    subject = Subject(("Jane Roe",), (0,))
    return mentions, Context(Document(text), mentions=tuple(mentions), subject=subject)


def risky(model: Similarity, mentions: Sequence[Mention], context: Context) -> list[str]:
    return [mentions[r.mentions[0]].text for r in model.assess(mentions, context)]


def test_a_phrase_is_risky_from_the_threshold_on() -> None:
    mentions, context = document("Jane Roe", "Hamlet", "film", "actor")
    model = Similarity(embeddings=Compass())
    # cos 60 = .5, cos 80 = .174, cos 70 = .342; the vectors' own threshold is .25
    assert risky(model, mentions, context) == ["Jane Roe", "Hamlet", "actor"]
    assert risky(Similarity(embeddings=Compass(), threshold=0.1), mentions, context)[-2:] == ["film", "actor"]
    found = list(model.assess(mentions, context))
    assert found[1].score == pytest.approx(0.5, abs=1e-6)
    assert {(r.discloses, r.limit, r.unit) for r in found} == {("identity", 0.25, "cosine")}


def test_protected_entities_of_the_policy_come_before_the_subject() -> None:
    mentions, context = document("condom", "bus", "Jane Roe")
    context = replace(context, protected=(Protected("HIV", ("HIV",)),))
    found = list(Similarity(embeddings=Compass(), threshold=0.5).assess(mentions, context))
    assert [(r.discloses, r.mentions) for r in found] == [("HIV", (0,)), ("HIV", (2,))]


def test_what_has_no_vector_follows_the_policy() -> None:
    mentions, context = document("zyxw", "film")
    assert risky(Similarity(embeddings=Compass()), mentions, context) == ["zyxw"]
    assert risky(Similarity(embeddings=Compass(), unknown="keep"), mentions, context) == []


def test_what_a_trained_collection_never_held_is_rare_but_a_replacement_is_judged_by_its_parts() -> None:
    trained = Compass()
    trained.trained = True
    mentions, context = document("silent film", "film")
    model = Similarity(embeddings=trained)
    assert risky(model, mentions, context) == ["silent film"]
    replaced = [replace(mentions[0], text="stage"), mentions[1]]
    assert risky(model, replaced, context) == []
    assert risky(model, [replace(mentions[0], text="some film"), mentions[1]], context) == []


def test_labels_and_removed_mentions_tell_nothing() -> None:
    mentions, context = document("Hamlet")
    for text in ("", "[person 1]", "[...]"):
        assert risky(Similarity(embeddings=Compass()), [replace(mentions[0], text=text)], context) == []


def test_the_first_rung_below_the_threshold_is_safe() -> None:
    mentions, context = document("Hamlet")
    rungs = ["actor", "film", "bus"]
    model = Similarity(embeddings=Compass())
    safe = [r for r in rungs if not risky(model, [replace(mentions[0], text=r)], context)]
    assert safe == ["film", "bus"]


def test_a_share_of_the_text_can_be_asked_for_and_stays_when_the_text_is_rewritten() -> None:
    mentions, context = document("Hamlet", "film", "actor", "bus")
    model = Similarity(embeddings=Compass(), share=0.5)
    assert risky(model, mentions, context) == ["Hamlet", "actor"]
    rewritten = [replace(mentions[0], text=""), mentions[1], replace(mentions[2], text=""), mentions[3]]
    assert risky(model, rewritten, context) == []


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 5)), min_size=1, max_size=12),
    st.floats(0, 1),
    st.integers(0, 20),
)
def test_the_share_hidden_is_the_nearest_that_can_be_had(
    terms: list[tuple[float, int]], share: float, more: int
) -> None:
    scores, lengths = [s for s, _ in terms], [n for _, n in terms]
    total = sum(lengths) + more
    limit = threshold_for_share(scores, lengths, total, share)

    def off(t: float) -> float:
        return abs(sum(n for s, n in terms if s >= t) / total - share)

    assert off(limit) == pytest.approx(min(off(t) for t in [*scores, 2.0]))


def test_the_best_threshold_by_hand() -> None:
    one = [(0.9, True), (0.5, False), (0.4, True), (0.1, False)]
    # at .4: 2 right of 3 found and 2 marked, F1 = .8; at .9: 1 of 1 and 2, F1 = .667
    assert best_threshold([one]) == (0.4, pytest.approx(0.8))
    with pytest.raises(KnowledgeError, match="nothing is marked"):
        best_threshold([[(0.4, False)]])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 1.5}, "between -1 and 1"),
        ({"share": 2}, "between 0 and 1"),
        ({"threshold": 0.2, "share": 0.1}, "both"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Similarity(embeddings=Compass(), **settings)


def test_vectors_of_other_dimensions_are_refused() -> None:
    class Mixed(Compass):
        def vectors(self, phrases: Sequence[str]) -> list[np.ndarray | None]:
            return [np.ones(3 if "roe" in p.casefold() else 2, dtype=np.float32) for p in phrases]

    mentions, context = document("Hamlet")
    with pytest.raises(KnowledgeError, match="3 and of 2 dimensions"):
        list(Similarity(embeddings=Mixed()).assess(mentions, context))


def test_it_keeps_the_promises_of_a_risk_model() -> None:
    check_risk_model(Similarity(embeddings=Compass()))
