"""Telephone and fax numbers: a shape, a word nearby, and what the numbering plans say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, before
from tacenda.language import FAX_CUE, OTHER_NUMBER_CUE, PHONE_CUE, WEAK_PHONE_CUE

_SHAPE = re.compile(
    r"[+(\d](?<![\w.,/$£€#:-].)(?:(?<=\+)\d{1,3}+[ .-]?|(?<=\()\+?\d{1,5}+\)[ .-]?|(?<=\d)\d{0,14}+)"
    r"(?:\(\d{1,5}+\)[ .-]?)?(?:[ ./-]?\(?\d{1,12}+\)?){0,6}+(?!\w|[/:]\d)"
    r"(?:,?\s?(?:ext|x|extension)\.?\s?\d{1,6}+(?!\w))?"
)
_AMERICAN = re.compile(r"(?:\+?1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])\d{3}[.-]\d{4}")
_DATE_LIKE = re.compile(
    r"(?:19|20)\d\d([-./ ])\d\d?\1\d\d?|\d\d?([-./ ])\d\d?\2(?:19|20)\d\d|(?:19|20)\d\d-(?:19|20)\d\d"
)
_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "BE", "CH", "AT", "SE", "NO", "DK", "FI", "PL", "CZ", "HU", "PT",
            "IE", "AU", "NZ", "IN", "ZA", "BR", "JP", "SI", "IS", "GR", "RU", "UY", "CA")  # fmt: skip
_NON_DIGIT = re.compile(r"\D+")


def find(text: str, start: int, end: int, stop: int) -> Iterator[Hit]:
    """Yield telephone and fax numbers of a stretch; an extension may reach to `stop`."""
    for match in _SHAPE.finditer(text, start, stop):
        if match.start() >= end:
            return
        written = match.group().rstrip(" .-/(")
        if written.count("(") > written.count(")"):
            continue
        digits = _NON_DIGIT.sub("", re.split(r"[ex]", written)[0])
        if 6 <= len(digits) <= 15 and not _DATE_LIKE.fullmatch(written):
            yield from _judged(text, match.start(), written, digits)


def _judged(text: str, start: int, written: str, digits: str) -> Iterator[Hit]:
    end = start + len(written)
    if before(text, start, OTHER_NUMBER_CUE, 24):
        return
    label = "FAX" if before(text, start, FAX_CUE, 28) else "PHONE"
    cue = before(text, start, PHONE_CUE, 40) or before(text, start, WEAK_PHONE_CUE, 20)
    if written[0] == "+" or digits.startswith("00"):
        good = _valid("+" + digits.removeprefix("00"))
        confidence = FULL if good else VALID if cue else WEAK
    elif _AMERICAN.fullmatch(re.split(r",?\s?[ex]", written)[0]):
        confidence = FULL if cue else VALID
    elif cue and _possible(digits):
        confidence = FULL
    elif _grouped(written) and digits[0] == "0" and len(digits) in (10, 11) and _valid(digits, "GB"):
        confidence = VALID
    elif cue and len(digits) >= 7:
        confidence = LIKELY
    else:
        return
    yield Hit(start, end, label, confidence)


def _grouped(written: str) -> bool:
    return not written.isdigit()


@lru_cache(maxsize=4096)
def _valid(number: str, region: str | None = None) -> bool:
    import phonenumbers

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(number, region)))
    except phonenumbers.NumberParseException:
        return False


@lru_cache(maxsize=4096)
def _possible(digits: str) -> bool:
    """Tell whether some numbering plan has numbers of this length and leading digits."""
    import phonenumbers

    for region in _REGIONS:
        try:
            if phonenumbers.is_possible_number(phonenumbers.parse(digits, region)):
                return True
        except phonenumbers.NumberParseException:
            return False
    # Seven or eight digits are dialled inside one area.
    return len(digits) in (7, 8)
