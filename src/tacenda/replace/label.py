"""`label`: what a mention is, numbered where a text speaks of several: "[city]", "[person 1]"."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tacenda.language import LABEL_WORDS
from tacenda.model import Candidate, Context, Mention
from tacenda.protocols import Taxonomy
from tacenda.term import normalize

# Kinds of place and body that say more than "place", yet name nothing. Only the rungs of a taxonomy may tell them.
_KINDS = {
    "LOC": ("state capital", "capital", "city", "town", "village", "country", "state", "county", "province", "island",
            "river", "lake", "mountain", "continent", "region"),
    "ORG": ("university", "college", "school", "hospital", "bank", "court", "company", "party", "army", "church"),
}  # fmt: skip
# Terms are too many to number, and their numbers would tell how many there are.
_UNNUMBERED = frozenset(("TERM", "WORD", "PROTECTED"))
_KIND_OF = {"state capital": "city", "capital": "city"}

_Entity = tuple[int, str]
# (label, word) -> the number of each entity
_Numbers = dict[tuple[str, str], dict[_Entity, int]]


class Label:
    """Replace a mention by its kind in brackets.

    Persons are always numbered, others where the document has several of one kind. Numbers follow the first
    appearance of each entity; mentions tied to no entity are the same entity if they have the same words.

    taxonomy    tells a city from a river; without it both are a place
    information bits of a word: what a label still tells
    """

    name = "label"

    def __init__(self, *, taxonomy: Taxonomy | None = None, information: Callable[[str], float] | None = None) -> None:
        self.taxonomy = taxonomy
        self.information = information
        self._numbered: tuple[Context | None, dict[tuple[str, str], list[tuple[int, str]]]] = (None, {})

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the label, with its number where one is needed."""
        word = self._word(mention)
        found = self._numbers(context).get((mention.label, word), [_entity(mention)])
        bits = self.information(word) if self.information else 0.0
        if (len(found) > 1 and mention.label not in _UNNUMBERED) or mention.label == "PERSON":
            number = found.index(_entity(mention)) + 1 if _entity(mention) in found else len(found) + 1
            return [Candidate(f"[{word} {number}]", "label", bits)]
        return [Candidate(f"[{word}]", "label", bits)]

    def _numbers(self, context: Context) -> dict[tuple[str, str], list[tuple[int, str]]]:
        """Entities of each label in order of first appearance, found once for a document."""
        if self._numbered[0] is not context:
            found: dict[tuple[str, str], dict[tuple[int, str], None]] = {}
            for one in sorted(context.mentions, key=lambda m: (m.start, m.end)):
                found.setdefault((one.label, self._word(one)), {}).setdefault(_entity(one))
            self._numbered = (context, {kind: list(entities) for kind, entities in found.items()})
        return self._numbered[1]

    def _word(self, mention: Mention) -> str:
        kinds = _KINDS.get(mention.label, ())
        if self.taxonomy is not None and kinds:
            for concept in self.taxonomy.generalizations(mention.text):
                if concept.name in kinds:
                    return _KIND_OF.get(concept.name, concept.name)
        return LABEL_WORDS.get(mention.label, mention.label.lower().replace("_", " "))


def _entity(mention: Mention) -> _Entity:
    return (mention.entity, "") if mention.entity >= 0 else (-1, normalize(mention.text))
