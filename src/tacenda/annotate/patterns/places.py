"""Street addresses, post boxes and postal codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, before
from tacenda.language import (
    ADDRESS_CUE,
    ADDRESS_CUE_ENDS,
    AND,
    CROSSING,
    DWELLING,
    DWELLING_BEFORE,
    DWELLING_CUE,
    DWELLING_WORD,
    PLACE_BEFORE,
    POST_BOX,
    POSTAL_CUE,
    STREET_TYPES,
)
from tacenda.language.around import word_before

_STATES = frozenset(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR VI GU AS MP AA AE AP".split()
)
_AREAS = frozenset(
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK "
    "FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN "
    "NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW "
    "UB W WA WC WD WF WN WR WS WV YO ZE".split()
)
_NAME = r"[^\W\d_a-z][\w'.-]{0,24}+"
_STREET = re.compile(
    rf"\d{{1,6}}+[A-Za-z]?(?:-\d{{1,4}}+)?,?\s(?:[NSEW]\.?\s|[NS][EW]\s)?"
    rf"(?:(?:{_NAME}|\d{{1,3}}(?:st|nd|rd|th))\s){{1,4}}?{STREET_TYPES}\b\.?(?:\s[NSEW]\b\.?)?{DWELLING}"
    rf"(?P<town>(?:,?\s{{1,3}}{_NAME}(?:\s{_NAME}){{0,3}}?)??(?:,?\s(?P<state>[A-Z]{{2}})\b)?"
    rf"(?:,?\s{{1,2}}(?P<zip>\d{{5}}(?:-\d{{4}})?|[A-Z]{{1,2}}\d[A-Z\d]?\s\d[A-Z]{{2}})(?!\w)|(?<=\s[A-Z][A-Z])))?"
)
_WAY = rf"(?:{_NAME}|\d{{1,3}}(?:st|nd|rd|th))(?:\s{_NAME}){{0,3}}"
_CORNERS = re.compile(rf"(?<!\w){CROSSING}{_WAY}{AND}{_WAY}")
_STREET_ENDINGS = (
    "strasse", "straße", "str", "gasse", "gatan", "gade", "straede", "veien", "vej", "vegen", "laan", "straat",
    "weg", "allee", "platz", "katu", "tie", "plein", "singel", "gracht", "damm", "ufer", "utca", "ulice",
)  # fmt: skip
_STREET_TYPES = frozenset("rue via calle rua avenida ul. piazza plaza corso viale carrera avenue".split())
_TYPED_NAME = re.compile(
    r"(?<!\w)(?:[Rr]ue|[Vv]ia|[Cc]alle|[Rr]ua|[Aa]venida|[Uu]l\.|[Pp]iazza|[Pp]laza|[Cc]orso|[Vv]iale|[Cc]arrera|[Aa]venue)"
    r"(?:\s(?:de|la|du|des|del|della|dei|da|do|los|las)){0,2}\s[^\W\d_a-z][\w'.-]{1,24}+"
    r"(?:\s[^\W\d_a-z][\w'.-]{1,24}+){0,2},?\s(?:n\.?\s)?$"
)
_LINE_BEFORE = re.compile(r"(?<![\w.,])\d{1,6}(?:\s[^\W_][\w.'-]{0,24}){1,6},?\s{1,3}$")
_LINES_AFTER = re.compile(
    r"(?:[ ,]{0,2}\n?[ ,>]{1,3}(?:[^\W\d_a-z][\w.'-]{1,24}+)(?: \(?[^\W\d_][\w.'-]{0,24}+\)?){0,3}+){0,3}+"
    r"(?:[ ,]{0,2}\n?[ ,>]{1,3}[A-Z]{2}(?!\w))?(?:[ \n,>]{1,3}\d{4,6}+(?!\w))?"
)
_CUED_LINE = re.compile(r"\d{1,6}+(?:\s\d{1,5}+)?(?:\s[^\W\d_a-z][\w.'-]{0,24}+){1,4}(?:\s\d{1,5}+(?!\w))?")
_MILITARY = re.compile(r"[AFD]PO(?<!\w...)\s(?:AA|AE|AP)\s\d{5}(?:-\d{4})?(?!\w)")
_ZIP = re.compile(r"\d{5}(?:-\d{4})?(?![\w]|[-/,.]\d)")
_STATE_BEFORE = re.compile(r"(?<!\w)([A-Z]{2})\.?,?\s{1,2}$")
_BRITISH = re.compile(r"([A-Z]{1,2})\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}(?!\w)")
_CANADIAN = re.compile(r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d(?!\w)")
# A code right after a place: "in Bjert 6091", "to Annerstad 340 12".
_PLACE_CODE = re.compile(r"(?:\d{4,5}|\d{3} \d\d|\d{4} [A-Z]{2}|\d{4,5}-\d{3})(?![\w%]|[-/.,:]\d)")
_YEARLIKE = re.compile(r"(?:1[5-9]|20)\d\d")
_ANY_CODE = re.compile(r"[A-Z0-9]{2,9}(?:[ -][A-Z0-9]{2,5})?(?!\w)")


def find(text: str) -> Iterator[Hit]:
    """Yield post boxes, corners of streets, and addresses around an apartment or suite."""
    for pattern in (POST_BOX, _MILITARY, _CORNERS):
        for match in pattern.finditer(text):
            yield Hit(match.start(), match.start() + len(match[0].rstrip(".-'")), "ADDRESS", FULL)
    for match in DWELLING_WORD.finditer(text):
        line = _LINE_BEFORE.search(text, max(0, match.start() - 64), match.start())
        if line is not None:
            rest = _LINES_AFTER.match(text, match.end())
            yield Hit(line.start(), rest.end() if rest else match.end(), "ADDRESS", FULL)


def at_number(text: str, start: int, end: int) -> Hit | None:
    """The address or postal code of which the number at `start` is part."""
    previous = text[start - 1] if start else " "
    if "A" <= previous <= "Z":
        return _lettered(text, start)
    if previous.isalnum() or previous in "_/$£€.":
        return None
    if end - start > 2 and _names_code(text[max(0, start - 16) : start].lower()):
        code = _ANY_CODE.match(text, start)
        return Hit(start, code.end() if code else end, "ZIP", FULL, "quasi")
    # A street's name begins with a capital or is a number ("12 5th Avenue").
    name = text[end + 1 : end + 2]
    streetlike = end - start <= 6 and previous not in "-," and (name.isupper() or name.isdigit() or name == " ")
    if (
        streetlike
        and name.isupper()
        and text[start - 2 : start] in ADDRESS_CUE_ENDS
        and before(text, start, ADDRESS_CUE, 32)
    ):
        line = _CUED_LINE.match(text, start)
        if line is not None:
            street = _street(text, start)
            return street if street and street.end >= line.end() else Hit(start, line.end(), "ADDRESS", VALID)
    street = _street(text, start) if streetlike else None
    return street or (_after_name(text, start, end) if previous in " \n," else None)


def _names_code(window: str) -> bool:
    """Tell whether a lower-case window ends in "zip code:" or the like; three quick looks spare the expression."""
    hinted = "zip" in window or "code" in window or "plz" in window
    return hinted and POSTAL_CUE.search(window) is not None


def _lettered(text: str, start: int) -> Hit | None:
    """A British or Canadian code, whose first number follows one or two capitals."""
    first = start - 2 if start > 1 and "A" <= text[start - 2] <= "Z" else start - 1
    if first and (text[first - 1].isalnum() or text[first - 1] == "_"):
        return None
    match = _BRITISH.match(text, first)
    if match is None or match.group(1) not in _AREAS:
        match = _CANADIAN.match(text, first)
    if match is None:
        return None
    return Hit(first, match.end(), "ZIP", FULL if " " in match.group() else LIKELY, "quasi")


def _street(text: str, start: int) -> Hit | None:
    """An American or British street line: number, name, type; then town, state and code."""
    match = _STREET.match(text, start)
    if match is None:
        return None
    end = match.end()
    confirmed = match["zip"] is not None or match["state"] in _STATES
    if not confirmed and match["town"]:
        # Without state or code, capitals after the street may begin the next thought.
        end = match.start("town")
    cue = confirmed or before(text, start, DWELLING_CUE, 32)
    if dwelling := DWELLING_BEFORE.search(text, max(0, start - 24), start):
        start = dwelling.start()
    return Hit(start, end, "ADDRESS", FULL if cue else LIKELY)


def _after_name(text: str, start: int, end: int) -> Hit | None:
    """A number after a street's name, or a code after a state."""
    if end - start == 5:
        state = _STATE_BEFORE.search(text, max(0, start - 6), start)
        match = _ZIP.match(text, start)
        if match and state and state.group(1) in _STATES:
            return Hit(start, match.end(), "ZIP", FULL, "quasi")
        if match and match.end() - start == 10:
            return Hit(start, match.end(), "ZIP", WEAK, "quasi")
    code = _PLACE_CODE.match(text, start) if end - start >= 3 and text[start - 1 : start] == " " else None
    if code and not _YEARLIKE.fullmatch(code.group()) and PLACE_BEFORE.search(text, max(0, start - 40), start):
        return Hit(start, code.end(), "ZIP", LIKELY, "quasi")
    word = word_before(text, start) if end - start <= 4 else None
    if word is None or not text[word].isupper():
        return None
    name = text[word:start].rstrip(" .,").lower()
    if len(name) > 5 and name.endswith(_STREET_ENDINGS):
        return Hit(word, end, "ADDRESS", _with_cue(text, word))
    if _STREET_TYPES.isdisjoint(text[max(0, start - 64) : start].lower().split()):
        return None
    typed = _TYPED_NAME.search(text, max(0, start - 64), start)
    return Hit(typed.start(), end, "ADDRESS", _with_cue(text, typed.start())) if typed else None


def _with_cue(text: str, start: int) -> float:
    return VALID if before(text, start, DWELLING_CUE) else LIKELY
