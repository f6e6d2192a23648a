"""The attacker who learns: finds who a text is about by what tells candidates apart, however little it weighs."""

import numpy as np
import pytest

from tacenda.measures.attack import Candidates, learned_sentences
from tacenda.measures.attack.learning import fit_softmax

WORDS = ("sails", "climbs", "paints", "Oslo", "talks")


def embed(sentences):
    """One direction for each word; everybody talks, ten times as loud as anything else."""
    return np.array([[10.0 * (w == "talks") * (w in s) + (w != "talks") * (w in s) for w in WORDS] for s in sentences])


BACKGROUND = Candidates.of(
    {
        "ann": "Ann talks. Ann sails and talks. Ann sails in Oslo.",
        "bob": "Bob talks. Bob climbs and talks. Bob climbs in Oslo.",
        "cid": "Cid talks. Cid paints and talks. Cid paints in Oslo.",
    }
)


def test_the_telling_direction_is_learned():
    texts = ["[person 1] talks. He climbs.", "[person 1] paints and talks.", "She sails."]
    scores = learned_sentences(embed, rounds=40)(BACKGROUND, texts)
    assert scores.argmax(axis=1).tolist() == [1, 2, 0]
    assert np.exp(scores).sum(axis=1) == pytest.approx(1.0, abs=0.5)


def test_a_text_without_words_names_nobody():
    scores = learned_sentences(embed)(BACKGROUND, ["", "[...]"])
    assert (scores == 0).all()


def test_the_same_seed_learns_the_same():
    attack = learned_sentences(embed, most=2, seed=3)
    assert (attack(BACKGROUND, ["He climbs."]) == attack(BACKGROUND, ["He climbs."])).all()


def test_classes_count_alike_however_many_rows_they_have():
    table = np.array([[1.0, 1.0]] * 90 + [[0.0, 1.0]] * 10, np.float32)
    owner = np.array([0] * 90 + [1] * 10)
    weights = fit_softmax(table, owner, 2, rounds=200, seed=0)
    scores = np.array([[1.0, 1.0], [0.0, 1.0]], np.float32) @ weights
    assert scores.argmax(axis=1).tolist() == [0, 1]
