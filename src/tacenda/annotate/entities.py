"""Tie the surface forms of one entity: "Mr John Smith", "Smith", "J. S." and "John" share a number.

Persons are tied by their names: equal names; a name with fewer parts or with initials where exactly one
fuller name fits; a lone surname, given name or pair of initials where exactly one person fits and no title
speaks against it ("Mrs Smith" is not "Mr John Smith"). Where two fit (two Smiths), the form keeps a number of
its own: one decision too many is harmless, one that covers the wrong person is not. Everything else is tied
by label and normalized text, an acronym to the only organisation it abbreviates. One pass, dictionaries only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tacenda.language import FEMALE_TITLES, MALE_TITLES, PARTICLES, STOP_WORDS, SUFFIXES, TITLES
from tacenda.model import Mention
from tacenda.term import fold, normalize, words

PERSON_LABELS = frozenset({"PERSON", "NAME"})
_NAME_PART = re.compile(r"[^\W_]+")


class Name(NamedTuple):
    """A person's name as written: parts in order given to family, and what the title says."""

    parts: tuple[str, ...]
    gender: str = ""

    @property
    def initials_only(self) -> bool:
        """Tell whether every part is a single letter."""
        return all(len(p) == 1 for p in self.parts)


def parse_name(text: str) -> Name:
    """Parts of a name without titles, suffixes, particles and possessive endings.

    >>> parse_name("Smith, Mr John A.").parts, parse_name("Dr. Ludwig van Beethoven").parts
    (('john', 'a', 'smith'), ('ludwig', 'beethoven'))
    """
    family, comma, given = text.partition(",")
    if comma and given.strip() and not set(words(given)) <= SUFFIXES:
        text = f"{given} {family}"
    parts = words(text)
    gender = next(("he" if p in MALE_TITLES else "she" for p in parts if p in MALE_TITLES or p in FEMALE_TITLES), "")
    kept = [p for p in parts if p not in TITLES and p not in SUFFIXES and p not in PARTICLES]
    # "JS", "JS's": capitals that are no word are initials.
    letters = _NAME_PART.findall(text)
    if len(kept) == 1 and len(kept[0]) in (2, 3) and any(w.isupper() and fold(w) == kept[0] for w in letters):
        kept = list(kept[0])
    return Name(tuple(kept or [p for p in parts if p not in SUFFIXES]), gender)


@dataclass
class _Person:
    """A person while tying: the fullest parts seen and the gender titles have said."""

    number: int
    parts: tuple[str, ...]
    gender: str


def fits(short: Sequence[str], full: Sequence[str]) -> bool:
    """Tell whether a name may be a shorter writing of a fuller one, both ending in the family name.

    >>> fits(("j", "smith"), ("john", "adam", "smith")), fits(("jane", "smith"), ("john", "smith"))
    (True, False)
    """
    if len(short) < 2 or len(full) < 2 or not _same(short[-1], full[-1]):
        return False
    rest = list(full[:-1])
    for part in short[:-1]:
        while rest and not _same(part, rest[0]):
            rest.pop(0)
        if not rest:
            return False
        rest.pop(0)
    return _same(short[0], full[0])


def _is_family(text: str, name: Name, person: _Person) -> bool:
    """Tell whether a name of several parts is all of a person's family name: "Mr Adebayo-Kerr", "Mrs García Ruiz"."""
    size = len(name.parts)
    written = "-" in text or words(text)[0] in TITLES
    return written and size < len(person.parts) and person.parts[-size:] == name.parts


def _same(one: str, other: str) -> bool:
    return one == other or (1 in (len(one), len(other)) and one[0] == other[0])


