"""Numbers and addresses of the same form: digits for digits, letters for letters, no real one where it can be told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.replace.keys import Key
from tacenda.term import fold

_UPPER, _LOWER = "ABCDEFGHJKLMNPRSTUVWXYZ", "abcdefghjkmnpqrstuvwxyz"
_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
# Blocks set aside for documentation (RFC 5737, RFC 3849): nobody's address.
_FREE_IPV4 = ("192.0.2", "198.51.100", "203.0.113")
_FREE_DOMAINS = ("example.com", "example.org", "example.net")


def same_form(text: str, label: str, key: Key) -> str:
    """Return a number, code or address of the same form that belongs to `text`, and is never `text` itself.

    The same digits and letters give the same result however they are separated.

    >>> same_form("12-34 ab", "CODE", Key(bytes(32))) != "12-34 ab"
    True
    """
    if label == "EMAIL":
        return _email(text, key)
    if label == "URL":
        return _url(text, key)
    if _IPV4.fullmatch(text):
        return _ipv4(text, key)
    for turn in range(100):
        made = _guard(_draw(text, key, label, turn), label)
        if made != text:
            return made
    return _draw(text, key, label, 100)


def _stream(key: Key, *purpose: str) -> Iterator[int]:
    block = 0
    while True:
        yield from key.derive(*purpose, str(block))
        block += 1


def _draw(text: str, key: Key, label: str, turn: int) -> str:
    plain = "".join(c for c in fold(text) if c.isalnum())
    bytes_ = _stream(key, "number", plain, str(turn))
    hexadecimal = label == "MAC" or ":" in text
    made, seen_digit = [], False
    for character in text:
        if character.isdigit():
            digit = next(bytes_) % 10
            # A leading digit other than 0 stays so: the number keeps its length as a number.
            made.append(str(digit or 1) if not seen_digit and character != "0" else str(digit))
            seen_digit = True
        elif character.isalpha():
            letters = "abcdef" if hexadecimal else _LOWER
            letter = letters[next(bytes_) % len(letters)]
            made.append(letter.upper() if character.isupper() else letter)
        else:
            made.append(character)
    return "".join(made)


def _guard(made: str, label: str) -> str:
    """Take a number out of the ranges in which real ones lie, where these are known."""
    digits = [c for c in made if c.isdigit()]
    letters = any(c.isalpha() for c in made)
    if label == "SSN" and len(digits) == 9:
        digits[0], digits[3:5] = "9", ["0", "0"]  # never issued
    elif label in ("PHONE", "FAX") and not letters and len(digits) in (10, 11):
        digits[-7:-2] = list("55501")  # kept free for fiction in North America
    elif label == "MAC" and len(made) > 1:
        return "02" + made[2:]  # locally administered
    elif digits and _checks(made, digits, label):
        digits[-1] = str((int(digits[-1]) + 1) % 10)
    rest = iter(digits)
    return "".join(next(rest) if c.isdigit() else c for c in made)


def _checks(made: str, digits: list[str], label: str) -> bool:
    """Tell whether a made-up number happens to pass the check of a real one."""
    if label == "IBAN":
        return _mod97(made) == 1
    return len(digits) >= 8 and not any(c.isalpha() for c in made) and luhn(digits)


def luhn(digits: list[str]) -> bool:
    """Tell whether the last digit is the check digit of Luhn's formula, as in payment cards."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _mod97(text: str) -> int:
    plain = "".join(c for c in text.upper() if c.isalnum() and c.isascii())
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(c, 36)) for c in turned) or "0") % 97


def _word(key: Key, length: int, *purpose: str) -> str:
    bytes_ = _stream(key, *purpose)
    return "".join(_LOWER[next(bytes_) % len(_LOWER)] for _ in range(length))


def _email(text: str, key: Key) -> str:
    local, _, domain = fold(text).partition("@")
    name = _word(key, 8, "email", local)  # of constant length: the original's tells something
    return f"{name}@{_FREE_DOMAINS[key.number(3, 'domain', domain)]}"


def _url(text: str, key: Key) -> str:
    scheme, mark, rest = text.rpartition("://")
    host, slash, path = rest.partition("/")
    made = _FREE_DOMAINS[key.number(3, "domain", fold(host).removeprefix("www."))]
    page = _word(key, 8, "path", path) if path else ""
    return f"{scheme}{mark}{made}{slash}{page}"


def _ipv4(text: str, key: Key) -> str:
    return f"{_FREE_IPV4[key.number(3, 'net', text)]}.{1 + key.number(254, 'host', text)}"
