"""`generalize`: simpler forms of the phrase, then ever more general concepts that give away nothing of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from tacenda.language import (
    ARTICLES,
    COUNTRIES_IN_SHORT,
    DENIED,
    EMPTY_HEADS,
    KIND_ENDINGS,
    KINDS_OF_BODIES,
    NO_NOUNS,
    PREPOSITIONS,
    RUNG_LABELS,
    SAID_RUNGS,
    SHORTHAND,
    SPOKEN_RUNGS,
    UNDOING,
    UNIT_LABELS,
    in_plural,
    is_heading,
    is_shorthand,
    singular,
)
from tacenda.model import Candidate, Concept, Context, Mention, Protected
from tacenda.protocols import Lineage, Taxonomy
from tacenda.replace.age_classes import age_candidates
from tacenda.replace.gate import may_climb
from tacenda.replace.ladders import Around, Ladders, around
from tacenda.replace.name_kinds import head_kinds, work_kinds
from tacenda.replace.naming import kind_of
from tacenda.replace.slots import (
    FIGURES,
    always_apposed,
    is_before_name,
    is_name,
    is_predicate,
    opens_in_plural,
    reads_everywhere,
)
from tacenda.term import STOP_WORDS, content_words, fold, words

Information = Callable[[str], float]

# What a name is, for names that neither a taxonomy nor their own words tell.
_KIND = {"PERSON": "person", "LOC": "place", "ORG": "organization"}
# Ladders of dates and numbers: no nouns, and their rungs hold digits by right.
_FIGURES = frozenset(("dates", "ages", "numbers"))
# Kinds of the label vocabulary that a sentence takes as a noun.
_NOUNS = (frozenset(RUNG_LABELS.values()) | {"employer", "school", "hospital", "organization"}) - {
    "activity", "group", "event", "time", "work", "religion", "nationality", "political view", "message",
}  # fmt: skip
_OF_HEALTH = frozenset(("condition", "medicine", "symptom", "injury", "procedure", "treatment", "test"))
# "The small town of X" says what X is; another X may be known as something else.
_SETTLED = re.compile(r"\b(?:town|city|village|county|state|hamlet|suburb) of (?:the )?$", re.I)
_STREET = re.compile(r"\b(?:Blvd|Ave|Rd|St|Ln|Hwy|Boulevard|Drive|Highway|Terrace|Crescent)\.?$")
_ANYBODY = frozenset(("person", "adult"))
# What a known value may be generalized as; a number in words is still a number.
_NAMED = frozenset({"PERSON", "LOC", "ORG", "DATETIME", "DEM", "AGE"})
# Rungs that say too little to stand in a sentence.
_EMPTY = frozenset(("thing", "object", "entity", "condition", "change", "substance", "group", "area", "work"))
# Nothing above these is said of what lies below them: a person is an organism, but is not called one.
_TOPS = frozenset(("person", "organization", "location", "place", "drug", "illness", "disease"))
# Where a name may be a common noun with a capital ("Lasix", "Hypertension" in a list): the ladder is about these.
_MEDICAL = frozenset(("drug", "medicine", "disease", "disorder", "illness", "symptom", "infection"))
# Taxonomies of which only the words people say are offered; what a user adds is said as it is written.
_BUILT_IN = frozenset(("wordnet", "diseases", "occupations", "groups", "places"))
_TIMES = frozenset(unit for unit, kind in UNIT_LABELS.items() if kind == "duration") | {"time"}
# Letters from which a word counts as a form of a longer one that begins with it.
_STEM = 5


class Generalize:
    """Propose what is more general than a mention, the nearest first.

    taxonomy        gives the rungs above a term
    information     bits of a term, from a corpus; no candidate is said to keep more than the original
    names           let names stand in rungs ("California" for a city of it); by default none may

    For "metastatic breast cancer": "breast cancer", "cancer", then the rungs above the longest form that the taxonomy
    knows. For a name: the rungs above it where a taxonomy knows it, else what its own words or those beside it say it
    is ("university" for "Boston University"), else what its label says. Left out is every rung with a word of the
    term, a name, a digit where the term has none, a form of a protected entity, or nothing to say ("object").
    Whether the rest is safe is for the risk models to say.
    """

    name = "generalize"

    def __init__(self, taxonomy: Taxonomy, *, information: Information | None = None, names: bool = False) -> None:
        self.taxonomy = taxonomy
        self.information = information
        self.names = names
        self._ladders = Ladders(taxonomy)

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return simpler forms and rungs, nearest first, with ever less information."""
        if mention.label == "CODE" or (mention.kind == "identifier" and mention.label not in FIGURES):
            return  # half a record number is still half a record number
        if mention.kind == "known" and mention.label not in _NAMED:
            return
        if not reads_everywhere(mention, context, titled=_is_titled(mention, context)):
            return
        apposed = always_apposed(mention, context)
        most = self.information(mention.text) if self.information else math.inf
        protected = _protected(context.protected)
        seen: set[str] = set()
        several = opens_in_plural(mention)
        # "boxer Smith" is no "person Smith", and who "votes liberal" does not vote person.
        no_person = is_before_name(mention, context.document.text) or is_predicate(mention, context.document.text)
        large = (
            mention.label == "LOC"
            and " of " not in mention.text
            and context.document.text[: mention.start].endswith(" the ")
        )
        for candidate in self._all(mention, context):
            if large and candidate.text == "place":
                candidate = replace(candidate, text="region")  # "across the Midwest"
            if several and candidate.noun:
                candidate = replace(candidate, text=in_plural(candidate.text), noun=False)
            key = fold(candidate.text)
            if no_person and (key in _ANYBODY or key.endswith(" person")):
                continue
            if key not in seen and key not in _EMPTY and not _holds(candidate.text, protected):
                seen.add(key)
                most = min(most, candidate.bits)
                yield replace(candidate, action="generalize", bits=most, noun=candidate.noun and not apposed)

    def _all(self, mention: Mention, context: Context) -> Iterator[Candidate]:
        text, said = context.document.text, around(mention, context)
        if mention.label == "AGE":
            yield from age_candidates(mention.text)
        elif mention.label in FIGURES:
            ladder = self._ladders.above(mention.text, mention, said.words)
            yield from self._rungs([rung for rung in ladder if rung.taxonomy in _FIGURES], mention.text)
        elif is_name(mention, opens=not said.before.strip(), text=text):
            yield from self._of_name(mention, said, context)
        elif DENIED.search(said.before) or words(mention.text)[:1] == ["no"]:
            return  # more would be denied than was: a label says what is missing
        elif may_climb(mention, text):
            yield from self._of_phrase(mention, said, context)
        else:
            yield from self._kinds(self._unclimbed(mention, context))

    def _unclimbed(self, mention: Mention, context: Context) -> list[str]:
        """The kind of what never climbs, where the glossary or a heading about health tells it: "HTN", "Asthma:"."""
        last = fold(mention.text.split()[-1]).strip(".") if mention.text.split() else ""
        heading = not mention.text.isupper() and is_heading(context.document.text, *mention.span)
        if mention.label not in ("TERM", "PROTECTED") or not mention.closes or not (heading or last in SHORTHAND):
            return []
        kind = kind_of(mention, context, self._ladders)
        return [kind] if kind in (_NOUNS if last in SHORTHAND else _OF_HEALTH) else []

    def _of_phrase(self, mention: Mention, said: Around, context: Context) -> Iterator[Candidate]:
        whole = mention.text.lower() if mention.text.isupper() and len(mention.text) > _STEM else mention.text
        forms = self._forms(whole)
        ladders = [(form, self._ladders.above(form, mention, said.words)) for form in (whole, *forms)]
        for form, ladder in ladders[1:]:
            yield Candidate(form, "generalize", self._bits(form, ladder), noun=True)
        if not forms:
            yield from self._kinds(head_kinds(whole))
        rungs = next((rungs for _, rungs in ladders if rungs), ())
        yield from self._rungs(rungs, whole)
        if not rungs:
            yield from self._kinds(kind for kind in (kind_of(mention, context, self._ladders),) if kind in _NOUNS)

    def _forms(self, phrase: str) -> list[str]:
        """Simpler forms without names whose last word is a noun; where none is, those at the end of the phrase.

        A phrase that is a word of its own is no simpler form with something added: "folic acid" is a vitamin, and
        nobody who takes it "takes acid".
        """
        if words(phrase)[:1] in (["one"], ["1"]):
            return []  # "one time" is not "time"
        if singular(fold(phrase.split()[-1])) in _TIMES:
            return []  # "the past two months" are not "the months"
        if not ARTICLES.isdisjoint(phrase.lower().split()[1:]) or not UNDOING.isdisjoint(words(phrase)):
            return []  # "reprised the role" is no noun phrase, a "non-speaking role" no speaking role
        parts = phrase.split()
        head = next((" ".join(parts[:n]) for n, part in enumerate(parts) if n and fold(part) in PREPOSITIONS), phrase)
        whole = simpler_forms(phrase)
        if whole and " " in phrase and whole[-1].endswith(("ed", "ly")) and not phrase.endswith(whole[-1]):
            return []  # "travelled between various countries" is no country
        for found in (whole, simpler_forms(phrase, cut=False)):
            forms = [form for form in found if self.names or not _has_name(form)]
            forms = [form for form in forms if not NO_NOUNS.issuperset(words(form)) and form not in EMPTY_HEADS]
            forms = [form for form in forms if form in head]  # who "suffers from epilepsy" is no epilepsy
            if forms and self.taxonomy.generalizations(forms[-1].split()[-1]):
                forms = [form for form in forms if not self._is_torn(form, phrase)]
                return [form for form in forms if self._holds_of(form, phrase)]
        return []

    def _is_torn(self, form: str, phrase: str) -> bool:
        """Tell whether a form begins in the middle of a word of two: "security benefits" of "social security"."""
        left = phrase[: len(phrase) - len(form)].split() if phrase.endswith(form) else []
        pair = f"{left[-1]} {form.split()[0]}" if left and " " in form else ""
        return bool(pair and self.taxonomy.generalizations(pair))

    def _holds_of(self, form: str, phrase: str) -> bool:
        """Tell whether a phrase is what its end says; one that is unknown as a whole is taken at its word."""
        if not isinstance(self.taxonomy, Lineage) or not self.taxonomy.generalizations(phrase):
            return True
        return self.taxonomy.is_generalization(form, phrase)

    def _kinds(self, kinds: Iterable[str]) -> Iterator[Candidate]:
        for kind in kinds:
            yield Candidate(kind, "generalize", self._bits(kind, ()), noun=True)

    def _of_name(self, mention: Mention, said: Around, context: Context) -> Iterator[Candidate]:
        short = is_shorthand(mention.text) or _SETTLED.search(said.before) is not None
        ladder = () if short else self._ladders.above(mention.text, mention, said.words)
        if ladder and self._is_known(mention, ladder, said.words):
            yield from self._rungs(ladder, mention.text)
            return
        kinds = () if mention.label == "PERSON" else head_kinds(mention.text)
        if mention.label == "LOC" and _STREET.search(mention.text):
            kinds = ("street", "place")
        own = singular(fold(mention.text))
        if mention.label in ("ORG", "LOC", "MISC") and mention.text in COUNTRIES_IN_SHORT:
            kinds = ("country",)
        elif mention.label == "ORG" and own in KINDS_OF_BODIES:
            kinds = (own, "organization")  # "the Government" is any government
        if not kinds and mention.label not in ("PERSON", "LOC"):
            kinds = work_kinds(mention.text, said.before, said.after)
        if not kinds and mention.label == "ORG":
            kinds = tuple(dict.fromkeys((kind_of(mention, context, self._ladders), "organization")))
        named = _KIND.get(mention.label, "")
        if named == "place" and said.before.casefold().endswith("the "):
            named = "region"  # "across the Southwest"
        yield from self._kinds(kinds or tuple(filter(None, (named,))))

    def _is_known(self, mention: Mention, ladder: Sequence[Concept], said: Sequence[str]) -> bool:
        """Tell whether a taxonomy knows the name itself, not a common noun written like it ("Cruise", "Gossip")."""
        if mention.label == "PERSON" and len(mention.text.split()) < 2:
            return False  # one of many who bear the name
        if mention.label in ("ORG", "LOC") and any(rung.name == "person" for rung in ladder):
            return False  # a writer signed "A.E.", but an "A&E" that is a body or a place is none
        long = mention.text.isupper() or len(mention.text) >= _STEM
        if long and any(rung.name in _MEDICAL for rung in ladder):
            return True
        return self._ladders.is_name(mention, said, _FIGURES)

    def _rungs(self, ladder: Sequence[Concept], term: str) -> Iterator[Candidate]:
        field = any(rung.name == "discipline" for rung in ladder)
        for rung in ladder:
            if self._may(rung, term):
                noun = rung.taxonomy not in _FIGURES
                said = SAID_RUNGS.get(rung.name, rung.name)
                if field and rung.name == "medicine":
                    said = "medical specialty"  # urology is no drug
                yield Candidate(said, "generalize", rung.bits, f"{rung.taxonomy}:{rung.id}", rung.volume, noun)
            if rung.name in _TOPS:
                return

    def _bits(self, form: str, ladder: Sequence[Concept]) -> float:
        """Information of a form: that of the corpus, else at least that of the nearest rung above it."""
        if self.information is not None:
            return self.information(form)
        return max((rung.bits for rung in ladder), default=0.0)

    def _may(self, rung: Concept, term: str) -> bool:
        name = rung.name
        if rung.taxonomy in _FIGURES:
            return fold(name) != fold(term)
        if any(c.isdigit() for c in name) or (not self.names and any(c.isupper() for c in name)):
            return False
        if name == "building" and KIND_ENDINGS.get(singular(fold(term.split()[-1]))) == "facility":
            return False  # who is seen in clinic is not seen in a building
        if name == "state" and rung.taxonomy != "places":
            return False  # of matter, of mind
        if rung.taxonomy in _BUILT_IN and name not in SPOKEN_RUNGS and not any(c.isupper() for c in name):
            return False
        said = SAID_RUNGS.get(name, name)
        return not _shares(_stems(f"{name} {said}"), _stems(term), head=_head(term))


