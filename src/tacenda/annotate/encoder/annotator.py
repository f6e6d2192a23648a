"""The encoder as an annotator: runs the shipped int8 model with onnxruntime, window by window."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacenda.annotate.encoder import decode
from tacenda.annotate.encoder.pieces import CLS, SEP, Pieces, Window, clean, split, windows
from tacenda.errors import KnowledgeError
from tacenda.model import Annotation, Document, Mention, Span

DATA = Path(__file__).parents[2] / "data" / "encoder"
SLAB = 256  # windows whose results are held at once
Tag = tuple[int, int, str]


class Encoder:
    """Finds sentences, base noun phrases and typed entities, with roles and phrase vectors.

    path        folder with model.onnx, tokenizer.json, config.json, vectors.npy; the shipped one by default
    threads     processor cores to use
    vectors     give every mention a unit vector (384 numbers)

    Nothing is loaded before the first text.

    >>> Encoder().name
    'encoder'
    """

    name = "encoder"

    def __init__(self, path: str | Path | None = None, *, threads: int = 1, vectors: bool = True) -> None:
        self.path = Path(path) if path is not None else DATA
        self.threads = threads
        self.vectors = vectors

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "threads": self.threads, "vectors": self.vectors}

    def annotate(self, document: Document) -> Annotation:
        """Return entities and noun phrases in reading order, and the sentences."""
        return next(self.annotate_many([document]))

    def annotate_many(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        """Annotate documents one after the other; short ones share batches."""
        waiting: list[Document] = []
        size = 0
        for document in documents:
            waiting.append(document)
            size += len(document.text)
            if size > 100_000:
                yield from self._annotations(waiting)
                waiting, size = [], 0
        if waiting:
            yield from self._annotations(waiting)

    def tag(self, text: str) -> list[Tag]:
        """Return (start, end, part of speech) of every word; tags are those of Universal Dependencies."""
        pieces = split(text, self._tokenizer)
        result: list[Tag] = []
        for window, scores, _ in self._run([(pieces, w) for w in windows(pieces, clean(text))]):
            words = _Words(pieces, window[1])
            best = scores[words.at, : decode.PHRASE_AT].argmax(axis=1)
            result += [(a, b, decode.UPOS[n]) for a, b, n in zip(words.start, words.end, best.tolist(), strict=True)]
        return sorted(result)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The model's thresholds and version."""
        result: dict[str, Any] = json.loads(self._file("config.json").read_text(encoding="utf-8"))
        return result

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self._file("tokenizer.json")))

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(str(self._file("model.onnx")), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _projection(self) -> NDArray[np.float32]:
        return np.asarray(np.load(self._file("vectors.npy")), dtype=np.float32)

    def _file(self, name: str) -> Path:
        path = self.path / name
        if not path.is_file():
            raise KnowledgeError(
                f"encoder: no file {name} in {self.path}. Give a folder that `train.export` wrote, or none for the shipped model."
            )
        return path

    def _annotations(self, documents: Sequence[Document]) -> Iterator[Annotation]:
        texts = [clean(d.text) for d in documents]
        pieces = [split(text, self._tokenizer) for text in texts]
        jobs = [(n, w) for n, text in enumerate(texts) for w in windows(pieces[n], text) if w.end > w.start]
        mentions: list[list[Mention]] = [[] for _ in documents]
        ends: list[list[int]] = [[] for _ in documents]
        for low in range(0, len(jobs), SLAB):
            part = jobs[low : low + SLAB]
            for (number, window), scores, hidden in self._run([(pieces[n], w) for n, w in part], part):
                words = _Words(pieces[number], window)
                probabilities = decode.softmax(scores[words.at])
                mentions[number] += self._mentions(documents[number].text, words, probabilities, hidden)
                ends[number] += words.sentence_ends(probabilities)
        for n, document in enumerate(documents):
            found = sorted(mentions[n], key=lambda m: (m.start, -m.end, m.kind))
            yield Annotation(tuple(found), tuple(_sentences(document.text, sorted(ends[n]))))

    def _mentions(
        self, text: str, words: _Words, probabilities: decode.Floats, hidden: decode.Floats
    ) -> Iterator[Mention]:
        limits = self.settings["thresholds"]
        spans: list[tuple[int, int, int, int, dict[str, Any]]] = []
        for found in decode.entities(probabilities, entity=limits["entity"], mask=limits["mask"]):
            span = words.trim(text, found.first, found.last)
            if span is not None:
                about = {"label": found.label, "kind": "entity", "role": found.role, "confidence": found.confidence}
                spans.append((*span, found.first, found.last, about))
        upos = probabilities[:, : decode.PHRASE_AT].argmax(axis=1)
        for first, last in decode.phrases(probabilities):
            low = first
            while low < last and decode.UPOS[upos[low]] in {"DET", "PRON", "PUNCT"}:
                low += 1
            span = words.trim(text, low, last)
            if span is not None and decode.UPOS[upos[last]] != "PRON":
                spans.append((*span, low, last, {"label": "TERM", "kind": "term", "head": words.start[last]}))
        if not spans:
            return
        vectors = (
            self._vectors(hidden, [words.pieces_of(first, last) for _, _, first, last, _ in spans])
            if self.vectors
            else None
        )
        for n, (start, end, _, _, about) in enumerate(spans):
            vector = vectors[n] if vectors is not None else None
            yield Mention(start, end, text[start:end], source=self.name, vector=vector, **about)

    def _vectors(self, hidden: decode.Floats, spans: list[tuple[int, int]]) -> NDArray[np.float32]:
        """Unit vectors: mean of the last hidden states over each phrase, projected."""
        means = np.stack([hidden[a:b].mean(axis=0) for a, b in spans]) @ self._projection
        return np.asarray(means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9), dtype=np.float32)

    def _run(
        self, jobs: Sequence[tuple[Pieces, Window]], keys: Sequence[Any] | None = None
    ) -> Iterator[tuple[Any, decode.Floats, decode.Floats]]:
        """Run windows of like length together; yield the key of each with scores and hidden states of its pieces."""
        keys = jobs if keys is None else keys
        order = sorted(
            (n for n in range(len(jobs)) if jobs[n][1].end > jobs[n][1].start),
            key=lambda n: (jobs[n][1].end - jobs[n][1].start, n),
        )
        low = 0
        while low < len(order):
            longest = jobs[order[low]][1].end - jobs[order[low]][1].start
            group = order[low : low + max(4, min(32, 2048 // (longest + 2)))]
            low += len(group)
            scores, hidden = self._session.run(["scores", "hidden"], _inputs([jobs[n] for n in group]))
            for row, n in enumerate(group):
                size = jobs[n][1].end - jobs[n][1].start
                yield keys[n], scores[row, 1 : size + 1], hidden[row, 1 : size + 1]


class _Words:
    """The words of a window whose results count, with their places in the text and in the window."""

    def __init__(self, pieces: Pieces, window: Window) -> None:
        first = np.flatnonzero(pieces.first[window.keep : window.end]) + window.keep
        if not len(first) or first[0] != window.keep:
            first = np.concatenate(([window.keep], first))
        after = np.concatenate((first[1:], [window.end]))
        self.at = first - window.start
        self.after = after - window.start
        self.start: list[int] = pieces.start[first].tolist()
        self.end: list[int] = pieces.end[after - 1].tolist()
        self.blank = np.zeros(len(first), dtype=np.bool_)
        more = after < len(pieces)
        self.blank[more] = pieces.shape[after[more], 3] >= 3

    def pieces_of(self, first: int, last: int) -> tuple[int, int]:
        """Pieces of the window that words `first` to `last` cover."""
        return int(self.at[first]), int(self.after[last])

    def sentence_ends(self, probabilities: decode.Floats) -> list[int]:
        """Offsets where sentences end: where the model says so, and before blank lines."""
        last = (probabilities[:, decode.SENTENCE_AT + 1] > 0.5) | self.blank
        return [self.end[n] for n in np.flatnonzero(last).tolist()]

    def trim(self, text: str, first: int, last: int) -> Span | None:
        """Offsets of some words without stray punctuation at either end; None if nothing is left."""
        start, end = self.start[first], self.end[last]
        while start < end and not (text[start].isalnum() or text[start] in "+#@$€£(\\"):
            start += 1
        while end > start and not (text[end - 1].isalnum() or text[end - 1] in ".%$€£)+"):
            end -= 1
        body = text[start:end]
        if body.startswith("(") and ")" not in body:
            start += 1
        if body.endswith(")") and "(" not in body:
            end -= 1
        if body.endswith(".") and "." not in body[:-1] and end - start > 4:
            end -= 1
        return (start, end) if any(char.isalnum() for char in text[start:end]) else None


def _inputs(jobs: Sequence[tuple[Pieces, Window]]) -> dict[str, NDArray[Any]]:
    """Padded arrays of a batch, with the two special pieces around each window."""
    longest = max(w.end - w.start for _, w in jobs) + 2
    ids = np.zeros((len(jobs), longest), dtype=np.int64)
    shapes = np.zeros((len(jobs), longest, 5), dtype=np.int64)
    mask = np.zeros((len(jobs), longest), dtype=np.int32)
    for row, (pieces, w) in enumerate(jobs):
        size = w.end - w.start
        ids[row, 0], ids[row, size + 1] = CLS, SEP
        ids[row, 1 : size + 1] = pieces.ids[w.start : w.end]
        shapes[row, 1 : size + 1] = pieces.shape[w.start : w.end]
        mask[row, : size + 2] = 1
    positions = np.ascontiguousarray(np.broadcast_to(np.arange(longest, dtype=np.int64), ids.shape))
    return {"ids": ids, "shapes": shapes, "positions": positions, "mask": mask}


def _sentences(text: str, ends: Sequence[int]) -> Iterator[Span]:
    """Turn ends of sentences into spans without white space around them."""
    start = 0
    for end in [*ends, len(text)]:
        while start < end and text[start].isspace():
            start += 1
        stop = end
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if stop > start:
            yield start, stop
        start = max(start, end)
