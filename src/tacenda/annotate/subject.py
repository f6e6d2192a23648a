"""Who a document is about, by which other names, and what in it belongs to other people.

Persons are the entities that `entities.tie` numbered. Another person entity is the subject too if its name holds
all parts of the subject's (or the other way round), if given names go together ("Tom", "Thomas") and another part
is shared, or if the text says so ("born ...", "also known as ..."). A sentence is about the first main person it
names, or about the same person as the sentence before; main persons are the subject and whoever opens a paragraph,
or opens a sentence and is named more than once. What stands in a sentence about somebody else, in which the subject
is not named, belongs to the others, unless the same term also stands with the subject.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tacenda.annotate.entities import PERSON_LABELS, parse_name
from tacenda.errors import InputError
from tacenda.model import Annotation, Document, Mention, Span, Subject
from tacenda.term import normalise

_ALSO = re.compile(
    r"[\s,;(\"“]*(?:[\w'-]+[;,]? ){0,4}(?:born|n[ée]e?|aka|a\.k\.a\.|known(?: \w+)? as|stage name|credited(?: \w+)? as|"
    r"nicknamed|birth name|formerly|real name)[\s:,\"“]*",
    re.IGNORECASE,
)
_REACH = 60
_SHORT = {
    "tom": "thomas", "bill": "william", "will": "william", "bob": "robert", "rob": "robert", "dick": "richard",
    "rick": "richard", "jim": "james", "jimmy": "james", "jack": "john", "johnny": "john", "joe": "joseph",
    "mike": "michael", "mick": "michael", "tony": "anthony", "ted": "edward", "ed": "edward", "ned": "edward",
    "harry": "henry", "hank": "henry", "chuck": "charles", "charlie": "charles", "dave": "david", "steve": "stephen",
    "kate": "katherine", "kathy": "katherine", "katie": "katherine", "liz": "elizabeth", "beth": "elizabeth",
    "betty": "elizabeth", "peggy": "margaret", "maggie": "margaret", "meg": "margaret", "molly": "mary",
    "polly": "mary", "sally": "sarah", "nancy": "anne", "annie": "anne", "sue": "susan", "dan": "daniel",
    "danny": "daniel", "nick": "nicholas", "larry": "lawrence", "andy": "andrew", "drew": "andrew",
    "kit": "christopher", "chris": "christopher", "sandy": "alexander",
    "alex": "alexander", "gene": "eugene", "bud": "william",
}  # fmt: skip


@dataclass(frozen=True)
class _Person:
    """A person of a document: its entity number, its mentions, and the parts of its fullest name."""

    entity: int
    mentions: tuple[int, ...]
    parts: tuple[str, ...]


def find_subject(document: Document, annotation: Annotation) -> Subject | None:
    """Return whom a document is about: the person it names as subject, or the most central one.

    None where no person is found and none is named. A named subject that does not occur is an error.
    """
    people = _people(annotation.mentions)
    named = bool(document.subject.strip())
    if named:
        own = _matching(parse_name(document.subject).parts, people)
        if not own:
            raise InputError(
                f"{document.id or 'document'}: the subject does not occur in it; {len(people)} other person(s) do."
                " Check the spelling, or leave the subject out to see whom the plan proposes."
            )
    elif people:
        own = [_central(people, annotation)]
    else:
        return None
    own = _other_names(document.text, own, people, annotation.mentions)
    entities = {p.entity for p in own}
    numbers = sorted(i for p in own for i in p.mentions)
    names = tuple(dict.fromkeys(annotation.mentions[i].text for i in numbers))
    others = _others(annotation, document.text, people, entities)
    return Subject(names, tuple(numbers), others, named)


def describe(subject: Subject, mentions: Sequence[Mention]) -> str:
    """Say in a plan whom it takes for the subject: by place, since a plan holds no source text."""
    first = mentions[subject.mentions[0]]
    where = f"the person named at characters {first.start}-{first.end} ({len(subject.mentions)} mentions)"
    if subject.given:
        return f"subject: {where}; {len(subject.others)} mention(s) belong to others and stay"
    return f"subject (proposed): {where}; name another with --subject"


def _people(mentions: Sequence[Mention]) -> list[_Person]:
    """Return the persons in order of their first mention."""
    groups: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        if mention.label in PERSON_LABELS and mention.kind != "term" and mention.entity >= 0:
            groups[mention.entity].append(number)
    people = []
    for entity, numbers in groups.items():
        names = [parse_name(mentions[i].text).parts for i in numbers]
        people.append(_Person(entity, tuple(numbers), max(names, key=len)))
    return people


def _matching(parts: Sequence[str], people: Sequence[_Person]) -> list[_Person]:
    found = [p for p in people if same_person(parts, p.parts)]
    if found or not parts:
        return found
    # Only a part of the name occurs ("Diaz"): taken if it can mean one person.
    lone = [p for p in people if set(p.parts) & set(parts)]
    return lone if len(lone) == 1 else []


def same_person(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two names, each in parts from given to family name, may be one person's.

    >>> same_person(("tom", "cruise"), ("thomas", "cruise", "mapother"))
    True
    >>> same_person(("jon", "voight"), ("angelina", "jolie", "voight"))
    False
    """
    if not one or not other:
        return False
    few, many = sorted((set(one), set(other)), key=len)
    if few <= many:
        return len(few) > 1 or len(many) == 1 or min(len(one), len(other)) == 1
    given = _full(one[0]) == _full(other[0]) or (1 in (len(one[0]), len(other[0])) and one[0][0] == other[0][0])
    return given and bool(set(one[1:]) & set(other[1:]))


