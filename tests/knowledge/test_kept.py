"""Answers kept in the cache folder: whole or made again, and never those of a user's own entities."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.assembly import Assembly
from tacenda.knowledge.kept import kept
from tacenda.policy import load, protecting


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_an_answer_is_made_once(folder: Path) -> None:
    assert kept(("a", "b"), lambda: {"é": [1, 2]}) == {"é": [1, 2]}
    assert kept(("a", "b"), lambda: pytest.fail("made again")) == {"é": [1, 2]}
    assert kept(("a", "c"), lambda: 3) == 3
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"x", None])
def test_a_damaged_answer_is_made_again(folder: Path, damage: bytes | None) -> None:
    kept(("a",), lambda: [1])
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes().replace(b"[1]", b"[2]") if damage is None else damage)
    assert kept(("a",), lambda: [3]) == [3]
    assert kept(("a",), lambda: [4]) == [3]


def test_where_nothing_can_be_written_nothing_is_kept(folder: Path) -> None:
    folder.write_text("a file, no folder")
    assert [kept(("a",), lambda one=one: one) for one in (1, 2)] == [1, 2]


def test_entities_of_shipped_policies_are_kept_and_come_back_the_same(folder: Path) -> None:
    made, again = (Assembly(load("health")).protected for _ in range(2))
    assert made == again
    assert len(list(folder.iterdir())) == len(made) == 3


def test_what_a_user_protects_is_not_kept(folder: Path) -> None:
    policy = protecting(["gout"])
    assert Assembly(policy).protected
    assert not folder.exists()
