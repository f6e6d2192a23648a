"""Tie the surface forms of one entity: "Mr John Smith", "Smith", "J. S." and "John" share a number.

Persons are tied by their names: equal names; a name with fewer parts, with initials or with a short given name
("Ben Stiller" for "Benjamin Edward Meara Stiller") where exactly one fuller name fits; a lone surname, given name,
nickname ("Tino" for "Constantino") or pair of initials where exactly one person fits and no title
speaks against it ("Mrs Smith" is not "Mr John Smith"). Where two fit (two Smiths), the form keeps a number of
its own: one decision too many is harmless, one that covers the wrong person is not. Everything else is tied
by label and normalized text, an acronym to the only organization it abbreviates. One pass, dictionaries only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tacenda.language import FEMALE_TITLES, MALE_TITLES, PARTICLES, SHORT_NAMES, STOP_WORDS, SUFFIXES, TITLES
from tacenda.model import Mention
from tacenda.term import fold, normalize, words

PERSON_LABELS = frozenset({"PERSON", "NAME"})
_NAME_PART = re.compile(r"[^\W_]+")
_SHORTEST = 3  # letters of a nickname
# Labels of entities that are words; all others are numbers and codes, which are the same whatever stands between them.
_WORDED = frozenset({"LOC", "ORG", "MISC", "DEM", "QUANTITY", "DATETIME", "AGE", "TERM", "CUSTOM", "PROTECTED", "WORD"})


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
    kept = [p for p in parts if p not in TITLES and p not in SUFFIXES]
    # "Ben Stiller": what opens a name and is short for another is no particle, unlike that of "Yosef ben Matityahu".
    kept = [p for n, p in enumerate(kept) if p not in PARTICLES or (n == 0 and p in SHORT_NAMES)]
    # "JS", "JS's": capitals that are no word are initials.
    letters = _NAME_PART.findall(text)
    if len(kept) == 1 and len(kept[0]) in (2, 3) and any(w.isupper() and fold(w) == kept[0] for w in letters):
        kept = list(kept[0])
    return Name(tuple(kept or [p for p in parts if p not in SUFFIXES]), gender)


@dataclass
class _Person:
    """A person while tying: every way the name was written in parts, the gender titles have said, and where first."""

    number: int
    forms: list[tuple[str, ...]]
    gender: str
    first: int

    @property
    def parts(self) -> set[str]:
        """All parts of all writings."""
        return {part for form in self.forms for part in form}


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


def _is_family(text: str, name: Name, full: Sequence[str]) -> bool:
    """Tell whether a name of several parts is all of a person's family name: "Mr Adebayo-Kerr", "Mrs García Ruiz"."""
    size = len(name.parts)
    written = "-" in text or words(text)[0] in TITLES
    return written and size < len(full) and tuple(full[-size:]) == name.parts


def _is_person(text: str, name: Name, person: _Person) -> bool:
    return any(
        fits(name.parts, form) or _inside(name.parts, form) or _is_family(text, name, form) for form in person.forms
    )


def _inside(short: Sequence[str], full: Sequence[str]) -> bool:
    """Tell whether a name begins a fuller one: "Angelina Jolie", "Angelina Jolie Voight"."""
    return 1 < len(short) < len(full) and all(map(_same, short, full)) and len(short[-1]) > 1


def _same(one: str, other: str) -> bool:
    if one == other or (1 in (len(one), len(other)) and one[0] == other[0]):
        return True
    return SHORT_NAMES.get(one, one) == SHORT_NAMES.get(other, other)


def _is_nickname(short: str, given: str) -> bool:
    """Tell whether a name is the beginning or end of a longer one: "Ben" of "Benjamin", "Tino" of "Constantino"."""
    if len(given) < len(short) + 2:
        return False
    return (len(short) >= _SHORTEST and given.startswith(short)) or (len(short) > _SHORTEST and given.endswith(short))


def tie(mentions: Iterable[Mention], said: Iterable[tuple[str, str]] = ()) -> tuple[Mention, ...]:
    """Give every mention the number of its entity; terms keep -1. Numbers count up in reading order.

    `said` are pairs of names that the text itself says to be one person's.

    >>> from tacenda.model import Mention
    >>> forms = ["Mr John Smith", "Smith", "J. S.", "Leeds", "John"]
    >>> labels = ["PERSON", "PERSON", "PERSON", "LOC", "PERSON"]
    >>> ms = [Mention(i, i + 1, t, l, "entity") for i, (t, l) in enumerate(zip(forms, labels))]
    >>> [m.entity for m in tie(ms)]
    [0, 0, 0, 1, 0]
    """
    ordered = list(mentions)
    seen: dict[str, int] = {}
    for mention in ordered:
        if mention.label in PERSON_LABELS and mention.kind != "term":
            seen.setdefault(mention.text, mention.start)
    groups = _as_said(_person_groups(seen), said)
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


