"""An attacker who fills each mask from counts, given the words left in clear."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tacenda import term
from tacenda.errors import UsageError
from tacenda.measures.gold import Mask

Counts = Callable[[Sequence[Sequence[str]]], Sequence[int | None]]


@dataclass(frozen=True)
class GuessReport:
    """How many masks were filled with what stood there, and how far down the list it was.

    unreachable     masks whose original is not among the terms the attacker may say
    """

    masks: int
    unreachable: int
    top1: float
    top10: float
    mean_reciprocal_rank: float
    chance: float
    ranks: tuple[float, ...] = field(repr=False)

    def to_json(self) -> dict[str, float | int]:
        """Numbers only."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "ranks"}


def guess_masks(
    documents: Sequence[tuple[str, Sequence[Mask]]],
    terms: Sequence[str],
    counts: Counts,
    total: int,
    *,
    window: int = 200,
    most_words: int = 8,
) -> GuessReport:
    """Fill each mask with the term that the words around it suggest most.

    documents       original text and its masks (the words left in clear are those outside the masks)
    terms           what the attacker may say
    counts          groups of terms -> windows of a collection that hold all of them (a CorpusIndex's `counts`)
    total           number of windows
    window          characters on either side that are read; the `most_words` rarest words of them are used

    Score of a term t: log n(t) + sum over the words w in clear of log((n(t, w) + p(w)) / (n(t) + 1)).
    """
    known = _known(terms, counts)
    if not known:
        raise UsageError("none of the terms the attacker may say is known to the index")
    places: list[float] = []
    unreachable = 0
    for text, masks in documents:
        for mask in masks:
            original = term.normalize(text[mask.start : mask.end])
            if original not in known:
                unreachable += 1
                places.append(math.inf)
                continue
            clear = _clear_words(text, masks, mask, window)
            places.append(_rank(original, known, _rarest(clear, counts, most_words), counts, total))
    return _report(places, unreachable, 1 / len(known))


def _report(places: Sequence[float], unreachable: int, chance: float) -> GuessReport:
    size = max(len(places), 1)
    return GuessReport(
        masks=len(places),
        unreachable=unreachable,
        top1=sum(_first(p) for p in places) / size,
        top10=sum(p <= 10 for p in places) / size,
        mean_reciprocal_rank=sum(1 / p for p in places) / size,
        chance=chance,
        ranks=tuple(places),
    )


def _first(place: float) -> float:
    # A tie of m terms at the top has the middle rank (m + 1) / 2; the right one is named with chance 1/m.
    return 1 / (2 * place - 1) if place < 2 else 0.0


def _known(terms: Sequence[str], counts: Counts) -> dict[str, int]:
    distinct = sorted({term.normalize(one) for one in terms} - {""})
    found = counts([[one] for one in distinct])
    return {one: n for one, n in zip(distinct, found, strict=True) if n}


def _clear_words(text: str, masks: Sequence[Mask], mask: Mask, window: int) -> list[str]:
    low, high = mask.start - window, mask.end + window
    words = []
    for token in term.tokens(text):
        inside = any(m.start < token.end and token.start < m.end for m in masks)
        if low <= token.start < high and not inside and token.word not in term.STOP_WORDS:
            words.append(term.singular(token.word))
    return sorted(set(words))


def _rarest(words: Sequence[str], counts: Counts, most: int) -> list[tuple[str, int]]:
    found = [(word, n) for word, n in zip(words, counts([[w] for w in words]), strict=True) if n]
    return sorted(found, key=lambda pair: (pair[1], pair[0]))[:most]


def _rank(original: str, known: dict[str, int], clear: Sequence[tuple[str, int]], counts: Counts, total: int) -> float:
    names = list(known)
    joint = counts([[name, word] for name in names for word, _ in clear])
    scores = []
    for row, name in enumerate(names):
        score = math.log(known[name])
        for column, (_, n) in enumerate(clear):
            both = joint[row * len(clear) + column] or 0
            score += math.log((both + n / total) / (known[name] + 1))
        scores.append(score)
    mine = scores[names.index(original)]
    return sum(s > mine for s in scores) + (sum(s == mine for s in scores) + 1) / 2
