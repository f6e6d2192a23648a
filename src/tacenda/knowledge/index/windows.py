"""From text to windows of words: the units an index counts, and one sorted run of postings for a batch of text."""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.knowledge.index import cut
from tacenda.language import sentences

Unit = Literal["window", "paragraph", "sentence", "document"]
UNITS: tuple[Unit, ...] = ("window", "paragraph", "sentence", "document")
WINDOW_WORDS = 120
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_TABLE_LIMIT = 250_000


def paragraphs(text: str) -> list[str]:
    """Parts of a text between blank lines; where it has none, its lines."""
    return _BLANK_LINE.split(text) if _BLANK_LINE.search(text) else text.split("\n")


def _sentences(text: str) -> Iterator[str]:
    for paragraph in paragraphs(text):
        yield from (paragraph[start:end] for start, end in sentences(paragraph, lines=False))


_SPLIT: dict[str, Callable[[str], Iterable[str]]] = {
    "window": paragraphs,
    "paragraph": paragraphs,
    "sentence": _sentences,
    "document": lambda text: (text,),
}


class _Numbers(dict[str, int]):
    """Number of the key of each word as it is written, given out on first use."""

    def __init__(self) -> None:
        self.keys_in_order: list[str] = []
        self.hashes = array("Q")
        self._by_key: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        number = self.of_key(term.written_key(word))
        self[word] = number
        return number

    def of_key(self, key: str) -> int:
        if key not in self._by_key:
            self._by_key[key] = len(self.keys_in_order)
            self.keys_in_order.append(key)
            self.hashes.append(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little"))
        return self._by_key[key]


@dataclass(frozen=True)
class Run:
    """Postings of a batch, sorted by word: written to disk, read back as memory maps.

    `counts` and `postings` go with `keys`; `articles` and `fingerprints` with the windows, in order; `duplicates` were
    dropped before the run was made.
    """

    folder: Path
    windows: int
    duplicates: int = 0

    def keys(self) -> list[str]:
        """Words of the run, sorted."""
        data = (self.folder / "keys").read_bytes()
        return data.decode().split("\n") if data else []

    def keys_between(self, low: str | None, high: str | None) -> tuple[int, list[str]]:
        """Words from `low` up to before `high`, and the place of the first."""
        keys = self.keys()
        start = bisect_left(keys, low) if low is not None else 0
        return start, keys[start : bisect_left(keys, high) if high is not None else len(keys)]

    def array(self, name: str, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """One of the arrays, memory-mapped."""
        path = self.folder / name
        return np.memmap(path, dtype=dtype, mode="r") if path.stat().st_size else np.zeros(0, dtype=dtype)

    @staticmethod
    def write(folder: Path, keys: Sequence[str], windows: int, **arrays: npt.NDArray[np.generic]) -> Run:
        """Write a run into a new folder."""
        folder.mkdir(parents=True)
        (folder / "keys").write_bytes("\n".join(keys).encode())
        for name, values in arrays.items():
            values.tofile(folder / name)
        return Run(folder, windows)


_numbers = _Numbers()


def make_run(folder: Path, pieces: Sequence[tuple[int, str]], unit: Unit, most_words: int) -> Run:
    """Index a batch of (article, text) into a run."""
    cut = cut_windows(pieces, unit, most_words)
    numbers, lengths = cut.numbers, cut.lengths
    if not len(numbers):
        return Run.write(folder, [], 0, counts=_u4(0), postings=_u4(0), articles=_u4(0), fingerprints=_u4(0))
    used = np.flatnonzero(np.bincount(numbers)).tolist()
    used.sort(key=_numbers.keys_in_order.__getitem__)
    keys = [_numbers.keys_in_order[n] for n in used]
    rank = np.zeros(len(_numbers.keys_in_order), dtype=np.uint64)
    rank[used] = np.arange(len(used), dtype=np.uint64)
    ranks = rank[numbers]
    pairs = np.sort((ranks << np.uint64(32)) | np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths))
    pairs = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))]
    counts = np.bincount((pairs >> np.uint64(32)).astype(np.int64), minlength=len(keys)).astype(np.uint32)
    return Run.write(
        folder,
        keys,
        len(lengths),
        counts=counts,
        postings=pairs.astype(np.uint32),
        articles=cut.articles.astype(np.uint32),
        fingerprints=cut.fingerprints,
    )


