"""How sensitive a document is: naive Bayes over binary bags of words (paper 002, section 3.1).

A model file holds the words of its training documents. Keep it as confidential as those documents.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.arrays.ngrams import Runs, totals, word_runs
from tacenda.errors import InputError, KnowledgeError, UsageError

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
FORMAT = "tacenda-sensitivity/1"


@dataclass(frozen=True)
class SensitivityModel:
    """Bernoulli naive Bayes: log-odds of "sensitive" = bias + sum of the weights of the words present."""

    vocabulary: dict[str, int] = field(repr=False)
    weights: Floats = field(repr=False)
    bias: float
    documents: int

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Probability that each text is sensitive (sigma)."""
        return self._odds(word_runs(texts, self.vocabulary, grow=False), self.weights)

    def of_words(self, words: Runs, vocabulary: dict[str, int]) -> Floats:
        """The same for texts whose words were already numbered, with another vocabulary."""
        weights = np.array([self.weights[self.vocabulary[w]] if w in self.vocabulary else 0.0 for w in vocabulary])
        return self._odds(words, weights)

    def _odds(self, words: Runs, weights: Floats) -> Floats:
        return 1 / (1 + np.exp(-np.clip(self.bias + _presence_sums(words, weights), -500, 500)))

    def save(self, path: Path) -> None:
        """Write the model as JSON; the file holds the training words."""
        path.write_text(
            json.dumps(
                {
                    "format": FORMAT,
                    "term_version": term.VERSION,
                    "documents": self.documents,
                    "bias": self.bias,
                    "words": dict(zip(self.vocabulary, self.weights.tolist(), strict=True)),
                },
                ensure_ascii=False,
                indent=1,
            ),
            encoding="utf-8",
        )

    @classmethod
    def load(cls, path: Path) -> SensitivityModel:
        """Read a model written by `save`."""
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            if held["format"] != FORMAT or held["term_version"] != term.VERSION:
                raise KnowledgeError(
                    f"{path}: written as {held['format']} with terms of version {held['term_version']}; this "
                    f"release reads {FORMAT} with terms of version {term.VERSION}. Train the model again"
                )
            words = held["words"]
            return cls(
                {word: number for number, word in enumerate(words)},
                np.array(list(words.values()), dtype=np.float64),
                float(held["bias"]),
                int(held["documents"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise KnowledgeError(
                f"{path}: not a sensitivity model ({type(error).__name__}); write one with "
                "'tacenda measure sensitivity train'"
            ) from None


def _distinct(words: Runs) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Document and word of each distinct known word of each document."""
    known = words.values >= 0
    base = int(words.values.max()) + 1 if known.any() else 1
    pairs = np.unique(words.owners[known] * base + words.values[known])
    return pairs // base, pairs % base


def _presence_sums(words: Runs, weights: Floats) -> Floats:
    """Sum of the weights of the distinct words of each text, some texts at a time to save memory."""
    telling = np.append(weights != 0, False)  # the last stands for unknown words (MASK is -1)
    sums = []
    for first in range(0, max(len(words), 1), 1 << 17):
        starts = words.starts[first : first + (1 << 17) + 1]
        values = words.values[starts[0] : starts[-1]]
        owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        held = telling[values]
        pairs = np.unique(owner[held] * max(len(weights), 1) + values[held])
        sums.append(totals(pairs // max(len(weights), 1), weights[pairs % max(len(weights), 1)], len(starts) - 1))
    return np.concatenate(sums)


def train(
    texts: Sequence[str], labels: Sequence[bool], *, smoothing: float = 1.0, absent: bool = True
) -> SensitivityModel:
    """Fit the classifier on labeled texts (True: sensitive).

    P(w|c) = (documents of c with w + smoothing) / (documents of c + 2 · smoothing)
    absent      let the words that a text lacks speak as well (Bernoulli); without, only those it holds do, which
                suits texts of very different lengths

    >>> model = train(["hiv test", "flu test", "cheap flights", "hiv clinic"], [True, True, False, True])
    >>> bool(model(["hiv"])[0] > model(["flights"])[0])
    True
    """
    if len(texts) != len(labels):
        raise UsageError(f"{len(texts)} texts but {len(labels)} labels: the two are misaligned")
    marks = np.asarray(labels, dtype=np.bool_)
    if not marks.any() or marks.all():
        raise InputError("training needs both sensitive and harmless documents; only one kind was given")
    vocabulary: dict[str, int] = {}
    return _fit(word_runs(texts, vocabulary, grow=True), marks, vocabulary, smoothing, absent)


def _fit(words: Runs, marks: Bools, vocabulary: dict[str, int], smoothing: float, absent: bool) -> SensitivityModel:
    document, word = _distinct(words)
    spoken = np.empty((2, len(vocabulary)))
    silent = np.zeros(2)
    sizes = np.array([(~marks).sum(), marks.sum()], dtype=np.float64)
    for kind in (0, 1):
        count = np.bincount(word[marks[document] == bool(kind)], minlength=len(vocabulary))
        p = (count + smoothing) / (sizes[kind] + 2 * smoothing)
        spoken[kind] = np.log(p) - np.log1p(-p) if absent else np.log(p)
        silent[kind] = np.log1p(-p).sum() if absent else 0.0
    bias = float(np.log(sizes[1] / sizes[0]) + silent[1] - silent[0])
    return SensitivityModel(vocabulary, spoken[1] - spoken[0], bias, len(marks))


@dataclass(frozen=True)
class CrossValidation:
    """Results of a stratified cross-validation; `majority` is the accuracy of always saying the commoner kind."""

    folds: int
    documents: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    majority: float
    accuracy_by_fold: tuple[float, ...]

    def to_json(self) -> dict[str, object]:
        """Numbers only."""
        return {**{name: getattr(self, name) for name in self.__dataclass_fields__}}


def _stratified(marks: npt.NDArray[np.bool_], folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the fold of each document; both kinds are spread evenly over the folds."""
    fold = np.empty(len(marks), dtype=np.int64)
    random = np.random.default_rng(seed)
    for kind in (False, True):
        rows = np.flatnonzero(marks == kind)
        fold[random.permutation(rows)] = np.arange(len(rows)) % folds
    return fold


def cross_validate(
    texts: Sequence[str],
    labels: Sequence[bool],
    *,
    folds: int = 10,
    smoothing: float = 1.0,
    absent: bool = True,
    seed: int = 0,
) -> CrossValidation:
    """Train on all folds but one and test on that one, for each fold in turn (paper 002: 10 folds, 78 %)."""
    marks = np.asarray(labels, dtype=np.bool_)
    least = int(min(marks.sum(), (~marks).sum()))
    if not 2 <= folds <= least:
        raise UsageError(
            f"{folds} folds requested; with {least} documents of the rarer kind, 2 to {least} are possible"
        )
    fold = _stratified(marks, folds, seed)
    said = np.empty(len(marks), dtype=np.bool_)
    for number in range(folds):
        held_out = fold == number
        model = train(
            [texts[i] for i in np.flatnonzero(~held_out).tolist()],
            marks[~held_out].tolist(),
            smoothing=smoothing,
            absent=absent,
        )
        said[held_out] = model([texts[i] for i in np.flatnonzero(held_out).tolist()]) >= 0.5
    hits = int((said & marks).sum())
    precision = hits / max(int(said.sum()), 1)
    recall = hits / int(marks.sum())
    return CrossValidation(
        folds=folds,
        documents=len(marks),
        accuracy=float((said == marks).mean()),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if hits else 0.0,
        majority=float(max(marks.mean(), 1 - marks.mean())),
        accuracy_by_fold=tuple(float((said == marks)[fold == number].mean()) for number in range(folds)),
    )
