"""How one attacker sees one text: what it scores, and what each term that may be masked adds to that."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tacenda.arrays.ngrams import NearestText, totals

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_RIVALS = 64
_TIE = 1e-6  # scores are kept in single precision here


def rank_of(scores: Floats, right: int) -> int:
    """Rank of the right candidate; a tie counts for the attacker, unless nothing at all is known of the right one."""
    silent = scores[right] == 0 or scores.min() == scores.max()
    return len(scores) if silent else int((scores > scores[right]).sum()) + 1


class Match:
    """One attacker's view of one text: n-gram occurrences, the units they touch, and what they score."""

    def __init__(self, near: NearestText, text: str, unit_of_word: Ints, units: int, right: int, k: int) -> None:
        ids, word = near.view(text)
        found, places, lengths = near.keys_of(ids)
        column, known = near.columns_of(found)
        self.units = units
        columns, self.feature = np.unique(column[known], return_inverse=True)
        self.features = len(columns)
        self.touches = _touched(places[known], lengths[known], unit_of_word[word])
        self.of, self.owner, self.weight = near.postings(columns)
        self.near, self.right = near, right
        self._plain = self.all_scores(np.zeros(units, dtype=np.bool_))
        kept = self._rivals(max(_RIVALS, 2 * k))
        self.floor = near.floor[kept]
        number = np.full(near.size, -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        place = number[self.owner]
        held = np.flatnonzero(place >= 0)
        self.table = np.zeros((len(columns), len(kept)), dtype=np.float32)
        self.table.reshape(-1)[self.of[held] * len(kept) + place[held]] = self.weight[held]

    def _rivals(self, most: int) -> list[int]:
        """The right candidate and its strongest rivals, with everything masked and with nothing.

        Leaving rivals out can only make the right one look nearer, so the answer stays on the safe side.
        """
        chosen: dict[int, None] = {self.right: None}
        for scores in (self.all_scores(np.ones(self.units, dtype=np.bool_)), self._plain):
            order = np.argsort(-scores, kind="stable")
            chosen.update(dict.fromkeys(order[:most].tolist()))
        return list(chosen)

    def all_scores(self, masked: Bools) -> Floats:
        """Score of every candidate when these units are masked, as the attacker would compute it."""
        tf = self.near.frequency(self._counts(masked)[1])
        scores = totals(self.owner, tf[self.of] * self.weight, self.near.size)
        return np.asarray(scores + tf.sum() * self.near.floor)

    def rank(self, masked: Bools) -> int:
        """Rank of the right candidate among all when these units are masked."""
        return rank_of(self.all_scores(masked) if masked.any() else self._plain, self.right)

    def _counts(self, masked: Bools) -> tuple[Bools, Ints]:
        """Occurrences that no masked unit touches, and how many are left of each n-gram."""
        alive = np.asarray(~np.append(masked, False)[self.touches].any(axis=1))  # -1 is the last: never masked
        return alive, np.bincount(self.feature[alive], minlength=self.features).astype(np.int64)

    def scores(self, masked: Bools) -> Floats:
        """Score of the candidates kept when these units are masked; the right one is the first."""
        tf = self.near.frequency(self._counts(masked)[1])
        return np.asarray(tf.astype(np.float32) @ self.table + tf.sum() * self.floor, dtype=np.float64)

    def lead(self, masked: Bools, k: int, margin: float) -> tuple[float, Floats]:
        """Lead of the right candidate over the k-th other (above 0: among the first k), and who counts how much."""
        scores = self.scores(masked)
        others = np.argpartition(-scores[1:], k - 1)[:k] + 1
        against = np.zeros(len(scores))
        against[others] = -1.0 / k
        against[0] = 1.0 + self._reserve(margin)
        return self._lead(scores, k, margin), against

    def is_ahead(self, masked: Bools, k: int, margin: float) -> bool:
        """Tell whether the right candidate is among the first k."""
        return self._lead(self.scores(masked), k, margin) > 0

    def start(self, masked: Bools) -> None:
        """Make ready to show masked units one by one: what changes is then computed, not everything."""
        held = self.touches >= 0
        self._dead = (held & np.append(masked, False)[self.touches]).sum(axis=1)
        occurrence, unit = np.nonzero(held)[0], self.touches[held]
        order = np.argsort(unit, kind="stable")
        self._touched_by = occurrence[order]
        self._first = np.searchsorted(unit[order], np.arange(self.units + 1))
        self._count = self._counts(masked)[1]
        self._now = self.scores(masked)
        self._next: tuple[Ints, Ints, Ints, Floats] | None = None

    def would_lead(self, unit: int, k: int, margin: float) -> bool:
        """Tell whether showing this unit brings the right candidate among the first k, which it is not now."""
        mine = self._touched_by[self._first[unit] : self._first[unit + 1]]
        freed = mine[self._dead[mine] == 1]
        if not len(freed):
            self._next = mine, freed, freed, self._now
            return False
        features, more = np.unique(self.feature[freed], return_counts=True)
        count = self._count[features]
        gain = self.near.frequency(count + more) - self.near.frequency(count)
        scores = self._now + gain @ self.table[features] + gain.sum() * self.floor
        self._next = mine, features, more, scores
        return self._lead(scores, k, margin) > 0

    def show(self) -> None:
        """Show the unit last asked for."""
        assert self._next is not None
        mine, features, more, self._now = self._next
        self._dead[mine] -= 1
        self._count[features] += more

    def _lead(self, scores: Floats, k: int, margin: float) -> float:
        if scores[0] == 0 or scores.min() == scores.max():
            return -math.inf  # nothing at all is known of the right one
        mine = scores[0] * (1 + self._reserve(margin))
        return float(mine - np.partition(scores[1:], -k)[-k] + _TIE * abs(mine))

    def _reserve(self, margin: float) -> float:
        return margin if self.near.sublinear else 0.0  # a share of a logarithm would mean nothing

    def gains(self, masked: Bools, against: Floats) -> Floats:
        """How much masking each unit lowers the lead of the right candidate."""
        alive, count = self._counts(masked)
        lead = self.table @ against.astype(np.float32) + self.floor @ against
        share = self.near.frequency(count) / np.maximum(count, 1) * lead
        touched = self.touches[alive]
        value = np.repeat(share[self.feature[alive]], touched.shape[1])
        unit = touched.ravel()
        held = unit >= 0
        return totals(unit[held], value[held], self.units)


def _touched(places: Ints, lengths: Ints, unit_of: Ints) -> Ints:
    """Units that each n-gram touches, each once; -1 fills up, and stands for words that may not be masked."""
    touches = np.full((len(places), int(lengths.max(initial=1))), -1, dtype=np.int64)
    for step in range(touches.shape[1]):
        inside = lengths > step
        touches[inside, step] = unit_of[places[inside] + step]
        touches[(touches[:, :step] == touches[:, step : step + 1]).any(axis=1), step] = -1
    width = max(int((touches >= 0).sum(axis=1).max(initial=1)), 1)
    return -np.sort(-touches, axis=1)[:, :width]
