"""t-plausibility of a piece of text: sensitive terms in it, generalized, and a few of the plausible originals."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacenda.choose.plausibility.ladder import Answer
from tacenda.choose.plausibility.solve import solve
from tacenda.errors import KnowledgeError, UsageError
from tacenda.model import Concept, Span
from tacenda.protocols import Taxonomy
from tacenda.term import singular, tokens, words


@dataclass(frozen=True, slots=True)
class Plausible:
    """A generalized text, what was chosen for each term (None: kept), and the answer behind it."""

    text: str = field(repr=False)
    source: str = field(repr=False)
    spans: Mapping[str, Sequence[Span]] = field(repr=False)
    concepts: Mapping[str, Concept | None] = field(repr=False)
    answer: Answer

    def originals(self, domains: Mapping[str, Sequence[str]], count: int) -> list[str]:
        """Return up to `count` plausible originals, drawn alike from the given domains of the terms."""
        draw = random.Random(0)
        found: dict[str, None] = {}
        for _ in range(20 * count):
            chosen = {
                term: draw.choice(domains[term]) for term, concept in self.concepts.items() if concept is not None
            }
            found[_replaced(self.source, self.spans, chosen)] = None
            if len(found) == count:
                break
        return list(found)

    def examples(self, leaves: Callable[[Concept], Sequence[str]], count: int) -> list[str]:
        """Return up to `count` plausible originals, given what stands below each concept; none if that is unknown."""
        domains = {term: leaves(concept) for term, concept in self.concepts.items() if concept is not None}
        return self.originals(domains, count) if domains and all(domains.values()) else []

    def to_json(self, t: int, *, uniform: bool) -> dict[str, Any]:
        """Return text, numbers and terms as plain data."""
        answer = self.answer
        terms = zip(answer.terms, answer.volumes, answer.entropies, strict=True)
        return {
            "text": self.text,
            "t": t,
            "uniform": uniform,
            "originals": answer.product,
            "bits": math.fsum(answer.entropies),
            "cost": answer.cost,
            "exact": answer.exact,
            "gap": answer.gap,
            "terms": [
                {
                    "term": term,
                    "replacement": concept.name if (concept := self.concepts[term]) else None,
                    "concept": f"{concept.taxonomy}:{concept.id}" if concept else None,
                    "volume": volume,
                    "bits": entropy,
                }
                for term, volume, entropy in terms
            ],
        }


def plausible(
    text: str, terms: Sequence[str], taxonomy: Taxonomy, t: int, *, uniform: bool = False, alpha: float = 0.5
) -> Plausible:
    """Generalize the sensitive terms of a text so that at least t originals are plausible."""
    spans = _spans(text, list(dict.fromkeys(terms)))
    rungs = {term: tuple(taxonomy.generalizations(term, _around(text, spans[term]))) for term in spans}
    unknown = [str(place) for place, term in enumerate(spans, 1) if not rungs[term]]
    if unknown:
        raise KnowledgeError(
            f"Sensitive term number {', '.join(unknown)} is in no taxonomy, so nothing more general is known. "
            "Name a taxonomy that contains it, or suppress it."
        )
    answer = solve({term: [(c.id, c.volume) for c in rungs[term]] for term in rungs}, t, uniform=uniform, alpha=alpha)
    concepts = {term: rungs[term][rung] if rung >= 0 else None for term, rung in answer.choice.items()}
    chosen = {term: concept.name for term, concept in concepts.items() if concept is not None}
    return Plausible(_replaced(text, spans, chosen), text, spans, concepts, answer)


def _spans(text: str, terms: Sequence[str]) -> dict[str, list[Span]]:
    """Where each term stands in the text, in singular or plural; a longer term has preference over one inside it."""
    found = list(tokens(text))
    plain = [singular(token.word) for token in found]
    taken: set[int] = set()
    spans: dict[str, list[Span]] = {term: [] for term in terms}
    for term in sorted(terms, key=lambda one: (-len(words(one)), one)):
        wanted = [singular(word) for word in words(term)]
        for start in range(len(plain) - len(wanted) + 1):
            places = range(start, start + len(wanted))
            if wanted and plain[start : start + len(wanted)] == wanted and not taken.intersection(places):
                taken.update(places)
                spans[term].append((found[start].start, found[start + len(wanted) - 1].end))
    missing = [str(place) for place, term in enumerate(terms, 1) if not spans[term]]
    if missing:
        raise UsageError(f"Sensitive term number {', '.join(missing)} does not occur in the text.")
    return spans


def _around(text: str, spans: Sequence[Span]) -> list[str]:
    """Words of the text besides the term itself."""
    kept, position = [], 0
    for start, end in spans:
        kept += words(text[position:start])
        position = end
    return kept + words(text[position:])


def _replaced(text: str, spans: Mapping[str, Sequence[Span]], chosen: Mapping[str, str]) -> str:
    pieces, position = [], 0
    for start, end, new in sorted((*span, chosen[term]) for term in chosen for span in spans[term]):
        pieces += [text[position:start], new]
        position = end
    return "".join([*pieces, text[position:]])
