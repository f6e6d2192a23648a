"""Postings as bytes: gaps between windows, their size Huffman-coded, their remainder as plain bits.

A posting list is the ascending windows of one word. Each gap g >= 1 to the window before has the size
b = floor(log2 g); size and the three bits after the leading one make a symbol of one byte, the b - 3 bits
left are stored as they are. The symbols of many words of like frequency form one DEFLATE stream (Huffman
codes only), so a block adapts to how those words are spread. Everything is decoded with whole-array steps.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_SIZE = np.arange(256) >> 3
_REST = np.maximum(_SIZE - 3, 0).astype(np.uint32)
_REST_BYTES = _REST.astype(np.uint8)
_BASE = ((np.int64(1) << _SIZE) + ((np.arange(256) & 7) << _REST)).astype(np.uint32)
_NARROW = 25  # bits that are read at any place of a 32-bit number
_PADDING = bytes(8)
_SEGMENT = 1 << 20


def frequency_class(counts: npt.NDArray[np.integer]) -> Ints:
    """Class of a word by its number of windows: floor(log2 n); words of one class share a block."""
    return np.frexp(np.asarray(counts, dtype=np.float64))[1].astype(np.int64) - 1


def gaps(windows: npt.NDArray[np.uint32], lengths: npt.NDArray[np.integer]) -> npt.NDArray[np.uint32]:
    """Gaps of concatenated posting lists; the first gap of a list counts from window -1."""
    steps = windows.copy()
    steps[1:] -= windows[:-1]
    starts = np.cumsum(lengths) - lengths
    steps[starts] = windows[starts] + np.uint32(1)
    return steps


def encode(steps: npt.NDArray[np.uint32]) -> bytes:
    """Encode gaps (all at least 1) into one block, a segment at a time so that long lists cost little memory."""
    coder = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_HUFFMAN_ONLY)
    packed = bytearray()
    plain = bytearray()
    left = np.zeros(0, dtype=np.uint8)
    for start in range(0, len(steps), _SEGMENT):
        part = steps[start : start + _SEGMENT].astype(np.int64)
        size = frequency_class(part)
        rest = np.maximum(size - 3, 0)
        symbols = (size << 3) | ((part - (np.int64(1) << size)) >> rest)
        packed += coder.compress(symbols.astype(np.uint8).tobytes())
        bits = np.concatenate((left, _bits(part, rest)))
        whole = len(bits) & ~7
        plain += np.packbits(bits[:whole]).tobytes()
        left = bits[whole:]
    packed += coder.flush()
    return len(packed).to_bytes(4, "little") + bytes(packed) + bytes(plain) + np.packbits(left).tobytes()


def _bits(values: Ints, widths: Ints) -> npt.NDArray[np.uint8]:
    """The lowest `widths` bits of each value, highest first, one after the other."""
    used = widths > 0
    values, widths = values[used], widths[used]
    ends = np.cumsum(widths)
    total = int(ends[-1]) if len(ends) else 0
    shift = (np.repeat(ends, widths) - 1 - np.arange(total)).astype(np.uint32)
    return ((np.repeat(values.astype(np.uint32), widths) >> shift) & 1).astype(np.uint8)


def decode(block: bytes | memoryview, first: int, lengths: npt.NDArray[np.integer]) -> npt.NDArray[np.uint32]:
    """Decode consecutive posting lists of a block: those that begin `first` postings after its start.

    Returns the windows of all lists, one after the other.
    """
    size = int.from_bytes(block[:4], "little")
    symbols = np.frombuffer(zlib.decompress(block[4 : 4 + size], -15), dtype=np.uint8)
    last = first + int(np.sum(lengths))
    skipped = int(_REST_BYTES[symbols[:first]].sum(dtype=np.int64))
    wanted = symbols[first:last]
    # Sums wrap around at 2**32 without harm: only differences below it are read off them.
    steps = _BASE[wanted]
    steps += _unpack_bits(block[4 + size :], skipped, _REST[wanted])
    windows = np.cumsum(steps, dtype=np.uint32)
    windows -= np.uint32(1)
    if len(lengths) > 1:
        ends = np.cumsum(lengths)
        before = np.concatenate((np.zeros(1, dtype=np.uint32), windows[ends[:-1] - 1] + np.uint32(1)))
        windows -= np.repeat(before, lengths)
    return windows


def _unpack_bits(data: bytes | memoryview, skipped: int, widths: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Read numbers of given widths, one after the other, from the bit `skipped` on."""
    first = skipped >> 3
    starts: npt.NDArray[Any] = np.zeros(len(widths), dtype=np.uint32 if len(widths) < 1 << 26 else np.uint64)
    np.cumsum(widths[:-1], out=starts[1:])
    starts += skipped - (first << 3)
    last = first + ((int(starts[-1]) + int(widths[-1])) >> 3) + 1 if len(widths) else first
    padded = bytes(data[first:last]) + _PADDING
    if not len(widths) or int(widths.max()) <= _NARROW:
        # An unaligned big-endian 32-bit number begins at every byte: one gather reads any value of up to 25 bits.
        narrow = np.ndarray((len(padded) - 3,), dtype=">u4", buffer=padded, strides=(1,))
        found: npt.NDArray[np.uint32] = narrow[starts >> 3].astype(np.uint32)
        found <<= (starts & 7).astype(np.uint32)
        # In two steps: a number shifted by its whole width is not 0 on every processor.
        found >>= np.uint32(1)
        found >>= np.uint32(31) - widths
        return found
    wide = np.ndarray((len(padded) - 7,), dtype=">u8", buffer=padded, strides=(1,))
    picked: npt.NDArray[np.uint64] = wide[starts >> 3].astype(np.uint64)
    picked <<= (starts & 7).astype(np.uint64)
    picked >>= np.uint64(1)
    picked >>= np.uint64(63) - widths.astype(np.uint64)
    return picked.astype(np.uint32)
