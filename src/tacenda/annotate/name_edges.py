"""Set the edges of names right, and the roles of entities, whichever annotator found them.

-   Fragments of one name are joined: "The Lord of" and "the Rings" side by side, with a small word at the seam.
-   What names nobody is cut from the ends ("of", "in", "Tel", "IBAN", "Tue"), and a mention that is only that dropped.
-   A title before a person belongs to the name: "Dr." of "Dr. John T."
-   A person ends at the possessive: of "Martin Scorsese's period epic" the rest is another finding.
-   A degree after a person ("MD" of "Helen Marsh, MD") is no place.
-   A lone word built as names of drugs are ("Losartan") is no person, place or body, unless a title says so; nor is one
    that is known as a medicine ("Warfarin").
-   A name inside the name of a disease ("Friedreich" of "Friedreich ataxia", "Fallot" of "tetralogy of Fallot") is no
    person, place or body; what counts as a disease is told by whoever knows.
-   An entity has one role: if any mention of it has to be masked, all have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from tacenda.annotate.entities import PERSON_LABELS
from tacenda.language import DRUG_NAME, FIELD_WORDS, STOP_WORDS, SUFFIXES, TITLES
from tacenda.model import Mention
from tacenda.term import fold, words

_NAMES = frozenset(("PERSON", "LOC", "ORG", "MISC", "CODE"))
_WORD = re.compile(r"[^\W_]+")
_TITLE = re.compile(r"([^\W\d_]+)\.?[ \t]{1,2}$")
# A name, its possessive ending, and the space before a common noun.
_OWNER = re.compile(r"[^\W\d_][^\n]*?['’]s?\s(?=[a-z]{3})")
_LOOSE_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_HEAD_OF = re.compile(r"[^\W\d_]{4,}(?: of |[ -])$")
_SEAMS = ("", " ", "-", "'", "’", "'s ", "’s ")
_PREPOSITIONS = frozenset("outside inside near behind beside opposite beyond towards toward past around".split())
_STRENGTH = {"direct": 3, "quasi": 2, "": 1, "none": 0}


def tidied(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Set the edges of the names among mentions right; everything else is passed on as it is.

    >>> found = [Mention(12, 18, "John T", "PERSON", "entity"), Mention(20, 28, "Losartan", "PERSON", "entity")]
    >>> [m.text for m in tidied("Seen by Dr. John T: Losartan", found)]
    ['Dr. John T']
    """
    person = len(text)  # where the last person ended
    for mention in _joined(text, mentions):
        if mention.kind != "entity" or mention.label not in _NAMES:
            yield mention
            continue
        if mention.label in PERSON_LABELS:
            person = mention.end
        elif text[person : mention.start] in (", ", " ") and SUFFIXES.issuperset(words(mention.text)):
            continue
        if mention.label in PERSON_LABELS and (owner := _OWNER.match(mention.text)):
            owned = mention.start + owner.end()
            yield replace(mention, start=owned, text=mention.text[owner.end() :], label="MISC", head=-1, vector=None)
            mention = replace(mention, end=owned, text=owner.group())
        named = _trimmed(mention)
        if named is not None and mention.label in PERSON_LABELS:
            named = _with_title(text, named)
        if named is not None and not DRUG_NAME.fullmatch(fold(named.text)):
            yield named


def without_eponyms(text: str, mentions: Iterable[Mention], is_disease: Callable[[str], bool]) -> Iterator[Mention]:
    """Leave out names that are part of the name of a disease written in full, unless a title stands before them.

    >>> found = [Mention(0, 10, "Friedreich", "PERSON", "entity"), Mention(18, 23, "Smith", "PERSON", "entity")]
    >>> [m.text for m in without_eponyms("Friedreich ataxia Smith", found, {"Friedreich ataxia"}.__contains__)]
    ['Smith']
    """
    for mention in mentions:
        named = mention.kind == "entity" and mention.label in ("PERSON", "ORG", "LOC")
        if not named or not any(map(is_disease, _phrases_around(text, mention))):
            yield mention


