"""The file of vectors: what is written comes back, and what is damaged is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacenda import term
from tacenda.errors import KnowledgeError
from tacenda.knowledge.vectors import Vectors, open_vectors
from tacenda.knowledge.vectors.vector_file import File, quantized
from tacenda.knowledge.vectors.write_vectors import write_vectors

KEYS = ["cat", "dog", "new york", "HIV", "##ly"]
ROWS = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0.5]], dtype=np.float32)
META = {"kind": "trained", "threshold": 0.25, "documents": 9}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / "small.tvec"
    write_vectors(path, KEYS, ROWS, counts=[5, 4, 3, 2, 1], meta=META, context=ROWS * 2)
    return path


@pytest.mark.parametrize("precision", ["int8", "float16"])
def test_what_is_written_comes_back(tmp_path: Path, precision: str) -> None:
    path = tmp_path / "x.tvec"
    write_vectors(path, KEYS, ROWS, counts=[5, 4, 3, 2, 1], meta=META, precision=precision)
    table = Vectors(path)
    assert len(table) == 5
    assert table.dimensions == 3
    assert table.threshold == 0.25
    for key, row in zip(KEYS, ROWS, strict=True):
        at = table.row(key)
        assert at is not None
        assert table.key(at) == key
        assert np.allclose(table._rows(np.array([at]))[0], row, atol=0.01)
    assert table.row("bird") is None
    table.file.verify()


def test_the_same_vectors_give_the_same_bytes(made: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.tvec"
    order = [3, 1, 4, 0, 2]
    write_vectors(
        again, [KEYS[i] for i in order], ROWS[order], counts=[2, 4, 1, 5, 3], meta=META, context=ROWS[order] * 2
    )
    assert again.read_bytes() == made.read_bytes()


@given(arrays(np.float32, (4, 6), elements=st.floats(-100, 100, width=32)))
def test_rounding_to_a_byte_errs_by_half_a_step_at_most(rows: np.ndarray) -> None:
    small, scales = quantized(rows)
    assert np.all(np.abs(small * scales[:, None] - rows) <= scales[:, None] * 0.5001 + 1e-30)


@pytest.mark.parametrize("cut", [4, 30, 200, -1, -300])
def test_a_truncated_file_is_refused(made: Path, cut: int) -> None:
    made.write_bytes(made.read_bytes()[:cut])
    with pytest.raises(KnowledgeError, match=r"truncated|not a file"):
        File(made)


def test_a_file_with_something_appended_is_refused(made: Path) -> None:
    made.write_bytes(made.read_bytes() + b"x")
    with pytest.raises(KnowledgeError, match="longer"):
        File(made)


@pytest.mark.parametrize("place", [60, -5])
def test_a_changed_byte_is_found(made: Path, place: int) -> None:
    data = bytearray(made.read_bytes())
    data[place] ^= 0x40
    made.write_bytes(bytes(data))
    with pytest.raises(KnowledgeError, match="damaged"):
        File(made).verify()


def test_other_files_and_missing_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.tvec"
    other.write_text("no vectors here, only a text that is long enough to be read as a header")
    with pytest.raises(KnowledgeError, match="not a file of Tacenda vectors"):
        _ = Vectors(other).dimensions
    with pytest.raises(KnowledgeError, match="no such file"):
        open_vectors(tmp_path / "absent.tvec")


def test_a_file_of_another_version_is_refused(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_with = term.VERSION
    monkeypatch.setattr("tacenda.term.VERSION", 99)
    with pytest.raises(KnowledgeError, match=f"term rules {made_with}, this version of Tacenda uses 99"):
        File(made)


def test_a_key_twice_and_an_unknown_precision_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="same"):
        write_vectors(tmp_path / "x", ["a", "a"], ROWS[:2], counts=[1, 1], meta=META)
    with pytest.raises(KnowledgeError, match="Available: int8, float16"):
        write_vectors(tmp_path / "x", ["a", "b"], ROWS[:2], counts=[1, 1], meta=META, precision="int4")


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="cannot be written"):
        write_vectors(tmp_path / "absent" / "x", KEYS, ROWS, counts=[1] * 5, meta=META)
    assert list(tmp_path.iterdir()) == []
