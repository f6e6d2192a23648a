"""From the documents of a collection to sequences of terms: the encoder finds the phrases, in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tacenda import registry
from tacenda.annotate.merge import merge
from tacenda.knowledge.vectors.term_sequences import terms_of
from tacenda.model import Document

CHUNK = 100  # documents handed to a process at once
_encoder: Any = None


def term_sequences(
    texts: Sequence[str],
    *,
    phrases: bool = True,
    processes: int = 1,
    progress: Callable[[], None] | None = None,
) -> list[list[str]]:
    """Return the terms of each text in reading order; without phrases, of single words.

    progress    called once for each text that is done
    """
    find = _with_phrases if phrases else _words
    parts = [texts[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
    found: list[list[str]] = []
    for sequences in _mapped(find, parts, processes if phrases else 1):
        found += sequences
        for _ in sequences:
            if progress:
                progress()
    return found


def _mapped(
    find: Callable[[Sequence[str]], list[list[str]]], parts: Sequence[Sequence[str]], processes: int
) -> Iterator[list[list[str]]]:
    if processes < 2 or len(parts) < 2:
        yield from map(find, parts)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(find, parts)


def _words(texts: Sequence[str]) -> list[list[str]]:
    return [terms_of(text) for text in texts]


def _with_phrases(texts: Sequence[str]) -> list[list[str]]:
    global _encoder
    if _encoder is None:
        _encoder = registry.find("annotate", "encoder")(vectors=False)
    found = _encoder.annotate_many(Document(text) for text in texts)
    return [terms_of(text, [m.span for m in merge([a]).mentions]) for text, a in zip(texts, found, strict=True)]
