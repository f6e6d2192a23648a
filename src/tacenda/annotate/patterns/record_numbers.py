"""Numbers named by the word before them: records, cases, accounts, policies, passports, devices, plates.

The word is the context and says the kind; the form must hold digits. Between word and number only such may stand
as "number", "no.", "#", "id", "is" and punctuation. Each number is looked at once, with a fixed stretch before it.
"""

from __future__ import annotations

import re

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit
from tacenda.language import LISTED_NUMBER, NUMBER_FILLER, NUMBER_NAMES, NUMBER_SAYS

_WINDOW = 48
_JOINED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/.#-"
_SPACES = " \n\t("
_SPACES_AND_STOPS = " \n\t,;.)?!"
_REST = re.compile(r"[\w/.#-]{0,40}+")
_PIECES = re.compile(r"[A-Za-z]+(?:/[A-Za-z])?|[^\sA-Za-z]")
_MAX_FILLER = 8

_DOCKET = re.compile(r"\d?\d[-:]\d\d-?(?:cv|cr|mc|md|bk|CV|CR|MC|MD|BK)-?\d{2,6}+(?:-[A-Z]{2,4}){0,2}")
_APPLICATION = re.compile(r"\d{1,6}/\d{2}(?:\d\d)?(?:/\d{1,4}){0,2}")
_BRITISH_PLATE = re.compile(r"[A-Z]{2}\d\d [A-Z]{3}(?!\w)")
_YEARLIKE = re.compile(r"(?:1[89]|20)\d\d")
_AMOUNT = re.compile(r"[\d.,]*[.,][\d.,]*")
_DIGITS = re.compile(r"\d")


def at_number(text: str, start: int, end: int) -> Hit | None:
    """The named number of which the digits at `start` are the first."""
    previous, following = text[start - 1 : start], text[end : end + 1]
    lone = (not previous or previous in _SPACES) and (not following or following in _SPACES_AND_STOPS)
    if lone and (end - start < 3 or _YEARLIKE.fullmatch(text, start, end)):
        return None
    window = text[max(0, start - 16) : start]
    first = start - (len(window) - len(window.rstrip(_JOINED)))
    if _DIGITS.search(text, first, start):
        return None  # looked at already
    rest = _REST.match(text, end)
    first = max(first, text.rfind("#", first, start) + 1)
    written = text[first : rest.end() if rest else end].strip("-/.#_")
    first = text.index(written, first)
    docket = _DOCKET.match(text, start)
    if docket is not None:
        return Hit(start, docket.end(), "CASE", FULL)
    plate = _BRITISH_PLATE.match(text, first)
    if len(_DIGITS.findall(written)) < 2 or len(written) < 3:
        return None
    found = _named(text, first, written)
    if found is None and plate is not None:
        return Hit(first, plate.end(), "PLATE", LIKELY)
    return found


def _named(text: str, start: int, written: str) -> Hit | None:
    window = text[max(0, start - _WINDOW) : start]
    if _APPLICATION.fullmatch(written) and LISTED_NUMBER.search(window):
        # Listed after a named one: "nos. 63464/00, 63465/00 and 63466/00".
        return Hit(start, start + len(written), "CASE", VALID)
    label, explicit = cue_of(window)
    confidence = _confidence(label, written, explicit) if label else 0.0
    return Hit(start, start + len(written), label, confidence) if confidence else None


def cue_of(window: str) -> tuple[str, bool]:
    """Label of the word that names a number right after the window, and whether it says that a number follows.

    >>> cue_of("admitted (MRN: "), cue_of("application (no. "), cue_of("in the case "), cue_of("costs of ")
    (('RECORD', True), ('CASE', True), ('CASE', False), ('', False))
    """
    pieces = _PIECES.findall(window.lower())
    explicit, at = False, len(pieces) - 1
    named = ""
    while at >= 0 and pieces[at] in NUMBER_FILLER and len(pieces) - at <= _MAX_FILLER:
        explicit = explicit or pieces[at] in NUMBER_SAYS
        named = named or (pieces[at] if pieces[at] in ("id", "ref", "reference", "identification") else "")
        at -= 1
    word = pieces[at] if at >= 0 else ""
    for form in (word, word.removesuffix("s")):
        label = NUMBER_NAMES.get(form) or (NUMBER_NAMES.get(form + "*") if explicit else None)
        if label is not None:
            return label, explicit or form in ("mrn", "imei", "vin", "npi", "dea")
    return ("OTHER_ID", True) if named else ("", False)


def _confidence(label: str, written: str, explicit: bool) -> float:
    """How sure a named number is: short, year-like or decimal ones may count something else."""
    digits = len(_DIGITS.findall(written))
    if _AMOUNT.fullmatch(written):
        return 0.0
    if label == "CASE" and _APPLICATION.fullmatch(written):
        return FULL if explicit else VALID
    if _YEARLIKE.fullmatch(written) or (written.isdigit() and digits < 4):
        return WEAK if explicit else 0.0
    if explicit:
        return FULL if digits >= 3 else LIKELY
    coded = any(c.isalpha() for c in written)
    return 0.0 if digits < 5 else VALID if coded else LIKELY
