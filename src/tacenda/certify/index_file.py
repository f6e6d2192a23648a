"""A second reader of index files, written from the description of the format, for the verifier alone.

It shares nothing with `knowledge.index`: only the standard library and numpy. It reads and checks the whole file, takes
no short cuts and remembers little; it is meant to be read, not to be fast.

    magic (8 bytes) | format (u32) | length of the header (u32) | SHA-256 of the header | header (JSON) | sections

The header names every section with its place and SHA-256, so its own SHA-256 stands for the file.

    heads        first word and offset of each block of `vocabulary`, one a line
    vocabulary   sorted words, 256 to a raw DEFLATE block, parted by line feeds
    counts       windows of each word: seven bits a byte, lowest first, top bit set where another byte follows
    blocks       superblock, class (u32), offset (u64), length, CRC-32 (u32): where the postings lie
    postings     for 2,048 consecutive words and each class floor(log2 count): length (u32), the symbols as raw DEFLATE,
                 then bits. A symbol holds the size b of a gap (floor log2, upper five bits) and the three bits after
                 its leading one; the b - 3 bits left follow in the second part. A first gap counts from window -1
    articles     first window of each article (u32)
"""

from __future__ import annotations

import hashlib
import json
import zlib
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
MAGIC = b"\x89TIX\r\n\x1a\n"
FORMAT = 1
_START = len(MAGIC) + 8 + 32
_SUPERBLOCK = 2048
_SECTIONS = {"articles", "blocks", "counts", "heads", "postings", "vocabulary"}
_BLOCK = np.dtype([("superblock", "<u4"), ("class", "<u4"), ("offset", "<u8"), ("length", "<u4"), ("crc", "<u4")])
_NONE: Numbers = np.zeros(0, dtype=np.int64)


class DamagedIndex(ValueError):
    """The file is no index, or its bytes are not those it was written with."""


class IndexFile:
    """One index file: words, their counts and windows."""

    def __init__(self, path: str | Path) -> None:
        data = memoryview(Path(path).read_bytes())
        if bytes(data[:8]) != MAGIC or int.from_bytes(data[8:12], "little") != FORMAT:
            raise DamagedIndex("not an index file of a known format")
        body = _START + int.from_bytes(data[12:16], "little")
        header = bytes(data[_START:body])
        if hashlib.sha256(header).digest() != bytes(data[16:_START]):
            raise DamagedIndex("the header is damaged")
        self.digest = hashlib.sha256(header).hexdigest()
        table = json.loads(header)
        self.meta: dict[str, Any] = table["meta"]
        self._sections: dict[str, memoryview] = {}
        for name, (offset, length, expected) in table["sections"].items():
            section = data[body + offset : body + offset + length]
            if hashlib.sha256(section).hexdigest() != expected:
                raise DamagedIndex(f"section '{name}' is damaged")
            self._sections[name] = section
        if missing := _SECTIONS - set(self._sections):
            raise DamagedIndex(f"section '{min(missing)}' is missing")
        self.total = int(self.meta["windows"])
        self.article_starts: Numbers = np.frombuffer(self._sections["articles"], dtype="<u4").astype(np.int64)
        heads = [line.split(b"\t") for line in bytes(self._sections["heads"]).split(b"\n") if line]
        self._first = [word for word, _ in heads]
        self._at = [int(offset) for _, offset in heads]
        self._counts = _numbers(self._sections["counts"])
        places = np.frombuffer(self._sections["blocks"], dtype=_BLOCK)
        self._blocks = {(int(b["superblock"]), int(b["class"])): b for b in places}
        most = self.meta["postings_up_to"]
        self._most = int(most) if most is not None else None

    def number(self, word: str) -> int:
        """Number of a word in the vocabulary, -1 if it is not there."""
        key = word.encode("utf-8", "surrogatepass")
        block = bisect_left(self._first, key + b"\0") - 1
        if block < 0:
            return -1
        end = self._at[block + 1] if block + 1 < len(self._at) else None
        packed = self._sections["vocabulary"][self._at[block] : end]
        try:
            words = zlib.decompressobj(-15).decompress(packed).split(b"\n")
        except zlib.error:
            raise DamagedIndex("the vocabulary is damaged") from None
        return block * 256 + words.index(key) if key in words else -1

    def count(self, word: str) -> int:
        """Windows of a word, 0 if it is not there."""
        number = self.number(word)
        return int(self._counts[number]) if number >= 0 else 0

    def is_stored(self, word: str) -> bool:
        """Tell whether the windows of a word are in the file; those of the most common words are not."""
        return self._most is None or self.count(word) <= self._most

    def windows(self, word: str) -> Numbers:
        """Windows of a word, ascending; none where it is not there or not stored."""
        number = self.number(word)
        if number < 0 or not self._counts[number] or not self.is_stored(word):
            return _NONE
        group, place = divmod(number, _SUPERBLOCK)
        counts = self._counts[group * _SUPERBLOCK : (group + 1) * _SUPERBLOCK]
        if self._most is not None:
            counts = np.where(counts <= self._most, counts, 0)
        size = int(counts[place]).bit_length() - 1
        same = (counts >= 1 << size) & (counts < 2 << size)
        before = int(counts[:place][same[:place]].sum())
        gaps = self._gaps(group, size)[before : before + int(counts[place])]
        return np.cumsum(gaps) - 1

    def _gaps(self, group: int, size: int) -> Numbers:
        """All gaps of one block of postings."""
        where = self._blocks[group, size]
        start = int(where["offset"])
        block = bytes(self._sections["postings"][start : start + int(where["length"])])
        if zlib.crc32(block) != int(where["crc"]):
            raise DamagedIndex("postings are damaged")
        length = int.from_bytes(block[:4], "little")
        symbols = np.frombuffer(zlib.decompress(block[4 : 4 + length], -15), dtype=np.uint8).astype(np.int64)
        bits = np.unpackbits(np.frombuffer(block[4 + length :], dtype=np.uint8)).astype(np.int64)
        sizes, top = symbols >> 3, symbols & 7
        left = np.maximum(sizes - 3, 0)
        starts = np.cumsum(left) - left
        rest = np.zeros(len(symbols), dtype=np.int64)
        for bit in range(int(left.max(initial=0))):
            has = left > bit
            rest[has] = (rest[has] << 1) | bits[starts[has] + bit]
        gaps: Numbers = (1 << sizes) + (top << left) + rest
        return gaps


