"""From text to the encoder's input: word pieces with offsets, the shape of each word, and windows.

The base vocabulary is lower-case, so capitals, digits, word length and layout travel beside the pieces as five small
numbers. Training and use share this module: what the model sees is the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacenda.annotate.encoder.wordpiece import WordPiece

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

SHAPE_SIZES = (6, 7, 16, 4, 3)  # capitals, digits, length, gap before, case of the line
CLS, SEP = 101, 102
_TABLE = 0x2000  # code points whose case is looked up; the rest count as letters without case


def _case_table() -> NDArray[np.uint8]:
    table = np.zeros(_TABLE, dtype=np.uint8)
    for code in range(_TABLE):
        char = chr(code)
        if char.isupper():
            table[code] = 1
        elif char.islower():
            table[code] = 2
        elif char.isdigit():
            table[code] = 3
        elif char.isalpha():
            table[code] = 4
    return table


_CASE = _case_table()


@dataclass(frozen=True, slots=True)
class Pieces:
    """Word pieces of a text: ids, offsets, whether a piece opens a word, and the shape of its word."""

    ids: Ints
    start: Ints
    end: Ints
    first: Bools
    shape: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ids)

    def of_tokens(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """The piece that stands for each of some tokens: the one that starts with it, else the last word inside it."""
        opens = np.flatnonzero(self.first)
        result = []
        for start, end in spans:
            low = int(np.searchsorted(self.start, start))
            if low < len(self) and self.start[low] == start:
                result.append(low)
            else:
                word = int(np.searchsorted(self.start[opens], end)) - 1
                result.append(int(opens[max(word, 0)]))
        return result


def split(text: str, tokenizer: WordPiece) -> Pieces:
    """Cut a text into word pieces; offsets are characters of `text`."""
    ids, start, end, first = tokenizer.cut(text)
    return Pieces(ids, start, end, first, _shapes(text, start, end, first))


def _running(flags: Bools) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(flags)))


def _shapes(text: str, start: Ints, end: Ints, first: Bools) -> NDArray[np.uint8]:
    """Return the five shape numbers of each piece, computed once per word."""
    if not len(start):
        return np.zeros((0, len(SHAPE_SIZES)), dtype=np.uint8)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    case = np.where(codes < _TABLE, _CASE[np.minimum(codes, _TABLE - 1)], 4)
    upper, digit = _running(case == 1), _running(case == 3)
    letter = _running((case == 1) | (case == 2) | (case == 4))
    newline = _running(codes == 10)
    opens = np.flatnonzero(first)
    a = start[opens]
    b = end[np.concatenate((opens[1:], [len(start)])) - 1]
    n_up, n_let, n_dig = upper[b] - upper[a], letter[b] - letter[a], digit[b] - digit[a]
    length = b - a
    capitals = np.select(
        [
            n_let == 0,
            n_up == 0,
            (n_up == n_let) & (n_let > 1),
            (n_up == 1) & (n_let == 1),
            (n_up == 1) & (case[a] == 1),
        ],
        [0, 1, 3, 5, 2],
        4,
    )
    digits = np.select([n_dig == 0, n_dig < length], [0, 6], np.minimum(length, 5))
    previous = np.concatenate(([0], b[:-1]))
    lines = newline[a] - newline[previous]
    gap = np.where(lines > 0, np.minimum(lines, 2) + 1, (a > previous).astype(np.int64))
    gap[0] = 3
    shape = np.stack(
        [capitals, digits, np.minimum(length, 15), gap, _line_case(codes, case, newline)[newline[a]]], axis=1
    )
    return np.asarray(shape[np.cumsum(first) - 1], dtype=np.uint8)


def _line_case(codes: NDArray[np.uint32], case: NDArray[Any], newline: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per line: 1 if written in capitals throughout, 2 if without any capital, else 0."""
    line = newline[:-1]
    count = int(newline[-1]) + 1
    upper = np.bincount(line, weights=case == 1, minlength=count)
    lower = np.bincount(line, weights=case == 2, minlength=count)
    return np.where((lower == 0) & (upper >= 4), 1, np.where((upper == 0) & (lower >= 12), 2, 0)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces `[start, end)` go through the model together; results count from `keep` on."""

    start: int
    keep: int
    end: int


def windows(pieces: Pieces, text: str, *, size: int = 254, overlap: int = 24) -> list[Window]:
    """Cut long texts into overlapping windows, at a paragraph, line or sentence end where there is one.

    Each window but the first begins with up to `overlap` pieces of the one before, seen as context only.
    """
    result: list[Window] = []
    keep, total = 0, len(pieces)
    while keep < total or not result:
        start = max(0, keep - overlap)
        while start < keep and not pieces.first[start]:
            start += 1
        end = total if start + size >= total else _cut(pieces, text, max(keep + 1, start + size * 5 // 8), start + size)
        result.append(Window(start, keep, end))
        keep = end
    return result


def _cut(pieces: Pieces, text: str, low: int, high: int) -> int:
    """Return the best place for a window to end in `(low, high]`: paragraph, line, sentence, then any word."""
    gap = pieces.shape[low + 1 : high + 1, 3]
    first = pieces.first[low + 1 : high + 1]
    for least in (3, 2):
        found = np.flatnonzero(first & (gap >= least))
        if len(found):
            return int(low + 1 + found[-1])
    places = np.flatnonzero(first)[::-1]
    for place in places:
        if gap[place] and text[pieces.end[low + place] - 1] in ".?!;":
            return int(low + 1 + place)
    return int(low + 1 + places[0]) if len(places) else high
