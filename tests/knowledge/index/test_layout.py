from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda.errors import KnowledgeError
from tacenda.knowledge.index import Index, layout, open_index

Make = Callable[..., Index]


@pytest.fixture
def path(make: Make) -> Path:
    return make([f"red word{n} and blue" for n in range(50)]).path


def damage(path: Path, place: int, value: bytes) -> Path:
    data = bytearray(path.read_bytes())
    data[place : place + len(value)] = value
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("keep", [0, 5, 20, 47, 100])
def test_a_file_cut_in_its_head_is_refused(path: Path, keep: int) -> None:
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(KnowledgeError, match=r"not a Tacenda index|truncated"):
        open_index(path)


@pytest.mark.parametrize("change", [-1, -200, 7])
def test_a_file_of_another_length_is_refused(path: Path, change: int) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:change] if change < 0 else data + bytes(change))
    with pytest.raises(KnowledgeError, match=r"truncated|longer"):
        open_index(path)


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"SQLite format 3\0" * 100)
    with pytest.raises(KnowledgeError, match="not a Tacenda index"):
        open_index(tmp_path / "x")
    with pytest.raises(KnowledgeError, match="cannot be read"):
        open_index(tmp_path / "none")


def test_a_newer_file_says_what_to_do(path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"format 9, .* up to 1\. Update tacenda"):
        open_index(damage(path, 8, b"\x09"))


def test_other_term_rules_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout.term, "VERSION", 99)
    with pytest.raises(KnowledgeError, match="term rules"):
        open_index(path)


def test_a_damaged_header_is_found_at_once(path: Path) -> None:
    with pytest.raises(KnowledgeError, match="header damaged"):
        open_index(damage(path, 60, b"~"))


def count_every_word(path: Path) -> None:
    index = open_index(path)
    for word in index.words:
        index.count(word)


def test_every_damaged_section_is_found_when_used(path: Path) -> None:
    whole = path.read_bytes()
    file = layout.File(path)
    body = file._body
    for name, section in file.sections.items():
        path.write_bytes(whole)
        damage(
            path,
            body + section.offset + section.length // 2,
            bytes([whole[body + section.offset + section.length // 2] ^ 255]),
        )
        with pytest.raises(KnowledgeError, match=name):
            open_index(path).verify()
        if name not in ("articles", "fingerprints"):
            with pytest.raises(KnowledgeError, match="damaged"):
                count_every_word(path)


def test_the_digest_stands_for_the_content(make: Make) -> None:
    first, same, other = make(["a b"], "1"), make(["a b"], "2"), make(["a c"], "3")
    assert first.digest == same.digest != other.digest
    assert len(first.digest) == 64


def test_nothing_of_word_order_is_in_a_final_file(make: Make) -> None:
    """Two texts with the same words in other order give the same file, byte for byte."""
    one = make(["alpha beta gamma delta", "epsilon zeta"], "1", most_share=0.9)
    two = make(["delta gamma beta alpha", "zeta epsilon"], "2", most_share=0.9)
    assert one.path.read_bytes() == two.path.read_bytes()
