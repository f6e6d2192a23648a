"""The parts of a person's name: titles stay, given and family names get pseudonyms of the same gender and culture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

from tacenda.language import (
    CULTURES,
    EITHER,
    FEMALE_TITLES,
    MADE_FAMILY,
    MALE_TITLES,
    PARTICLES,
    SUFFIXES,
    TITLES,
    Culture,
    Gender,
    culture_of_family,
    family_names,
    given_names,
)
from tacenda.term import fold

Role = Literal["given", "family", "initial", "drop", "keep"]
Slot = tuple[str, str]

_TOKEN = re.compile(r"\s+|,|[^\s,]+")
_POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+-?(?:[^\W\d_]\.)*|[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Roles:
    """What the full names of a document tell about its short ones."""

    given: AbstractSet[str] = frozenset()
    family: AbstractSet[str] = frozenset()
    gender: Mapping[str, Gender] = field(default_factory=dict)
    culture: Mapping[str, Culture] = field(default_factory=dict)
    first: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of a name and what it is."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class Person:
    """A name in pieces; `first` is the given name its initials stand for, if the document tells it."""

    pieces: tuple[Piece, ...]
    first: str = ""

    @dataclass(frozen=True, slots=True)
    class Part:
        """A given or family name that needs a pseudonym, and the tables to take it from."""

        slot: Slot
        table: Sequence[str]
        spare: Sequence[str]

    def parts(self, roles: Roles) -> list[Person.Part]:
        """Return the parts to be replaced."""
        found = [
            _part(piece.role, fold(piece.text), roles) for piece in self.pieces if piece.role in ("given", "family")
        ]
        if self.first and any(piece.role == "initial" for piece in self.pieces):
            found.append(_part("given", self.first, roles))
        return found

    def written(self, assigned: Mapping[Slot, str], initial: Callable[[str], str]) -> str:
        """Return the name with its parts replaced, written as the original is."""
        made = []
        for piece in self.pieces:
            if piece.role == "keep":
                made.append(piece.text)
            elif piece.role == "initial":
                made.append(self._initials(piece.text, assigned, initial))
            elif piece.role != "drop":
                made.append(_like(assigned[piece.role, fold(piece.text)], piece.text))
        return "".join(made)

    def _initials(self, text: str, assigned: Mapping[Slot, str], initial: Callable[[str], str]) -> str:
        name = assigned.get(("given", self.first), "") if self.first else ""
        letters = iter([name[0]] if name and fold(text[0]) == self.first[0] else [])
        return "".join(next(letters, None) or initial(c) if c.isalpha() else c for c in text)


def read_person(text: str, roles: Roles, entity: int = -1) -> Person:
    """Take a name apart, with the help of the full names of its document."""
    ending = _POSSESSIVE.search(text)
    tokens = _TOKEN.findall(text[: ending.start()] if ending else text)
    kinds = _kinds(tokens)
    names = [place for place, kind in enumerate(kinds) if kind in ("name", "initial")]
    reversed_order = "," in tokens and bool(names) and tokens.index(",") > names[0] and kinds[names[-1]] != "drop"
    family = _family_place(tokens, kinds, names, roles, reversed_order=reversed_order)
    pieces = []
    for place, (token, kind) in enumerate(zip(tokens, kinds, strict=True)):
        if kind == "name":
            second = len(names) > 2 and place != names[0] and _only_family(token)
            pieces.append(Piece(token, "family" if place == family or second else "given"))
        elif kind == "drop" or (token.isspace() and place and kinds[place - 1] == "drop"):
            pieces.append(Piece(token, "drop"))
        else:
            pieces.append(Piece(token, "initial" if kind == "initial" else "keep"))
    if ending:
        pieces.append(Piece(ending.group(), "keep"))
    return Person(tuple(pieces), roles.first.get(entity, "") if entity >= 0 else "")


def _kinds(tokens: Sequence[str]) -> list[str]:
    """Tell titles, suffixes, particles, initials and names; "King" is a title before a name, and a name after one."""
    kinds: list[str] = []
    for token in tokens:
        plain = fold(token).strip(".")
        named = "name" in kinds or "initial" in kinds
        if plain in PARTICLES and token[0].islower():
            kinds.append("drop")
        elif not token[0].isalpha() or (plain in SUFFIXES if named else plain in TITLES):
            kinds.append("keep")
        else:
            kinds.append("initial" if _INITIALS.fullmatch(token) else "name")
    if "name" not in kinds and "initial" not in kinds:
        # Nothing but a title: it is the name ("Prince").
        kinds = ["name" if token[0].isalpha() else "keep" for token in tokens]
    return kinds


def _family_place(
    tokens: Sequence[str], kinds: Sequence[str], names: Sequence[int], roles: Roles, *, reversed_order: bool
) -> int:
    """Place of the family name; -1: there is only a given name."""
    full = [place for place in names if kinds[place] == "name"]
    if not full:
        return -1
    if reversed_order:
        comma = tokens.index(",")
        before = [place for place in full if place < comma]
        return before[-1] if before else full[-1]
    if len(full) == 2 and _family_first(tokens[full[0]], tokens[full[1]]):
        return full[0]
    if len(names) > 1 or any(kind == "drop" for kind in kinds):
        return full[-1]
    word = fold(tokens[full[0]])
    if word in roles.family:
        return full[0]
    if word in roles.given or (word in given_names() and word not in family_names() and not _titled(tokens)):
        return -1
    return full[0]


def _only_family(token: str) -> bool:
    return fold(token) in family_names() and fold(token) not in given_names()


def _family_first(first: str, second: str) -> bool:
    """Tell whether a name is written as in East Asia, the family name before the given one."""
    culture = family_names().get(fold(first))
    return (
        culture is not None
        and culture.family_first
        and any(c is culture for c, _ in given_names().get(fold(second), []))
    )


def _titled(tokens: Iterable[str]) -> bool:
    return any(fold(token).strip(".") in TITLES for token in tokens)


def roles_in(people: Sequence[tuple[int, str]]) -> Roles:
    """Learn from all names of a document, given as (entity, text), which words are given and which family names."""
    given: set[str] = set()
    family: set[str] = set()
    gender: dict[str, Gender] = {}
    culture: dict[str, Culture] = {}
    first: dict[int, str] = {}
    so_far = Roles(given, family)
    # The longest first: full names tell how to read short ones.
    for entity, text in sorted(set(people), key=lambda p: (-len(p[1].split()), p[1], p[0])):
        person = read_person(text, so_far)
        own = {piece.role: fold(piece.text) for piece in reversed(person.pieces)}
        words = [(piece.role, fold(piece.text)) for piece in person.pieces if piece.role in ("given", "family")]
        if len(words) > 1 or "initial" in own:
            given.update(word for role, word in words if role == "given")
            family.update(word for role, word in words if role == "family")
        told = next((c for role, w in words if role == "family" and (c := culture_of_family(w))), None)
        for role, word in words:
            if role == "given":
                first.setdefault(entity, word)
                if title := _title_gender(text):
                    gender.setdefault(word, title)
            if told is not None:
                culture.setdefault(word, told)
    first.pop(-1, None)
    return Roles(frozenset(given), frozenset(family), gender, culture, first)


def _title_gender(text: str) -> Gender:
    plain = {fold(token).strip(".") for token in text.split()}
    return "m" if plain & MALE_TITLES else "f" if plain & FEMALE_TITLES else ""


def _part(role: str, word: str, roles: Roles) -> Person.Part:
    if role == "family":
        culture = culture_of_family(word) or roles.culture.get(word) or CULTURES[0]
        return Person.Part((role, word), culture.family, MADE_FAMILY)
    known = given_names().get(word, [])
    told = roles.culture.get(word)
    match = next((pair for pair in known if told is None or pair[0] is told), known[0] if known else None)
    gender = roles.gender.get(word) or (match[1] if match and len({g for _, g in known}) == 1 else "")
    culture = match[0] if match else told or CULTURES[0]
    table = {"m": culture.men, "f": culture.women}.get(gender, EITHER)
    return Person.Part((role, word), table, EITHER + CULTURES[0].men + CULTURES[0].women)


def _like(name: str, original: str) -> str:
    if original.isupper() and len(original) > 1:
        return name.upper()
    return name.lower() if original.islower() else name
