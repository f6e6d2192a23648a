"""Sets of windows, as sorted numbers and as rows of bits: projection on other windows, intersections of many at once.

The index counts groups and the risk models search them, and neither may import the other; both stand on this module.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.uint64]
Windows = npt.NDArray[np.integer[Any]]
Groups = npt.NDArray[np.int32]
Kept = TypeVar("Kept", bound=npt.NDArray[np.integer[Any]])

_CACHE_WORDS = 1 << 16
_MOST_BYTES = 1 << 28


def pack(flags: npt.NDArray[np.bool_]) -> Rows:
    """Pack rows of booleans into rows of 64-bit words; the last word is filled up with zeros."""
    rows, columns = flags.shape
    words = -(-columns // 64)
    packed = np.zeros((rows, words * 8), dtype=np.uint8)
    packed[:, : -(-columns // 8)] = np.packbits(flags, axis=1, bitorder="little")
    return packed.view(np.uint64)


def unpack(rows: Rows, columns: int) -> npt.NDArray[np.bool_]:
    """Inverse of `pack`."""
    flags = np.unpackbits(rows.view(np.uint8), axis=1, count=columns, bitorder="little")
    return flags.astype(bool)


def count(rows: Rows) -> npt.NDArray[np.int64]:
    """Number of ones in each row."""
    ones: npt.NDArray[np.int64] = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    return ones


class Masks:
    """Bit masks of the sets of windows that were asked for last; sets are known by identity, and held as long."""

    def __init__(self, most: int = 256) -> None:
        self.most = most
        self._held: OrderedDict[int, tuple[Windows, npt.NDArray[np.uint8]]] = OrderedDict()

    def of(self, windows: Windows, total: int) -> npt.NDArray[np.uint8]:
        """Return a bit for each window below `total` or further, eight a byte, the first the lowest."""
        held = self._held.get(id(windows))
        if held is None or len(held[1]) * 8 < total:
            flags = np.zeros(total, dtype=bool)
            flags[windows] = True
            held = self._held[id(windows)] = windows, np.packbits(flags, bitorder="little")
            if len(self._held) > self.most:
                self._held.popitem(last=False)
        else:
            self._held.move_to_end(id(windows))
        return held[1]


class Sets:
    """Sets of windows below `total`, ascending, with a bit mask of each that is made on first use."""

    def __init__(self, sets: Sequence[Windows], total: int) -> None:
        self.sets = sets
        self.total = total
        self.sizes = np.array([len(s) for s in sets], dtype=np.int64)

    @cached_property
    def _masks(self) -> npt.NDArray[np.uint8] | None:
        """A bit for each set (row) and window; None where that would take too much memory."""
        width = -(-self.total // 8)
        if len(self.sets) * width > _MOST_BYTES:
            return None
        masks = np.zeros((len(self.sets), width), dtype=np.uint8)
        flags = np.zeros(self.total, dtype=bool)
        for mask, windows in zip(masks, self.sets, strict=True):
            flags[windows] = True
            mask[:] = np.packbits(flags, bitorder="little")
            flags[windows] = False
        return masks

    def flags(self, numbers: npt.NDArray[np.integer], onto: Windows) -> npt.NDArray[np.bool_]:
        """One row for each set: which of the windows `onto` (ascending) it holds."""
        masks, place = self._masks, onto >> 3
        rows = np.empty((len(numbers), len(onto)), dtype=np.uint8)
        for row, number in zip(rows, numbers.tolist(), strict=True):
            row[:] = members(onto, self.sets[number]) if masks is None else masks[number][place]
        if masks is not None:
            rows >>= (onto & 7).astype(np.uint8)
            rows &= 1
        flags: npt.NDArray[np.bool_] = rows.view(bool)
        return flags

    def project(self, numbers: npt.NDArray[np.integer], onto: Windows) -> Rows:
        """The same as rows of bits."""
        return pack(self.flags(numbers, onto))

    def restricted(self, numbers: npt.NDArray[np.integer], onto: Windows) -> Sets:
        """These sets within `onto`, as places in it (the other sets empty): fewer and far smaller numbers."""
        small = [np.zeros(0, dtype=np.uint32)] * len(self.sets)
        for number in numbers.tolist():
            windows = self.sets[number]
            if len(windows) < len(onto):
                place = np.searchsorted(onto, windows)
                small[number] = place[members(windows, onto)].astype(np.uint32)
            else:
                small[number] = np.flatnonzero(members(onto, windows)).astype(np.uint32)
        return Sets(small, len(onto))


def members(windows: Windows, of: Windows) -> npt.NDArray[np.bool_]:
    """Which of `windows` lie in the ascending set `of`."""
    if not len(of):
        return np.zeros(len(windows), dtype=bool)
    place = np.searchsorted(of, windows)
    place[place == len(of)] = 0
    found: npt.NDArray[np.bool_] = of[place] == windows
    return found


def meet(one: Windows, other: Windows) -> Windows:
    """Return the windows in both ascending sets."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return small[members(small, large)]


