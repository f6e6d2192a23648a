# ruff: noqa: E501
"""One training text with whatever is known about it; unknown tasks are None and give no loss."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

Span = tuple[int, int]
TYPES = ("PERSON", "LOC", "ORG", "DATETIME", "CODE", "DEM", "QUANTITY", "MISC")
UPOS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
ROLES = ("none", "quasi", "direct")


@dataclass(frozen=True)
class Example:
    """A text and its labels.

    tags        (start, end, part of speech) of every word
    phrases     base noun phrases
    sentences   sentence spans
    entities    (start, end, possible types); a type "O" among them: perhaps no entity
    open        types that may occur unmarked in this set
    masks       (start, end, role); role "?" gives no loss
    """

    text: str
    source: str
    doc: str
    tags: list[tuple[int, int, str]] | None = None
    phrases: list[Span] | None = None
    sentences: list[Span] | None = None
    entities: list[tuple[int, int, tuple[str, ...]]] | None = None
    open: tuple[str, ...] = ()
    masks: list[tuple[int, int, str]] | None = None

    def with_text(self, text: str) -> Example:
        """The same labels on a text of the same length."""
        assert len(text) == len(self.text)
        return replace(self, text=text)

    def part(self, low: int, high: int) -> Example:
        """The characters `[low, high)` alone, with the labels that lie inside."""

        def inside(spans: list | None) -> list | None:
            return (
                None
                if spans is None
                else [(s[0] - low, s[1] - low, *s[2:]) for s in spans if low <= s[0] and s[1] <= high]
            )

        return replace(
            self, text=self.text[low:high], tags=inside(self.tags), phrases=inside(self.phrases),
            sentences=inside(self.sentences), entities=inside(self.entities), masks=inside(self.masks),
        )  # fmt: skip

    def edited(self, edits: list[tuple[int, int, str]]) -> Example:
        """Apply replacements (sorted, disjoint) and move the spans of entities and masks along; other tasks are dropped."""
        out, at, starts, shifts = [], 0, [0], [0]
        shift = 0
        for start, end, new in edits:
            out += [self.text[at:start], new]
            at = end
            shift += len(new) - (end - start)
            starts.append(end)
            shifts.append(shift)
        out.append(self.text[at:])

        def move(place: int) -> int:
            return place + shifts[bisect_right(starts, place) - 1]

        entities = None if self.entities is None else [(move(a), move(b), t) for a, b, t in self.entities]
        masks = None if self.masks is None else [(move(a), move(b), r) for a, b, r in self.masks]
        text = "".join(out)
        return replace(self, text=text, tags=None, phrases=None, sentences=None, entities=entities, masks=masks)
