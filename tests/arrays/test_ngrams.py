from __future__ import annotations

import math

import numpy as np
import pytest

from tacenda.arrays.ngrams import MASK, NearestText, Shape, keys, word_runs


def test_keys_never_cross_a_mask() -> None:
    found, places, lengths = keys(np.array([0, 1, MASK, 0, 1, 2]), lengths=(1, 2, 3), base=10)
    assert sorted(zip(found.tolist(), places.tolist(), lengths.tolist(), strict=True)) == sorted(
        [(1, 0, 1), (2, 1, 1), (1, 3, 1), (2, 4, 1), (3, 5, 1), (12, 0, 2), (12, 3, 2), (23, 4, 2), (123, 3, 3)]
    )
    assert len(keys(np.array([], dtype=np.int64), lengths=(2,), base=10)[0]) == 0


def test_weights_by_hand() -> None:
    near = NearestText(["a a b", "b c"])
    idf = 1 + math.log(3 / 2)
    first = (1 + math.log(2)) * idf
    norms = [math.hypot(first, 1.0), math.hypot(idf, 1.0)]
    assert near.scores("a b zzz") == pytest.approx([(first * idf + 1) / norms[0], 1 / norms[1]])


def test_reference_values_of_a_common_library() -> None:
    # scikit-learn, TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 3)), times the norm of the query
    near = NearestText(["red cat sat", "red dog ran far", "the cat ran"], Shape(lengths=(1, 2, 3)))
    norm = 2.486564
    assert near.scores("red cat") / norm == pytest.approx([0.646718, 0.1379, 0.173433], abs=1e-6)
    assert near.scores("cat ran") / norm == pytest.approx([0.173433, 0.1379, 0.646718], abs=1e-6)
    assert near.scores("nothing known").tolist() == [0, 0, 0]


def test_characters_and_stop_words() -> None:
    characters = NearestText(["Schwarzenegger", "Stallone"], Shape("characters", (3, 4, 5)))
    assert characters.scores("schwarzeneger").argmax() == 0
    bare = NearestText(["the of and rome", "paris"], Shape(stop_words=False))
    assert bare.scores("the of and").tolist() == [0, 0]


def test_empty_collections() -> None:
    assert NearestText(["", ""]).scores("a").tolist() == [0, 0]
    assert NearestText([]).scores("a").tolist() == []
    assert len(word_runs([], {}, grow=True)) == 0