def union(sets: Sequence[Kept]) -> Kept:
    """Return the windows in any of some ascending sets."""
    if len(sets) < 2:
        return sets[0] if sets else cast(Kept, np.zeros(0, dtype=np.uint32))
    last = max(int(one[-1]) + 1 if len(one) else 0 for one in sets)
    if sum(map(len, sets)) < last // 16:
        merged = np.concatenate(sets)
        merged.sort(kind="stable")  # ascending stretches are merged, not sorted
        return cast(Kept, merged[np.concatenate(([True], merged[1:] != merged[:-1]))] if len(merged) else merged)
    # Of many, marking is faster.
    flags = np.zeros(last, dtype=bool)
    for one in sets:
        flags[one] = True
    return cast(Kept, np.flatnonzero(flags).astype(sets[0].dtype))


def positions(row: Rows, columns: int) -> npt.NDArray[np.int64]:
    """Positions of the ones of a single row."""
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), count=columns, bitorder="little"))


def intersection_counts(rows: Rows, groups: Groups) -> npt.NDArray[np.int64]:
    """Number of ones in the intersection of the rows of each group.

    `groups` has one line a group, filled up by repeating a member: a set twice in an intersection changes nothing.
    """
    out = np.empty(len(groups), dtype=np.int64)
    step = max(1, _CACHE_WORDS // max(1, rows.shape[1]))
    for start in range(0, len(groups), step):
        part = groups[start : start + step]
        met = rows[part[:, 0]]
        for column in range(1, part.shape[1]):
            met &= rows[part[:, column]]
        out[start : start + step] = count(met) if rows.shape[1] != 1 else np.bitwise_count(met[:, 0])
    return out


def _in_all(groups: Groups, number: int) -> bool:
    return bool((groups == number).any(axis=1).all())


def group_counts(sets: Sets, groups: Groups) -> npt.NDArray[np.int64]:
    """Number of windows in the intersection of the sets of each group (one line a group, members may repeat).

    Groups are taken together by their rarest member: all sets are projected on its windows, a few words of bits.
    A member of every group is applied first, to all sets.
    """
    if not len(groups):
        return np.zeros(0, dtype=np.int64)
    common = [n for n in sorted(set(groups[0].tolist())) if _in_all(groups[:64], n) and _in_all(groups, n)]
    if common:
        base = min(common, key=lambda n: len(sets.sets[n]))
        sets = sets.restricted(np.flatnonzero(np.bincount(groups.ravel())), sets.sets[base])
    pivot = groups[np.arange(len(groups)), sets.sizes[groups].argmin(axis=1)]
    out = np.zeros(len(groups), dtype=np.int64)
    narrow = pivot.astype(np.uint16) if len(sets.sets) < 1 << 16 else pivot  # 16 bits are sorted by counting
    order = np.argsort(narrow, kind="stable")
    bounds = np.flatnonzero(np.diff(pivot[order], prepend=-1, append=-1))
    for start, end in itertools.pairwise(bounds):
        chosen = order[start:end]
        onto = sets.sets[pivot[chosen[0]]]
        if len(onto):
            own = groups[chosen]
            used = np.flatnonzero(np.bincount(own.ravel()))
            place = np.zeros(len(sets.sets), dtype=np.int32)
            place[used] = np.arange(len(used))
            out[chosen] = intersection_counts(sets.project(used, onto), place[own])
    return out
