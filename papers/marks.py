"""Two labelers' marks of the six articles of paper 001, and where they stand in the text.

Each of 110 noun phrases of an article is marked: does it point to the entity, alone or with others? The first
labeler marked them before any flag was seen (labels/NAME.json). The second marked the same phrases in alphabetical
order from the list of phrases alone (labels/second.json).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tacenda import term
from tacenda.measures.agreement import fleiss_kappa
from tacenda.measures.gold import GoldDocument, GoldMention

Span = tuple[int, int]


@dataclass(frozen=True)
class Marks:
    """The phrases of an article, those each labeler marked, and how much of the article they come from."""

    terms: tuple[str, ...]
    first: frozenset[str]
    second: frozenset[str]
    characters: int

    @property
    def kappa(self) -> float:
        """Agreement of the two beyond chance (Fleiss)."""
        votes = [(t in self.first) + (t in self.second) for t in self.terms]
        return fleiss_kappa([[v, 2 - v] for v in votes])

    @property
    def agreement(self) -> float:
        """Share of phrases both marked alike."""
        return sum((t in self.first) == (t in self.second) for t in self.terms) / len(self.terms)


@cache
def marks_of(article: str) -> Marks:
    """Return the marks of an article."""
    folder = resources.files("papers") / "labels"
    held = json.loads((folder / f"{article.lower().replace(' ', '_')}.json").read_text("utf-8"))
    second = json.loads((folder / "second.json").read_text("utf-8"))[article]
    terms = (*held["sensitive"], *held["harmless"])
    return Marks(terms, frozenset(held["sensitive"]), frozenset(second), held["characters"])


def gold(article: str, text: str) -> tuple[GoldDocument, list[str]]:
    """Return the text with both labelers' marks at every occurrence, and the phrases not found in it."""
    marks = marks_of(article)
    found = places(text, marks.terms)
    people = {
        name: tuple(GoldMention(*span, label=t) for t in sorted(chosen) for span in found.get(t, ()))
        for name, chosen in (("first", marks.first), ("second", marks.second))
    }
    return GoldDocument(article, text, people), [t for t in marks.terms if t not in found]


def places(text: str, terms: tuple[str, ...]) -> dict[str, list[Span]]:
    """Return where phrases stand in a text; articles and other stop words between their words do not count."""
    tokens = [(t.start, t.end, _key(t.word)) for t in term.tokens(text)]
    every, content = tokens, [t for t in tokens if t[2] not in term.STOP_WORDS]
    found: dict[str, list[Span]] = {}
    for one in terms:
        words = [_key(w) for w in one.split()]
        spans = _runs(every, words) or _runs(content, [w for w in words if w not in term.STOP_WORDS])
        if spans:
            found[one] = spans
    return found


def _runs(tokens: list[tuple[int, int, str]], words: list[str]) -> list[Span]:
    n = len(words)
    return [
        (tokens[i][0], tokens[i + n - 1][1])
        for i in range(len(tokens) - n + 1)
        if n and all(tokens[i + j][2] == words[j] for j in range(n))
    ]


def _key(word: str) -> str:
    """One form for a word and its plural, however it was cut when the phrases were written down."""
    folded = term.normalize(word).casefold() or word.casefold()
    for end in ("es", "s"):
        if len(folded) > len(end) + 2 and folded.endswith(end):
            return folded.removesuffix(end).removesuffix("e")
    return folded.removesuffix("e") if len(folded) > 3 else folded