def _is_titled(mention: Mention, context: Context) -> bool:
    """Tell whether the words around a name say that it is the title of a work."""
    said = around(mention, context)
    return mention.label == "MISC" and bool(work_kinds(mention.text, said.before, said.after))


def simpler_forms(phrase: str, *, cut: bool = True) -> list[str]:
    """Strip what follows a preposition, then words from the left, one by one (paper 004, G(s)).

    >>> simpler_forms("metastatic breast cancer"), simpler_forms("advanced cancer of the breast")
    (['breast cancer', 'cancer'], ['advanced cancer', 'cancer'])
    """
    parts = phrase.split()
    prepositions = (i for i, part in enumerate(parts) if cut and i and fold(part) in PREPOSITIONS)
    end = next(prepositions, len(parts))
    left = (parts[i:end] for i in range(0 if end < len(parts) else 1, end))
    return [" ".join(rest) for rest in left if fold(rest[0]) not in STOP_WORDS and rest[0][0].isalpha()]


def _has_name(form: str) -> bool:
    return any(c.isupper() or c.isdigit() for c in form)


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


Forms = Mapping[str, Sequence[tuple[str, ...]]]


@lru_cache(maxsize=4)
def _protected(protected: tuple[Protected, ...]) -> Forms:
    """Words of every form of every protected entity, under the first letters of the first: there are thousands."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for form in dict.fromkeys(form for one in protected for form in (one.entity, *one.forms)):
        if found := tuple(map(fold, content_words(form))):
            table.setdefault(found[0][:_STEM], []).append(found)
    return table


def _holds(text: str, protected: Forms) -> bool:
    """Tell whether a text holds all words of a protected form: the form, a synonym or a specialization named so."""
    found = _stems(text)
    # Words that count as the same share their first letters.
    near = (form for word in found for form in protected.get(word[:_STEM], ()))
    return any(all(any(_same(word, part) for word in found) for part in form) for form in near)
