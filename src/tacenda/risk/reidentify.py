"""Defend against re-identification with the attackers' own means.

Given what an attacker may have read about many people, mask what tells most about the right one until it is no
longer among the first k of any attacker used here, at the least loss of information. Attackers are nearest-text
searches (`ngrams.NearestText`): their score is a sum over n-grams, so what each term adds to the lead of the right
person is known exactly, and so is what is left when it goes.

What this guarantees holds relative to the background given: an attacker who has read more may still succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import GuaranteeError, PolicyError, UsageError
from tacenda.model import Context, Mention, Reason, Risk, Span
from tacenda.risk.background import Background
from tacenda.risk.match import Match

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Loss = Callable[[str], float]

_PASSES = 3
_UNKNOWN = "zqhole"  # a word that no text holds, so that no n-gram crosses it


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


def _costs(text: str, spans: Sequence[Span], unit_of_span: Ints, units: int, loss: Loss) -> Floats:
    """Return the bits lost by masking each unit; a little more than nothing, so that fewer masks are better."""
    cost = np.full(units, 1e-3)
    for number, (start, end) in enumerate(spans):
        cost[unit_of_span[number]] += max(loss(text[start:end]), 0.0)
    return cost


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
    cost = _costs(text, spans, unit_of_span, units, loss)
    matches = [Match(search, text, unit_of_word, units, right, k) for search in background.searches]
    forced = np.zeros(units, dtype=np.bool_)
    rank_before = min(match.rank(forced) for match in matches)
    forced[unit_of_span[list(always)]] = True
    masked, complete = _masked(matches, forced, cost, k, margin)
    return Protection(
        masked=tuple(number for number in range(len(spans)) if masked[unit_of_span[number]]),
        rank_before=rank_before,
        rank_after=min(match.rank(masked) for match in matches),
        loss_bits=float(cost[masked].sum() - 1e-3 * masked.sum()),
        complete=complete,
    )


def _masked(matches: Sequence[Match], forced: Bools, cost: Floats, k: int, margin: float) -> tuple[Bools, bool]:
    """Return which units to mask, and whether that is enough."""
    masked = forced.copy()
    complete = _greedy(matches, masked, cost, k, margin)
    if not complete:
        masked[:] = True  # a greedy search can end too early; then everything goes, and what can comes back
        complete = not _leads(matches, masked, k, margin)
    if complete:
        _undo(matches, masked, forced, cost, k, margin)
    return masked, complete


@dataclass(frozen=True)
class Defense:
    """A text made safe against the attackers used: what each changed span reads now ("" where it was removed).

    kept        share of the bits of the spans that is left
    """

    changes: tuple[tuple[int, int, str], ...] = field(repr=False)
    rank_before: int
    rank_after: int
    kept: float
    complete: bool


def defend(
    text: str,
    spans: Sequence[Span],
    background: Background,
    name: str,
    bits: Loss,
    *,
    generalize: Callable[[str], str] | None = None,
    k: int = 1,
    margin: float = 0.0,
    always: Sequence[int] = (),
    rounds: int = 3,
) -> Defense:
    """Choose what to mask, write generalizations, and look again at what they tell, until nothing is left to do.

    spans       what may be masked, apart from each other, in order
    generalize  a term -> something more general, or "" to remove it; None removes all
    """
    now = [text[start:end] for start, end in spans]
    worth = [bits(words) for words in now]
    forced = list(always)
    first: Protection | None = None
    rank_after = 0
    for attempt in range(rounds):
        rewritten, places = _rewrite(text, spans, now)
        loss = _loss_of(bits, generalize if attempt == 0 else None)
        found = protect(rewritten, places, background, name, loss, k=k, margin=margin, always=forced)
        first = first or found
        forced = []
        changed = [number for number in found.masked if now[number]]
        for number in changed:
            now[number] = generalize(now[number]) if generalize and attempt == 0 else ""
        rank_after = background.rank(_rewrite(text, spans, now)[0], name)
        if rank_after > k or not changed:
            break
    kept = sum(min(bits(new), full) for new, full in zip(now, worth, strict=True) if new)
    return Defense(
        tuple((s, e, new) for (s, e), new in zip(spans, now, strict=True) if new != text[s:e]),
        first.rank_before if first else rank_after,
        rank_after,
        kept / sum(worth) if sum(worth) > 0 else 1.0,
        rank_after > k,
    )


def _loss_of(bits: Loss, generalize: Callable[[str], str] | None) -> Loss:
    """Return what is lost when words are generalized, or removed where nothing more general is given."""

    def loss(words: str) -> float:
        more_general = generalize(words) if generalize else ""
        return bits(words) - (min(bits(more_general), bits(words)) if more_general else 0.0)

    return loss


def _rewrite(text: str, spans: Sequence[Span], now: Sequence[str]) -> tuple[str, list[Span]]:
    """The text with its spans as they read now, and where each of them stands in it."""
    parts: list[str] = []
    places: list[Span] = []
    at = length = 0
    for (start, end), words in zip(spans, now, strict=True):
        if start < at:
            raise UsageError(f"spans overlap or are out of order at {start}-{end}")
        shown = words or f" {_UNKNOWN} "
        parts += [text[at:start], shown]
        begin = length + start - at
        length = begin + len(shown)
        places.append((begin, length))
        at = end
    return "".join([*parts, text[at:]]), places


def _units(text: str, spans: Sequence[Span]) -> tuple[Ints, Ints, int]:
    """Number the distinct terms: unit of each span, and of each word of the text (-1: not to be masked)."""
    numbers: dict[str, int] = {}
    of_span = np.array(
        [numbers.setdefault(term.normalize(text[s:e]) or text[s:e], len(numbers)) for s, e in spans], dtype=np.int64
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


def _greedy(matches: Sequence[Match], masked: Bools, cost: Floats, k: int, margin: float) -> bool:
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


def _leads(matches: Sequence[Match], masked: Bools, k: int, margin: float) -> bool:
    return any(match.is_ahead(masked, k, margin) for match in matches)


def _undo(matches: Sequence[Match], masked: Bools, forced: Bools, cost: Floats, k: int, margin: float) -> None:
    """Show again what need not be masked, the costliest first; showing one term can make room for another."""
    order = np.argsort(-cost, kind="stable").tolist()
    asked = list(matches)
    for match in asked:
        match.start(masked)
    for _ in range(_PASSES):
        before = int(masked.sum())
        for unit in order:
            if not masked[unit] or forced[unit]:
                continue
            leading = next((match for match in asked if match.would_lead(unit, k, margin)), None)
            if leading is None:
                masked[unit] = False
                for match in asked:
                    match.show()
            elif leading is not asked[0]:  # who found out now will probably do so again: ask that attacker first
                asked.remove(leading)
                asked.insert(0, leading)
        if int(masked.sum()) == before:
            return


class Reidentify:
    """Risky are the mentions that must go so that attackers with a background do not find out whom a text is about.

    background  JSON Lines (also .gz) with a name and a text about each person
    subject     whom documents are about that do not say it themselves (`--subject`, a record's subject)
    k           the right person must not be among the first k
    margin      by which share of the right one's score the k-th other must lead: a reserve against other attackers
    """

    name = "reidentify"
    unit = "rank"
    monotone = False
    guarantee = "The right person is not among the first k of the attackers used, given the background used."
    every_word = True  # any word can tell who somebody is, also one that no annotator marked

    def __init__(
        self,
        *,
        background: str | Path | Background,
        information: Loss,
        subject: str = "",
        k: int = 1,
        margin: float = 0.0,
    ) -> None:
        if k < 1 or margin < 0:
            raise PolicyError(
                f"risk model 'reidentify': k is {k}, margin {margin}; k must be 1 or more, margin 0 or more"
            )
        if not isinstance(background, Background):
            Background.check_file(Path(background))
        self._given, self._subject, self._loss = background, subject, information
        self._k, self._margin = k, margin

    @cached_property
    def background(self) -> Background:
        """The background, read on first use."""
        return self._given if isinstance(self._given, Background) else Background.read(self._given)

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return one risk for each mention to be masked; none if the subject is not among the first k."""
        if not mentions:
            return []
        subject = context.document.subject or self._subject
        if not subject:
            raise UsageError(
                f"{context.document.id or 'document'}: 'reidentify' needs to know whom the document is about."
                " Name the subject of the document or record, or set subject in [risk.reidentify]"
            )
        order = _apart(mentions)
        spans = [mentions[number].span for number in order]
        text, places = _rewrite(context.document.text, spans, [mentions[number].text for number in order])
        found = protect(text, places, self.background, subject, self._loss, k=self._k, margin=self._margin)
        shown = [order[number] for number in found.masked if mentions[order[number]].text.strip()]
        if not found.complete and not shown:
            raise GuaranteeError(
                f"{context.document.id or 'document'}: the right person remains among the first {self._k} although all"
                " that may be replaced is gone. No output was written. Use a smaller k, or a larger background"
            )
        counts = {"rank": found.rank_before, "k": self._k, "people": len(self.background.names)}
        why = Reason() if found.complete else Reason("elsewhere")
        score, limit = float(found.rank_before), float(self._k)
        # Not "identity": where one of several people is protected, words about the others may still tell who it is.
        return [Risk(self.name, (one,), "the subject", score, limit, self.unit, counts, why) for one in shown]


def _apart(mentions: Sequence[Mention]) -> list[int]:
    """Numbers of the mentions in reading order, leaving out those that overlap an earlier or longer one."""
    chosen: list[int] = []
    at = 0
    for number in sorted(range(len(mentions)), key=lambda i: (mentions[i].start, -mentions[i].end)):
        if mentions[number].start >= at:
            chosen.append(number)
            at = mentions[number].end
    return chosen
