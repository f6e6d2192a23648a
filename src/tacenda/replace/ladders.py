"""What stands above a mention: the one place where replacers ask a taxonomy."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tacenda.language import CLASS_LABELS, PERSON_NOUNS, singular
from tacenda.model import Concept, Context, Mention, Span
from tacenda.protocols import ReadInSentence, Senses, Taxonomy
from tacenda.term import fold, words

# Share of the senses' probability that must lie below a rung before it is offered; set by judgment, to be on the safe
# side (docs/replacing.md has what it gives).
SURE = 0.8
SURE_OF_HEADS = 0.95
# Which taxonomy to ask first for a mention of a label.
PREFER = {"LOC": "places", "DEM": "occupations"}
# Words of the glosses of kinds of people: a description is more likely of one ("model").
_OF_PEOPLE = ("person", "someone", "profession")


# Words that together are found in clinical documents only, and how many of them it takes.
_CLINICAL_CUES = frozenset(
    "patient denies mg symptoms diagnosis medication medications exam examination tenderness history hpi prescribed "
    "clinic treatment bilateral chronic daily surgery physical".split()
)
_CUES = 6
_CLINICAL = ("patient", "symptom", "illness", "medicine", "disease")


@dataclass(frozen=True, slots=True)
class Around:
    """The sentence of a mention, before and behind it."""

    before: str
    after: str
    field: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """All words around the mention, and those of the document's field: "pain" in a clinic is a symptom."""
        return [*words(self.before), *words(self.after), *self.field]


def around(mention: Mention, context: Context) -> Around:
    """Return what stands around a mention in its sentence."""
    start, end = _sentence(mention, context)
    text = context.document.text
    return Around(text[start : mention.start], text[mention.end : end], _field(text))


@lru_cache(maxsize=8)
def _field(text: str) -> tuple[str, ...]:
    """Words that every reader of a clinical document has in mind; none for other documents."""
    return _CLINICAL if len(_CLINICAL_CUES.intersection(words(text))) >= _CUES else ()


class Ladders:
    """Asks a taxonomy for the rungs above a form, in the sense that its mention has.

    Only rungs are given below which the senses that fit the sentence lie with enough probability, so that a word
    whose sense is open climbs to what all its likely senses are, or not at all.
    """

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.taxonomy = taxonomy
        self._senses = taxonomy if isinstance(taxonomy, Senses) else None
        self._in_sentence = taxonomy if isinstance(taxonomy, ReadInSentence) else None

    def above(self, form: str, mention: Mention, said: Sequence[str]) -> Sequence[Concept]:
        """Return the rungs above a form of a mention, nearest first."""
        prefer = PREFER.get(mention.label, "")
        said = [*said, *_OF_PEOPLE] if mention.label == "DEM" else said
        found = self._of_person(form, mention, said) or self._ask(form, mention, said, prefer)
        if not form[:1].islower() or prefer == "places" or all(rung.taxonomy != "places" for rung in found):
            return found
        # "dire" is a town too, but not in lower case: there only what WordNet knows counts.
        other = self._ask(form, mention, said, "wordnet") if self._senses else ()
        return () if any(rung.taxonomy == "places" for rung in other) else other

    def _of_person(self, form: str, mention: Mention, said: Sequence[str]) -> Sequence[Concept]:
        """What is above a person, where a phrase is said of one: a "heroin addict" is no disorder."""
        last = fold(form.split()[-1]) if form.split() else ""
        if singular(last) not in PERSON_NOUNS:
            return ()
        return [rung for rung in self._ask("woman", mention, said, "") if rung.name == "person"]

    def _ask(self, form: str, mention: Mention, said: Sequence[str], prefer: str) -> Sequence[Concept]:
        if self._in_sentence:
            # The last word of a phrase that no taxonomy knows may mean something else in it: "stand partner".
            sure = SURE if form == mention.text else SURE_OF_HEADS
            return self._in_sentence.generalizations(form, said, prefer=prefer, sure=sure, reading=mention.reading)
        if self._senses:
            return self._senses.generalizations(form, said, prefer=prefer)
        return self.taxonomy.generalizations(form, said)

    def class_of(self, mention: Mention) -> str:
        """Return what the broadest class of a mention is called, if its use in the sentence tells; else nothing."""
        if self._in_sentence is None or mention.reading is None or mention.tag not in ("NOUN", "PROPN"):
            return ""
        number = self._in_sentence.class_of(mention.reading)
        return CLASS_LABELS[number] if number >= 0 else ""

    def is_name(self, mention: Mention, said: Sequence[str], figures: frozenset[str]) -> bool:
        """Tell whether a taxonomy knows a name as a name, not as a common noun written like it ("Cruise")."""
        if self._senses is None:
            return True
        found = self._senses.sense(mention.text, said, prefer=PREFER.get(mention.label, ""))
        return found is not None and (found.name[:1].isupper() or found.taxonomy in figures)


def _sentence(mention: Mention, context: Context) -> Span:
    """The sentence a mention stands in: its words tell senses and kinds."""
    at = bisect_right(context.sentences, (mention.start, sys.maxsize)) - 1
    if at >= 0 and mention.start < context.sentences[at][1]:
        return context.sentences[at]
    return mention.start, mention.end
