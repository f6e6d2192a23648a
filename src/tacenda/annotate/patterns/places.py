"""Street addresses, post boxes and postal codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, before

_STATES = frozenset(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI "
    "SC SD TN TX UT VT VA WA WV WI WY DC PR VI GU AS MP AA AE AP".split()
)
_AREAS = frozenset(
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL "
    "GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX "
    "PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN "
    "WR WS WV YO ZE".split()
)
_TYPES = (
    r"(?:Street|St|Avenue|Ave|Av|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Way|"
    r"Parkway|Pkwy|Highway|Hwy|Circle|Cir|Close|Crescent|Cres|Gardens|Gdns|Grove|Mews|Row|Walk|Hill|Park|Alley|Trail|"
    r"Trl|Loop|Plaza|Turnpike|Pike|Quay|Wharf|Parade|Rise|Vale|View|Green|Expressway|Freeway)"
)
_NAME = r"[^\W\d_a-z][\w'.-]{0,24}+"
_UNIT = r"(?:,?\s{1,2}(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|#)\.?\s?[\w-]{1,6}+)?"
_TOWN = rf"(?:,?\s{{1,3}}{_NAME}(?:\s{_NAME}){{0,3}})?"
_STREET = re.compile(
    rf"\d(?<![\w.,/$£€-]\d)\d{{0,5}}+[A-Za-z]?(?:-\d{{1,4}}+)?,?\s(?:[NSEW]\.?\s|[NS][EW]\s)?"
    rf"(?:(?!(?i:of|and)\s)(?:{_NAME}|\d{{1,3}}(?:st|nd|rd|th))\s){{1,4}}?{_TYPES}\b\.?(?:\s[NSEW]\b\.?)?{_UNIT}"
    rf"(?P<town>{_TOWN}(?:,?\s(?P<state>[A-Z]{{2}})\b)?(?:,?\s{{1,2}}(?P<zip>\d{{5}}(?:-\d{{4}})?|"
    rf"[A-Z]{{1,2}}\d[A-Z\d]?\s\d[A-Z]{{2}})(?!\w))?)"
)
_NAME_NUMBER = re.compile(r"[^\W\d_a-z](?<!\w.)([\w.'-]{3,30}+)\s\d{1,4}+[A-Za-z]?(?![\w]|[.,/]\d)")
_STREET_ENDINGS = (
    "strasse", "straße", "str.", "gasse", "gatan", "gade", "stræde", "straede", "veien", "vej", "vegen", "laan", "straat",
    "weg", "allee", "platz", "katu", "tie", "plein", "singel", "gracht", "damm", "ufer", "utca", "ulice",
)  # fmt: skip
_TYPE_NAME_NUMBER = re.compile(
    r"[RVCAUPrvcaup](?<!\w.)(?:ue|ia|alle|ua|venida|/|l\.|iazza|laza|orso|iale|arrera|venue)"
    r"(?:\s(?:de|la|du|des|del|della|dei|da|do|los|las)){0,2}\s[^\W\d_a-z][\w'.-]{1,24}+"
    r"(?:\s[^\W\d_a-z][\w'.-]{1,24}+){0,2},?\s(?:n\.?\s)?\d{1,5}+(?!\w)"
)
_BOX = re.compile(
    r"P(?<!\w.)(?:\.\s?O\.?|O|ost(?:al)? [Oo]ffice|SC)\s?(?:[Bb](?:ox|OX)\s?#?\d{1,6}+|\d{1,5}+,?\s[Bb]ox\s\d{1,6}+)"
    r"(?:\s{1,2}[AFD]PO\s[A-Z]{2}\s\d{5}(?:-\d{4})?)?"
)
_MILITARY = re.compile(r"[AFD]PO(?<!\w...)\s(?:AA|AE|AP)\s\d{5}(?:-\d{4})?(?!\w)")
_STATE_ZIP = re.compile(r"[A-Z](?<!\w.)[A-Z]\.?,?\s{1,2}(\d{5}(?:-\d{4})?)(?![\w]|[-/,.]\d)")
_ZIP4 = re.compile(r"\d(?<![\w.,/#-]\d)\d{4}-\d{4}(?![\w-])")
_BRITISH = re.compile(r"([A-Z](?<!\w.)[A-Z]?)\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}(?!\w)")
_CANADIAN = re.compile(r"[ABCEGHJ-NPRSTVXY](?<!\w.)\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d(?!\w)")
_NAMED_ZIP = re.compile(
    r"[zZpP](?<!\w.)(?i:ip|ip[ -]?codes?|ost[ -]?codes?|ostal[ -]codes?|lz)(?:\s(?:is|was|of)|\s?[:=#])?\s{1,2}"
    r"([A-Z0-9](?=[A-Z0-9 -]{0,8}\d)[A-Z0-9]{1,9}(?:[ -][A-Z0-9]{2,5})?)(?![\w])"
)
_CUE = re.compile(
    r"(?i)\b(?:address\w*|liv(?:es?|ed|ing)|resid\w+|located|home|house|mov(?:ed|ing)|at|deliver\w*|ship\w*|mail\w*|"
    r"visit\w*|office\w*|taxi|domicil\w+|born|store|shop|restaurant)\b[^\n]{0,24}$"
)


def find(text: str) -> Iterator[Hit]:
    """Yield addresses and postal codes of a text."""
    for match in _STREET.finditer(text):
        yield from _street(text, match)
    for match in _NAME_NUMBER.finditer(text):
        if match.group(1).lower().endswith(_STREET_ENDINGS):
            yield _european(text, match)
    for match in _TYPE_NAME_NUMBER.finditer(text):
        yield _european(text, match)
    for pattern in (_BOX, _MILITARY):
        for match in pattern.finditer(text):
            yield Hit(match.start(), match.end(), "ADDRESS", FULL)
    yield from _codes(text)


def _european(text: str, match: re.Match[str]) -> Hit:
    cue = before(text, match.start(), _CUE)
    return Hit(match.start(), match.end(), "ADDRESS", VALID if cue else LIKELY)


def _street(text: str, match: re.Match[str]) -> Iterator[Hit]:
    end = match.end()
    confirmed = match["zip"] is not None or match["state"] in _STATES
    if not confirmed:
        # Without state or code, capitals after the street may begin the next thought.
        end = match.start("town")
    cue = confirmed or before(text, match.start(), _CUE, 32)
    yield Hit(match.start(), end, "ADDRESS", FULL if cue else LIKELY)


def _codes(text: str) -> Iterator[Hit]:
    for match in _STATE_ZIP.finditer(text):
        if match.group()[:2] in _STATES:
            yield Hit(match.start(1), match.end(), "ZIP", FULL, "quasi")
    for match in _ZIP4.finditer(text):
        yield Hit(match.start(), match.end(), "ZIP", WEAK, "quasi")
    for match in _BRITISH.finditer(text):
        if match.group(1) in _AREAS:
            spaced = " " in match.group()
            yield Hit(match.start(), match.end(), "ZIP", FULL if spaced else LIKELY, "quasi")
    for match in _CANADIAN.finditer(text):
        yield Hit(match.start(), match.end(), "ZIP", FULL if " " in match.group() else LIKELY, "quasi")
    for match in _NAMED_ZIP.finditer(text):
        yield Hit(match.start(1), match.end(1), "ZIP", FULL, "quasi")
