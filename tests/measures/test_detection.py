from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import UsageError
from tacenda.measures.detection import Score, detection, f1
from tacenda.measures.gold import GoldDocument, GoldMention, Mask

#       0         1         2         3         4
#       01234567890123456789012345678901234567890123456
TEXT = "Ann Lee met Bob in Rome. Lee paid Bob in Paris."
ANN, LEE = GoldMention(0, 7, "PERSON", "direct", "e1"), GoldMention(25, 28, "PERSON", "direct", "e1")
ROME, PARIS = GoldMention(19, 23, "LOC", "quasi", "e2"), GoldMention(41, 46, "LOC", "quasi", "e3")
BOB = GoldMention(12, 15, "PERSON", "none", "e4")
GOLD = GoldDocument("d", TEXT, {"a": (ANN, BOB, ROME, LEE, PARIS)})


def test_counts_by_hand() -> None:
    # masks: "Ann Lee" and "met Bob" and "Rome"; not the second "Lee", not "Paris"
    found = detection([GOLD], {"d": [Mask(0, 7, "NAME"), Mask(8, 15, "NAME"), Mask(19, 23, "PLACE")]})
    micro = found.micro
    assert micro["token"] == Score(3, 5, 3, 5)  # Ann Lee Rome of Ann Lee met Bob Rome; gold Ann Lee Rome Lee Paris
    assert micro["mention"] == Score(2, 3, 2, 4)
    assert micro["term"] == Score(2, 3, 2, 4)
    assert micro["entity"] == Score(2, 3, 1, 3)  # e1 lacks its second mention
    assert found.by_role["direct"]["entity"].recall == 0
    assert found.by_role["direct"]["mention"].recall == 0.5
    assert found.by_role["quasi"]["entity"].recall == 0.5
    assert "none" not in found.by_role
    assert found.by_type["PERSON"]["token"].recall == pytest.approx(2 / 3)
    assert found.by_label["NAME"].precision == 0.5
    assert found.macro["mention"] == pytest.approx((2 / 3, 0.5, f1(2 / 3, 0.5)))


def test_a_partly_masked_word_is_not_masked_and_a_partly_marked_one_is_marked() -> None:
    gold = GoldDocument("d", "Johnson", {"a": (GoldMention(0, 4, "PERSON"),)})
    assert detection([gold], {"d": [Mask(0, 3)]}).micro["mention"].recall == 0
    exact = detection([gold], {"d": [Mask(0, 4)]}).micro
    assert (exact["mention"].recall, exact["token"].recall) == (1, 0)  # what was marked is gone, the word is not
    assert detection([gold], {"d": [Mask(0, 7)]}).micro["mention"].recall == 1


def test_stop_words_and_signs_do_not_decide() -> None:
    gold = GoldDocument("d", "the Hague (***)", {"a": (GoldMention(0, 9, "LOC"), GoldMention(10, 15, "CODE"))})
    assert detection([gold], {"d": [Mask(4, 9), Mask(10, 15)]}).micro["mention"].recall == 1


def test_information_weighted_precision() -> None:
    bits = {"ann": 10.0, "lee": 6.0, "met": 4.0}.__getitem__
    found = detection([GOLD], {"d": [Mask(0, 11)]}, bits=bits)
    assert found.weighted_precision == pytest.approx(16 / 20)
    assert math.isnan(detection([GOLD], {"d": [Mask(0, 11)]}).weighted_precision)


def test_several_annotators() -> None:
    gold = GoldDocument(
        "d", "Ann met Bob", {"a": (GoldMention(0, 3),), "b": (GoldMention(0, 3), GoldMention(8, 11)), "c": ()}
    )
    masks = {"d": [Mask(0, 3)]}
    assert detection([gold], masks).micro["mention"] == Score(2, 3, 2, 3)
    assert detection([gold], masks, combine="union").micro["mention"] == Score(1, 1, 1, 2)
    assert detection([gold], masks, combine="majority").micro["mention"] == Score(1, 1, 1, 1)
    # words Ann (2 of 3), met (0), Bob (1): P_i = 1/3, 1, 1/3; shares 1/3 and 2/3
    expected = (5 / 9 - 5 / 9) / (1 - 5 / 9)
    assert detection([gold], masks).kappa == pytest.approx(expected)
    assert detection([gold], masks).to_json()["annotators"] == 3


def test_nothing_masked_has_no_precision() -> None:
    shown = detection([GOLD], {"d": []}).to_json()
    assert shown["micro"]["token"] == {"precision": None, "recall": 0.0, "f1": 0.0, "masked": 0, "gold": 5}  # type: ignore[index]
    with pytest.raises(UsageError, match="misaligned: x is only in one"):
        detection([GOLD], {"d": [], "x": []})


spans = st.tuples(st.integers(0, 46), st.integers(1, 12)).map(lambda s: Mask(s[0], min(s[0] + s[1], len(TEXT))))


@given(st.lists(spans, max_size=6), spans)
def test_masking_more_never_lowers_recall(masks: list[Mask], more: Mask) -> None:
    less, all_of_them = (detection([GOLD], {"d": held}).micro for held in (masks, [*masks, more]))
    for level in ("token", "mention", "term", "entity"):
        assert less[level].found <= all_of_them[level].found
        assert less[level].gold == all_of_them[level].gold


def test_everything_masked_finds_everything() -> None:
    assert all(s.recall == 1 for s in detection([GOLD], {"d": [Mask(0, len(TEXT))]}).micro.values())
