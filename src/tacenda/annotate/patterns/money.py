"""Payment cards, bank accounts (IBAN) and vehicle identification numbers: forms with check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, Hit, around, within
from tacenda.language import CARD_CUE, VEHICLE_CUE

_CARD = re.compile(r"\d(?<![\w.,/-]\d)(?:[ -]?+\d){11,18}+(?![\w]|[ -]?\d|[.,/]\d)")
_GROUPED = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5}")
# Issuers' first digits (ISO/IEC 7812): Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro.
_ISSUER = re.compile(r"4|5[1-5]|2[2-7]|3[47]|30|3[689]|35|6|50|5[678]|1800|2131")
_IBAN = re.compile(r"[A-Z](?<!\w.)[A-Z]\d\d(?:[ -]?+[A-Z0-9]){11,30}+(?![A-Za-z0-9])")
_IBAN_LENGTH = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24,
    "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24,
    "XK": 20,
}  # fmt: skip
_VIN = re.compile(r"[A-HJ-NPR-Z0-9](?<!\w.)[A-HJ-NPR-Z0-9]{16}(?!\w)")
_VIN_VALUE = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", [*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)], strict=True))
_VIN_WEIGHT = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_SEPARATORS = str.maketrans("", "", " -")


def find(text: str, start: int, end: int) -> Iterator[Hit]:
    """Yield cards, bank accounts and vehicle numbers of a stretch."""
    if end - start < 12:
        return
    for match in within(_CARD, text, start, end):
        yield from _card(text, match)
    for match in within(_IBAN, text, start, end):
        yield from _iban(match)
    for match in within(_VIN, text, start, end):
        yield from _vin(text, match)


def luhn(digits: str) -> bool:
    """Check the last digit as ISO/IEC 7812 does.

    >>> luhn("4539148803436467"), luhn("4539148803436468")
    (True, False)
    """
    odd = sum(map(int, digits[-1::-2]))
    even = sum((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[int(d)] for d in digits[-2::-2])
    return (odd + even) % 10 == 0


def _card(text: str, match: re.Match[str]) -> Iterator[Hit]:
    written = match.group()
    digits = written.translate(_SEPARATORS)
    if not (_ISSUER.match(digits) and luhn(digits)) or len(set(digits)) < 3:
        return
    sure = _GROUPED.fullmatch(written) or around(text, match.start(), match.end(), CARD_CUE)
    if written.isdigit() or _GROUPED.fullmatch(written) or sure:
        yield Hit(match.start(), match.end(), "CARD", FULL if sure else LIKELY)


def iban_valid(compact: str) -> bool:
    """Check length by country and the remainder 1 of ISO 13616.

    >>> iban_valid("GB82WEST12345698765432"), iban_valid("GB82WEST12345698765431")
    (True, False)
    """
    if _IBAN_LENGTH.get(compact[:2]) != len(compact):
        return False
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


def _iban(match: re.Match[str]) -> Iterator[Hit]:
    """A valid account at the start of the match: words in capitals may follow it."""
    written = match.group()
    length = _IBAN_LENGTH.get(written[:2], 0)
    ends = [i for i, character in enumerate(written, 1) if character.isalnum()]
    if 0 < length <= len(ends) and iban_valid(written[: ends[length - 1]].translate(_SEPARATORS)):
        yield Hit(match.start(), match.start() + ends[length - 1], "IBAN", FULL)


def vin_valid(vin: str) -> bool:
    """Check the ninth character as ISO 3779 and 49 CFR 565 do.

    >>> vin_valid("1M8GDM9AXKP042788"), vin_valid("1M8GDM9A1KP042788")
    (True, False)
    """
    total = sum((_VIN_VALUE[c] if c.isalpha() else int(c)) * w for c, w in zip(vin, _VIN_WEIGHT, strict=True))
    return vin[8] == "0123456789X"[total % 11]


def _vin(text: str, match: re.Match[str]) -> Iterator[Hit]:
    vin = match.group()
    if vin.isdigit() or vin.isalpha():
        return
    cue = around(text, match.start(), match.end(), VEHICLE_CUE)
    if vin_valid(vin):
        yield Hit(match.start(), match.end(), "VIN", FULL if cue else VALID)
    elif cue:
        yield Hit(match.start(), match.end(), "VIN", VALID)
