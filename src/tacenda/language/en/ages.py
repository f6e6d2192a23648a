"""Ages in all written forms: found, and read where it is known that a phrase tells one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tacenda.language.en.numbers import NUMBER_WORDS, spoken_number

MOST_YEARS = 130
_NUMBER = re.compile(r"[0-9]+")
_HYPHEN = "[-‐‑]"
_UNIT = rf"(?:\s?{_HYPHEN}\s?|\s)?(?:(?P<unit>[yY](?:ears?|rs?|EARS?)|months?|mo|weeks?|days?)"
_AFTER = re.compile(
    rf"\d{{1,3}}+{_UNIT}\.?(?:\s|{_HYPHEN})(?:old|OLD|of\sage)\b|(?P<short>yos?\b|y/o\b|y\.o\.|YO\b|Y/O\b))"
)
_BEFORE = re.compile(
    r"(?i)(?<![a-z])(?P<word>aged?|turn(?:ed|ing|s))(?:\s(?:of|is|was|just)|:)?\s{1,2}$|(?<![a-z])age:$"
)
_NOT_AGE = re.compile(r"[\w]|[.,/:-]\d|\s?(?:%|degrees|percent|per|p\.m|a\.m)")
_SPELLED = re.compile(rf"years?(?:\s|{_HYPHEN})(?:old|of age)\b")
_WORDS_BEFORE = re.compile(rf"(?i)(?<![a-z])(?P<number>{NUMBER_WORDS})[\s-]$")
# In a phrase that is known to tell an age: any whole number that is not one of months, weeks or days.
_LONE = re.compile(r"(?<![\d.,])\d{1,3}(?!\d|[.,]\d|s\b)(?![ ‐‑-]?(?:months?|weeks?|days?|mo)\b)")
_LEAD = re.compile(r"(?i)(?:at\s)?(?:the\s|an?\s)?")


@dataclass(frozen=True, slots=True)
class WrittenAge:
    """An age in a text.

    number      where the number alone stands
    cue         a word before says that it is an age: "aged 34"
    """

    start: int
    end: int
    value: int
    number: tuple[int, int]
    unit: Literal["years", "less"] = "years"
    cue: bool = False
    spelled: bool = False


def age_at(text: str, start: int, end: int) -> WrittenAge | None:
    """The age that the digits at `start` tell."""
    if end - start > 3 or (start and (text[start - 1].isalnum() or text[start - 1] in "_.,/$£€-#")):
        return None
    value = int(text[start:end])
    if not 0 < value <= MOST_YEARS:
        return None
    after = _AFTER.match(text, start)
    if after is not None:
        years = after["short"] or after["unit"][0] in "yY"
        return WrittenAge(start, after.end(), value, (start, end), "years" if years else "less")
    cue = _BEFORE.search(text, max(0, start - 16), start)
    if cue is None or _NOT_AGE.match(text, end):
        return None
    aged = not (cue["word"] or "").lower().startswith("turn")
    return WrittenAge(cue.start() if aged else start, end, value, (start, end), cue=aged)


def spelled_ages(text: str) -> Iterator[WrittenAge]:
    """Yield ages written in words ("ninety-two years old")."""
    for match in _SPELLED.finditer(text):
        said = _WORDS_BEFORE.search(text, max(0, match.start() - 32), match.start())
        if said is not None:
            value = spoken_number(said["number"])
            yield WrittenAge(said.start(), match.end(), value, said.span("number"), spelled=True)


def find_ages(text: str) -> Iterator[WrittenAge]:
    """Yield ages in digits, then those in words.

    >>> [age.value for age in find_ages("a 45-year-old, her son (aged 7) and an eighty-one years old aunt")]
    [45, 7, 81]
    """
    for number in _NUMBER.finditer(text):
        if age := age_at(text, *number.span()):
            yield age
    yield from spelled_ages(text)


def read_age(text: str, *, whole: bool = False) -> WrittenAge | None:
    """Read a phrase that is known to tell an age; `whole`: it must be an age and nothing else.

    >>> read_age("93").value, read_age("93", whole=True), read_age("aged 93", whole=True).value
    (93, None, 93)
    """
    found = next(find_ages(text), None)
    if whole:
        covers = found and found.end >= len(text.rstrip(". ")) and _LEAD.fullmatch(text, 0, found.start)
        return found if covers else None
    if found is None and (lone := _LONE.search(text)) and 0 < int(lone.group()) <= MOST_YEARS:
        found = WrittenAge(*lone.span(), int(lone.group()), lone.span())
    return found if found and found.unit == "years" else None
