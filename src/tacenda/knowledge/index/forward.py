"""The index turned round: for each window its words. Answers one term against the whole vocabulary.

Postings go by word, and both directions together would double the file. So the turned index is made on first
use, from the postings alone, and kept as a file of its own in the cache folder (`TACENDA_CACHE`, else
~/.cache/tacenda), memory-mapped by every later process. Where nothing can be written it stays in memory.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from tacenda.knowledge.index.postings import SUPERBLOCK, Postings, Windows

_MAGIC = b"TIXFWD1\n"
_AT_ONCE = 2048
_SORTED_AT_ONCE = 1 << 22


def cache_folder() -> Path:
    """Folder for files that can be made again at any time."""
    return Path(os.environ.get("TACENDA_CACHE") or Path.home() / ".cache" / "tacenda")


class Forward:
    """Words of each window, by number; words of window w lie from `starts[w]` to `starts[w + 1]`."""

    def __init__(self, starts: npt.NDArray[np.int64], words: npt.NDArray[np.uint32]) -> None:
        self._starts = starts
        self._words = words

    @classmethod
    def of(cls, postings: Postings, windows: int, digest: str) -> Forward:
        """Open the turned index of the file with this digest; make it if there is none."""
        path = cache_folder() / f"{digest}.forward"
        total = int(postings.stored_total)
        if not cls._complete(path, windows, total):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".partial", delete=False) as out:
                    _write(out.file, *_turn(postings, windows))
                os.replace(out.name, path)
            except OSError:
                return cls(*_turn(postings, windows))
        starts = np.memmap(path, dtype="<i8", mode="r", offset=len(_MAGIC), shape=(windows + 1,))
        place = len(_MAGIC) + starts.nbytes
        return cls(starts, np.memmap(path, dtype="<u4", mode="r", offset=place, shape=(total,)))

    @staticmethod
    def _complete(path: Path, windows: int, total: int) -> bool:
        """A file of the right name, mark and size; it appears under its name only when complete."""
        try:
            with path.open("rb") as file:
                marked = file.read(len(_MAGIC)) == _MAGIC
            return marked and path.stat().st_size == len(_MAGIC) + 8 * (windows + 1) + 4 * total
        except OSError:
            return False

    def counts(self, windows: Windows, vocabulary: int) -> npt.NDArray[np.int64]:
        """In how many of these windows each word occurs."""
        starts = self._starts[windows]
        lengths = self._starts[windows.astype(np.int64) + 1] - starts
        ends = np.cumsum(lengths)
        words = np.empty(int(ends[-1]) if len(ends) else 0, dtype=np.uint32)
        # Some windows at a time: the places of all of them would not stay in the processor's cache.
        for low in range(0, len(windows), _AT_ONCE):
            part = slice(low, low + _AT_ONCE)
            first, last = int(ends[low] - lengths[low]), int(ends[part][-1])
            places = np.arange(first, last)
            places += np.repeat(starts[part] - (ends[part] - lengths[part]), lengths[part])
            np.take(self._words, places, out=words[first:last], mode="clip")
        return np.bincount(words, minlength=vocabulary)


def _turn(postings: Postings, windows: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """Sort all postings by window; within a window words stay in the order of their numbers."""
    blocks = [postings.superblock(number) for number in range(-(-len(postings) // SUPERBLOCK))]
    held = np.concatenate([counts for counts, _ in blocks])
    all_windows = np.concatenate([own for _, own in blocks])
    del blocks
    starts = np.concatenate(([0], np.cumsum(np.bincount(all_windows, minlength=windows))))
    fill = starts[:-1].copy()
    words = np.empty(len(all_windows), dtype=np.uint32)
    word_of = np.repeat(np.arange(len(held), dtype=np.uint32), held)
    for low in range(0, len(words), _SORTED_AT_ONCE):
        part = slice(low, low + _SORTED_AT_ONCE)
        pairs = np.sort((all_windows[part].astype(np.uint64) << np.uint64(32)) | word_of[part])
        window = (pairs >> np.uint64(32)).astype(np.int64)
        first = np.flatnonzero(np.concatenate(([True], window[1:] != window[:-1])))
        lengths = np.diff(first, append=len(pairs))
        words[np.repeat(fill[window[first]] - first, lengths) + np.arange(len(pairs))] = pairs.astype(np.uint32)
        fill[window[first]] += lengths
    return starts, words


def _write(out: IO[bytes], starts: npt.NDArray[np.int64], words: npt.NDArray[np.uint32]) -> None:
    out.write(_MAGIC)
    out.write(starts.astype("<i8").tobytes())
    out.write(words.astype("<u4").data)
