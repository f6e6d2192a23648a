"""The sections of an index file that hold words and postings: how they are written and read.

vocabulary   sorted words, 256 to a DEFLATE block; `heads` holds the first word and the offset of each block
counts       windows of each word, LEB128
postings     for each 2,048 consecutive words and each class of frequency one block (see codec)
blocks       for each block: superblock, class, offset, length, CRC-32
articles     first window of each article
fingerprints hash of each window, only in a complete index: lets a merge drop duplicates
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt

from tacenda.errors import KnowledgeError
from tacenda.knowledge.index import codec
from tacenda.knowledge.index.layout import File

WORDS_PER_BLOCK = 256
SUPERBLOCK = 2048
_READ_AT_ONCE = 1 << 15
BLOCK = np.dtype([("superblock", "<u4"), ("class", "<u4"), ("offset", "<u8"), ("length", "<u4"), ("crc", "<u4")])
Windows = npt.NDArray[np.uint32]


def pack_vocabulary(words: Iterable[str]) -> tuple[bytes, bytes]:
    """Return the sections `vocabulary` and `heads` of sorted words."""
    stream = iter(words)
    blocks: list[bytes] = []
    heads: list[bytes] = []
    offset = 0
    while chunk := [word.encode() for word in islice(stream, WORDS_PER_BLOCK)]:
        coder = zlib.compressobj(9, zlib.DEFLATED, -15)
        blocks.append(coder.compress(b"\n".join(chunk)) + coder.flush())
        heads.append(b"%b\t%d" % (chunk[0], offset))
        offset += len(blocks[-1])
    return b"".join(blocks), b"\n".join(heads)


def pack_counts(counts: npt.NDArray[np.integer]) -> bytes:
    """LEB128: seven bits a byte, the lowest first, the top bit set where another byte follows."""
    values = counts.astype(np.uint64)
    sizes = np.maximum((codec.frequency_class(np.maximum(counts, 1)) // 7) + 1, 1)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    out = np.zeros(int(sizes.sum()), dtype=np.uint8)
    for place in range(int(sizes.max(initial=0))):
        has = sizes > place
        low = ((values[has] >> np.uint64(7 * place)) & np.uint64(127)).astype(np.uint8)
        out[starts[has] + place] = low | ((sizes[has] > place + 1).astype(np.uint8) << 7)
    return out.tobytes()


def unpack_counts(data: bytes | memoryview) -> npt.NDArray[np.int64]:
    """Inverse of `pack_counts`."""
    raw = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(raw < 128)
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)
    counts = np.zeros(len(ends), dtype=np.int64)
    for place in range(int((ends - starts).max(initial=-1)) + 1):
        at = starts + place
        has = at <= ends
        counts[has] |= (raw[at[has]] & 127).astype(np.int64) << (7 * place)
    return counts


def pack_superblock(number: int, counts: npt.NDArray[np.int64], windows: Windows) -> list[tuple[int, int, bytes]]:
    """Encode the postings of up to 2,048 consecutive words: a list of (superblock, class, block)."""
    classes = codec.frequency_class(np.maximum(counts, 1))
    owner = np.repeat(classes.astype(np.uint8), counts)
    blocks = []
    for which in np.unique(classes[counts > 0]):
        lengths = counts[(classes == which) & (counts > 0)]
        steps = codec.gaps(windows[owner == which], lengths)
        blocks.append((number, int(which), codec.encode(steps)))
    return blocks


class Words:
    """The sorted vocabulary: number of a word, word of a number."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._cache: dict[int, list[bytes]] = {}

    @cached_property
    def _heads(self) -> tuple[list[bytes], list[int]]:
        lines = [line.split(b"\t") for line in bytes(self._file.section("heads")).split(b"\n") if line]
        return [word for word, _ in lines], [int(offset) for _, offset in lines]

    def _block(self, number: int) -> list[bytes]:
        if number not in self._cache:
            # Only this block: what follows it would be copied as data not used.
            start, end = (*self._heads[1], None)[number : number + 2]
            packed = zlib.decompressobj(-15).decompress(self._file.section("vocabulary")[start:end])
            self._cache[number] = packed.split(b"\n")
        return self._cache[number]

    def find(self, word: str) -> int | None:
        """Number of a word, None where the index does not hold it."""
        key = word.encode("utf-8", "surrogatepass")
        block = bisect_right(self._heads[0], key) - 1
        if block < 0:
            return None
        words = self._block(block)
        place = bisect_left(words, key)
        return block * WORDS_PER_BLOCK + place if place < len(words) and words[place] == key else None

    def word(self, number: int) -> str:
        """Word of a number."""
        return self._block(number // WORDS_PER_BLOCK)[number % WORDS_PER_BLOCK].decode()

    def __iter__(self) -> Iterator[str]:
        for block in range(len(self._heads[0])):
            for word in self._block(block):
                yield word.decode()


class Postings:
    """Counts and windows of numbered words, read from the map when asked for."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._most = file.meta["postings_up_to"]
        self._counts: dict[int, npt.NDArray[np.int64]] = {}
        self._placed: dict[int, tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.uint32]]] = {}

    def __len__(self) -> int:
        return int(self._file.meta["words"])

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Number of windows of every word; not kept, since many processes may hold the index."""
        return unpack_counts(self._file.section("counts"))

    @cached_property
    def _count_starts(self) -> list[int]:
        """Byte at which the counts of each superblock begin, and the end."""
        raw = np.frombuffer(self._file.section("counts"), dtype=np.uint8)
        starts, seen = [0], 0
        for low in range(0, len(raw), _READ_AT_ONCE):
            ends = np.flatnonzero(raw[low : low + _READ_AT_ONCE] < 128)
            starts += (ends[SUPERBLOCK - 1 - seen % SUPERBLOCK :: SUPERBLOCK] + low + 1).tolist()
            seen += len(ends)
        return [*starts, len(raw)]

    def _block_counts(self, superblock: int) -> npt.NDArray[np.int64]:
        if superblock not in self._counts:
            start, end = self._count_starts[superblock : superblock + 2]
            self._counts[superblock] = unpack_counts(self._file.section("counts")[start:end])
        return self._counts[superblock]

    def count(self, number: int) -> int:
        """Number of windows of a word."""
        return int(self._block_counts(number // SUPERBLOCK)[number % SUPERBLOCK])

    @cached_property
    def _blocks(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        table = np.frombuffer(self._file.section("blocks"), dtype=BLOCK)
        keys = zip(table["superblock"].tolist(), table["class"].tolist(), strict=True)
        places = zip(table["offset"].tolist(), table["length"].tolist(), table["crc"].tolist(), strict=True)
        return dict(zip(keys, places, strict=True))

    @cached_property
    def not_stored(self) -> npt.NDArray[np.int64]:
        """Numbers of the words too common to have postings."""
        return np.flatnonzero(self.counts > self._most) if self._most is not None else np.zeros(0, dtype=np.int64)

    def stored(self, number: int) -> bool:
        """Whether the windows of a word are stored; those of the most common words may not be."""
        return self._most is None or self.count(number) <= self._most

    @property
    def stored_total(self) -> int:
        """Number of postings in the file."""
        return int(self._file.meta["postings"])

    def _data(self, superblock: int, which: int) -> memoryview:
        offset, length, crc = self._blocks[superblock, which]
        data = self._file.view("postings")[offset : offset + length]
        if zlib.crc32(data) != crc:
            message = f"index {self._file.path}: postings damaged (checksum differs). Copy or build it again."
            raise KnowledgeError(message)
        return data

    def _stored_counts(self, superblock: int) -> npt.NDArray[np.int64]:
        counts = self._block_counts(superblock)
        return counts if self._most is None else np.where(counts <= self._most, counts, 0)

    def windows(self, number: int) -> Windows:
        """Windows of a word, ascending."""
        superblock, place = divmod(number, SUPERBLOCK)
        counts, classes, firsts = self._places(superblock)
        if not counts[place]:
            return np.zeros(0, dtype=np.uint32)
        data = self._data(superblock, int(classes[place]))
        return codec.decode(data, int(firsts[place]), counts[place : place + 1])

    def _places(self, superblock: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
        """Stored counts of a superblock's words, the class of each, and how many postings of its class come before."""
        if superblock not in self._placed:
            counts = self._stored_counts(superblock)
            classes = codec.frequency_class(np.maximum(counts, 1)).astype(np.uint8)
            firsts = np.zeros(len(counts), dtype=np.uint32)
            for which in np.unique(classes).tolist():
                own = classes == which
                firsts[own] = np.cumsum(counts[own]) - counts[own]
            self._placed[superblock] = counts, classes, firsts
        return self._placed[superblock]

    def superblock(self, number: int) -> tuple[npt.NDArray[np.int64], Windows]:
        """Stored counts of 2,048 consecutive words and all their windows, word after word."""
        counts = self._stored_counts(number)
        classes = codec.frequency_class(np.maximum(counts, 1))
        owner = np.repeat(classes, counts)
        windows = np.zeros(int(counts.sum()), dtype=np.uint32)
        for which in np.unique(classes[counts > 0]).tolist():
            lengths = counts[(classes == which) & (counts > 0)]
            windows[owner == which] = codec.decode(self._data(number, which), 0, lengths)
        return counts, windows