@dataclass(frozen=True)
class Cut:
    """A batch of text cut into windows: the numbers of all words in order, and for each window its length in words,
    its article and its fingerprint. `key` tells the word of a number.
    """

    numbers: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    articles: npt.NDArray[np.int64]
    fingerprints: npt.NDArray[np.uint64]

    @staticmethod
    def key(number: int) -> str:
        """Return the word of a number."""
        return _numbers.keys_in_order[number]


def cut_windows(pieces: Sequence[tuple[int, str]], unit: Unit, most_words: int) -> Cut:
    """Cut a batch of (article, text) into windows.

    Words are numbered by a table that lives as long as the process, so that a word is folded once.
    """
    global _numbers
    if len(_numbers) > _TABLE_LIMIT:
        _numbers = _Numbers()
    numbers, sizes, articles = _number_words(pieces, unit)
    if not len(numbers):
        return Cut(numbers, sizes, articles, np.zeros(0, dtype=np.uint64))
    lengths, parts = _window_lengths(sizes, most_words if unit == "window" else 0)
    marks = fingerprints(np.frombuffer(_numbers.hashes, dtype=np.uint64)[numbers], lengths)
    return Cut(numbers, lengths, np.repeat(articles, parts), marks)


def _u4(size: int) -> npt.NDArray[np.uint32]:
    return np.zeros(size, dtype=np.uint32)


def _number_words(
    pieces: Sequence[tuple[int, str]], unit: Unit
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number of each word, size of each part in words, article of each part; parts without a word are left out."""
    parts: list[bytes] = []
    articles: list[int] = []
    odd: dict[int, list[int]] = {}
    for article, text in pieces:
        for part in _SPLIT[unit](text):
            plain = term.written_text(part)
            if plain is None:
                odd[len(parts)] = [_numbers.of_key(key) for key in term.written_words(part)[0]]
            parts.append((plain or "").encode("utf-8", "surrogatepass"))
            articles.append(article)
    numbers, sizes = cut.numbered(parts, _numbers.__getitem__)
    if odd:
        places = np.array(list(odd))
        sizes[places] = [len(keys) for keys in odd.values()]
        is_odd = np.zeros(len(sizes), dtype=bool)
        is_odd[places] = True
        slots = np.repeat(is_odd, sizes)
        whole = np.empty(len(slots), dtype=np.int64)
        whole[~slots], whole[slots] = numbers, [key for keys in odd.values() for key in keys]
        numbers = whole
    held = sizes > 0
    return numbers, sizes[held], np.array(articles, dtype=np.int64)[held]


def _window_lengths(sizes: npt.NDArray[np.int64], most: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Cut parts of `sizes` words into windows of like length, at most `most` words each (0: no cut).

    Returns the length of each window and the number of windows of each part.
    """
    parts = -(-sizes // most) if most else np.ones_like(sizes)
    size, count = np.repeat(sizes, parts), np.repeat(parts, parts)
    place = np.arange(len(size)) - np.repeat(np.cumsum(parts) - parts, parts)
    return size * (place + 1) // count - size * place // count, parts


def fingerprints(hashes: npt.NDArray[np.uint64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Hash of each window from those of its words in their order; equal windows are duplicates, wherever they are."""
    powers = np.cumprod(np.full(int(lengths.max()), _MULTIPLIER), dtype=np.uint64)
    starts = np.cumsum(lengths) - lengths
    place = np.arange(len(hashes)) - np.repeat(starts, lengths)
    mixed: npt.NDArray[np.uint64] = np.add.reduceat(hashes * powers[place], starts)
    return mixed
