"""`generalize`: simpler forms of the phrase, then ever more general concepts that give away nothing of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from tacenda.model import Candidate, Concept, Context, Mention
from tacenda.protocols import Taxonomy
from tacenda.term import STOP_WORDS, content_words, fold, words

Information = Callable[[str], float]

# What a name is, for names that no taxonomy holds.
_KIND = {"PERSON": "person", "LOC": "place", "ORG": "organization"}
# Names are no phrases: "York City" is not a simpler form of "New York City".
_NAMES = frozenset(("PERSON", "LOC", "ORG", "MISC", "DATETIME", "QUANTITY", "CODE", "AGE", "ADDRESS"))
# Ladders of dates and numbers: no nouns, and their rungs hold digits by right.
_FIGURES = frozenset(("dates", "ages", "numbers"))
# Identifiers that may be told more coarsely; all others only go.
_COARSENED = frozenset(("DATETIME", "AGE", "QUANTITY"))
# Letters from which a word counts as a form of a longer one that begins with it.
_STEM = 5


class Generalize:
    """Propose what is more general than a mention, the nearest first.

    taxonomy        gives the rungs above a term
    information     bits of a term, from a corpus; no candidate is said to keep more than the original
    names           let names stand in rungs ("California" for a city of it); by default none may

    For "metastatic breast cancer": "breast cancer", "cancer", then the rungs above the longest form that the taxonomy
    knows. Left out is every rung with a word of the term, a name, a digit where the term has none, or a form of a
    protected entity. Whether the rest is safe is for the risk models to say.
    """

    name = "generalize"

    def __init__(self, taxonomy: Taxonomy, *, information: Information | None = None, names: bool = False) -> None:
        self.taxonomy = taxonomy
        self.information = information
        self.names = names

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return simpler forms and rungs, nearest first, with ever less information."""
        if mention.label == "CODE" or (mention.kind == "identifier" and mention.label not in _COARSENED):
            return  # half a record number is still half a record number
        if mention.label == "MISC" and mention.text == mention.text.lower():
            return  # an ordinal or the like: no thing that has a kind
        most = self.information(mention.text) if self.information else math.inf
        seen: set[str] = set()
        for candidate in self._all(mention, context):
            key = fold(candidate.text)
            if key not in seen:
                seen.add(key)
                most = min(most, candidate.bits)
                yield Candidate(candidate.text, "generalize", most, candidate.concept, candidate.volume, candidate.noun)

    def _all(self, mention: Mention, context: Context) -> Iterator[Candidate]:
        around = _sentence_words(mention, context)
        protected = _protected(context)
        forms = [] if mention.label in _NAMES else simpler_forms(mention.text)
        ladders = [(form, self.taxonomy.generalizations(form, around)) for form in (mention.text, *forms)]
        for form, ladder in ladders[1:]:
            if not _holds(form, protected):
                yield Candidate(form, "generalize", self._bits(form, ladder), noun=True)
        ladder = next((rungs for _, rungs in ladders if rungs), ())
        if mention.label == "QUANTITY":
            ladder = [rung for rung in ladder if rung.taxonomy in _FIGURES]
        for rung in ladder:
            if self._may(rung, mention.text, protected):
                noun = rung.taxonomy not in _FIGURES
                yield Candidate(rung.name, "generalize", rung.bits, f"{rung.taxonomy}:{rung.id}", rung.volume, noun)
        kind = _KIND.get(mention.label, "")
        if kind and not ladder and not _holds(kind, protected):
            yield Candidate(kind, "generalize", self._bits(kind, ()), noun=True)

    def _bits(self, form: str, ladder: Sequence[Concept]) -> float:
        """Information of a form: that of the corpus, else at least that of the nearest rung above it."""
        if self.information is not None:
            return self.information(form)
        return max((rung.bits for rung in ladder), default=0.0)

    def _may(self, rung: Concept, term: str, protected: Sequence[tuple[str, ...]]) -> bool:
        name = rung.name
        if rung.taxonomy not in _FIGURES:
            if any(c.isdigit() for c in name) or (not self.names and any(c.isupper() for c in name)):
                return False
            if _shares(_stems(name), _stems(term), head=_head(term)):
                return False
        elif fold(name) == fold(term):
            return False
        return not _holds(name, protected)


def simpler_forms(phrase: str) -> list[str]:
    """Strip words from the left, one by one, as long as what is left reads as a phrase (paper 004, G(s)).

    >>> simpler_forms("metastatic breast cancer")
    ['breast cancer', 'cancer']
    """
    parts = phrase.split()
    left = (parts[i:] for i in range(1, len(parts)))
    return [" ".join(rest) for rest in left if fold(rest[0]) not in STOP_WORDS and rest[0][0].isalpha()]


def _stems(phrase: str) -> frozenset[str]:
    return frozenset(fold(word) for word in content_words(phrase))


def _head(phrase: str) -> str:
    found = content_words(phrase)
    return fold(found[-1]) if len(found) > 1 else ""


def _shares(rung: frozenset[str], own: frozenset[str], *, head: str) -> bool:
    """Tell whether a rung has a word of the term; the head of a phrase may stay ("pain" for "lumbar pain")."""
    return any(_same(word, part) for word in rung for part in own if part != head)


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _STEM and long.startswith(short))


def _protected(context: Context) -> list[tuple[str, ...]]:
    """Words of every form of every protected entity."""
    forms = [form for one in context.protected for form in (one.entity, *one.forms)]
    return [found for form in dict.fromkeys(forms) if (found := tuple(map(fold, content_words(form))))]


def _holds(text: str, protected: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether a text holds all words of a protected form: the form, a synonym or a specialisation named so."""
    found = _stems(text)
    return any(all(any(_same(word, part) for word in found) for part in form) for form in protected)


def _sentence_words(mention: Mention, context: Context) -> list[str]:
    """Words of the sentence a mention stands in, by which a taxonomy may tell its sense."""
    for start, end in context.sentences:
        if start <= mention.start < end:
            text = context.document.text
            return words(text[start : mention.start]) + words(text[mention.end : end])
    return []
