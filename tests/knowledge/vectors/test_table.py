"""Vectors of phrases: whole, from parts, from pieces."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from tacenda.errors import KnowledgeError
from tacenda.knowledge.vectors import Vectors, cosine
from tacenda.knowledge.vectors.table import SMOOTH
from tacenda.knowledge.vectors.write_vectors import write_vectors

COUNTS = {"breast cancer": 10, "breast": 100, "cancer": 400, "metastatic": 1, "play": 488, "##er": 1}


@pytest.fixture
def table(tmp_path: Path) -> Vectors:
    return make(tmp_path, "trained")


def make(folder: Path, kind: str) -> Vectors:
    path = folder / f"{kind}.tvec"
    rows = np.eye(len(COUNTS), dtype=np.float32)
    meta = {"kind": kind, "threshold": 0.3}
    write_vectors(path, list(COUNTS), rows, counts=list(COUNTS.values()), meta=meta)
    return Vectors(path)


def test_a_phrase_held_whole_has_its_own_vector(table: Vectors) -> None:
    (vector,) = table.vectors(["the Breast Cancers"])
    assert vector is not None
    assert vector.tolist() == [1, 0, 0, 0, 0, 0]
    assert table.whole("breast cancer")
    assert not table.whole("metastatic breast cancer")


def test_a_phrase_not_held_gets_a_vector_from_its_longest_parts(table: Vectors) -> None:
    (vector,) = table.vectors(["metastatic breast cancer"])
    # By hand: a / (a + p) with p = 10/1000 and 1/1000 of the 1,000 counted.
    weights = np.array([SMOOTH / (SMOOTH + 0.01), SMOOTH / (SMOOTH + 0.001)])
    weights /= np.linalg.norm(weights)
    assert vector is not None
    assert np.allclose(vector[[0, 3]], weights, atol=1e-5)
    assert np.allclose(vector[[1, 2, 4, 5]], 0)


def test_what_nothing_is_known_of_has_no_vector(table: Vectors) -> None:
    assert table.vectors(["qqzzxx", "", "player"]) == [None, None, None]


def test_the_static_table_cuts_unknown_words_and_knows_no_capitals(tmp_path: Path) -> None:
    table = make(tmp_path, "static")
    (player,) = table.vectors(["PLAYER"])
    assert player is not None
    assert player[4] > 0
    assert player[5] > player[4], "the rarer piece weighs more"
    assert table.vectors(["playex"]) == [None]
    assert not table.trained


def test_vectors_have_length_one(table: Vectors) -> None:
    for vector in table.vectors(["breast", "cancer play", "metastatic cancer play"]):
        assert vector is not None
        assert np.isclose(np.linalg.norm(vector), 1, atol=1e-5)


def test_nearest_terms(tmp_path: Path) -> None:
    path = tmp_path / "near.tvec"
    rows = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    write_vectors(path, ["cat", "dog", "stone"], rows, counts=[1, 1, 1], meta={"kind": "trained", "threshold": 0.25})
    near = Vectors(path).similar("cat", 2)
    assert [key for key, _ in near] == ["dog", "stone"]
    assert near[0][1] == pytest.approx(0.8, abs=0.01)
    with pytest.raises(KnowledgeError, match="neither this phrase nor any word"):
        Vectors(path).similar("zebra")


def test_a_table_travels_as_its_path(table: Vectors) -> None:
    copy = pickle.loads(pickle.dumps(table))  # noqa: S301
    assert copy.path == table.path
    assert copy.whole("breast")


def test_vectors_of_other_dimensions_do_not_mix() -> None:
    with pytest.raises(KnowledgeError, match="2 and of 3 dimensions"):
        cosine(np.zeros(2, dtype=np.float32), np.zeros(3, dtype=np.float32))
