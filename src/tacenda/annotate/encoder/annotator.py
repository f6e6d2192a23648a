"""The encoder as an annotator: runs the shipped int8 model with onnxruntime, window by window."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacenda.annotate.encoder import decode
from tacenda.annotate.encoder.pieces import CLS, SEP, SHAPE_SIZES, Pieces, Window, split, windows
from tacenda.annotate.encoder.wordpiece import WordPiece
from tacenda.errors import KnowledgeError
from tacenda.model import Annotation, Document, Mention, Span

DATA = Path(__file__).parents[2] / "data" / "encoder"
STATE_SIZE = 384
MOST_KEPT = 40_000  # pieces whose states are kept, 60 MB: a book is read in parts
OUTSIDE_TERMS = frozenset(("DET", "PRON", "PUNCT"))  # not part of a term where a noun phrase begins with them
Tag = tuple[int, int, str]
_OUTPUTS = ["scores", "hidden"]
CONFIG = "config.json"


class Encoder:
    """Finds sentences, base noun phrases and typed entities, with roles and phrase vectors.

    path        folder with model.onnx, vocabulary.txt, config.json, vectors.npy; the shipped one by default
    threads     processor cores to use
    vectors     give every mention a unit vector (384 numbers), from the same pass

    Nothing is loaded before the first text.

    >>> Encoder().name
    'encoder'
    """

    name = "encoder"

    def __init__(self, path: str | Path | None = None, *, threads: int = 1, vectors: bool = False) -> None:
        self.path = Path(path) if path is not None else DATA
        self.threads = threads
        self.vectors = vectors
        self.keeps_states = False  # True: `annotate` keeps the states of its text for whoever asks next
        self.reads_terms = True  # False: only entities get a reading; those of terms take most of the memory
        self._kept: tuple[str, Pieces, decode.Floats] | None = None

    def __getstate__(self) -> dict[str, Any]:
        kept = ("path", "threads", "vectors", "keeps_states", "reads_terms")
        return {name: getattr(self, name) for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _kept=None)

    def annotate(self, document: Document) -> Annotation:
        """Return entities and noun phrases in reading order, and the sentences."""
        text = document.text
        pieces = split(text, self._tokenizer)
        mentions: list[Mention] = []
        ends: list[int] = []
        keeps = self.keeps_states and len(pieces) <= MOST_KEPT
        rows = np.zeros((len(pieces) if keeps else 0, STATE_SIZE), dtype=np.float32)
        for window, scores, hidden in self._run(pieces, text):
            if keeps:
                rows[window.keep : window.end] = hidden[window.keep - window.start :]
            words = _Words(pieces, window)
            probabilities = decode.softmax(scores[words.at])
            mentions += self._mentions(text, words, probabilities, hidden)
            ends += words.sentence_ends(probabilities)
        mentions.sort(key=lambda m: (m.start, -m.end, m.kind))
        self._kept = (text, pieces, rows) if keeps else None
        return Annotation(tuple(mentions), tuple(_sentences(text, sorted(ends))))

    def annotate_many(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        """Annotate documents one after the other."""
        return map(self.annotate, documents)

    def tag(self, text: str, tokens: Sequence[Span] | None = None) -> list[Tag]:
        """Return (start, end, part of speech) of every word, or of the given tokens; tags are those of UD."""
        pieces = split(text, self._tokenizer)
        best = np.zeros(len(pieces), dtype=np.int64)
        for window, scores, _ in self._run(pieces, text):
            kept = scores[window.keep - window.start :, : decode.PHRASE_AT]
            best[window.keep : window.end] = kept.argmax(axis=1)
        if tokens is None:
            opens = np.flatnonzero(pieces.first)
            ends = pieces.end[np.concatenate((opens[1:], [len(pieces)])) - 1] if len(opens) else opens
            tokens = list(zip(pieces.start[opens].tolist(), ends.tolist(), strict=True))
        chosen = pieces.of_tokens(tokens) if len(pieces) else []
        return [(a, b, decode.UPOS[best[n]]) for (a, b), n in zip(tokens, chosen, strict=False)]

    def states(self, text: str) -> tuple[Pieces, decode.Floats]:
        """Return the word pieces of a text and the last state of each, 384 numbers a piece."""
        kept = self._kept
        if kept is not None and kept[0] == text:
            return kept[1], kept[2]
        pieces = split(text, self._tokenizer)
        rows = np.zeros((len(pieces), STATE_SIZE), dtype=np.float32)
        for window in windows(pieces, text):
            if window.end > window.start:
                (hidden,) = self._session.run(["hidden"], _inputs(pieces, window))
                rows[window.keep : window.end] = hidden[0, 1 + window.keep - window.start : -1]
        return pieces, rows

    def is_common(self, word: str) -> bool:
        """Tell whether the vocabulary, the 30,000 pieces of words most used in English, has a word whole."""
        known = self._common.get(word)
        if known is None:
            known = self._common[word] = len(self._tokenizer.cut(word)[0]) == 1
        return known

    def phrases(self, text: str) -> list[Span]:
        """Return the base noun phrases as they stand, determiners included, in reading order."""
        pieces = split(text, self._tokenizer)
        result: list[Span] = []
        for window, scores, _ in self._run(pieces, text):
            words = _Words(pieces, window)
            found = decode.phrases(decode.softmax(scores[words.at]))
            result += [(words.start[a], words.end[b]) for a, b in found]
        return sorted(result)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The model's thresholds and version."""
        path = self._file(CONFIG)
        try:
            result: dict[str, Any] = json.loads(path.read_bytes())
            _check_settings(result)
        except (ValueError, LookupError, TypeError) as error:
            raise KnowledgeError(f"encoder: {path} is damaged ({type(error).__name__}). Install it again.") from None
        return result

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the settings, which hold those of all other files: by it a plan names the model."""
        return hashlib.sha256(self._file(CONFIG).read_bytes()).hexdigest()

    @cached_property
    def _common(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _tokenizer(self) -> WordPiece:
        return WordPiece.load(self._file("vocabulary.txt"))

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
            raise KnowledgeError(f"encoder: no {name} in {self.path}. Give a folder written by train.export, or none.")
        if name != CONFIG and hashlib.sha256(path.read_bytes()).hexdigest() != self._digests.get(name):
            raise KnowledgeError(
                f"encoder: {path} is not the file {CONFIG} describes (its checksum differs). Copy or install it again."
            )
        return path

    @property
    def _digests(self) -> dict[str, str]:
        """SHA-256 of each file: a vocabulary that breaks off would run, with another result."""
        found: dict[str, str] = self.settings.get("sha256", {})
        return found

    def _mentions(
        self, text: str, words: _Words, probabilities: decode.Floats, hidden: decode.Floats
    ) -> Iterator[Mention]:
        limits = self.settings["thresholds"]
        spans: list[tuple[int, int, Mention]] = []
        for found in decode.entities(probabilities, entity=limits["entity"], mask=limits["mask"]):
            span = words.trim(text, found.first, found.last)
            if span is not None:
                about = Mention(
                    *span, text[slice(*span)], found.label, "entity", self.name, found.confidence, role=found.role
                )
                spans.append((found.first, found.last, about))
        tags = [decode.UPOS[n] for n in probabilities[:, : decode.PHRASE_AT].argmax(axis=1).tolist()]
        inside = np.concatenate(
            ([0.0], np.cumsum(1.0 - probabilities[:, decode.PHRASE_AT].astype(np.float64)))
        ).tolist()
        for first, last in decode.phrases(probabilities):
            while first < last and tags[first] in OUTSIDE_TERMS:
                first += 1
            span = words.trim(text, first, last)
            if span is not None and tags[last] != "PRON":
                sure = round((inside[last + 1] - inside[first]) / (last + 1 - first), 4)
                about = Mention(*span, text[slice(*span)], "TERM", "term", self.name, sure, head=words.start[last])
                spans.append((first, last, about))
        vectors: Sequence[Any] = [None] * len(spans)
        if self.vectors and spans:
            vectors = list(self._vectors(hidden, [words.pieces_of(first, last) for first, last, _ in spans]))
        readings = _readings(hidden, [words.pieces_of(last, last) for _, last, _ in spans])
        for (_, last, mention), vector, reading in zip(spans, vectors, readings, strict=True):
            read = reading if self.reads_terms or mention.kind == "entity" else None
            yield replace(mention, tag=tags[last], reading=read, vector=vector)

    def _vectors(self, hidden: decode.Floats, spans: list[tuple[int, int]]) -> NDArray[np.float32]:
        """Unit vectors: mean of the last hidden states over each phrase, projected."""
        total = np.zeros((len(hidden) + 1, hidden.shape[1]), dtype=np.float32)
        np.cumsum(hidden, axis=0, out=total[1:])
        low, high = np.asarray(spans).T
        vectors = ((total[high] - total[low]) / (high - low)[:, None]) @ self._projection
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), dtype=np.float32)

    def _run(self, pieces: Pieces, text: str) -> Iterator[tuple[Window, decode.Floats, decode.Floats]]:
        """Run a text window by window; yield each with the scores and hidden states of its pieces.

        Windows do not share a batch: activations are quantized over the whole input of a run, so a text's results
        would depend on its company. On one core it is no slower.
        """
        for window in windows(pieces, text):
            if window.end > window.start:
                scores, hidden = (out[0, 1:-1] for out in self._session.run(_OUTPUTS, _inputs(pieces, window)))
                yield window, scores, hidden


def _readings(hidden: decode.Floats, spans: list[tuple[int, int]]) -> Sequence[Any]:
    """Mean state of the pieces of each word, in 16 bits: a book has hundreds of thousands of them.

    Each is an array of its own, so that those of mentions that are dropped do not stay.
    """
    if not spans:
        return ()
    bounds = np.asarray(spans)
    closed = np.concatenate((hidden, np.zeros((1, hidden.shape[1]), dtype=hidden.dtype)))
    total = np.add.reduceat(closed, bounds.reshape(-1), axis=0)[::2]
    return [row.copy() for row in (total / (bounds[:, 1:] - bounds[:, :1])).astype(np.float16)]


def _check_settings(settings: dict[str, Any]) -> None:
    """Raise where thresholds are missing or no probabilities: with others the model would find something else."""
    thresholds = settings["thresholds"]
    for value in (thresholds["entity"], *(thresholds["mask"][name] for name in decode.TYPES)):
        if not 0.0 < float(value) < 1.0:
            raise ValueError("a threshold is no probability")
    dict[str, str](settings["sha256"])


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


def _inputs(pieces: Pieces, window: Window) -> dict[str, NDArray[Any]]:
    """The arrays the model takes: a window with the two special pieces around it."""
    size = window.end - window.start + 2
    ids = np.zeros((1, size), dtype=np.int64)
    ids[0, 0], ids[0, -1] = CLS, SEP
    ids[0, 1:-1] = pieces.ids[window.start : window.end]
    shapes = np.zeros((1, size, len(SHAPE_SIZES)), dtype=np.int64)
    shapes[0, 1:-1] = pieces.shape[window.start : window.end]
    positions = np.arange(size, dtype=np.int64)[None]
    return {"ids": ids, "shapes": shapes, "positions": positions}


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
