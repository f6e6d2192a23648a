"""Word pieces of the BERT family, lower-cased, with offsets into the text as written.

Characters are cleaned (control characters go), decomposed, freed of accents and lower-cased; words end at white
space and punctuation and around Chinese characters; each word is cut greedily into the longest pieces the
vocabulary has, or is unknown as a whole. The same as the `tokenizers` library does with this vocabulary, but for
the names of special pieces ("[SEP]"), which are plain text here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

UNKNOWN = "[UNK]"
LONGEST_WORD = 100  # letters; a longer word is unknown
_CACHED_RUN, _CACHE_SIZE = 64, 50_000
_BLANK = " \t\n\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ASCII_MARKS = r"!-/:-@\[-`{-~"
# A run holds no blank and no ASCII punctuation, so nothing outside it bears on how it is cut.
_RUN = re.compile(f"[{_ASCII_MARKS}]|[^{_ASCII_MARKS}{_BLANK}]+")
_GAP = re.compile(f"[{_BLANK}]")
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class Cut(NamedTuple):
    """Pieces of a run: numbers, offsets in the run, and whether each opens a word."""

    ids: tuple[int, ...]
    start: tuple[int, ...]
    end: tuple[int, ...]
    first: tuple[bool, ...]


class WordPiece:
    """Cuts texts into pieces of a vocabulary; remembers how it cut short runs of letters.

    >>> pieces = WordPiece(["[UNK]", "caf", "##e", "au", "!"])
    >>> [a.tolist() for a in pieces.cut("Café au!")]
    [[1, 2, 3, 4], [0, 3, 5, 7], [3, 4, 7, 8], [True, False, True, True]]
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._number = {piece: n for n, piece in enumerate(vocabulary)}
        self._unknown = self._number[UNKNOWN]
        self._cache: dict[str, Cut] = {}

    @classmethod
    def load(cls, path: Path) -> WordPiece:
        """Read a vocabulary: one piece a line, its number is the number of the line."""
        return cls(path.read_text(encoding="utf-8").rstrip("\n").split("\n"))

    def cut(self, text: str) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
        """Return the number, start and end of every piece, and whether it opens a word."""
        places: list[int] = []
        cuts: list[Cut] = []
        cache = self._cache
        for match in _RUN.finditer(text):
            run = match.group()
            found = cache.get(run) or self._cut_run(run)
            places.append(match.start())
            cuts.append(found)
        at = np.repeat(np.asarray(places, dtype=np.int32), [len(c.ids) for c in cuts])
        start = np.fromiter(chain.from_iterable([c.start for c in cuts]), dtype=np.int32, count=len(at)) + at
        end = np.fromiter(chain.from_iterable([c.end for c in cuts]), dtype=np.int32, count=len(at)) + at
        first = np.fromiter(chain.from_iterable([c.first for c in cuts]), dtype=np.bool_, count=len(at))
        ids = np.fromiter(chain.from_iterable([c.ids for c in cuts]), dtype=np.int32, count=len(at))
        return ids, start, end, first

    def _cut_run(self, run: str) -> Cut:
        rows = [
            (number, places[low], places[high - 1] + 1, low == 0)
            for letters, places in _words(run)
            for number, low, high in self._cut_word(letters)
        ]
        found = Cut(*zip(*rows, strict=True)) if rows else Cut((), (), (), ())
        if len(run) <= _CACHED_RUN:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            self._cache[run] = found
        return found

    def _cut_word(self, word: str) -> list[tuple[int, int, int]]:
        """Pieces of a word as (number, first letter, one past the last)."""
        if len(word) > LONGEST_WORD:
            return [(self._unknown, 0, len(word))]
        pieces: list[tuple[int, int, int]] = []
        low = 0
        while low < len(word):
            mark = "##" if low else ""
            for high in range(len(word), low, -1):
                number = self._number.get(mark + word[low:high])
                if number is not None:
                    break
            else:
                return [(self._unknown, 0, len(word))]
            pieces.append((number, low, high))
            low = high
        return pieces


def _words(run: str) -> Iterator[tuple[str, list[int]]]:
    """Words of a run as the vocabulary spells them, with the place in the run of each of their letters."""
    if run.isascii() and (run.isalnum() or len(run) == 1):
        if run.isprintable():
            yield run.lower(), list(range(len(run)))
        return
    word: list[str] = []
    places: list[int] = []
    for letter, place, alone in _letters(run):
        if alone and word:
            yield "".join(word), places
            word, places = [], []
        if letter:
            word.append(letter)
            places.append(place)
        if alone and word:
            yield "".join(word), places
            word, places = [], []
    if word:
        yield "".join(word), places


def _letters(run: str) -> Iterator[tuple[str, int, bool]]:
    """Cleaned letters with their places, and whether a letter is a word of its own; a blank is ("", place, True)."""
    for place, char in _decomposed(run):
        if unicodedata.category(char) == "Mn":
            continue
        for letter in char.lower():
            if _GAP.match(letter):
                yield "", place, True
            else:
                yield letter, place, _stands_alone(letter)


def _decomposed(run: str) -> Iterator[tuple[int, str]]:
    """Letters of a run without control characters, decomposed, each with the place it comes from."""
    for place, char in enumerate(run):
        if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
            continue
        for part in unicodedata.normalize("NFD", char):
            yield place, part


def _stands_alone(letter: str) -> bool:
    code = ord(letter)
    if code < 0x80:
        return not letter.isalnum()
    return unicodedata.category(letter)[0] == "P" or any(low <= code <= high for low, high in _CHINESE)