def _numbers(data: memoryview) -> Numbers:
    """Numbers of seven bits a byte."""
    found, value, shift = [], 0, 0
    for byte in bytes(data):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
    return np.array(found, dtype=np.int64)


class Collection:
    """One index or several side by side, all windows or only those that hold one of the words of a known context.

    words   gives the keys under which a word of a text is counted
    """

    def __init__(self, files: Sequence[IndexFile]) -> None:
        if not files:
            raise DamagedIndex("no index")
        self.files = tuple(files)
        held = [file.total for file in files]
        self._offset = [sum(held[:i]) for i in range(len(held))]
        self._scope: Numbers | None = None
        self.total = sum(held)
        self._found: dict[tuple[str, ...], tuple[Numbers, bool]] = {}

    @property
    def digests(self) -> list[str]:
        """Digest of each file."""
        return [file.digest for file in self.files]

    @property
    def article_starts(self) -> Numbers:
        """First window of each article, numbered through."""
        parts = [file.article_starts + start for file, start in zip(self.files, self._offset, strict=True)]
        return np.concatenate(parts)

    def within(self, scope: Numbers) -> Collection:
        """The same files, counting only these windows."""
        narrow = Collection(self.files)
        narrow._scope, narrow.total = scope, len(scope)
        return narrow

    def count(self, key: str) -> int:
        """Windows of one key in all files, scope or not."""
        return sum(file.count(key) for file in self.files)

    def windows(self, keys: tuple[str, ...]) -> tuple[Numbers, bool]:
        """Windows that hold any of the keys, and whether one of these is too common for windows to be stored."""
        if keys not in self._found:
            common = not all(file.is_stored(key) for file in self.files for key in keys)
            parts = [
                file.windows(key) + start
                for file, start in zip(self.files, self._offset, strict=True)
                for key in ([] if common else keys)
            ]
            windows = np.unique(np.concatenate(parts)) if parts else _NONE
            if self._scope is not None:
                windows = windows[np.isin(windows, self._scope, assume_unique=True)]
            self._found[keys] = windows, common
        return self._found[keys]
