"""The file format: the same bytes each time, and a clear word about every kind of damage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda import term
from tacenda.errors import KnowledgeError
from tacenda.knowledge.taxonomy import taxonomy_file

ARRAYS = {"b": np.arange(100, dtype=np.uint32), "a": np.array([1.5, 2.5], np.float32), "none": np.zeros(0, np.uint8)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    taxonomy_file.write(tmp_path / "x.tax", {"name": "x"}, ARRAYS)
    return tmp_path / "x.tax"


def test_what_was_written_is_read(path: Path) -> None:
    meta, arrays = taxonomy_file.read(path)
    assert meta == {"name": "x"}
    assert all(np.array_equal(arrays[name], ARRAYS[name]) for name in ARRAYS)


def test_same_arrays_same_bytes(path: Path, tmp_path: Path) -> None:
    taxonomy_file.write(tmp_path / "y.tax", {"name": "x"}, dict(reversed(ARRAYS.items())))
    assert (tmp_path / "y.tax").read_bytes() == path.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.tax", "y.tax"]


@pytest.mark.parametrize("length", [0, 5, 11, 40, -1])
def test_a_truncated_file_is_refused(path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(KnowledgeError, match=r"x\.tax"):
        taxonomy_file.read(path)


def test_a_changed_byte_is_noticed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(KnowledgeError, match="checksum"):
        taxonomy_file.read(path)


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "z.tax").write_bytes(b"PK\x03\x04 something else entirely")
    with pytest.raises(KnowledgeError, match="not a taxonomy file"):
        taxonomy_file.read(tmp_path / "z.tax")


@pytest.mark.parametrize("what", ["FORMAT", "term"])
def test_another_version_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    if what == "FORMAT":
        monkeypatch.setattr(taxonomy_file, "FORMAT", 2)
    else:
        monkeypatch.setattr(term, "VERSION", term.VERSION + 1)
    with pytest.raises(KnowledgeError, match=r"reads format .* Build the file again"):
        taxonomy_file.read(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="cannot be read"):
        taxonomy_file.read(tmp_path / "no.tax")
