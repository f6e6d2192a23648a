"""Skip-gram on a user's own collection (paper 004, section 3.2.1), with gensim, an extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.errors import KnowledgeError
from tacenda.knowledge.vectors.table import Vectors
from tacenda.knowledge.vectors.write_vectors import write_vectors

THRESHOLD = 0.25  # the paper's t
LEAST_DOCUMENTS = 50
LEAST_TERMS = 2_000
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """How skip-gram is trained; the defaults are the paper's, where it names them.

    rate        learning rate at the start; at gensim's 0.025 five passes over a small collection leave rare terms
                so close to each other that a threshold of .25 keeps none
    least       terms seen less often are left out; 1 keeps all, since rare terms tell most
    workers     1: the same collection gives the same bytes; more is faster but threads race
    """

    dimensions: int = 300
    window: int = 10
    least: int = 1
    epochs: int = 5
    negative: int = 5
    rate: float = 0.1
    seed: int = 1
    workers: int = 1


class _Counted:
    """The sequences, telling how many of all epochs have been handed out."""

    def __init__(self, sequences: Sequence[Sequence[str]], epochs: int, progress: Progress | None) -> None:
        self._sequences, self._total, self._progress = sequences, len(sequences) * epochs, progress
        self._done = 0

    def __iter__(self) -> Iterator[Sequence[str]]:
        for sequence in self._sequences:
            yield sequence
            self._done += 1
            if self._progress:
                self._progress(self._done, self._total)


def train(
    sequences: Sequence[Sequence[str]],
    path: str | Path,
    *,
    settings: Settings | None = None,
    earlier: Vectors | None = None,
    precision: str = "int8",
    keep_context: bool = True,
    progress: Progress | None = None,
) -> Vectors:
    """Train vectors of terms and write them; return the table.

    sequences       terms of each document in reading order (`term_sequences.terms_of`)
    earlier         vectors to continue from: what they know is kept, new terms are added, training continues with
                    these documents only; dimensions are those of the earlier file
    keep_context    False leaves out what continuing needs, and halves the file
    progress        called with documents done and documents in all, over all epochs
    """
    settings = settings or Settings()
    if earlier is None:
        _check_size(sequences)
    model = _model(settings, earlier)
    if earlier is None:
        model.build_vocab(sequences)
    else:
        _restore(model, earlier)
        model.build_vocab(sequences, update=True)
    counted = _Counted(sequences, settings.epochs, progress)
    model.train(counted, total_examples=len(sequences), epochs=settings.epochs)
    meta = _meta(settings, len(sequences), earlier)
    words: list[str] = model.wv.index_to_key
    counts = [model.wv.get_vecattr(word, "count") for word in words]
    context = np.asarray(model.syn1neg, dtype=np.float32) if keep_context else None
    rows = np.asarray(model.wv.vectors, dtype=np.float32)
    write_vectors(Path(path), words, rows, counts=counts, meta=meta, context=context, precision=precision)
    return Vectors(path)


def _meta(settings: Settings, documents: int, earlier: Vectors | None) -> dict[str, Any]:
    """Return what a file says of its vectors."""
    return {
        "kind": "trained",
        "threshold": THRESHOLD,
        "documents": documents + (int(earlier.meta["documents"]) if earlier else 0),
        "settings": {k: v for k, v in asdict(settings).items() if k != "workers"},
        "continued": bool(earlier),
    }


def _check_size(sequences: Sequence[Sequence[str]]) -> None:
    terms = sum(map(len, sequences))
    if len(sequences) < LEAST_DOCUMENTS or terms < LEAST_TERMS:
        raise KnowledgeError(
            f"the collection is too small to train on: {len(sequences)} document(s) with {terms} terms, at least"
            f" {LEAST_DOCUMENTS} with {LEAST_TERMS} are needed. Add documents of the same kind, or use the vectors that"
            " come with Tacenda."
        )


def _model(settings: Settings, earlier: Vectors | None) -> Any:
    try:
        from gensim.models import Word2Vec
    except ImportError:
        raise KnowledgeError(
            "training vectors needs gensim, which is not installed: pip install 'tacenda[vectors]'."
        ) from None
    if earlier is not None and settings.dimensions != earlier.dimensions:
        raise KnowledgeError(
            f"vectors {earlier.path}: they have {earlier.dimensions} dimensions, {settings.dimensions} were asked for."
            " Leave the dimensions out to continue, or train anew."
        )
    return Word2Vec(
        vector_size=settings.dimensions,
        window=settings.window,
        min_count=settings.least,
        negative=settings.negative,
        alpha=settings.rate,
        seed=settings.seed,
        workers=settings.workers,
        epochs=settings.epochs,
        sg=1,
    )


def _restore(model: Any, earlier: Vectors) -> None:
    """Bring a model back to where an earlier training left it: its terms, counts and both layers."""
    file = earlier.file
    if "context" not in file:
        raise KnowledgeError(
            f"vectors {earlier.path}: the file lacks what is needed to continue training."
            " Train again, without the compact form."
        )
    counts = file.array("counts")
    rows = {earlier.key(row): row for row in range(len(earlier))}
    frequencies = {key: int(counts[row]) for key, row in sorted(rows.items())}
    model.build_vocab_from_freq(frequencies, corpus_count=int(earlier.meta["documents"]))
    order = np.array([rows[key] for key in model.wv.index_to_key])
    for target, name, scales in ((model.wv.vectors, "rows", "scales"), (model.syn1neg, "context", "context_scales")):
        values = np.asarray(file.array(name)[order], dtype=np.float32)
        target[:] = values * file.array(scales)[order, None] if scales in file else values