def tie(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Give every mention the number of its entity; terms keep -1. Numbers count up in reading order.

    >>> from tacenda.model import Mention
    >>> forms = ["Mr John Smith", "Smith", "J. S.", "Leeds", "John"]
    >>> labels = ["PERSON", "PERSON", "PERSON", "LOC", "PERSON"]
    >>> ms = [Mention(i, i + 1, t, l, "entity") for i, (t, l) in enumerate(zip(forms, labels))]
    >>> [m.entity for m in tie(ms)]
    [0, 0, 0, 1, 0]
    """
    ordered = list(mentions)
    groups = _person_groups({m.text for m in ordered if m.label in PERSON_LABELS and m.kind != "term"})
    acronyms = _acronyms(ordered)
    numbers: dict[Hashable, int] = {}
    tied = []
    for mention in ordered:
        if mention.kind == "term":
            tied.append(mention)
            continue
        key = _key(mention, groups, acronyms)
        tied.append(replace(mention, entity=numbers.setdefault(key, len(numbers))))
    return tuple(tied)


def _key(mention: Mention, groups: dict[str, int], acronyms: dict[str, str]) -> Hashable:
    if mention.label in PERSON_LABELS:
        return "PERSON", groups[mention.text]
    if mention.kind == "identifier" and mention.label != "DATETIME":
        return mention.label, "".join(_NAME_PART.findall(fold(mention.text)))
    text = normalize(mention.text)
    return mention.label, acronyms.get(text, text.lower())


def _person_groups(texts: Iterable[str]) -> dict[str, int]:
    """Group number for each way persons are written in a document."""
    names = {text: parse_name(text) for text in texts}
    people: list[_Person] = []
    by_family: dict[str, list[_Person]] = defaultdict(list)
    group: dict[str, int] = {}
    # The fullest names first: they decide who the shorter ones can be.
    fullest = sorted(names, key=lambda t: (-sum(len(p) > 1 for p in names[t].parts), -len(names[t].parts), t))
    for text in fullest:
        name = names[text]
        if len(name.parts) < 2 or name.initials_only:
            continue
        family = by_family[name.parts[-1]]
        person = _only([p for p in family if fits(name.parts, p.parts) or _is_family(text, name, p)], name.gender)
        if person is None:
            person = _Person(len(people), name.parts, name.gender)
            people.append(person)
            by_family[name.parts[-1]].append(person)
        person.gender = person.gender or name.gender
        group[text] = person.number
    lone = _Lone(people)
    extra: dict[tuple[tuple[str, ...], str], int] = {}
    for text in (t for t in fullest if t not in group):
        name = names[text]
        found = lone.find(name)
        group[text] = found.number if found else len(people) + extra.setdefault(name, len(extra))
    return _untitled(group, names, extra, len(people))


def _untitled(
    group: dict[str, int], names: dict[str, Name], extra: dict[tuple[tuple[str, ...], str], int], offset: int
) -> dict[str, int]:
    """Let a lone name without a title join the only titled writing of it ("Ms Reed", "Reed")."""
    titled: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for (parts, gender), number in extra.items():
        if gender:
            titled[parts].add(offset + number)
    for text, name in names.items():
        if group[text] >= offset and not name.gender and len(titled[name.parts]) == 1:
            group[text] = next(iter(titled[name.parts]))
    return group


class _Lone:
    """Persons by family name, by given name and by initials."""

    def __init__(self, people: Iterable[_Person]) -> None:
        self._index: dict[str, list[_Person]] = defaultdict(list)
        for person in people:
            initials = "".join(p[0] for p in person.parts)
            keys = {*person.parts, f"#{initials}", f"#{initials[0]}{initials[-1]}"}
            for key in keys:
                self._index[key].append(person)

    def find(self, name: Name) -> _Person | None:
        """The only person a lone name or initials can mean, if there is exactly one."""
        if not name.parts:
            return None
        key = "#" + "".join(name.parts) if name.initials_only and len(name.parts) > 1 else name.parts[-1]
        return _only(self._index.get(key, []), name.gender)


def _only(candidates: Sequence[_Person], gender: str) -> _Person | None:
    """The candidate, if there is exactly one whose title does not speak against it."""
    left = [p for p in candidates if not (gender and p.gender and p.gender != gender)]
    return left[0] if len(left) == 1 else None


def _acronyms(mentions: Iterable[Mention]) -> dict[str, str]:
    """Normalized acronym -> the only organisation or place it abbreviates."""
    found: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        if mention.kind != "term" and mention.label in ("ORG", "LOC", "MISC"):
            parts = [p for p in words(mention.text) if p not in STOP_WORDS]
            if len(parts) >= 2:
                found["".join(p[0] for p in parts).upper()].add(normalize(mention.text).lower())
    return {short: next(iter(full)) for short, full in found.items() if len(full) == 1}
