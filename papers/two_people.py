"""Table 4 of paper 004: documents about two people, of whom one is to be protected.

Each of the 20 summaries of `actors50` is followed by the next one, and the first person is the one to protect. Right is
what the authors marked in the first summary. What the second says in the same words is counted neither way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from papers import actors as common
from papers.actors import Actor, Span
from tacenda import knowledge
from tacenda.knowledge.vectors import Vectors
from tacenda.model import Document
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer
from tacenda.term import normalize

SIMILARITY = 'name = "benchmark"\nreplace = ["suppress"]\n[risk.similarity]\n'
ANY = SIMILARITY + "[risk.entity]\n"


@dataclass(frozen=True)
class Pair:
    """Two summaries in one document; the first person is protected."""

    first: Actor
    second: Actor

    @property
    def text(self) -> str:
        """Both texts."""
        return f"{self.first.text}\n{self.second.text}"

    @property
    def id(self) -> str:
        """Both ids."""
        return f"{self.first.id}+{self.second.id}"

    @property
    def base(self) -> int:
        """Where the second text starts."""
        return len(self.first.text) + 1

    def system(self, name: str) -> list[Span]:
        """What a system masked in both."""
        second = [(s + self.base, e + self.base) for s, e in self.second.systems.get(name, ())]
        return [*self.first.systems.get(name, ()), *second]

    def as_actor(self, masks: Sequence[Span]) -> tuple[Actor, list[Span]]:
        """The pair as one document to score, and the masks that count."""
        shared = {normalize(self.first.text[s:e]) for s, e in self.first.gold}
        counted = [(s, e) for s, e in masks if e < self.base or normalize(self.text[s:e]) not in shared]
        return Actor(self.id, self.first.title, self.text, self.first.gold, (), {}, {}), counted


def by_policy(pairs: Sequence[Pair], policy: str, given: Mapping[str, Any], parts: Sequence[Any], subject: bool) -> Any:
    """What a policy masks, with the first person named as the subject or with nobody named."""
    sanitizer = Sanitizer(replace(Policy.from_text(policy), annotate=()), annotators=parts, **given)
    found = {}
    for pair in pairs:
        document = Document(pair.text, pair.id, subject=pair.first.name if subject else "")
        found[pair.id] = [d.span for d in sanitizer.plan(document).changes]
    return found


def table4(actors: Sequence[Actor], parts: Sequence[Any], trained: Vectors | None, index: Any) -> dict[str, Any]:
    """Scores of every method on all pairs."""
    pairs = [Pair(a, b) for a, b in zip(actors, [*actors[1:], actors[0]], strict=True)]
    kind = "static table" if trained is None else "trained"
    given = {
        "embeddings": knowledge.open_vectors() if trained is None else trained,
        "index": index,
        "taxonomy": knowledge.open_taxonomy(),
    }
    masks: dict[str, Any] = {n: {p.id: p.system(n) for p in pairs} for n in ("NER3", "NER4", "NER7", "Presidio")}
    for name, policy, subject in (
        (f"similarity, {kind}, nobody named", SIMILARITY, False),
        (f"similarity, {kind}, --subject", SIMILARITY, True),
        (f"any of entity, similarity, {kind}, nobody named", ANY, False),
        (f"any of entity, similarity, {kind}, --subject", ANY, True),
    ):
        masks[name] = by_policy(pairs, policy, given, parts, subject)
    results = {}
    for name, found in masks.items():
        scored = [p.as_actor(found[p.id]) for p in pairs]
        results[name] = common.scores([a for a, _ in scored], {a.id: m for a, m in scored})
    return results
