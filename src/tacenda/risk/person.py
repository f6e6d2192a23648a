"""Whom a text is about: direct identifiers, and the facts that, alone or together, fit only few people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.errors import PolicyError
from tacenda.language import COMMON_KINDS, HEAD_NOUNS, OFFICES, RELATIVE_BEFORE, SPEAKING
from tacenda.model import Context, Mention, Note, Reason, Risk
from tacenda.protocols import CorpusIndex, Taxonomy
from tacenda.risk.counts import Counts
from tacenda.risk.population import Flags, People
from tacenda.risk.terms import is_replaced, phrase_words
from tacenda.term import content_words, singular, tokens, words

DIRECT = Reason("direct")
RELATION = Reason("relation")
# Labels of facts that many people share; every other identifier points at one person.
SHARED = ("DATETIME", "QUANTITY", "AGE", "LOC", "ORG", "DEM", "MISC", "TERM", "WORD")
_LEANS = 0.6  # bits by which a text must lean towards articles about people to be judged by them
# By how much the limit falls for each bit by which a text leans away from people: it is about a matter (findings,
# procedure), and its terms of art are rare among people without telling anything of one.
_AWAY = 4.0
_SPOKEN = 0.02  # of the words of a letter or of minutes that no article about a person would use
_SHARE = 50  # of all people, for an index that knows only a few
_NEAR = 60
_SHOWN = 3
_NAME_PARTS = 2
# An article is about the subject if it shares the name and so many of the facts: there is more than one John Field.
_SAME_FACTS = 3
_TELLING = ("LOC", "ORG", "MISC", "DATETIME", "DEM")
_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_AFTER_HEAD = re.compile(r"\s(?:of|for|in|at|on|against|from|to)\s.*", re.IGNORECASE)


@dataclass(frozen=True)
class _Fact:
    """Something the text says of the person: its words and the mentions that carry it."""

    words: tuple[str, ...]
    mentions: tuple[int, ...]


class Person:
    """Direct identifiers go; what is left in clear, each phrase and each word, fits many people like the subject.

    Who is like the subject is looked up among the people the index knows, its articles about a person: the `crowd` of
    those whose articles share most with the text. Its own article is left out. A fact stays if at least k of the crowd
    have it, and k_all of all people. A name stays only if it is that of a thing many have, an award or an office;
    titles of works always go.
    A text that does not read like one about these people (a court case, a letter from a hospital) says little that is
    in such articles; there names and what is said of origin or office go, and how many a phrase fits is estimated from
    all that the index holds. Words for findings, treatments and steps of a proceeding do not count there.

    k               least number of people of the crowd
    crowd           how many people are compared with
    k_all           least number of all the people the index knows: among those most like the subject a rare word that
                    tells them from everybody else is common
    k_elsewhere     least number of all people, by the estimate, in texts of other kinds; fewer in a text that speaks
                    less of people than most do, such as a report of findings
    kinds           labels of what counts as a fact; leave out what another model of the policy hides anyway
    noun_phrases    False: only names, places, dates and attributes are facts, as in a record about a private person
    """

    name = "person"
    unit = "people"
    monotone = False
    guarantee = (
        "No direct identifier that was found is left, and each fact that was recognized fits many people, as far as "
        "the index can tell: k of those most like the subject, or of all by an estimate if the text is of another kind."
    )

    def __init__(
        self,
        *,
        index: CorpusIndex,
        taxonomy: Taxonomy | None = None,
        k: int = 16,
        crowd: int = 400,
        k_all: int = 200,
        k_elsewhere: int = 5,
        kinds: Sequence[str] = SHARED,
        noun_phrases: bool = True,
    ) -> None:
        for setting, value in (("k", k), ("crowd", crowd), ("k_all", k_all), ("k_elsewhere", k_elsewhere)):
            if value < 1:
                raise PolicyError(f"risk model 'person': {setting} is {value}; it must be 1 or more.")
        if crowd < k:
            raise PolicyError(f"risk model 'person': crowd is {crowd}; it must be at least k, which is {k}.")
        if unknown := sorted(set(kinds) - set(SHARED)):
            raise PolicyError(f"risk model 'person': no kind of fact '{unknown[0]}'. Available: {', '.join(SHARED)}.")
        self.k, self.crowd, self.k_all, self.k_elsewhere = k, crowd, k_all, k_elsewhere
        self.kinds = frozenset(kinds) if noun_phrases else frozenset(kinds) - {"TERM", "WORD"}
        self.every_word = "WORD" in self.kinds  # rare verbs tell who somebody is as well as rare nouns
        self._counts = Counts(index, self.name)
        self._taxonomy = taxonomy
        self._common: dict[str, bool] = {}
        self._read: tuple[Context | None, Flags | None, float] = (None, None, 0.0)
        self._subject: tuple[Context | None, Flags] = (None, np.zeros(0, dtype=np.bool_))

    @cached_property
    def people(self) -> People:
        """The people of the index, derived on first use."""
        return People(self._counts)

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return direct identifiers, then the facts that fit fewer than k people."""
        direct = [n for n, mention in enumerate(mentions) if _is_direct(mention, context)]
        risks = [Risk(self.name, (n,), "identity", 1.0, float(self.k), self.unit, {}, DIRECT) for n in direct]
        related = [n for n, mention in enumerate(mentions) if self._is_relative_s_office(mention, context)]
        risks += [Risk(self.name, (n,), "identity", 1.0, float(self.k), self.unit, {}, RELATION) for n in related]
        facts = self._facts(mentions, context, {*direct, *related})
        if not facts:
            return risks
        if self._read[0] is not context:
            told = context.mentions or mentions
            leaning = self._leaning(told, context)
            crowd = self._like_the_subject(told, context) if leaning > _LEANS else None
            self._read = (context, crowd, leaning)
        _, crowd, leaning = self._read
        if crowd is not None:
            return risks + self._known(facts, mentions, crowd)
        return risks + self._estimated(facts, mentions, self.k_elsewhere * _AWAY ** min(0.0, leaning))

    def _like_the_subject(self, mentions: Sequence[Mention], context: Context) -> Flags:
        """Return the people most like the subject."""
        named = {word for mention in mentions if mention.label == "PERSON" for word in content_words(mention.text)}
        told = [word for word in content_words(context.document.text) if word not in named]
        return self.people.alike(told, self.people.about & ~self._own(context), self.crowd)

    def _known(self, facts: Sequence[_Fact], mentions: Sequence[Mention], crowd: Flags) -> list[Risk]:
        """Return the facts that fit fewer than k of the crowd, and the names that are no common things."""
        number = int(np.count_nonzero(crowd))
        least = min(self.k_all, self.people.number // _SHARE)
        risks = []
        for fact in facts:
            held = self.people.holding(fact.words)
            fit, every = int(np.count_nonzero(held & crowd)), int(np.count_nonzero(held & self.people.about))
            if fit >= self.k and every < least:
                risks.append(self._few(fact, every, self.people.number, least, kind="rare"))
            elif fit < self.k or any(_names_one_thing(mentions[n]) for n in fact.mentions):
                risks.append(self._few(fact, fit, number, self.k))
        return risks

    def _estimated(self, facts: Sequence[_Fact], mentions: Sequence[Mention], limit: float) -> list[Risk]:
        number = self.people.number
        risks = []
        for fact in facts:
            if all(mentions[n].label == "WORD" for n in fact.mentions):
                continue  # verbs of procedure are rare among people and say nothing of anybody
            fit = self.people.estimate([word for word in fact.words if not self._is_common(word)])
            named = (mentions[n] for n in fact.mentions if mentions[n].kind == "entity" and mentions[n].role != "none")
            if fit < limit or any(one.label == "DEM" or _names_one_thing(one) for one in named):
                risks.append(self._few(fact, fit, number, limit, kind="estimate"))
        return risks

    def _is_common(self, word: str) -> bool:
        """Tell whether a word names what everybody has who is examined or heard, however rarely it is written."""
        if word not in self._common:
            above = self._taxonomy.generalizations(word) if self._taxonomy is not None else ()
            self._common[word] = any(concept.name in COMMON_KINDS for concept in above)
        return self._common[word]

    def _few(self, fact: _Fact, fit: float, people: int, limit: float, kind: str = "few") -> Risk:
        counts = {"fit": int(fit), "people": people}
        return Risk(self.name, fact.mentions, "identity", fit, float(limit), self.unit, counts, Reason(kind))

    def _facts(self, mentions: Sequence[Mention], context: Context, direct: set[int]) -> list[_Fact]:
        carried: dict[tuple[str, ...], list[int]] = {}
        for number, mention in enumerate(mentions):
            if number not in direct and self._is_fact(mention, context) and (words := phrase_words(mention)):
                carried.setdefault(words, []).append(number)
        return [_Fact(words, tuple(numbers)) for words, numbers in carried.items()]

    def _is_relative_s_office(self, mention: Mention, context: Context) -> bool:
        """Tell whether a mention still says which office a relative holds: "her brother, the mayor"."""
        if mention.label not in self.kinds or not OFFICES.intersection(map(singular, words(mention.text))):
            return False
        text, (start, end) = context.document.text, mention.span
        places = [start + found.start() for found in _WORD.finditer(text[start:end])]
        return any(RELATIVE_BEFORE.search(text[max(0, at - _NEAR) : at]) for at in places)

    def _is_fact(self, mention: Mention, context: Context) -> bool:
        if not is_replaced(mention, context):
            return mention.label in self.kinds
        # What stands in place of a name is left in clear. A label says only what kind of thing stood there.
        return mention.label in SHARED and not mention.text.startswith("[")

    def _leaning(self, mentions: Sequence[Mention], context: Context) -> float:
        """Tell how much more the words of a text that name nothing are used of people than elsewhere."""
        named = [mention.span for mention in mentions if mention.kind != "term"]
        covered = bytearray(len(context.document.text))
        for start, end in named:
            covered[start:end] = b"\1" * (end - start)
        words = [token.word for token in tokens(context.document.text) if not covered[token.start]]
        spoken = sum(word in SPEAKING for word in words)
        leaning = self.people.leaning(words)
        return min(0.0, leaning) if spoken > _SPOKEN * len(words) else leaning

    def _own(self, context: Context) -> Flags:
        """Which articles are about the subject: about somebody of that name, and holding facts of the text."""
        if self._subject[0] is not context:
            self._subject = (context, self._articles_of_subject(context))
        return self._subject[1]

    def _articles_of_subject(self, context: Context) -> Flags:
        names = [content_words(name) for name in context.subject.names] if context.subject else []
        fullest = max(names, key=len, default=())
        nobody = np.zeros_like(self.people.about)
        if len(fullest) < _NAME_PARTS:
            return nobody
        own = self.people.named(fullest)
        if not own.any():
            return nobody
        facts = {phrase_words(m) for m in context.mentions if m.label in _TELLING and m.kind != "term"} - {()}
        held = sum(
            (self.people.holding(words).astype(np.int64) for words in sorted(facts)), np.zeros(len(own), np.int64)
        )
        found: Flags = own & (held >= _SAME_FACTS)
        return found

    def notes(self, mentions: Sequence[Mention], context: Context) -> list[Note]:
        """Warn of a subject the index has an article about: readers who know the field may know the person anyway."""
        own = self._own(context)
        if not own.any():
            return []
        others: npt.NDArray[np.bool_] = self.people.about & ~own
        rare: dict[tuple[str, ...], tuple[int, Mention]] = {}
        for mention in context.mentions:
            words = phrase_words(mention)
            if words and mention.label in SHARED and words not in rare:
                held = self.people.holding(words)
                if (held & own).any():
                    rare[words] = (int((held & others).sum()), mention)
        first = sorted(rare.values(), key=lambda one: (one[0], one[1].start))[:_SHOWN]
        places = {f"{end}_{n}": getattr(m, end) for n, (_, m) in enumerate(first) for end in ("start", "end")}
        return [Note("famous", {"articles": int(own.sum()), "people": self.people.number, **places})]


def _is_direct(mention: Mention, context: Context) -> bool:
    if not mention.text.strip() or is_replaced(mention, context):
        return False
    if mention.role == "direct" or mention.kind == "known":
        return True
    return mention.kind in ("entity", "identifier") and mention.label not in SHARED


def _names_one_thing(mention: Mention) -> bool:
    """Tell whether a name is that of one thing: no award, office or other common noun with a name before it.

    Titles are made of common words ("Working Girl"): how many people's articles hold these says nothing.
    """
    if mention.kind != "entity" or mention.label == "DEM" or mention.role == "none":
        return False
    if _YEAR.search(mention.text):
        return True  # "2005 Music Award": many have the award, few that of one year
    if mention.text.islower():
        return False
    head = words(_AFTER_HEAD.sub("", mention.text))
    return len(head) < _NAME_PARTS or (singular(head[-1]) not in HEAD_NOUNS and head[0] != "best")
