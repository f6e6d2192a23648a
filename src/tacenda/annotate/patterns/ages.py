"""Ages: over 89 they are direct identifiers (45 CFR 164.514(b)(2)(i)(C)), below quasi-identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, VALID, Hit

OVER = 89
OLDEST = 125
_UNITS = "one two three four five six seven eight nine".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_TENS_VALUE = {word: 10 * number for number, word in enumerate(_TENS, 2)}
_AFTER = re.compile(
    r"\d{1,3}+(?:\s?-\s?|\s)?(?:(?P<unit>[yY](?:ears?|rs?|EARS?)|months?|mo|weeks?|days?)\.?[\s-](?:old|OLD|of\sage)\b|"
    r"(?P<short>yos?\b|y/o\b|y\.o\.|YO\b|Y/O\b))"
)
_BEFORE = re.compile(
    r"(?i)(?<![a-z])(?P<word>aged?|turn(?:ed|ing|s))(?:\s(?:of|is|was|just)|:)?\s{1,2}$|(?<![a-z])age:$"
)
_NOT_AGE = re.compile(r"[\w]|[.,/:-]\d|\s?(?:%|degrees|percent|per|p\.m|a\.m)")
_SPELLED = re.compile(r"years?[\s-](?:old|of age)\b")
_NUMBER_WORDS = re.compile(
    rf"(?i)(?<![a-z])(?P<tens>{'|'.join(_TENS)}|(?:a |one )?hundred)(?:[\s-](?P<units>{'|'.join(_UNITS)}))?[\s-]$"
)


def at_number(text: str, start: int, end: int) -> Hit | None:
    """The age that the number at `start` tells; `role` is direct for ages over 89."""
    if end - start > 3 or (start and (text[start - 1].isalnum() or text[start - 1] in "_.,/$£€-#")):
        return None
    number = int(text[start:end])
    if not 0 < number <= OLDEST:
        return None
    after = _AFTER.match(text, start)
    if after is not None:
        years = after["short"] or after["unit"][0] in "yY"
        return Hit(start, after.end(), "AGE", FULL, "direct" if years and number > OVER else "quasi")
    low = max(0, start - 16)
    cue = _BEFORE.search(text, low, start)
    if cue is None or _NOT_AGE.match(text, end):
        return None
    aged = not (cue["word"] or "").lower().startswith("turn")
    return Hit(cue.start() if aged else start, end, "AGE", FULL, "direct" if number > OVER else "quasi")


def find(text: str) -> Iterator[Hit]:
    """Yield ages written in words ("ninety-two years old")."""
    for match in _SPELLED.finditer(text):
        said = _NUMBER_WORDS.search(text, max(0, match.start() - 24), match.start())
        if said is not None:
            units = (said["units"] or "").lower()
            number = _TENS_VALUE.get(said["tens"].lower(), 100) + (_UNITS.index(units) + 1 if units else 0)
            yield Hit(said.start(), match.end(), "AGE", VALID, "direct" if number > OVER else "quasi")