def _as_said(groups: dict[str, int], said: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Join the groups of names that are said to be one person's."""
    for one, other in said:
        if one in groups and other in groups and groups[one] != groups[other]:
            kept, gone = sorted((groups[one], groups[other]))
            groups = {text: kept if number == gone else number for text, number in groups.items()}
    return groups


def _key(mention: Mention, groups: dict[str, int], acronyms: dict[str, str]) -> Hashable:
    if mention.label in PERSON_LABELS:
        return "PERSON", groups[mention.text]
    if (mention.kind == "identifier" or mention.label not in _WORDED) and mention.label != "DATETIME":
        return mention.label, number_key(mention.text)
    text = normalize(mention.text)
    return mention.label, acronyms.get(text, text.lower())


def number_key(text: str) -> str:
    """Return what two writings of one number share: its letters and digits, without the prefix of North America.

    >>> number_key("+1 (916) 555-0142"), number_key("4471-88213")
    ('9165550142', '447188213')
    """
    key = "".join(_NAME_PART.findall(fold(text)))
    return key[1:] if len(key) == 11 and key.isdigit() and key[0] == "1" else key


def _person_groups(seen: Mapping[str, int]) -> dict[str, int]:
    """Group number for each way persons are written in a document; `seen`: where each stands first."""
    names = {text: parse_name(text) for text in seen}
    # The fullest names first: they decide who the shorter ones can be.
    fullest = sorted(names, key=lambda t: (-sum(len(p) > 1 for p in names[t].parts), -len(names[t].parts), t))
    several = [t for t in fullest if len(names[t].parts) > 1 and not names[t].initials_only]
    alone = [t for t in fullest if t not in set(several)]
    spelled = [t for t in several if len(names[t].parts[0]) > 1]
    crowd = _Crowd()
    group = {text: crowd.join(text, names[text], seen[text]) for text in spelled}
    # "Tino" is Constantino Pellegrini, so "T. Pellegrini" may be too.
    crowd.call([names[t].parts[0] for t in alone if len(names[t].parts) == 1 and not names[t].gender])
    group |= {text: crowd.join(text, names[text], seen[text]) for text in several if text not in group}
    lone = _Lone(crowd.people)
    extra: dict[tuple[tuple[str, ...], str], int] = {}
    for text in alone:
        name = names[text]
        found = lone.find(name, seen[text])
        group[text] = found.number if found else len(crowd.people) + extra.setdefault(name, len(extra))
    return _untitled(group, names, extra, len(crowd.people))


class _Crowd:
    """The persons found so far, by the parts of their names."""

    def __init__(self) -> None:
        self.people: list[_Person] = []
        self._by_part: dict[str, list[_Person]] = defaultdict(list)

    def join(self, text: str, name: Name, at: int) -> int:
        """Add a name of several parts to the only person it fits, or to a new one; return the person's number."""
        sharing = {p.number: p for part in name.parts for p in self._by_part[part]}.values()
        person = _only([p for p in sharing if _is_person(text, name, p)], name.gender)
        if person is None:
            person = _Person(len(self.people), [], name.gender, at)
            self.people.append(person)
        person.first = min(person.first, at)
        self._write(person, name.parts)
        person.gender = person.gender or name.gender
        return person.number

    def call(self, lone: Sequence[str]) -> None:
        """Let the only person whose given name a lone name shortens be written by it too."""
        known = _Lone(self.people)
        for name in lone:
            person = known.by_nickname(name) if name not in self._by_part else None
            if person is not None:
                self._write(person, (name, *person.forms[0][-1:]))

    def _write(self, person: _Person, parts: tuple[str, ...]) -> None:
        person.forms.append(parts)
        for part in parts:
            self._by_part[part].append(person)


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

    def __init__(self, people: Sequence[_Person]) -> None:
        self._people = people
        self._index: dict[str, list[_Person]] = defaultdict(list)
        for person in people:
            initials = {"".join(p[0] for p in form) for form in person.forms}
            keys = {*person.parts, *(f"#{i}" for i in initials), *(f"#{i[0]}{i[-1]}" for i in initials)}
            for key in sorted(keys):
                self._index[key].append(person)

    def find(self, name: Name, at: int) -> _Person | None:
        """The only person a lone name or initials can mean, if there is exactly one.

        Of several, the only one whose full name was read before: whoever meets "Stiller" there knows no other yet.
        """
        if not name.parts:
            return None
        if name.initials_only and len(name.parts) > 1:
            return _only(self._index.get("#" + "".join(name.parts), []), name.gender)
        known = self._index.get(name.parts[-1], [])
        if not known and not name.gender:
            return self.by_nickname(name.parts[-1])
        return _only(known, name.gender) or _only([p for p in known if p.first < at], name.gender)

    def by_nickname(self, lone: str) -> _Person | None:
        """The only person whose given name it shortens, else the only one whose given name is but its initial."""
        if len(lone) < _SHORTEST:
            return None
        given = [(person, form[0]) for person in self._people for form in person.forms]
        short = {p.number: p for p, name in given if len(name) > 1 and (_same(lone, name) or _is_nickname(lone, name))}
        initial = {p.number: p for p, name in given if name == lone[0] and all(len(f[0]) == 1 for f in p.forms)}
        return _only(list((short or initial).values()), "")


def _only(candidates: Sequence[_Person], gender: str) -> _Person | None:
    """The candidate, if there is exactly one whose title does not speak against it."""
    left = [p for p in candidates if not (gender and p.gender and p.gender != gender)]
    return left[0] if len(left) == 1 else None


def _acronyms(mentions: Iterable[Mention]) -> dict[str, str]:
    """Normalized acronym -> the only organization or place it abbreviates."""
    found: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        if mention.kind != "term" and mention.label in ("ORG", "LOC", "MISC"):
            parts = [p for p in words(mention.text) if p not in STOP_WORDS]
            if len(parts) >= 2:
                found["".join(p[0] for p in parts).upper()].add(normalize(mention.text).lower())
    return {short: next(iter(full)) for short, full in found.items() if len(full) == 1}
