"""What a text itself says of who is who: other names of one person, and the role by which a person is called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tacenda.annotate.entities import PERSON_LABELS
from tacenda.language import (
    ALSO_KNOWN_AS,
    AS_CALLED,
    CALLED_BEFORE,
    CALLED_BETWEEN,
    CLIENT_BEFORE,
    NAME_IS,
    ROLE_AFTER,
    ROLE_BEFORE,
    ROLE_SAID,
)
from tacenda.model import Mention

_REACH = 60
_ASIDE = re.compile(r"\s\(([^()\n]{1,60})\)\s")
_CLOSED = re.compile(r"[\"”’']?\)\s(?=[A-Z])")


def same_people(text: str, mentions: Iterable[Mention]) -> Iterator[tuple[str, str]]:
    """Yield pairs of names that the text says to be one person's.

    >>> text = "Thomas (Tom, as he likes to be called) Hargreave"
    >>> spans = (0, 6), (8, 11), (39, 48)
    >>> list(same_people(text, [Mention(a, b, text[a:b], "PERSON", "entity") for a, b in spans]))
    [('Thomas', 'Tom'), ('Thomas', 'Hargreave')]
    """
    persons = [m for m in mentions if m.label in PERSON_LABELS and m.kind != "term"]
    for number, (first, second) in enumerate(pairwise(persons)):
        between = text[first.end : second.start]
        if len(between) > _REACH or "\n\n" in between:
            continue
        after = text[second.end : second.end + _REACH]
        if _is_other_name(between, after, text[max(0, first.start - _REACH) : first.start]):
            yield first.text, second.text
            third = persons[number + 2] if number + 2 < len(persons) else None
            if third is not None and _ASIDE.fullmatch(text, first.end, third.start):
                yield first.text, third.text  # a given name, an aside, the family name


def _is_other_name(between: str, after: str, before: str) -> bool:
    if ALSO_KNOWN_AS.fullmatch(between) or CALLED_BETWEEN.fullmatch(between):
        return True
    if between.strip(" \"“‘'") in ("(", ",", "or", ", or", "("):
        aside = between.strip(" \"“‘'") == "(" and _CLOSED.match(after)
        return bool(aside or AS_CALLED.match(after))
    return bool(NAME_IS.fullmatch(between) and CALLED_BEFORE.search(before))


def roles(text: str, persons: Sequence[Sequence[Mention]]) -> dict[int, int]:
    """Return where persons are called by their role, and which person it is.

    A role belongs to the only person who is introduced with it: "the applicant, Mr Kos", "Mr Kos ('the applicant')",
    "I act for Ms Ode" and then "my client".
    """
    bearers: dict[str, set[int]] = defaultdict(set)
    for number, names in enumerate(persons):
        for name in names:
            before, after = text[max(0, name.start - _REACH) : name.start], text[name.end : name.end + _REACH]
            said = [found for found in (ROLE_BEFORE.search(before), ROLE_AFTER.match(after)) if found]
            for found in said:
                bearers[found[1].lower()].add(number)
            if CLIENT_BEFORE.search(before):
                bearers["client"].add(number)
    known = {role: next(iter(who)) for role, who in bearers.items() if len(who) == 1}
    return {one.start(): known[role] for one in ROLE_SAID.finditer(text) if (role := one[1].lower()) in known}
