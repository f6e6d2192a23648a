"""Ages: over 89 they are direct identifiers (45 CFR 164.514(b)(2)(i)(C)), below quasi-identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, VALID, Hit

OVER = 89
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_UNITS = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_WORDS = {w: i for i, w in enumerate([*_UNITS, *_TEENS], 1)} | {w: 10 * i for i, w in enumerate(_TENS, 2)}
_AFTER = re.compile(
    r"\d(?<![\w.,/$£€-]\d)\d{0,2}+(?:\s?-\s?|\s)?(?:"
    r"(?:years?|yrs?|yr|months?|mo|weeks?|days?)\.?[\s-](?:old|of\sage)\b|yos?\b|y/o\b|y\.o\.|YO\b|Y/O\b)"
)
_BEFORE = re.compile(
    r"[aAtT](?<!\w.)(?:ged?|GED?|urn(?:ed|ing|s))(?!\w)"
    r"(?:\s(?:of|is|was|just)|:)?\s{0,2}(\d{1,3}+)(?![\w]|[.,/:-]\d|\s?(?:%|degrees|percent|per))"
)
_SPELLED = re.compile(
    rf"(?:{'|'.join(_TENS)}|hundred)(?:[\s-](?:{'|'.join(_UNITS)}))?[\s-]years?[\s-](?:old|of\sage)\b"
)


def find(text: str) -> Iterator[Hit]:
    """Yield ages of a text; `role` is direct for ages over 89."""
    for match in _AFTER.finditer(text):
        number = int(re.match(r"\d+", match.group()).group())  # type: ignore[union-attr]
        if number <= 125:
            years = "y" in match.group().lower() and "day" not in match.group()
            yield Hit(match.start(), match.end(), "AGE", FULL, "direct" if years and number > OVER else "quasi")
    for match in _BEFORE.finditer(text):
        number = int(match.group(1))
        if 0 < number <= 125:
            turned = match.group()[0] in "tT"
            start = match.start(1) if turned else match.start()
            yield Hit(start, match.end(), "AGE", FULL, "direct" if number > OVER else "quasi")
    for match in _SPELLED.finditer(text):
        yield Hit(match.start(), match.end(), "AGE", VALID, "direct" if _spelled(match.group()) > OVER else "quasi")


def _spelled(words: str) -> int:
    """Number said by words such as "ninety-two years old"."""
    if words.startswith("hundred"):
        return 100
    return sum(_WORDS.get(w, 0) for w in re.split(r"[\s-]", words))
