from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tacenda.errors import InputError, UsageError
from tacenda.measures.attack import (
    ATTACKERS,
    Candidates,
    guess_masks,
    mean_rows,
    nearest_sentences,
    read_candidates,
    read_targets,
    run_attacks,
)
from tacenda.measures.attack.candidates import in_sentences, without_marks
from tacenda.measures.attack.suite import first_chance, ranks, wilson
from tacenda.measures.gold import Mask

BACKGROUND = {
    "ann": "Ann sailed round Cape Horn. She wrote of whales and of storms. Her ship was called Petrel.",
    "bob": "Bob grew tomatoes in Kent. He won prizes for his marrows. His garden was famous.",
    "eve": "Eve painted bridges in Prague. She sold prints of towers. Her studio burned down.",
}
CANDIDATES = Candidates.of(BACKGROUND)
OPEN = [("ann", "A sailor who met whales off Cape Horn."), ("bob", "A gardener of Kent with prizes for marrows.")]


@pytest.mark.parametrize("name", list(ATTACKERS))
def test_every_attacker_finds_open_texts_and_not_empty_ones(name: str) -> None:
    scores = ATTACKERS[name](CANDIDATES, [text for _, text in OPEN])
    assert scores.shape == (2, 3)
    assert scores.argmax(axis=1).tolist() == [0, 1]
    silent = ATTACKERS[name](CANDIDATES, ["PERSON [DATE_1] ***"])
    assert first_chance(silent, np.array([0])).tolist() == [pytest.approx(1 / 3)]


def test_report() -> None:
    found = run_attacks(OPEN, CANDIDATES, backgrounds=[0.5, 1.0])
    assert found.worst().top1 == 1
    assert found.by_any() == 1
    assert found.chance == pytest.approx(1 / 3)
    shown = found.to_json()
    assert len(shown["attackers"]) == 2 * len(ATTACKERS)  # type: ignore[arg-type]
    assert json.dumps(shown) == json.dumps(run_attacks(OPEN, CANDIDATES, backgrounds=[0.5, 1.0]).to_json())
    with pytest.raises(UsageError, match=r"Available: 0\.5, 1\.0"):
        found.worst(0.25)


def test_ties_are_drawn_by_lot() -> None:
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]])
    right = np.array([0, 0, 1])
    assert first_chance(scores, right).tolist() == [0.5, 0.0, pytest.approx(1 / 3)]
    assert ranks(scores, right).tolist() == [1.5, 3.0, 2.0]
    assert wilson(0.0, 20)[0] == 0


def test_naive_bayes_by_hand() -> None:
    scores = ATTACKERS["naive Bayes"](Candidates.of({"x": "a a b", "y": "b c"}), ["a b zzz"])
    v = 0.1 * 3
    assert scores[0] == pytest.approx(
        [math.log(2.1 / (3 + v)) + math.log(1.1 / (3 + v)), math.log(0.1 / (2 + v)) + math.log(1.1 / (2 + v))]
    )


def test_background_shares_are_nested_in_size_and_repeatable() -> None:
    half = CANDIDATES.share(0.5, seed=3)
    assert [len(in_sentences(t)) for t in half.texts] == [2, 2, 2]
    assert half == CANDIDATES.share(0.5, seed=3)
    assert CANDIDATES.share(1.0) is CANDIDATES
    with pytest.raises(UsageError, match="above 0"):
        CANDIDATES.share(0)


def test_marks_are_no_words() -> None:
    assert "PERSON" not in without_marks("PERSON saw ORG_2, ███ and [a city]")
    assert "person" in without_marks("a person")


def test_encoder_attacker_takes_any_vectors() -> None:
    def embed(held: list[str]) -> np.ndarray:
        words = ("whales", "marrows", "bridges")
        return np.array([[float(w in s) for w in words] + [0.01] for s in held])

    scores = nearest_sentences(embed)(CANDIDATES, ["There were marrows."])  # type: ignore[arg-type]
    assert scores.argmax() == 1


def test_mean_of_phrase_vectors() -> None:
    found = mean_rows([[np.array([1.0, 0.0]), np.array([0.0, 1.0])], []])
    assert found.tolist() == [[0.5, 0.5], [0.0, 0.0]]
    assert mean_rows([[]]).shape == (1, 1)


def test_guesser_fills_masks_from_counts() -> None:
    windows = [{"paris", "france"}, {"paris", "france", "wine"}, {"rome", "italy"}, {"rome", "italy"}, {"oslo"}]

    def counts(groups: list[list[str]]) -> list[int]:
        return [sum(all(word in window for word in group) for window in windows) for group in groups]

    text = "She lived in Paris, the capital of France."
    found = guess_masks([(text, [Mask(13, 18)])], ["Paris", "Rome", "Oslo"], counts, len(windows))  # type: ignore[arg-type]
    assert (found.top1, found.masks, found.unreachable) == (1.0, 1, 0)
    assert found.chance == pytest.approx(1 / 3)
    blind = guess_masks([("Oslo is Bonn", [Mask(0, 4), Mask(8, 12)])], ["Rome", "Paris"], counts, 5)  # type: ignore[arg-type]
    assert (blind.top1, blind.unreachable) == (0.0, 2)
    with pytest.raises(UsageError, match="none of the terms"):
        guess_masks([(text, [])], ["Bonn"], counts, 5)  # type: ignore[arg-type]


def test_files_and_their_errors(tmp_path: Path) -> None:
    background = tmp_path / "b.jsonl"
    background.write_text("".join(json.dumps({"name": n, "text": t}) + "\n" for n, t in BACKGROUND.items()), "utf-8")
    documents = tmp_path / "d.jsonl"
    documents.write_text('{"name": "ann", "text": "x"}\n{"name": "zoe", "text": "y"}\n', "utf-8")
    candidates = read_candidates(background)
    assert candidates == CANDIDATES
    with pytest.raises(InputError, match=r"d\.jsonl:2: zoe is not among the 3 candidates"):
        read_targets(documents, candidates)
    documents.write_text('{"name": "ann", "text": null}\n', "utf-8")
    with pytest.raises(InputError, match=r"d\.jsonl:1: field 'text' is NoneType"):
        read_targets(documents, candidates)
    background.write_text('{"name": "a", "text": "x"}\n{"name": "a", "text": "x"}\n', "utf-8")
    with pytest.raises(InputError, match=r"b\.jsonl:2: candidate a appears in the file twice"):
        read_candidates(background)
    background.write_text('{"name": "a", "text": "x"}\n', "utf-8")
    with pytest.raises(InputError, match="at least two"):
        read_candidates(background)
    with pytest.raises(UsageError, match="not among the candidates; the first is zoe"):
        run_attacks([("zoe", "x")], candidates)
    with pytest.raises(UsageError, match="no documents"):
        run_attacks([], candidates)
