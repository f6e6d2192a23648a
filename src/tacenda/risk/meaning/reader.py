"""Reads texts: the probability that a reader concludes each protected thing from a stretch of text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.errors import KnowledgeError
from tacenda.model import Protected, Span
from tacenda.protocols import Embeddings, TextStates
from tacenda.risk.meaning.features import Cues, Floats, States, text_cues
from tacenda.risk.meaning.network import Bounds, Network, load
from tacenda.risk.meaning.signs import DATA, STRONG, WEAK, Category, categories, category_named
from tacenda.term import fold

_GENERIC = 2.0  # logit of the middle one of all categories from which on a sentence reads as anything
_BARE = 3.0  # taken off the logit where a category has a lexicon and the sentence none of its signs
_MOST_KEPT = 4096  # texts whose probabilities are remembered
_LONG = 100_000  # characters of a text from which on it is looked at in parts
_AT_ONCE = 512  # pieces in which the stretches begin that are read at once
_MOST_FORMS = 40  # names of an entity without a lexicon that count as its signs


class Reader:
    """Probabilities for the protected entities of one policy, in their order.

    encoder      gives the states of word pieces: `states(text)`
    embeddings   vectors of words
    """

    def __init__(
        self, protected: Sequence[Protected], encoder: TextStates, embeddings: Embeddings, path: Path = DATA
    ) -> None:
        self.protected = tuple(protected)
        self.encoder, self.path = encoder, path
        self.categories = tuple(category_of(entry) for entry in self.protected)
        narrower = {name for category in self.categories for name in category.includes}
        included = tuple(c for c in categories() if c.name in narrower and c not in self.categories)
        # A sentence that reads as everything reads as nothing in particular: the others say how much that is.
        others = tuple(c for c in categories() if c not in (*self.categories, *included))
        self.asked = (*self.categories, *included, *others)
        self._first = len(self.categories) + len(included)  # what a quick look asks about
        self._others = tuple(n for n, c in enumerate(self.asked) if c in categories())
        # By category: its own place among those asked about, and the places of what it includes.
        self._places = tuple(
            (n, *(m for m, c in enumerate(self.asked) if c.name in category.includes))
            for n, category in enumerate(self.categories)
        )
        self._has_signs = np.array([category_named(c.name) is not None for c in self.asked])
        self.cues = Cues(self.asked, embeddings)
        self._known: dict[str, Floats] = {}
        self._last: tuple[str, States] | None = None

    @cached_property
    def networks(self) -> tuple[Network, ...]:
        """The networks whose logits are averaged."""
        weights = load(self.path / "network.npz")
        count = int(weights["count"][0])
        return tuple(
            Network({key.split("/", 1)[1]: value for key, value in weights.items() if key.startswith(f"{n}/")})
            for n in range(count)
        )

    @cached_property
    def trained(self) -> dict[str, int]:
        """Numbers of the categories that the networks learned."""
        names = (self.path / "trained.txt").read_text("utf-8").splitlines()
        return {name: number for number, name in enumerate(names)}

    @cached_property
    def _added(self) -> list[Floats]:
        """What each category adds to every piece, by network and category."""
        described = []
        given = [entry.examples for entry in self.protected] + [()] * (len(self.asked) - len(self.protected))
        for category, examples in zip(self.asked, given, strict=True):
            texts = (category.description, *examples)
            described.append(np.mean([self._states(text).rows.mean(axis=0) for text in texts], axis=0))
        result = []
        for network in self.networks:
            mean = network.weights["mean"]
            learned = [
                network.weights["learned"][self.trained[c.name]] if c.name in self.trained else None for c in self.asked
            ]
            result.append(np.stack([network.category(d - mean, o) for d, o in zip(described, learned, strict=True)]))
        return result

    def _states(self, text: str) -> States:
        if self._last is None or self._last[0] != text:
            pieces, rows = self.encoder.states(text)
            self._last = text, States(pieces.start, pieces.end, rows)
        return self._last[1]

    def probabilities(self, text: str) -> Floats:
        """Return the probability of each entity for a text read by itself."""
        known = self._known.get(text)
        if known is None:
            known = self.stretches(text, [(0, len(text))])[0]
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[text] = known
        return known

    def strong(self, text: str, entity: int) -> list[Span]:
        """Return where a text has signs that tell an entity nearly by themselves."""
        return sorted({span for place in self._places[entity] for span in self.cues.strong(text, place)})

    def alike(self, text: str, entity: int) -> list[Span]:
        """Return where a text has phrases that only share the words of an entity's signs."""
        return self.cues.alike(text, entity)

    def look(self, text: str, spans: Sequence[Span], *, least: float) -> Floats:
        """Return the probabilities of stretches within their text; only those that reach `least` are exact."""
        if len(text) > _LONG:
            return self._look_in_parts(text, spans, least)
        found = self.stretches(text, spans, quick=True, most=1)
        closer = np.flatnonzero((found >= least).any(axis=1))
        if len(closer):
            found[closer] = self.stretches(text, [spans[n] for n in closer.tolist()], most=1)
        return found

    def _look_in_parts(self, text: str, spans: Sequence[Span], least: float) -> Floats:
        """Look at a long text part by part: the states of all its pieces would not fit into memory."""
        found = np.zeros((len(spans), len(self.categories)), dtype=np.float32)
        order = sorted(range(len(spans)), key=lambda n: spans[n])
        while order:
            start = spans[order[0]][0]
            fits = max(1, bisect_right(order, start + _LONG // 2, key=lambda n: spans[n][1]))
            own, order = order[:fits], order[fits:]
            part = text[start : max(spans[n][1] for n in own)]
            inside = [(spans[n][0] - start, spans[n][1] - start) for n in own]
            found[own] = self.look(part[:_LONG], inside, least=least)
        return found

    def stretches(self, text: str, spans: Sequence[Span], *, quick: bool = False, most: int | None = None) -> Floats:
        """Return the probabilities of stretches of a text that is read once: (stretches, entities).

        quick       ask about the protected categories only, to see what is worth a closer look
        most        ask at most so many networks
        """
        states = self._states(text)
        low, high = (
            np.searchsorted(states.start, np.asarray(side, dtype=np.int64)) for side in zip(*spans, strict=True)
        )
        full = np.flatnonzero(high > low)
        asked = self._first if quick else len(self.asked)
        logits = np.full((len(spans), asked), -99.0)
        if len(full):
            cues = text_cues(text, states, self.cues)
            bounds = np.stack((low[full], high[full]), axis=1)
            for some in _parts(bounds):
                first, after = int(bounds[some, 0].min()), int(bounds[some, 1].max())
                part = States(states.start[first:after], states.end[first:after], states.rows[first:after])
                read = self._logits(part, cues[:asked, first:after], bounds[some] - first, self.networks[:most])
                logits[full[some]] = read
        return self._calibrated(logits) if quick else self._settled(logits)

    def _logits(self, states: States, cues: Floats, bounds: Bounds, networks: Sequence[Network]) -> Any:
        """Return the logits of stretches of pieces, a line for each, a column for each category asked."""
        total: Any = 0.0
        for network, added in zip(networks, self._added, strict=False):
            v, score = network.pieces(network.project(states.rows), cues, added[: len(cues)])
            total = total + network.logits(v, score, cues, bounds).T / len(networks)
        signs = (cues[:, :, : WEAK + 1].max(axis=2) > 0).T
        none = np.zeros((1, len(cues)), dtype=bool)
        some = np.logical_or.reduceat(np.concatenate((signs, none)), bounds.reshape(-1), axis=0)[::2]
        total[~some & self._has_signs[: len(cues)]] -= _BARE
        return total

    def without(self, text: str, left_out: Sequence[Span]) -> Floats:
        """Return what a text tells without each of some spans, judged from its states with them: (spans, entities).

        The other words still know what they stood beside, so this is a sketch: it tells which words matter most
        without a pass of the encoder for each.
        """
        states = self._states(text)
        kept = np.array([(states.end <= start) | (states.start >= end) for start, end in left_out])
        some = np.flatnonzero(kept.any(axis=1))
        logits = np.full((len(left_out), len(self.asked)), -99.0)
        if len(some):
            cues = text_cues(text, states, self.cues)
            total: Any = 0.0
            for network, added in zip(self.networks, self._added, strict=True):
                v, score = network.pieces(network.project(states.rows), cues, added)
                total = total + network.logits_of(v, score, cues, kept[some]).T / len(self.networks)
            signs = (cues[:, :, : WEAK + 1].max(axis=2) > 0).T
            total[~(kept[some] @ signs) & self._has_signs] -= _BARE
            logits[some] = total
        return self._settled(logits)

    def _settled(self, logits: Any) -> Floats:
        """Turn the logits of all categories into the probabilities of the protected ones."""
        logits -= np.maximum(0.0, np.median(logits[:, self._others], axis=1) - _GENERIC)[:, None]
        return self._calibrated(logits)

    def _calibrated(self, logits: Any) -> Floats:
        """Platt's scaling, one for learned categories and one for those that are only described."""
        if not np.isfinite(logits).all():  # not a number is below every limit: what it stands for would leave
            raise KnowledgeError("risk model 'meaning': a reading is not a number; nothing may be concluded from it.")
        result = np.zeros((len(logits), len(self.categories)), dtype=np.float32)
        weights = self.networks[0].weights
        for n, category in enumerate(self.categories):
            slope, shift = weights["scale_known" if category_named(category.name) else "scale_described"]
            most = logits[:, self._places[n]].max(axis=1)
            result[:, n] = [1.0 / (1.0 + exp(-max(-60.0, min(60.0, slope * x + shift)))) for x in most]
        return result


def _parts(bounds: Bounds) -> Iterator[slice]:
    """Yield slices of stretches that lie near each other: what is computed at once stays small for any text."""
    start = 0
    while start < len(bounds):
        limit = int(bounds[start, 0]) + _AT_ONCE
        end = start + 1
        while end < len(bounds) and bounds[start, 0] <= bounds[end, 0] < limit:
            end += 1
        yield slice(start, end)
        start = end


def category_of(entry: Protected) -> Category:
    """Return the category that a policy means by an entity: one with a lexicon, or one made from its description."""
    known = category_named(entry.entity)
    if known is not None:
        return known
    forms = tuple(dict.fromkeys((entry.entity, *entry.forms)))[:_MOST_FORMS]
    told = entry.description or f"A person has or is known for {entry.entity}: {', '.join(forms[1:6])}."
    signs = tuple((STRONG, form.lower()) for form in forms if len(form) > 2)
    return Category(fold(entry.entity), told, forms, signs)
