"""Signs: words and phrases that readers take as telling of a category, and look-alikes that only share the words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tacenda.model import Protected
from tacenda.term import fold

DATA = Path(__file__).parents[2] / "data" / "meaning"
STRONG, WEAK, NOT = 0, 1, 2
_WORD = re.compile(r"[^\W_]+(?:['’=][^\W_]+)*")
_GAP = 3  # most words that "..." stands for
_MOST_MET = 50_000


@dataclass(frozen=True)
class Word:
    """A word of a text with its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Category:
    """Something a policy may protect, as readers know it.

    entities     names under which a policy protects it
    description  one sentence that says what is disclosed
    signs        (kind, phrase) of every sign
    everyday     names of it, and of what it includes, that are everyday words too
    includes     names of narrower categories: who learns one of them has learned this one
    """

    name: str
    description: str
    entities: tuple[str, ...] = ()
    signs: tuple[tuple[int, str], ...] = ()
    everyday: frozenset[str] = frozenset()
    includes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sign:
    """One phrase to look for: its words ("…" a gap, a trailing star any ending), its category and its kind."""

    words: tuple[str, ...]
    category: int
    kind: int


@cache
def categories(path: Path = DATA / "signs.toml") -> tuple[Category, ...]:
    """Return the categories with a lexicon of their own, in a fixed order."""
    table = tomllib.loads(path.read_text("utf-8"))["category"]
    everyday = {entry["name"]: entry["everyday"] for entry in table}
    return tuple(
        Category(
            entry["name"],
            entry["description"],
            tuple(entry["entities"]),
            tuple((kind, sign) for kind, key in enumerate(("strong", "weak", "not")) for sign in entry[key]),
            frozenset(word for name in (entry["name"], *entry.get("includes", ())) for word in everyday[name]),
            tuple(entry.get("includes", ())),
        )
        for entry in table
    )


def category_named(entity: str) -> Category | None:
    """Return the category with a lexicon that a policy means by an entity, if there is one."""
    name = fold(entity)
    return next((c for c in categories() if name == fold(c.name) or name in c.entities), None)


def without_everyday(entry: Protected) -> Protected:
    """Return a protected entity without names that are everyday words too: only a sentence can tell which is meant."""
    category = category_named(entry.entity)
    if category is None:
        return entry
    forms = tuple(form for form in entry.forms if form.lower() not in category.everyday)
    # "AIDS" still names it in capitals, as signs that are abbreviations do; "aids" only where the sentence reads so.
    capitals = tuple(form for form in entry.forms if form.isupper() and form.lower() in category.everyday)
    signs = tuple(sign for sign in entry.signs if sign not in category.everyday) + capitals
    return replace(entry, forms=forms, signs=signs)


def words(text: str) -> list[Word]:
    """Return the words of a text; hyphens and slashes separate."""
    return [Word(m.start(), m.end(), m[0].replace("’", "'")) for m in _WORD.finditer(text)]


class Lexicon:
    """Finds the signs of several categories in one walk over the words of a text."""

    def __init__(self, chosen: Sequence[Category]) -> None:
        self.size = len(chosen)
        self._exact: dict[str, list[Sign]] = {}
        self._prefix: dict[int, dict[str, list[Sign]]] = {}
        self._met: dict[str, tuple[Sign, ...]] = {}
        for number, category in enumerate(chosen):
            for kind, phrase in category.signs:
                self._add(Sign(_parts(phrase), number, kind))

    def _add(self, sign: Sign) -> None:
        first = sign.words[0]
        if first.endswith("*"):
            stem = first[:-1].lower()
            self._prefix.setdefault(len(stem), {}).setdefault(stem, []).append(sign)
        else:
            self._exact.setdefault(first.lower(), []).append(sign)

    def find(self, found: Sequence[Word]) -> Iterator[tuple[int, int, int, int]]:
        """Yield (first word, word after the last, category, kind) of every sign."""
        for at, word in enumerate(found):
            for sign in self._beginning(word.text):
                end = _match(sign.words, found, at)
                if end:
                    yield at, end, sign.category, sign.kind

    def _beginning(self, word: str) -> tuple[Sign, ...]:
        """Return the signs that begin with a word as it is written; most words of a text were met before."""
        met = self._met.get(word)
        if met is None:
            lower = word.lower()
            near = [*self._exact.get(lower, ())]
            if lower.endswith("'s"):
                near += self._exact.get(lower[:-2], ())
            for length, table in self._prefix.items():
                near += table.get(lower[:length], ())
            if len(self._met) >= _MOST_MET:
                self._met.clear()
            met = self._met[word] = tuple(sign for sign in near if _same(sign.words[0], word))
        return met


def _parts(phrase: str) -> tuple[str, ...]:
    parts: list[str] = []
    for piece in phrase.split():
        if piece == "...":
            parts.append(piece)
            continue
        found = [m[0] for m in _WORD.finditer(piece.replace("’", "'"))] or ["*"]
        parts += found[:-1]
        parts.append(found[-1] + ("*" if piece.endswith("*") and piece != "*" else ""))
    return tuple(parts)


def _same(sign: str, word: str) -> bool:
    if sign == "*":
        return True
    if sign.endswith("*"):
        stem = sign[:-1]
        return (word if stem != stem.lower() else word.lower()).startswith(stem)
    if sign != sign.lower():
        return word in (sign, sign + "'s")
    lower = word.lower()
    return lower in (sign, sign + "'s")


def _match(sign: tuple[str, ...], found: Sequence[Word], at: int) -> int:
    """Return the number of the word after the match of a sign that begins at `at`; 0 if it does not."""
    if not sign:
        return at
    if sign[0] == "...":
        return next((end for gap in range(_GAP + 1) if (end := _match(sign[1:], found, at + gap))), 0)
    if at >= len(found) or not _same(sign[0], found[at].text):
        return 0
    return _match(sign[1:], found, at + 1)
