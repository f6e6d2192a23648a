"""Cutting text into words, many at once: found on bytes, and each different word is looked at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Mixed = npt.NDArray[np.uint64]

# Letters and digits, and every byte of a character beyond ASCII (the caller leaves only letters and digits of those).
_IN_WORD = np.array([code >= 128 or chr(code).isalnum() for code in range(256)])
_KEEP = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)
_MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)
_STEP = 8


def numbered(parts: Sequence[bytes], number_of: Callable[[str], int]) -> tuple[Ints, Ints]:
    """Number of each word of all parts in their order, and how many words each part has."""
    text = b"\n" + b"\n".join(parts) + b"\n" * (_STEP + 1)
    data = np.frombuffer(text, dtype=np.uint8)
    starts, ends = _words(data)
    part_ends = np.cumsum([len(part) + 1 for part in parts]) if parts else np.zeros(0, dtype=np.int64)
    sizes = np.diff(np.searchsorted(starts, part_ends, side="right"), prepend=0).astype(np.int64)
    which, examples = _same_words(data, starts, ends)
    places = zip(starts[examples].tolist(), ends[examples].tolist(), strict=True)
    numbers = [number_of(text[start:end].decode("utf-8", "surrogatepass")) for start, end in places]
    return np.array(numbers, dtype=np.int64)[which], sizes


def _words(data: Bytes) -> tuple[Ints, Ints]:
    """First byte of each word, and the byte after its last."""
    inside = _IN_WORD[data]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    return edges[0::2], edges[1::2]


def _same_words(data: Bytes, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Which of the different words each word is, and an example of each different word."""
    lengths = ends - starts
    mixed = _mixed(data, starts, lengths)
    order = np.argsort(mixed)
    ranked = mixed[order]
    fresh = np.concatenate(([True], ranked[1:] != ranked[:-1]))[: len(ranked)]
    which = np.empty(len(order), dtype=np.int64)
    which[order] = np.cumsum(fresh) - 1
    examples = order[fresh]
    if _all_same(data, starts, lengths, examples[which]):
        return which, examples
    # Two words with the same mixed value: as good as never, but then each word is taken for itself.
    return np.arange(len(starts)), np.arange(len(starts))


def _pieces(data: Bytes, starts: Ints, lengths: Ints) -> Mixed:
    """Up to eight bytes from each start on, as one number."""
    at_each_byte: Mixed = np.ndarray((len(data) - _STEP + 1,), dtype="<u8", buffer=data, strides=(1,))
    return at_each_byte[starts] & _KEEP[np.minimum(lengths, _STEP)]


def _mixed(data: Bytes, starts: Ints, lengths: Ints) -> Mixed:
    """A number for each word: its bytes if they are eight or fewer, else a hash of them."""
    mixed = _pieces(data, starts, lengths)
    for done in range(_STEP, int(lengths.max(initial=0)), _STEP):
        long = np.flatnonzero(lengths > done)
        part = _pieces(data, starts[long] + done, lengths[long] - done)
        mixed[long] = ((mixed[long] ^ (mixed[long] >> np.uint64(29))) * _MULTIPLIER) ^ part
    return mixed


def _all_same(data: Bytes, starts: Ints, lengths: Ints, other: Ints) -> bool:
    """Whether each word is the same as that other one, byte for byte."""
    if not np.array_equal(lengths, lengths[other]):
        return False
    long = np.flatnonzero(lengths > _STEP)
    for done in range(0, int(lengths.max(initial=0)), _STEP):
        long = long[lengths[long] > done]
        left = lengths[long] - done
        mine, its = _pieces(data, starts[long] + done, left), _pieces(data, starts[other[long]] + done, left)
        if not np.array_equal(mine, its):
            return False
    return True
