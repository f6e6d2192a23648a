from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tacenda.errors import InputError, KnowledgeError, UsageError
from tacenda.measures.sensitivity import SensitivityModel, cross_validate, train

TEXTS = ["hiv test", "hiv clinic", "cheap flights", "weather rome"]
LABELS = [True, True, False, False]


def test_posterior_by_hand() -> None:
    model = train(["a b", "b", "c"], [True, True, False])
    # P(a|1)=2/4, P(b|1)=3/4, P(c|1)=1/4; P(a|0)=P(b|0)=1/3, P(c|0)=2/3; priors 2/3, 1/3; text "b": a and c absent
    sensitive = (2 / 3) * (1 / 2) * (3 / 4) * (3 / 4)
    harmless = (1 / 3) * (2 / 3) * (1 / 3) * (1 / 3)
    assert model(["b"])[0] == pytest.approx(sensitive / (sensitive + harmless))
    assert model(["b b B"])[0] == pytest.approx(model(["b"])[0])  # binary: repetition tells nothing
    assert model(["unseen b"])[0] == pytest.approx(model(["b"])[0])


def test_only_words_present_by_hand() -> None:
    model = train(["a b", "b", "c"], [True, True, False], absent=False)
    assert model(["b"])[0] == pytest.approx((2 / 3) * (3 / 4) / ((2 / 3) * (3 / 4) + (1 / 3) * (1 / 3)))


def test_save_and_load_give_the_same_answers(tmp_path: Path) -> None:
    model = train(TEXTS, LABELS)
    model.save(tmp_path / "m.json")
    again = SensitivityModel.load(tmp_path / "m.json")
    assert np.array_equal(model(TEXTS), again(TEXTS))
    again.save(tmp_path / "n.json")
    assert (tmp_path / "m.json").read_bytes() == (tmp_path / "n.json").read_bytes()
    assert "hiv" not in repr(model)


@pytest.mark.parametrize("content", ["", "[]", '{"format": "tacenda-sensitivity/1"}', '{"format": "x"}'])
def test_broken_models_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "m.json").write_text(content, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"m\.json"):
        SensitivityModel.load(tmp_path / "m.json")


def test_other_format_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"format": "tacenda-sensitivity/9", "term_version": 1}', encoding="utf-8")
    with pytest.raises(KnowledgeError, match="Train the model again"):
        SensitivityModel.load(tmp_path / "m.json")


def test_cross_validation_sees_signal_and_noise() -> None:
    separable = cross_validate([*TEXTS] * 5, LABELS * 5, folds=10)
    assert separable.accuracy == 1.0
    assert len(separable.accuracy_by_fold) == 10
    assert separable.majority == 0.5
    noise = cross_validate(["same words"] * 40, [True, False] * 20, folds=10)
    assert noise.accuracy == pytest.approx(0.5)
    assert math.isfinite(noise.f1)


def test_misuse_is_refused() -> None:
    with pytest.raises(UsageError, match="misaligned"):
        train(["a"], [True, False])
    with pytest.raises(InputError, match="both sensitive and harmless"):
        train(["a"], [True])
    with pytest.raises(UsageError, match="2 to 2 are possible"):
        cross_validate(TEXTS, LABELS, folds=10)