def _full(given: str) -> str:
    return _SHORT.get(given, given)


def _central(people: Sequence[_Person], annotation: Annotation) -> _Person:
    """Return the person named in most sentences; being named first counts as three more."""

    def weight(person: _Person) -> tuple[int, int]:
        sentences = {_sentence(annotation.sentences, annotation.mentions[i].start) for i in person.mentions}
        return len(sentences) + (3 if person is people[0] else 0), -person.mentions[0]

    return max(people, key=weight)


def _other_names(
    text: str, own: Sequence[_Person], people: Sequence[_Person], mentions: Sequence[Mention]
) -> list[_Person]:
    """Add the persons that are the subject under another name."""
    found = list(own)
    for person in people:
        if person not in found and (
            any(same_person(person.parts, p.parts) for p in found if len(p.parts) > 1 and len(person.parts) > 1)
            or any(_said_to_be(text, mentions, p, person) for p in found)
        ):
            found.append(person)
    return found


def _said_to_be(text: str, mentions: Sequence[Mention], one: _Person, other: _Person) -> bool:
    """Tell whether the words between two mentions say that they name the same person."""
    for a in one.mentions:
        for b in other.mentions:
            first, second = sorted((mentions[a], mentions[b]), key=lambda m: m.start)
            between = text[first.end : second.start]
            if len(between) <= _REACH and _ALSO.fullmatch(between):
                return True
    return False


def _sentence(sentences: Sequence[Span], offset: int) -> int:
    return bisect_right(sentences, offset, key=lambda s: s[0]) - 1


def _others(annotation: Annotation, text: str, people: Sequence[_Person], subject: set[int]) -> frozenset[int]:
    """Return the mentions that belong to other people."""
    mentions, sentences = annotation.mentions, annotation.sentences
    inside: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        inside[_sentence(sentences, mention.start)].append(number)
    persons = {p.entity for p in people}
    main = _main(annotation, text, people, inside) - subject
    topic = -1
    foreign: set[int] = set()
    near: set[int] = set()
    for at in sorted(inside):
        here = [mentions[i].entity for i in inside[at] if mentions[i].entity in persons]
        leading = [e for e in here if e in subject or e in main]
        topic = leading[0] if leading else topic
        belongs = topic in main and not subject & set(here)
        (foreign if belongs else near).update(inside[at])
    shared = {normalise(mentions[i].text) for i in near}
    kept = {i for i in foreign if normalise(mentions[i].text) not in shared}
    return frozenset(kept | {i for i, m in enumerate(mentions) if m.entity in main})


def _main(annotation: Annotation, text: str, people: Sequence[_Person], inside: dict[int, list[int]]) -> set[int]:
    """Return the persons whom some sentence is about."""
    mentions = annotation.mentions
    count = {p.entity: len(p.mentions) for p in people}
    found = set()
    for at, numbers in inside.items():
        first = next((mentions[i] for i in numbers if mentions[i].entity in count), None)
        if first is None or at < 0:
            continue
        start = annotation.sentences[at][0]
        opens = first.start - start <= 12
        paragraph = start == 0 or "\n" in text[max(0, start - 2) : start]
        if opens and (paragraph or count[first.entity] > 1):
            found.add(first.entity)
    return found
