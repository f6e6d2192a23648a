"""Shorthand, headings, names of fields, units: told by how they are written and where they stand."""

from __future__ import annotations

import re

from tacenda.folding import fold
from tacenda.language.en.glossary import FORM_WORDS, HEADING_LINKS, HEADING_WORDS, SHORTHAND, UNITS

_SHORT = 5  # letters up to which a word in capitals is an abbreviation
_LONGEST = 80  # characters of a line that may be a heading
# "Ears, Nose, Mouth and Throat: normal": all before the colon names the field.
_FIELD = re.compile(r"[\s•*#>\-–—\d.)]*(?P<name>[^:.;!?\n]{2,60}?)[ \t]*:(?!\d)")
_FIELD_WORDS = 6
_NUMBER_BEFORE = re.compile(r"\d[\d.,/]*[ \u00a0-]?$")
_BULLET = re.compile(r"[\s•*#>\-–—\d.)]*")
_INLINE_FIELD = re.compile(r":[ \t]*[+(]?\d")  # "Fax: 555 0142 Pager: 555 0143"
_SLASHED = re.compile(r"[\s•*#>\-–—]*[A-Z][\w&-]*(?:[ \t]?/[ \t]?[A-Z][\w&-]*)+[ \t]*")  # "Hematology/Lymphatic"
_LISTED = re.compile(r"[\w/&'’.-]+")


def is_shorthand(phrase: str) -> bool:
    """Tell whether the last word of a phrase is an abbreviation, a code or a word of the trade's shorthand.

    >>> [is_shorthand(p) for p in ("CT", "chest CT", "Pt", "BID", "M.A.", "HISTORY", "pain", "vitamin B12")]
    [True, True, True, True, True, False, False, True]
    """
    last = phrase.split()[-1] if phrase.split() else ""
    plain = fold(last).strip(".")
    if not last or plain in FORM_WORDS or plain in SHORTHAND or any(c.isdigit() for c in last):
        return True
    letters = [c for c in last if c.isalpha()]
    if len(letters) == 1:
        return True
    capitals = sum(c.isupper() for c in letters)
    if "." in last.strip(".") and capitals:
        return True
    return capitals > 1 and len(letters) <= _SHORT and capitals >= len(letters) - 1


def is_unit(text: str, start: int, end: int) -> bool:
    """Tell whether a word is the unit of a number that stands before it."""
    before = text[max(0, start - 12) : start]
    return fold(text[start:end]).strip(".") in UNITS and _NUMBER_BEFORE.search(before) is not None


def is_heading(text: str, start: int, end: int) -> bool:
    """Tell whether a phrase stands in a line of capitals, alone on its line, or names the field before a colon."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    line = text[first : len(text) if last < 0 else last]
    if len(line) > _LONGEST and ":" not in line[end - first : end - first + 40]:
        return False
    opens = _BULLET.fullmatch(line[: start - first]) is not None
    after = line[end - first :]
    named = _FIELD.match(line)
    if named and end - first <= named.end("name") and len(_LISTED.findall(named["name"])) <= _FIELD_WORDS:
        return True
    if line.isupper() and _SHORT < len(line) < _LONGEST:
        return True
    if _INLINE_FIELD.match(after) and text[start:end].istitle():
        return True
    if "\n" in text and "/" in line and _SLASHED.fullmatch(line):
        return True
    short = len(_LISTED.findall(line)) <= 6 and not line.rstrip().endswith((".", "!", "?", ",", ";"))
    return opens and short and not after.strip() and "\n" in text


def says_nothing(text: str, start: int, end: int) -> bool:
    """Tell whether a phrase is part of the form: shorthand that fits everybody, or a heading made of such words.

    >>> text = "PLAN: Pt to take it BID. Art stayed."
    >>> [says_nothing(text, text.index(w), text.index(w) + len(w)) for w in ("PLAN", "Pt", "BID", "Art", "stayed")]
    [True, True, True, False, False]
    """
    phrase = text[start:end]
    found = [fold(word).strip(".,:;'’") for word in _LISTED.findall(phrase)]
    if not found:
        return False
    if FORM_WORDS.issuperset(found):
        # "Art" and "Hon" are names, too: a word that opens with a capital and is long enough to be one is no shorthand.
        return len(phrase) < 3 or not phrase[:1].isupper() or phrase.isupper() or phrase.endswith("s")
    return _HEADING.issuperset(found) and is_heading(text, start, end)


_HEADING = HEADING_WORDS | HEADING_LINKS
