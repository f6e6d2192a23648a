"""What the network sees of a text: the encoder's states, and how each word stands to each category."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacenda.model import Span
from tacenda.protocols import Embeddings
from tacenda.risk.meaning.signs import NOT, STRONG, Category, Lexicon, Word, words
from tacenda.term import STOP_WORDS

Floats = npt.NDArray[np.float32]
_SHORT, _MOST_SHORT = 1_000, 512  # characters of a text whose cues are remembered, and how many of them
CUES = 5  # strong, weak, look-alike, closeness to the names, closeness to the description


@dataclass(frozen=True)
class States:
    """The encoder's last states of a text, one row for each word piece, with the piece's place."""

    start: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    rows: Floats


class Cues:
    """For each word of a text and each category: is it a sign, and how close is it in meaning."""

    def __init__(self, chosen: Sequence[Category], embeddings: Embeddings) -> None:
        self.chosen = tuple(chosen)
        self.embeddings = embeddings
        self._lexicon = Lexicon(self.chosen)
        self._names = [self._matrix(c.entities or (c.name,)) for c in self.chosen]
        self._told = [self._matrix(_content(c.description)) for c in self.chosen]
        self._close: dict[str, Floats] = {}
        self._short: OrderedDict[str, tuple[list[Word], Floats]] = OrderedDict()

    def _matrix(self, phrases: Sequence[str]) -> Floats:
        found = [v for v in self.embeddings.vectors(list(phrases)) if v is not None]
        return np.asarray(found, dtype=np.float32).reshape(len(found), self.embeddings.dimensions)

    def of(self, found: Sequence[Word]) -> Floats:
        """Return the cues of words: (categories, words, CUES)."""
        table = np.zeros((len(self.chosen), len(found), CUES), dtype=np.float32)
        for first, after, category, kind in self._lexicon.find(found):
            table[category, first:after, kind] = 1.0
        alike = table[:, :, NOT] > 0
        table[:, :, STRONG][alike] = 0.0
        lower = [word.text.lower() for word in found]
        self._learn(lower)
        if found:
            table[:, :, 3:] = np.stack([self._close[word] for word in lower], axis=1)
        return table

    def of_text(self, text: str) -> tuple[list[Word], Floats]:
        """Return the words of a text and their cues; of sentences, asked for each category, they are remembered."""
        known = self._short.get(text)
        if known is None:
            found = words(text)
            known = found, self.of(found)
            if len(text) <= _SHORT:
                self._short[text] = known
                if len(self._short) > _MOST_SHORT:
                    self._short.popitem(last=False)
        return known

    def strong(self, text: str, category: int) -> list[Span]:
        """Return where signs stand that tell a category nearly by themselves."""
        found, table = self.of_text(text)
        return [(found[at].start, found[at].end) for at in np.flatnonzero(table[category, :, STRONG]).tolist()]

    def alike(self, text: str, category: int) -> list[Span]:
        """Return where look-alikes stand: phrases that only share the words of signs."""
        found = words(text)
        hits = self._lexicon.find(found)
        return [(found[a].start, found[b - 1].end) for a, b, c, kind in hits if c == category and kind == NOT]

    def _learn(self, wanted: Sequence[str]) -> None:
        """Keep the closeness of words that were not met before."""
        new = [w for w in dict.fromkeys(wanted) if w not in self._close]
        if len(self._close) + len(new) > 50_000:
            self._close.clear()
            new = list(dict.fromkeys(wanted))
        asked = [w for w in new if w not in STOP_WORDS and not w.isdigit()]
        for word in new:
            self._close[word] = np.zeros((len(self.chosen), 2), dtype=np.float32)
        for word, vector in zip(asked, self.embeddings.vectors(asked), strict=True):
            if vector is not None:
                row = np.asarray(vector, dtype=np.float32)
                for number, (names, told) in enumerate(zip(self._names, self._told, strict=True)):
                    self._close[word][number] = _best(names, row), _best(told, row)


def on_pieces(cues: Floats, found: Sequence[Word], states: States) -> Floats:
    """Spread the cues of words over their pieces: (categories, pieces, CUES)."""
    table = np.zeros((cues.shape[0], len(states.start), CUES), dtype=np.float32)
    if len(found):
        starts = np.asarray([word.start for word in found])
        at = np.searchsorted(starts, states.start, side="right") - 1
        inside = (at >= 0) & (states.start < np.asarray([word.end for word in found])[at])
        table[:, inside] = cues[:, at[inside]]
    return table


def text_cues(text: str, states: States, cues: Cues) -> Floats:
    """The cues of a text's pieces."""
    found, table = cues.of_text(text)
    return on_pieces(table, found, states)


def _best(matrix: Floats, row: Floats) -> float:
    return float((matrix @ row).max()) if len(matrix) else 0.0


def _content(description: str) -> list[str]:
    found = [w.text for w in words(description)]
    return list(dict.fromkeys(w for w in found if w.lower() not in STOP_WORDS and w.lower() not in _FRAME))


# Words of descriptions that say nothing of what is described.
_FRAME = frozenset(
    "person person's they their them has have had is are was belong belongs belonging such other".split()
)
