"""An attacker who learns: a classifier trained on what is known of the candidates, sentence by sentence.

Who somebody is lies in few of the many directions of a vector of meaning. Nearest neighbors weigh all of them alike;
softmax regression learns which ones tell these candidates apart. It is trained on sentences as they are and on the
same without names and numbers, since that is how a released text looks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from tacenda.measures.attack.candidates import Candidates, in_sentences, without_marks
from tacenda.measures.attack.matching import Attacker, Embed

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

_NAMES = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z]\w*|\w*\d\w*")
_BATCH = 256
_RATE, _DECAY, _KEEP, _KEEP_SQUARE, _TINY = 0.02, 1e-4, 0.9, 0.999, 1e-8


def learned_sentences(embed: Embed, *, most: int | None = None, rounds: int = 6, seed: int = 0) -> Attacker:
    """Softmax regression from the vectors of sentences to the candidates; a text scores by its mean log-probability.

    embed       sentences -> vectors of one length, as rows
    most        sentences of each candidate to learn from, spread over what is known; None: all
    rounds      times that every sentence is seen
    """
    return partial(_learned, embed=embed, most=most, rounds=rounds, seed=seed)


def _learned(
    candidates: Candidates, texts: Sequence[str], *, embed: Embed, most: int | None, rounds: int, seed: int
) -> npt.NDArray[np.float64]:
    held = [_spread(part, most) for part in candidates.sentences()]
    known = [sentence for part in held for sentence in part]
    owner = np.repeat(np.arange(len(held)), [len(part) for part in held])
    bare = [_NAMES.sub(" ", sentence) for sentence in known]
    vectors = np.concatenate([np.asarray(embed(known), np.float32), np.asarray(embed(bare), np.float32)])
    middle, scale = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    weights = fit_softmax(_scaled(vectors, middle, scale), np.tile(owner, 2), len(held), rounds=rounds, seed=seed)
    scores = np.zeros((len(texts), len(held)))
    for row, text in enumerate(texts):
        asked = [part for part in in_sentences(without_marks(text, " ")) if part.strip()]
        if asked:
            scores[row] = _log_softmax(_scaled(np.asarray(embed(asked), np.float32), middle, scale) @ weights).mean(
                axis=0
            )
    return scores


def _spread(sentences: Sequence[str], most: int | None) -> list[str]:
    if most is None or len(sentences) <= most:
        return list(sentences)
    return [sentences[i] for i in np.linspace(0, len(sentences) - 1, most).astype(int).tolist()]


def _scaled(vectors: Floats, middle: Floats, scale: Floats) -> Floats:
    """Vectors around zero, each direction as wide as the others, with a one at the end."""
    return np.concatenate([(vectors - middle) / scale, np.ones((len(vectors), 1), np.float32)], axis=1)


def fit_softmax(table: Floats, owner: Ints, classes: int, *, rounds: int, seed: int) -> Floats:
    """Fit the weights of a softmax regression with Adam; every class counts alike, however many rows it has."""
    random = np.random.default_rng(seed)
    weights = np.zeros((table.shape[1], classes), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    share = (1.0 / np.maximum(np.bincount(owner, minlength=classes), 1)).astype(np.float32)
    share *= len(owner) / classes
    step = 0
    for _ in range(rounds):
        order = random.permutation(len(owner))
        for first in range(0, len(order), _BATCH):
            rows = order[first : first + _BATCH]
            error = np.exp(_log_softmax(table[rows] @ weights))
            error[np.arange(len(rows)), owner[rows]] -= 1.0
            slope = table[rows].T @ (error * share[owner[rows]][:, None]) / len(rows) + _DECAY * weights
            step += 1
            mean += (1 - _KEEP) * (slope - mean)
            square += (1 - _KEEP_SQUARE) * (slope**2 - square)
            size = _RATE * np.sqrt(1 - _KEEP_SQUARE**step) / (1 - _KEEP**step)
            weights -= size * mean / (np.sqrt(square) + _TINY)
    return weights


def _log_softmax(values: Floats) -> Floats:
    shifted = values - values.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), np.float32)
