from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import UsageError
from tacenda.measures.gold import Mask
from tacenda.measures.utility import (
    bag_cosine,
    classifier_agreement,
    cluster,
    clustering_agreement,
    count_documents,
    information_kept,
    plausible_cosine,
    similarities,
    text_utility,
    word_bits,
)

BITS = {"ann": 12.0, "aids": 14.0, "has": 2.0, "disease": 6.0, "infectious disease": 9.0, "ann has": 13.0}
TEXT = "Ann has AIDS"


def bits(phrase: str) -> float:
    return BITS.get(phrase.lower(), 0.0)


def test_sum_of_information_kept() -> None:
    kept = text_utility(TEXT, [Mask(8, 12, "TERM", "disease")], bits)
    assert (kept.bits_before, kept.bits_after) == (28.0, 20.0)
    assert text_utility(TEXT, [], bits).kept == 1
    assert text_utility(TEXT, [Mask(8, 12, "TERM", "DISEASE")], bits).bits_after == 14  # a label carries nothing
    assert text_utility(TEXT, [Mask(8, 12, "T", "DISEASE")], bits, labels_are_empty=False).bits_after == 20
    assert text_utility(TEXT, [Mask(4, 7, "TERM", "infectious disease")], bits).kept == 1  # at most what it replaced
    assert text_utility("", [], bits).kept == 1


def test_phrases_are_lost_whole() -> None:
    phrases = [(0, 7), (8, 12)]
    kept = text_utility(TEXT, [Mask(4, 7)], bits, phrases=phrases)
    assert (kept.bits_before, kept.bits_after) == (27.0, 14.0)
    two = text_utility(TEXT, [Mask(0, 3), Mask(4, 7)], bits, phrases=phrases)
    assert [c.bits_before for c in two.changes] == [13.0, 0.0]


def test_term_by_term() -> None:
    assert information_kept(["ann", "aids"], ["", "disease"], bits) == pytest.approx(6 / 26)
    assert information_kept([], [], bits) == 1
    with pytest.raises(UsageError, match="misaligned"):
        information_kept(["a"], [], bits)


def test_similarity_per_term() -> None:
    held = {"aids": [1.0, 0.0], "disease": [3.0, 4.0]}
    found = similarities(["aids", "aids", "ann"], ["disease", "", "disease"], lambda ts: [held.get(t) for t in ts])
    assert found == [pytest.approx(0.6), 0.0, None]
    kept = text_utility(TEXT, [Mask(8, 12, "T", "disease")], bits, vectors=lambda ts: [held.get(t.lower()) for t in ts])
    assert kept.changes[0].similarity == pytest.approx(0.6)


def test_cosine_of_paper_003() -> None:
    assert plausible_cosine([1, 2]) == 0.75
    assert plausible_cosine([1, None]) == 0.5
    assert plausible_cosine([1, 2], printed=False) == pytest.approx(0.75 / math.sqrt(0.75))
    assert plausible_cosine([1, None], printed=False) == pytest.approx(math.sqrt(0.5))
    assert plausible_cosine([]) == 1
    assert bag_cosine("red car", "red bus") == pytest.approx(0.5)


@given(st.lists(st.one_of(st.none(), st.integers(1, 50)), min_size=1, max_size=9), st.booleans())
def test_generalizing_is_never_worse_than_removing(volumes: list[int | None], printed: bool) -> None:
    removed = [1 if v == 1 else None for v in volumes]
    assert (
        0
        <= plausible_cosine(removed, printed=printed)
        <= plausible_cosine(volumes, printed=printed) + 1e-12
        <= 1 + 1e-9
    )


MEDICAL = ["flu fever cough doctor", "fever cough clinic", "doctor clinic flu"]
TRAVEL = ["flight hotel beach", "hotel beach sun", "flight sun ticket"]


def test_classifier_and_clustering() -> None:
    texts, labels = MEDICAL + TRAVEL, ["m"] * 3 + ["t"] * 3
    same = classifier_agreement(texts, texts, labels)
    assert same == {"agreement": 1.0, "accuracy_before": 1.0, "accuracy_after": 1.0}
    swapped = classifier_agreement(texts, TRAVEL + MEDICAL, labels)
    assert swapped["accuracy_after"] == 0
    assert cluster(texts, 2)[:3] == [cluster(texts, 2)[0]] * 3
    assert clustering_agreement(texts, texts, clusters=2) == 1
    assert clustering_agreement(texts, [MEDICAL[0], TRAVEL[0]] * 3, clusters=2) < 0.5
    with pytest.raises(UsageError, match="aligned"):
        clustering_agreement(texts, texts[:2], clusters=2)
    with pytest.raises(UsageError, match="9 clusters"):
        clustering_agreement(texts, texts, clusters=9)


def test_bits_from_counts() -> None:
    counts, total = count_documents(["the cat sat", "a cat", "dogs", "dogs"])
    found = word_bits(counts, total)
    assert found("cat") == 1
    assert found("the dog") == 1  # plural counted, stop word not
    assert found("zebra") == 1  # unknown: half of log2(4)
    assert found("sat cat") == pytest.approx(2 + 0.2)
    assert found("the") == 0
    with pytest.raises(UsageError):
        word_bits({}, 0)
