"""Defend against re-identification with the attackers' own means.

Given what an attacker may have read about many people, mask what tells most about the right one until it is no
longer among the first k of any attacker used here, at the least loss of information. Attackers are nearest-text
searches (`ngrams.NearestText`): their score is a sum over n-grams, so what each term adds to the lead of the right
person is known exactly, and so is what is left when it goes.

What this guarantees holds relative to the background given: an attacker who has read more may still succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import KnowledgeError, UsageError
from tacenda.model import Context, Mention, Risk, Span
from tacenda.ngrams import NearestText, Shape, totals

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Loss = Callable[[str], float]

SHAPES = (
    Shape(lengths=(1, 2, 3)),
    Shape(lengths=(1, 2, 3), stop_words=False),
    Shape("letters", (3, 4, 5)),
)
_RIVALS = 64


@dataclass(frozen=True)
class Protection:
    """What to mask and what that achieves. Ranks are the worst (least) over the attackers used.

    masked      numbers of the spans to mask
    complete    False if masking everything that may be masked would not suffice
    """

    masked: tuple[int, ...] = field(repr=False)
    rank_before: int
    rank_after: int
    loss_bits: float
    complete: bool


class Background:
    """What an attacker may have read about each of many people, made ready to search."""

    def __init__(self, texts: Mapping[str, str], *, shapes: Sequence[Shape] = SHAPES) -> None:
        if len(texts) < 2:
            raise KnowledgeError(f"a background of {len(texts)} people; re-identification needs at least two")
        self.names = tuple(texts)
        self._place = {name: number for number, name in enumerate(self.names)}
        self.searches = tuple(NearestText(list(texts.values()), shape) for shape in shapes)

    def place(self, name: str) -> int:
        """Number of a person."""
        if name not in self._place:
            raise UsageError(f"the background holds nothing about '{name}'; it knows {len(self.names)} people")
        return self._place[name]

    def rank(self, text: str, name: str) -> int:
        """Least rank that any of the attackers gives the right person (1: named first)."""
        right = self.place(name)
        return min(_rank(search.scores(text), right) for search in self.searches)


def _rank(scores: Floats, right: int) -> int:
    # A score of 0 tells nothing: then the right one is as good as the last.
    return int((scores > scores[right]).sum()) + 1 if scores[right] > 0 else len(scores)


class _Match:
    """One attacker's view of one text: n-gram occurrences, the units they touch, and what they score."""

    def __init__(self, near: NearestText, text: str, unit_of_word: Ints, units: int, right: int) -> None:
        ids, word = near.view(text)
        found, places, lengths = near.keys_of(ids)
        column, known = near.columns_of(found)
        self.units = units
        columns, self.feature = np.unique(column[known], return_inverse=True)
        self.features = len(columns)
        self.touches = _touched(places[known], lengths[known], unit_of_word[word])
        self.of, self.owner, self.weight = near.postings(columns)
        self.size, self.right = near.size, right
        kept = self._rivals()
        number = np.full(near.size, -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        held = number[self.owner] >= 0
        self.table = np.zeros((len(columns), len(kept)), dtype=np.float32)
        self.table[self.of[held], number[self.owner[held]]] = self.weight[held]

    def _rivals(self) -> list[int]:
        """The right candidate and its strongest rivals, with everything masked and with nothing.

        Leaving rivals out can only make the right one look nearer, so the answer stays on the safe side.
        """
        chosen: dict[int, None] = {self.right: None}
        for masked in (np.ones(self.units, dtype=np.bool_), np.zeros(self.units, dtype=np.bool_)):
            order = np.argsort(-self.all_scores(masked), kind="stable")
            chosen.update(dict.fromkeys(order[:_RIVALS].tolist()))
        return list(chosen)

    def all_scores(self, masked: Bools) -> Floats:
        """Score of every candidate when these units are masked, as the attacker would compute it."""
        return totals(self.owner, self._tf(self._counts(masked)[1])[self.of] * self.weight, self.size)

    def rank(self, masked: Bools) -> int:
        """Rank of the right candidate among all when these units are masked."""
        return _rank(self.all_scores(masked), self.right)

    def _counts(self, masked: Bools) -> tuple[Bools, Ints]:
        """Occurrences that no masked unit touches, and how many are left of each n-gram."""
        alive = np.asarray(~np.append(masked, False)[self.touches].any(axis=1))  # -1 is the last: never masked
        return alive, np.bincount(self.feature[alive], minlength=self.features).astype(np.int64)

    @staticmethod
    def _tf(count: Ints) -> Floats:
        return np.where(count > 0, 1.0 + np.log(np.maximum(count, 1)), 0.0)

    def scores(self, masked: Bools) -> Floats:
        """Score of the candidates kept when these units are masked; the right one is the first."""
        return np.asarray(self._tf(self._counts(masked)[1]).astype(np.float32) @ self.table, dtype=np.float64)

    def lead(self, masked: Bools, k: int, margin: float) -> tuple[float, Floats]:
        """Lead of the right candidate over the k-th other (above 0: among the first k), and who counts how much."""
        scores = self.scores(masked)
        mine, rest = scores[0] * (1 + margin), scores[1:]
        others = np.argsort(-rest, kind="stable")[:k]
        against = np.zeros(len(scores))
        against[others + 1] = -1.0 / len(others)
        against[0] = 1.0 + margin
        return float(mine - rest[others[-1]]) if mine > 0 else -1.0, against

    def gains(self, masked: Bools, against: Floats) -> Floats:
        """How much masking each unit lowers the lead of the right candidate."""
        alive, count = self._counts(masked)
        lead = self.table @ against.astype(np.float32)
        share = self._tf(count) / np.maximum(count, 1) * lead
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


def protect(
    text: str,
    spans: Sequence[Span],
    background: Background,
    name: str,
    loss: Loss,
    *,
    k: int = 1,
    margin: float = 0.0,
    always: Sequence[int] = (),
) -> Protection:
    """Choose which spans to mask so that `name` is not among the first k of any attacker of the background.

    loss        bits lost when a stretch of the text is masked (information of the term less that of its replacement)
    margin      the k-th other must lead by this share of the right one's score: a reserve against other attackers
    always      numbers of spans that are masked in any case, direct identifiers for instance

    Equal terms are masked together. Greedy by lead lowered per bit, then every mask that proves needless is undone,
    the costliest first.
    """
    right = background.place(name)
    if not 1 <= k < len(background.names):
        raise UsageError(f"k is {k}; with {len(background.names)} people it must be 1 to {len(background.names) - 1}")
    unit_of_span, unit_of_word, units = _units(text, spans)
    cost = np.full(units, 1e-3)
    for number, (start, end) in enumerate(spans):
        cost[unit_of_span[number]] += max(loss(text[start:end]), 0.0)
    matches = [_Match(search, text, unit_of_word, units, right) for search in background.searches]
    masked = np.zeros(units, dtype=np.bool_)
    rank_before = min(match.rank(masked) for match in matches)
    masked[unit_of_span[list(always)]] = True
    forced = masked.copy()
    complete = _greedy(matches, masked, cost, k, margin)
    if complete:
        _undo(matches, masked, forced, cost, k, margin)
    return Protection(
        masked=tuple(number for number in range(len(spans)) if masked[unit_of_span[number]]),
        rank_before=rank_before,
        rank_after=min(match.rank(masked) for match in matches),
        loss_bits=float(cost[masked].sum() - 1e-3 * masked.sum()),
        complete=complete,
    )


def _units(text: str, spans: Sequence[Span]) -> tuple[Ints, Ints, int]:
    """Number the distinct terms: unit of each span, and of each word of the text (-1: not to be masked)."""
    numbers: dict[str, int] = {}
    of_span = np.array(
        [numbers.setdefault(term.normalise(text[s:e]) or text[s:e], len(numbers)) for s, e in spans], dtype=np.int64
    )
    words = list(term.tokens(text))
    starts = np.array([w.start for w in words], dtype=np.int64)
    of_word = np.full(len(words), -1, dtype=np.int64)
    for unit, (start, end) in zip(of_span.tolist(), spans, strict=True):
        first = max(int(np.searchsorted(starts, start, "right")) - 1, 0)
        for index in range(first, len(words)):
            if words[index].start >= end:
                break
            if words[index].end > start:
                of_word[index] = unit
    return of_span, of_word, len(numbers)


def _greedy(matches: Sequence[_Match], masked: Bools, cost: Floats, k: int, margin: float) -> bool:
    """Mask what lowers the leads most for its cost, until none is left; False if that cannot be done.

    Each round masks as many units as would take away half of what is left to do, and looks again.
    """
    while True:
        worth = np.zeros(len(masked))
        ahead = 0
        for match in matches:
            lead, against = match.lead(masked, k, margin)
            if lead > 0:
                worth += np.clip(match.gains(masked, against) / lead, -1.0, 1.0)
                ahead += 1
        if not ahead:
            return True
        worth[masked] = 0.0
        order = np.argsort(-worth / cost, kind="stable")
        order = order[worth[order] > 0]
        if not len(order):
            return False
        masked[order[: int(np.searchsorted(np.cumsum(worth[order]), ahead / 2)) + 1]] = True


def _leads(matches: Sequence[_Match], masked: Bools, k: int, margin: float) -> bool:
    return any(match.lead(masked, k, margin)[0] > 0 for match in matches)


def _undo(matches: Sequence[_Match], masked: Bools, forced: Bools, cost: Floats, k: int, margin: float) -> None:
    """Show again what need not be masked, the costliest first."""
    for unit in np.argsort(-cost, kind="stable").tolist():
        if masked[unit] and not forced[unit]:
            masked[unit] = False
            if _leads(matches, masked, k, margin):
                masked[unit] = True


class Reidentify:
    """Risk model: who the document is about, as attackers with a background would find out.

    A document whose subject is among the first k is risky, and so is each mention that must go to change that.
    Assess again after replacing: what was written instead may tell as well.
    """

    name = "reidentify"
    unit = "rank"
    monotone = False
    guarantee = "the right person is not among the first k of the attackers used, given the background used"

    def __init__(self, background: Background, subject: str, loss: Loss, *, k: int = 1, margin: float = 0.0) -> None:
        self._background, self._subject, self._loss = background, subject, loss
        self._k, self._margin = k, margin

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return one risk for each mention to be masked; none if the subject is not among the first k."""
        text, spans = _rewritten(context.document.text, mentions)
        found = protect(text, spans, self._background, self._subject, self._loss, k=self._k, margin=self._margin)
        rank = found.rank_before
        counts = {"rank": rank, "k": self._k, "people": len(self._background.names)}
        note = "" if found.complete else "masking all mentions is not enough: other words tell as well"
        return [
            Risk(self.name, (number,), "identity", float(rank), float(self._k), self.unit, counts, note)
            for number in found.masked
        ]


def _rewritten(text: str, mentions: Sequence[Mention]) -> tuple[str, list[Span]]:
    """The text with the mentions as they read now, and where each of them stands in it."""
    order = sorted(range(len(mentions)), key=lambda i: (mentions[i].start, mentions[i].end))
    spans: list[Span] = [(0, 0)] * len(mentions)
    parts: list[str] = []
    at = length = 0
    for index in order:
        mention = mentions[index]
        if mention.start < at:  # overlaps the one before: it stands where that one stands
            spans[index] = spans[order[order.index(index) - 1]]
            continue
        parts += [text[at : mention.start], mention.text]
        begin = length + mention.start - at
        length = begin + len(mention.text)
        spans[index] = (begin, length)
        at = mention.end
    parts.append(text[at:])
    return "".join(parts), spans
