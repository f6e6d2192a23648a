"""Attackers who compare a text with what they know of each candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from tacenda.arrays.ngrams import LikelyText, NearestText, Runs, Shape, totals, word_runs
from tacenda.measures.attack.candidates import HOLE, Candidates, in_sentences, without_marks

Floats = npt.NDArray[np.float64]
Attacker = Callable[[Candidates, Sequence[str]], Floats]
Embed = Callable[[Sequence[str]], npt.NDArray[np.floating]]


def nearest(candidates: Candidates, texts: Sequence[str], *, shape: Shape) -> Floats:
    """Nearest document by sublinear TF-IDF and cosine, over words, runs of words, or characters."""
    near = NearestText(candidates.texts, shape)
    hole = HOLE if shape.unit == "words" else " "
    return np.stack([near.scores(without_marks(text, hole)) for text in texts])


def naive_bayes(candidates: Candidates, texts: Sequence[str]) -> Floats:
    """Multinomial naive Bayes: log P(words | candidate), every candidate as likely beforehand."""
    likely = LikelyText(candidates.texts)
    return np.stack([likely.scores(without_marks(text)) for text in texts])


def linear_vote(
    candidates: Candidates, texts: Sequence[str], *, penalty: float = 1.0, most_features: int = 4096
) -> Floats:
    """A linear model over sentences and a majority vote, as in paper 004, section 4.3.

    Ridge regression onto the candidates from the sentences of the background; the model needs to know only the
    words that occur in the texts attacked (the commonest `most_features` of them), so it is solved exactly.
    Score: the share of sentences that vote for a candidate; ties fall to the greater sum of outputs.
    """
    held = candidates.sentences()
    owner = np.repeat(np.arange(len(candidates)), [len(part) for part in held])
    asked = [in_sentences(without_marks(text)) for text in texts]
    vocabulary: dict[str, int] = {}
    queries = word_runs([s for part in asked for s in part], vocabulary, grow=True)
    known = word_runs([s for part in held for s in part], vocabulary, grow=False)
    idf, column = _columns(known, len(vocabulary), most_features)
    weights = _ridge(_table(known, column, idf), owner, len(candidates), idf, penalty)
    rows, columns, values = _table(queries, column, idf)
    outputs = np.zeros((len(queries), len(candidates)))
    np.add.at(outputs, rows, values[:, None] * weights[columns])
    scores = np.zeros((len(texts), len(candidates)))
    at = 0
    for row, part in enumerate(asked):
        mine = outputs[at : at + len(part)]
        at += len(part)
        speaking = mine[np.abs(mine).max(axis=1) > 0] if len(mine) else mine
        if len(speaking):
            votes = np.bincount(speaking.argmax(axis=1), minlength=len(candidates))
            total = speaking.sum(axis=0)
            scores[row] = votes + 0.5 * total / max(float(np.abs(total).max()), 1e-12)
    return scores


def _columns(known: Runs, size: int, most: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Idf of each feature kept, and the feature of each word (-1: none)."""
    held = known.values >= 0
    pairs = np.unique(known.owners[held] * size + known.values[held]) if size else np.empty(0, dtype=np.int64)
    df = np.bincount(pairs % size, minlength=size) if size else np.empty(0, dtype=np.int64)
    chosen = np.argsort(-df, kind="stable")[:most]
    chosen = chosen[df[chosen] > 0]
    column = np.full(size + 1, -1, dtype=np.int64)  # the last stands for unknown words (MASK is -1)
    column[chosen] = np.arange(len(chosen))
    return 1.0 + np.log((1 + len(known)) / (1 + df[chosen])), column


Triples = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]


def _table(runs: Runs, column: npt.NDArray[np.int64], idf: Floats) -> Triples:
    """Sentences as sparse rows of TF-IDF, each of length one: row, column, value."""
    feature = column[runs.values]
    keep = feature >= 0
    if not keep.any():
        empty = np.empty(0, dtype=np.int64)
        return empty, empty, np.empty(0)
    pairs, count = np.unique(runs.owners[keep] * len(idf) + feature[keep], return_counts=True)
    rows, columns = pairs // len(idf), pairs % len(idf)
    values = (1.0 + np.log(count)) * idf[columns]
    norm = np.sqrt(totals(rows, values**2, len(runs)))
    return rows, columns, values / norm[rows]


def _ridge(table: Triples, owner: npt.NDArray[np.int64], classes: int, idf: Floats, penalty: float) -> Floats:
    """Solve (X'X + penalty I) W = X'Y for sparse X and 0/1 Y."""
    rows, columns, values = table
    size = len(idf)
    target = np.zeros((size, classes))
    np.add.at(target, (columns, owner[rows]), values)
    gram = np.zeros(size * size)
    starts = np.searchsorted(rows, np.arange(len(owner) + 1))
    length = np.diff(starts)[rows]
    # every pair of features of one sentence, in slices that fit the memory
    for first in range(0, len(rows), 1 << 16):
        part = slice(first, first + (1 << 16))
        lengths = length[part]
        left = np.repeat(np.arange(len(lengths)), lengths)
        offset = np.arange(len(left)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        right = starts[rows[part]][left] + offset
        key = columns[part][left] * size + columns[right]
        gram += np.bincount(key, weights=values[part][left] * values[right], minlength=size * size)
    matrix = gram.reshape(size, size)
    matrix[np.diag_indices(size)] += penalty
    return np.asarray(np.linalg.solve(matrix, target), dtype=np.float64)


def nearest_sentences(embed: Embed) -> Attacker:
    """Nearest neighbor with an encoder: mean over the sentences of a text of the best cosine to a candidate.

    embed       sentences -> vectors of one length, as rows
    """
    return partial(_nearest_sentences, embed=embed)


def mean_rows(found: Sequence[Sequence[npt.NDArray[np.floating]]]) -> Floats:
    """One vector for each sentence: the mean of those of its phrases; zeros where it has none."""
    size = next((len(one) for held in found for one in held), 1)
    return np.array([np.mean(held, axis=0) if len(held) else np.zeros(size) for held in found], dtype=np.float64)


def _nearest_sentences(candidates: Candidates, texts: Sequence[str], *, embed: Embed) -> Floats:
    held = candidates.sentences()
    lengths = np.array([len(part) for part in held])
    background = _unit(embed([s for part in held for s in part]))
    full = np.flatnonzero(lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])[full]
    scores = np.zeros((len(texts), len(candidates)))
    for row, text in enumerate(texts):
        mine = [part for part in in_sentences(without_marks(text, " ")) if part.strip()]
        if mine and len(full):
            likeness = _unit(embed(mine)) @ background.T
            scores[row, full] = np.maximum.reduceat(likeness, starts, axis=1).mean(axis=0)
    return scores


def _unit(vectors: npt.NDArray[np.floating]) -> Floats:
    held = np.asarray(vectors, dtype=np.float64)
    return np.asarray(held / np.maximum(np.linalg.norm(held, axis=1, keepdims=True), 1e-12))


# name -> attacker: one visible table
ATTACKERS: dict[str, Attacker] = {
    "words": partial(nearest, shape=Shape()),
    "bigrams": partial(nearest, shape=Shape(lengths=(1, 2))),
    "trigrams": partial(nearest, shape=Shape(lengths=(1, 2, 3))),
    "trigrams, no stop words": partial(nearest, shape=Shape(lengths=(1, 2, 3), stop_words=False)),
    "characters": partial(nearest, shape=Shape("characters", (3, 4, 5))),
    "naive Bayes": naive_bayes,
    "linear vote": linear_vote,
}
