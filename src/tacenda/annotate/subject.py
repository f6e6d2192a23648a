"""Who a document is about, by which other names, and what in it belongs to other people.

Persons are the entities that `entities.tie` numbered. Two of them are one person if one name holds all parts of the
other, or if given names go together ("Tom", "Thomas") and another part is shared; a lone name joins the only person it
can mean, and a role ("the applicant") means the only person introduced with it. A sentence is about the first main
person it names, or about the same person as the sentence before; main persons are the subject and whoever opens a
paragraph, or opens a sentence and is named more than once. What stands in a sentence about somebody else, in which the
subject is not named, belongs to the others, unless the same term also stands with the subject.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tacenda.annotate.entities import PERSON_LABELS, parse_name
from tacenda.annotate.said import roles
from tacenda.errors import InputError
from tacenda.language import SHORT_NAMES
from tacenda.model import Annotation, Document, Mention, Note, Span, Subject
from tacenda.term import normalize

_REACH = 60
_OPENING = 12  # characters before the person who opens a sentence


@dataclass(frozen=True)
class _Person:
    """A person of a document: entity numbers, mentions, and the parts of each name."""

    entities: frozenset[int]
    mentions: tuple[int, ...]
    names: tuple[tuple[str, ...], ...]


def find_subject(document: Document, annotation: Annotation) -> Subject | None:
    """Return whom a document is about: the person it names as subject, or the most central one.

    None where no person is found and none is named. A named subject that does not occur is an error.
    """
    people = _people(annotation.mentions)
    named = bool(document.subject.strip())
    if named:
        own = _matching(parse_name(document.subject).parts, people)
        if own is None:
            raise InputError(
                f"{document.id or 'document'}: the subject does not occur in the text; {len(people)} other person(s)"
                " do. Check the spelling, or leave the subject out to see whom the plan proposes."
            )
    elif people:
        own = _central(people, annotation)
    else:
        return None
    names = tuple(dict.fromkeys(annotation.mentions[i].text for i in own.mentions))
    others = _others(annotation, document.text, people, own)
    return Subject(names, own.mentions, others, named)


def describe(subject: Subject, mentions: Sequence[Mention]) -> Note:
    """Say in a plan whom it takes for the subject: by place, since a plan holds no source text."""
    first = mentions[subject.mentions[0]]
    counted = {"mentions": len(subject.mentions), "others": len(subject.others), "given": int(subject.given)}
    return Note("subject", {"start": first.start, "end": first.end, **counted})


def _people(mentions: Sequence[Mention]) -> list[_Person]:
    """Return the persons in order of their first mention, all names of one together."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        if mention.label in PERSON_LABELS and mention.kind != "term" and mention.entity >= 0:
            numbers[mention.entity].append(number)
    parts = {e: max((parse_name(mentions[i].text).parts for i in held), key=len) for e, held in numbers.items()}
    clusters = _clusters(parts)
    people = [
        _Person(
            frozenset(cluster),
            tuple(sorted(i for e in cluster for i in numbers[e])),
            tuple(dict.fromkeys(parse_name(mentions[i].text).parts for e in sorted(cluster) for i in numbers[e])),
        )
        for cluster in clusters
    ]
    return sorted(people, key=lambda p: p.mentions[0])


def _clusters(parts: dict[int, tuple[str, ...]]) -> list[set[int]]:
    """Join entities that are one person; only names that share a part are compared."""
    of: dict[int, set[int]] = {}
    holding: dict[str, list[int]] = defaultdict(list)
    for entity in sorted(parts, key=lambda e: (-len(parts[e]), e)):
        alike = dict.fromkeys(e for part in parts[entity] for e in holding[part])
        fitting = [of[e] for e in alike if same_person(parts[entity], parts[e])]
        if len(parts[entity]) < 2 and len({id(cluster) for cluster in fitting}) > 1:
            fitting = []  # a lone name that could be either person's is nobody's
        joined = {entity}.union(*fitting)
        of.update(dict.fromkeys(joined, joined))
        for part in parts[entity]:
            holding[part].append(entity)
    return list({id(cluster): cluster for cluster in of.values()}.values())


def _matching(parts: Sequence[str], people: Sequence[_Person]) -> _Person | None:
    """Return the person a name means: by the whole name, or by a part that only one person has."""
    for fits in (
        [p for p in people if any(len(name) > 1 and same_person(parts, name) for name in p.names)],
        [p for p in people if any(set(parts) & set(name) for name in p.names)],
    ):
        if fits:
            return fits[0] if len(fits) == 1 or len(parts) > 1 else None
    return None


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
    return SHORT_NAMES.get(given, given)


def _central(people: Sequence[_Person], annotation: Annotation) -> _Person:
    """Return the person named in most sentences; being named first counts as three more."""

    def weight(person: _Person) -> tuple[int, int]:
        sentences = {_sentence(annotation.sentences, annotation.mentions[i].start) for i in person.mentions}
        return len(sentences) + (3 if person is people[0] else 0), -person.mentions[0]

    return max(people, key=weight)


def _sentence(sentences: Sequence[Span], offset: int) -> int:
    return bisect_right(sentences, offset, key=lambda s: s[0]) - 1


def _others(annotation: Annotation, text: str, people: Sequence[_Person], own: _Person) -> frozenset[int]:
    """Return the mentions that belong to other people."""
    mentions, sentences = annotation.mentions, annotation.sentences
    inside: dict[int, list[int]] = defaultdict(list)
    for number, mention in enumerate(mentions):
        inside[_sentence(sentences, mention.start)].append(number)
    person_of = {i: number for number, person in enumerate(people) for i in person.mentions}
    called: dict[int, list[int]] = defaultdict(list)  # by sentence: who is meant by "the applicant"
    for at, who in roles(text, [[mentions[i] for i in person.mentions] for person in people]).items():
        called[_sentence(sentences, at)].append(who)
    subject = people.index(own)
    main = _main(annotation, text, people, inside, person_of) - {subject}
    topic = -1
    foreign: set[int] = set()
    near: set[int] = set()
    for at in sorted(inside):
        here = [*(person_of[i] for i in inside[at] if i in person_of), *called[at]]
        leading = [p for p in here if p == subject or p in main]
        topic = leading[0] if leading else topic
        (foreign if topic in main and subject not in here else near).update(inside[at])
    shared = {normalize(mentions[i].text) for i in near}
    kept = {i for i in foreign if normalize(mentions[i].text) not in shared}
    return frozenset(kept | {i for i, person in person_of.items() if person in main})


def _main(
    annotation: Annotation,
    text: str,
    people: Sequence[_Person],
    inside: dict[int, list[int]],
    person_of: dict[int, int],
) -> set[int]:
    """Return the persons whom some sentence is about."""
    found = set()
    for at, numbers in inside.items():
        first = next((i for i in numbers if i in person_of), None)
        if first is None or at < 0:
            continue
        start = annotation.sentences[at][0]
        opens = annotation.mentions[first].start - start <= _OPENING
        paragraph = start == 0 or "\n" in text[max(0, start - 2) : start]
        if opens and (paragraph or len(people[person_of[first]].mentions) > 1):
            found.add(person_of[first])
    return found
