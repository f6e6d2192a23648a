"""The plainer label: what can be said of a mention whose kind nothing tells, or whose kind would tell too much.

What its words do in the sentence tells a status from an activity; how it is written tells a number, an abbreviation or
a name; in a clinical document it is medical. Only what none of these tells is a detail.
"""

from __future__ import annotations

import re

from tacenda.language import (
    DEGREES,
    DETERMINED_NEAR,
    KIND_ENDINGS,
    PERSON_NOUNS,
    PLAINER_LABELS,
    POLITICAL_WORDS,
    SHORTHAND,
    UNIT_LABELS,
    is_shorthand,
    role_of,
    singular,
)
from tacenda.model import Context, Mention
from tacenda.replace.ladders import around
from tacenda.term import fold, words

# Labels of which the annotator's own word is the plainest that there is.
_TOLD = frozenset(("TERM", "WORD", "PROTECTED", "DEM", "MISC", "QUANTITY"))
_OF_ROLES = {"gerund": "activity", "status": "status", "verb": "", "adverb": "", "modifier": ""}
_PERSON_ENDING = re.compile(r"(?:er|or|ist|ian|ant|ee|man|woman|person|crat|ite|ess)s?$")
_OLDEST = 120
_MEASURED = frozenset(UNIT_LABELS.values())


def plain_kind(mention: Mention, context: Context, kind: str) -> str:
    """Return a word that says less than `kind`, the one that is known; empty where no label can stand."""
    text = context.document.text
    if mention.label not in _TOLD:
        return ""
    letters, digits = sum(map(str.isalpha, mention.text)), sum(map(str.isdigit, mention.text))
    if not letters or (letters == 1 and digits > 2):  # "x3517"
        return _number(mention)
    political = singular(fold(mention.text.split()[-1])) in POLITICAL_WORDS
    if political and not DETERMINED_NEAR.search(text[max(0, mention.start - 40) : mention.start]):
        return "belief"  # "leans Democrat"
    own = "" if kind in PLAINER_LABELS else _of_words(mention.text)
    role = role_of(text, *mention.span, tag=mention.tag, closes=mention.closes)
    if own and role in ("noun", "modifier"):
        return own
    if role != "noun":
        return _OF_ROLES[role]
    if kind in PLAINER_LABELS:
        return PLAINER_LABELS[kind]
    if is_shorthand(mention.text) and mention.text.upper() == mention.text:
        return "abbreviation"
    if mention.label == "DEM":
        return "role" if _PERSON_ENDING.search(fold(mention.text)) else "personal detail"
    if mention.label == "MISC" and mention.text[:1].isupper():
        return "proper name"
    if kind in _MEASURED:
        return "quantity"
    return "medical detail" if around(mention, context).field else "detail"


def _number(mention: Mention) -> str:
    """A number said of a person is an age: "Anita Patel, 57, is", "since she was 12"."""
    digits = mention.text.strip("()., ")
    return "age" if mention.label == "DEM" and digits.isdigit() and 0 < int(digits) < _OLDEST else "number"


def _of_words(phrase: str) -> str:
    """What the last words of a phrase say that it is: a titer is a test, a B.A. a degree."""
    found = words(phrase)
    if not found:
        return ""
    if not DEGREES.isdisjoint((found[0], fold(phrase).replace(".", ""))):
        return "degree"
    last = singular(fold(found[-1]))
    if last in PERSON_NOUNS:
        return "person"
    return KIND_ENDINGS.get(last, "") if last not in SHORTHAND else ""
