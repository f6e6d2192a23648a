"""`pseudonym`: other names and numbers of the same form, the same for the same original, from a secret key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tacenda.language import COUNTRIES, PLACES, STATES
from tacenda.model import Candidate, Context, Mention
from tacenda.replace.keys import Key
from tacenda.replace.name_parts import Person, Roles, read_person, roles_in
from tacenda.replace.same_form import same_form
from tacenda.term import fold, words

NUMBERS = frozenset(
    "CODE EMAIL URL IP MAC PHONE FAX SSN NHS HEALTH NATIONAL_ID CARD IBAN ACCOUNT RECORD CASE LICENSE "
    "PASSPORT PLATE VIN "
    "DEVICE ZIP OTHER_ID".split()
)
# Words that say what a body or street is, not which one: they stay.
_GENERIC = frozenset(
    "university college school hospital clinic centre center institute bank court commission committee "
    "council ministry "
    "department office agency association society foundation trust company corporation corp inc ltd llc plc gmbh group "
    "holdings partners party union club team church museum library laboratory laboratories services "
    "systems press times "
    "news police army navy force street road avenue lane drive boulevard way place square court terrace "
    "st rd ave ln dr "
    "blvd suite apt apartment floor unit city county state district region river lake mountain mount island bay north "
    "south east west upper lower greater medical general national international federal supreme high "
    "public royal central "
    "of the and for in at on de la le du der & co".split()
)
_PIECE = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*|\d+|[\W_]+")


class Pseudonym:
    """Replace names, places, organisations and numbers by others of the same form.

    The same name gives the same pseudonym in every document, as long as it does not meet a name of that document or
    the pseudonym of another: then the next one of its own sequence is taken. Without the key nobody can compute or
    undo it.
    """

    name = "pseudonym"

    def __init__(self, key: Key) -> None:
        self._key = key
        self._last: tuple[Context, Roles, dict[tuple[str, str], str]] | None = None

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the pseudonym, or nothing for what is neither name nor number."""
        text = self._replacement(mention, context)
        return [Candidate(text, "pseudonym")] if text and text != mention.text else []

    def _replacement(self, mention: Mention, context: Context) -> str:
        if mention.label == "PERSON":
            return self._person(mention, context)
        if mention.label == "LOC":
            return self._place(mention.text, context)
        if mention.label in ("ORG", "ADDRESS"):
            return self._body(mention.text, context)
        if mention.label in NUMBERS:
            return same_form(mention.text, mention.label, self._key)
        return ""

    def _person(self, mention: Mention, context: Context) -> str:
        if self._last is None or self._last[0] is not context:
            people = tuple(m for m in context.mentions if m.label == "PERSON") or (mention,)
            roles = roles_in([(m.entity, m.text) for m in people])
            self._last = (context, roles, self._assign(people, roles, context))
        _, roles, assigned = self._last
        person = read_person(mention.text, roles, mention.entity)
        missing = [part for part in person.parts(roles) if part.slot not in assigned]
        if missing:
            assigned = assigned | self._fill(missing, context, set(assigned.values()))
        return person.written(assigned, self._initial)

    def _assign(self, people: Sequence[Mention], roles: Roles, context: Context) -> dict[tuple[str, str], str]:
        """Give every part of every name in the document its own pseudonym, in an order free of the mentions' order."""
        parts = {part.slot: part for m in people for part in read_person(m.text, roles, m.entity).parts(roles)}
        return self._fill([parts[slot] for slot in sorted(parts)], context, set())

    def _fill(self, parts: Sequence[Person.Part], context: Context, taken: set[str]) -> dict[tuple[str, str], str]:
        present, filled = _words_of(context.document.text), {}
        for part in parts:
            for name in self._sequence(part.table, part.spare, *part.slot):
                if fold(name) not in present and name not in taken:
                    filled[part.slot] = name
                    taken.add(name)
                    break
        return filled

    def _sequence(self, table: Sequence[str], spare: Sequence[str], *purpose: str) -> Iterator[str]:
        """Names of a table in the order that belongs to a purpose; when they do not suffice, those of the spare one."""
        for turn in range(4 * len(table)):
            yield table[self._key.number(len(table), "name", *purpose, str(turn))]
        start = self._key.number(len(spare), "spare", *purpose)
        yield from spare[start:]
        yield from spare[:start]

    def _initial(self, letter: str) -> str:
        return "ABCDEFGHJKLMNPRSTW"[self._key.number(18, "initial", fold(letter))]

    def _place(self, text: str, context: Context) -> str:
        for table in (COUNTRIES, STATES):
            if text in table:
                return self._other(table, text, context)
        return self._body(text, context)

    def _other(self, table: Sequence[str], text: str, context: Context) -> str:
        present = _words_of(context.document.text)
        for name in self._sequence(table, table, "place", fold(text)):
            if name != text and not present.issuperset(words(name)):
                return name
        return ""

    def _body(self, text: str, context: Context) -> str:
        ""
        """Keep what tells the kind ("University of"), the form of digits and marks; make up each run of other words."""
        made: list[str] = []
        run: list[str] = []
        for piece in [*_PIECE.findall(text), ""]:
            own = piece and piece[0].isalpha() and fold(piece).strip(".") not in _GENERIC
            if own or (run and piece.isspace()):
                run.append(piece)
                continue
            if run:
                name = self._other(PLACES, "".join(run).strip(), context)
                made += [name.upper() if _shouts(run) else name, " " if run[-1].isspace() else ""]
                run = []
            made.append(same_form(piece, "CODE", self._key) if piece.isdigit() else piece)
        result = "".join(made)
        return result if result != text else self._other(PLACES, text, context)


def _shouts(run: Sequence[str]) -> bool:
    joined = "".join(run)
    return joined.isupper() and len(joined) > 3


@lru_cache(maxsize=1)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(words(text))
