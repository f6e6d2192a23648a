"""Skip-gram on a made-up collection. What needs gensim is skipped where it is not installed."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from tacenda.errors import KnowledgeError
from tacenda.knowledge.vectors import cosine
from tacenda.knowledge.vectors.train import Settings, train

SMALL = Settings(dimensions=24, window=5, epochs=4, rate=0.05)


def collection(documents: int = 200, seed: int = 3) -> list[list[str]]:
    """Two subjects that never mix: sea words and hill words."""
    draw = random.Random(seed)
    sea = ["ship", "harbour", "sail", "cape horn", "anchor"]
    hill = ["goat", "meadow", "summit", "mont blanc", "glacier"]
    return [draw.choices(sea if n % 2 else hill, k=14) for n in range(documents)]


def similarity(table: object, one: str, other: str) -> float:
    first, second = table.vectors([one, other])  # type: ignore[attr-defined]
    return cosine(first, second)


def test_a_collection_too_small_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"too small to train on: 3 document\(s\) with 42 terms"):
        train(collection(3), tmp_path / "x.tvec")
    assert not (tmp_path / "x.tvec").exists()


def test_without_gensim_the_message_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim", None)
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(KnowledgeError, match=r"tacenda\[vectors\]"):
        train(collection(), tmp_path / "x.tvec")


class TestTraining:
    """With gensim."""

    @pytest.fixture(autouse=True)
    def _gensim(self) -> None:
        pytest.importorskip("gensim")

    def test_terms_of_one_subject_come_close(self, tmp_path: Path) -> None:
        seen: list[tuple[int, int]] = []
        table = train(
            collection(), tmp_path / "x.tvec", settings=SMALL, progress=lambda done, total: seen.append((done, total))
        )
        assert table.trained
        assert table.threshold == 0.25
        assert similarity(table, "Cape Horn", "anchor") > similarity(table, "Cape Horn", "goat") + 0.2
        assert seen[-1] == (800, 800)
        assert len(seen) == 800

    def test_one_worker_gives_the_same_bytes(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            train(collection(), tmp_path / name, settings=SMALL)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

    def test_training_continues_with_new_documents_and_new_terms(self, tmp_path: Path) -> None:
        first = train(collection(), tmp_path / "first.tvec", settings=SMALL)
        draw = random.Random(5)
        new = [draw.choices(["lighthouse", "ship", "harbour", "sail"], k=14) for _ in range(40)]
        table = train(new, tmp_path / "second.tvec", settings=SMALL, earlier=first)
        assert len(table) == len(first) + 1
        assert table.meta["documents"] == 240
        assert similarity(table, "lighthouse", "ship") > similarity(table, "lighthouse", "goat") + 0.2
        # What the new documents do not mention stays where it was.
        before, after = first.vectors(["glacier"])[0], table.vectors(["glacier"])[0]
        assert before is not None
        assert after is not None
        assert np.allclose(before, after, atol=0.03)

    def test_continuing_needs_the_same_dimensions_and_the_output_layer(self, tmp_path: Path) -> None:
        first = train(collection(), tmp_path / "first.tvec", settings=SMALL, keep_context=False)
        with pytest.raises(KnowledgeError, match="24 dimensions, 300 were asked for"):
            train(collection(), tmp_path / "x.tvec", earlier=first)
        with pytest.raises(KnowledgeError, match="without what continuing needs"):
            train(collection(), tmp_path / "x.tvec", settings=SMALL, earlier=first)