def without_medicines(mentions: Iterable[Mention], is_medicine: Callable[[str], bool]) -> Iterator[Mention]:
    """Leave out what was read as a name and is that of a medicine, unless a title stands before it.

    >>> found = [Mention(0, 8, "Warfarin", "PERSON", "entity"), Mention(9, 20, "Dr Warfarin", "PERSON", "entity")]
    >>> [m.text for m in without_medicines(found, {"Warfarin"}.__contains__)]
    ['Dr Warfarin']
    """
    for mention in mentions:
        named = mention.kind == "entity" and mention.label in _NAMES and mention.label != "CODE"
        if not named or not is_medicine(mention.text):
            yield mention


def _phrases_around(text: str, mention: Mention) -> Iterator[str]:
    """Phrases of NAME, "X of NAME" or "X NAME" and up to four words after it; one word at least is an everyday one."""
    if next(iter(words(mention.text)), "") in TITLES:
        return
    before = _HEAD_OF.search(text, max(0, mention.start - 40), mention.start)
    ends = [mention.end]
    for word in _LOOSE_WORD.finditer(text, mention.end, mention.end + 60):
        if len(ends) > 4 or text[ends[-1] : word.start()] not in _SEAMS or word.group() in STOP_WORDS - {"s"}:
            break
        ends.append(word.end())
    for start in (mention.start, before.start()) if before else (mention.start,):
        for end in ends:
            phrase = text[start:end]
            if any(len(w) > 3 and w.islower() for w in _WORD.findall(phrase)):
                yield phrase


def one_role(mentions: Sequence[Mention]) -> list[Mention]:
    """Give all mentions of an entity the strongest role any of them has."""
    best: dict[int, Literal["direct", "quasi", "none", ""]] = {}
    for m in mentions:
        if m.kind == "entity" and m.entity >= 0 and _STRENGTH[m.role] >= _STRENGTH[best.get(m.entity, "none")]:
            best[m.entity] = m.role
    return [
        replace(m, role=best[m.entity]) if m.kind == "entity" and m.entity >= 0 and m.role != best[m.entity] else m
        for m in mentions
    ]


def _joined(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Join neighbors of one label where a small word stands at the seam."""
    held: Mention | None = None
    for mention in mentions:
        if mention.kind != "entity" or mention.label not in _NAMES:
            yield mention
            continue
        if held is not None and _same_name(text, held, mention):
            role = held.role if _STRENGTH[held.role] >= _STRENGTH[mention.role] else mention.role
            whole = text[held.start : mention.end]
            sure = max(held.confidence, mention.confidence)
            held = replace(held, end=mention.end, text=whole, role=role, confidence=sure, head=-1, vector=None)
            continue
        if held is not None:
            yield held
        held = mention
    if held is not None:
        yield held


def _same_name(text: str, left: Mention, right: Mention) -> bool:
    if left.label != right.label or left.end > right.start or text[left.end : right.start].strip(" "):
        return False
    last, first = _WORD.findall(left.text)[-1:], _WORD.findall(right.text)[:1]
    return any(word.lower() in STOP_WORDS and len(word) > 1 for word in (*last, *first))


def _trimmed(mention: Mention) -> Mention | None:
    """Cut idle words from both ends; None if nothing else is there. "St. Mary's" keeps its ending, "Smith's" not."""
    found = list(_WORD.finditer(mention.text))
    own = mention.label not in PERSON_LABELS
    idle = [_idle(w.group()) and not (own and w.group() == "s") for w in found]
    while found and idle[len(found) - 1]:
        found.pop()
    first = next((n for n, _ in enumerate(found) if not idle[n]), len(found))
    if first == len(found):
        return None
    if not first and len(found) == len(idle):
        return mention
    start, end, at = found[first].start(), found[-1].end(), mention.start
    return replace(mention, start=at + start, end=at + end, text=mention.text[start:end], head=-1)


def _idle(word: str) -> bool:
    return fold(word) in FIELD_WORDS or word in STOP_WORDS or word in _PREPOSITIONS


def _with_title(text: str, mention: Mention) -> Mention:
    before = _TITLE.search(text, max(0, mention.start - 24), mention.start)
    if before is None or fold(before.group(1)) not in TITLES or not before.group(1)[0].isupper():
        return mention
    start = before.start()
    return replace(mention, start=start, text=text[start : mention.end])
