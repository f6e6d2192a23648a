"""Sets of windows as rows of bits: projection on other windows, intersections of many groups at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.uint64]
Windows = npt.NDArray[np.uint32]
Groups = npt.NDArray[np.int32]

_CACHE_WORDS = 1 << 16


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
    return np.bitwise_count(rows).sum(axis=1, dtype=np.int64)


def project(sets: Sequence[Windows], onto: Windows) -> Rows:
    """One row for each set: which of the windows `onto` (ascending) it holds."""
    flags = np.zeros((len(sets), len(onto)), dtype=bool)
    if len(onto):
        for flag, windows in zip(flags, sets, strict=True):
            _mark(flag, windows, onto)
    return pack(flags)


def _mark(flag: npt.NDArray[np.bool_], windows: Windows, onto: Windows) -> None:
    """Set the flags of the windows of `onto` that lie in `windows`, by searching the shorter in the longer."""
    if len(windows) < len(onto):
        place = np.searchsorted(onto, windows)
        place[place == len(onto)] = 0
        flag[place[onto[place] == windows]] = True
    elif len(windows):
        place = np.searchsorted(windows, onto)
        place[place == len(windows)] = 0
        flag[:] = windows[place] == onto


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


def group_counts(sets: Sequence[Windows], groups: Groups) -> npt.NDArray[np.int64]:
    """Number of windows in the intersection of the sets of each group (one line a group, members may repeat).

    Groups are taken together by their rarest member: all sets are projected on its windows, a few words of bits.
    A member of every group is applied first, to all sets.
    """
    if not len(groups):
        return np.zeros(0, dtype=np.int64)
    common = [n for n in np.unique(groups[0]).tolist() if (groups == n).any(axis=1).all()]
    if common:
        base = min(common, key=lambda n: len(sets[n]))
        sets = _restrict(sets, np.unique(groups), sets[base])
    sizes = np.array([len(s) for s in sets])
    pivot = groups[np.arange(len(groups)), sizes[groups].argmin(axis=1)]
    out = np.zeros(len(groups), dtype=np.int64)
    order = np.argsort(pivot, kind="stable")
    bounds = np.flatnonzero(np.diff(pivot[order], prepend=-1, append=-1))
    for start, end in zip(bounds[:-1], bounds[1:], strict=True):
        chosen = order[start:end]
        onto = sets[pivot[chosen[0]]]
        if len(onto):
            own = groups[chosen]
            used = np.unique(own)
            rows = project([sets[n] for n in used], onto)
            place = np.zeros(len(sets), dtype=np.int32)
            place[used] = np.arange(len(used))
            out[chosen] = intersection_counts(rows, place[own])
    return out


def _restrict(sets: Sequence[Windows], used: npt.NDArray[np.int32], onto: Windows) -> list[Windows]:
    """The sets within `onto`, as places in it: far smaller numbers of far fewer windows."""
    small = [np.zeros(0, dtype=np.uint32)] * len(sets)
    for n in used.tolist():
        flag = np.zeros(len(onto), dtype=bool)
        _mark(flag, sets[n], onto)
        small[n] = np.flatnonzero(flag).astype(np.uint32)
    return small


def members(windows: Windows, of: Windows) -> npt.NDArray[np.bool_]:
    """Which of `windows` lie in the ascending set `of`."""
    flag = np.zeros(len(windows), dtype=bool)
    if len(windows):
        _mark(flag, of, windows)
    return flag
