"""All closed groups of a document's terms, those to which no term can be added without losing windows of the entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacenda import bits
from tacenda.bits import Groups, Rows, Windows


@dataclass(frozen=True, slots=True)
class Group:
    """A group of terms (their places in the list asked) and its counts: n(cT), n(T), articles of the first."""

    members: tuple[int, ...]
    joint: int
    count: int
    articles: int


class TermSets:
    """The windows of a document's terms, and how they meet; shared by all questions about the document."""

    def __init__(self, sets: Sequence[Windows], total: int, article_starts: npt.NDArray[np.int64]) -> None:
        self.sets = bits.Sets(sets, total)
        self._starts = article_starts
        self.sizes = self.sets.sizes

    def inside(self, entity: Windows) -> Rows:
        """All terms projected on the windows of an entity."""
        return self.sets.project(np.arange(len(self.sizes)), entity)

    def articles(self, windows: Windows) -> int:
        """Number of articles among windows."""
        return len(np.unique(np.searchsorted(self._starts, windows, side="right")))


def closed_groups(terms: TermSets, entity: Windows, *, support: int = 1) -> list[Group]:
    """List all closed groups: those to which no term can be added without losing windows of the entity.

    If any group with this support is risky under a rule of shares and evidence, a closed one is: the closure
    has the same n(cT) and no larger n(T). (Prefix-preserving closure extension, each group found once.)
    """
    flags = bits.unpack(terms.inside(entity), len(entity)).T.astype(np.float32)
    found: list[tuple[tuple[int, ...], npt.NDArray[np.int64]]] = []
    everywhere = np.flatnonzero(flags.all(axis=0)) if len(entity) else np.zeros(0, dtype=np.int64)
    stack = [(np.arange(len(entity)), everywhere, -1)] if len(entity) >= support else []
    while stack:
        windows, members, core = stack.pop()
        if len(members):
            found.append((tuple(members.tolist()), windows))
        stack.extend(_closed_children(flags, windows, members, core, support))
    counts = bits.group_counts(terms.sets, _rectangle([members for members, _ in found]))
    groups = [
        Group(members, len(windows), int(count), terms.articles(entity[windows]))
        for (members, windows), count in zip(found, counts, strict=True)
    ]
    return sorted(groups, key=lambda group: (len(group.members), group.members))


def _closed_children(
    flags: npt.NDArray[np.float32],
    windows: npt.NDArray[np.int64],
    members: npt.NDArray[np.int64],
    core: int,
    support: int,
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]]:
    here = flags[windows]
    held = here.sum(axis=0)
    candidates = np.setdiff1d(np.flatnonzero(held >= support), members)
    candidates = candidates[candidates > core]
    if not len(candidates):
        return
    # met[t, u]: windows here that hold t and u; u belongs to the closure of t iff that is all of t's.
    met = here[:, candidates].T @ here
    closures = met == held[candidates][:, None]
    inside = np.zeros(flags.shape[1], dtype=bool)
    inside[members] = True
    for term, closure in zip(candidates.tolist(), closures, strict=True):
        if not (closure[:term] & ~inside[:term]).any():
            yield windows[here[:, term] > 0], np.flatnonzero(closure), term


def _rectangle(groups: Sequence[tuple[int, ...]]) -> Groups:
    """Groups as lines of equal length, filled up with their last member."""
    width = max(map(len, groups), default=1)
    return np.array([[*g, *[g[-1]] * (width - len(g))] for g in groups], dtype=np.int32).reshape(len(groups), width)
