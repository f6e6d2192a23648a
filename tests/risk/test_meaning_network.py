"""The formulas of the network against hand-made numbers, and the 8-bit weights against their originals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import KnowledgeError
from tacenda.risk.meaning.network import Network, compress, gelu, load


def test_gelu_by_hand() -> None:
    assert gelu(np.zeros(1, dtype=np.float32))[0] == 0.0
    assert gelu(np.ones(1, dtype=np.float32))[0] == pytest.approx(0.8412, abs=1e-4)


def tiny() -> Network:
    one = np.ones((1, 1), dtype=np.float32)
    flat = np.ones(1, dtype=np.float32)
    return Network(
        {
            "mean": np.zeros(1, dtype=np.float32),
            "state": one,
            "cue": one,
            "describe": one,
            "category": one,
            "mix": one,
            "mix_bias": np.zeros(1, dtype=np.float32),
            "ask": flat,
            "ask_cue": np.zeros(1, dtype=np.float32),
            "out": np.array([1.0, 0.0], dtype=np.float32),
            "out_cue": np.array([1.0, 0.0], dtype=np.float32),
            "bias": np.array([-1.0], dtype=np.float32),
        }
    )


def test_logit_by_hand() -> None:
    network = tiny()
    added = network.category(np.array([2.0], dtype=np.float32), np.array([1.0], dtype=np.float32))
    assert added.tolist() == [3.0]
    states = network.project(np.array([[1.0]], dtype=np.float32))
    cues = np.array([[1.0]], dtype=np.float32)
    v, scores = network.pieces(states, cues, added)
    # u = gelu(1 + 1 + 3) = 5, v = gelu(5) = 5; one piece has all the attention; logit = 5 + 1 - 1.
    assert v[0, 0] == pytest.approx(5.0, abs=1e-4)
    assert network.logits(v, scores, cues, np.array([[0, 1]])) == pytest.approx([5.0], abs=1e-4)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_stretches_do_not_see_each_other(pieces: int, seed: int) -> None:
    """However stretches overlap, each gets the logit it has by itself."""
    chance = np.random.default_rng(seed)
    network = tiny()
    v = chance.normal(size=(pieces, 1)).astype(np.float32)
    scores = (20 * chance.normal(size=pieces)).astype(np.float32)
    cues = chance.random((pieces, 1)).astype(np.float32)
    bounds = [sorted(chance.choice(pieces + 1, 2, replace=False).tolist()) for _ in range(4)]
    together = network.logits(v, scores, cues, np.array(bounds))
    for (low, high), logit in zip(bounds, together, strict=True):
        alone = network.logits(v[low:high], scores[low:high], cues[low:high], np.array([[0, high - low]]))
        assert logit == pytest.approx(alone[0], rel=1e-4, abs=1e-4)


@given(st.integers(1, 12), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_choices_of_pieces_read_as_those_pieces_alone(pieces: int, categories: int, seed: int) -> None:
    """Several categories and choices at once give what each gives by itself."""
    chance = np.random.default_rng(seed)
    network = tiny()
    v = chance.normal(size=(categories, pieces, 1)).astype(np.float32)
    scores = chance.normal(size=(categories, pieces)).astype(np.float32)
    cues = chance.random((categories, pieces, 1)).astype(np.float32)
    kept = chance.random((4, pieces)) < 0.5
    kept[:, int(chance.integers(pieces))] = True
    together = network.logits_of(v, scores, cues, kept)
    for number, one in enumerate(kept):
        whole = np.array([[0, one.sum()]])
        for category in range(categories):
            alone = network.logits(v[category, one], scores[category, one], cues[category, one], whole)
            assert together[category, number] == pytest.approx(alone[0], rel=1e-4, abs=1e-4)


def test_compressed_weights_come_back(tmp_path: Path) -> None:
    original = {"a": np.linspace(-1, 1, 64).reshape(4, 16), "b": np.arange(5.0)}
    np.savez_compressed(tmp_path / "w.npz", **compress(original))
    back = load(tmp_path / "w.npz")
    assert np.abs(back["a"] - original["a"]).max() < 1 / 127
    assert back["b"].tolist() == [0, 1, 2, 3, 4]


def test_missing_weights_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"network\.npz"):
        load(tmp_path / "network.npz")
