"""E-mail addresses, web addresses, IP and MAC addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, around
from tacenda.language import NETWORK_CUE

_AT = re.compile(r"@(?<=[\w.+%'-]@)(?=\w)")
_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-'"
_DOMAIN = re.compile(r"\w[\w-]{0,62}+(?:\.\w[\w-]{0,62}+){1,8}+")
_URL = re.compile(r"[hHfFwW](?<!\w.)(?i:ttps?://|tps?://|ww\d?\.(?=\w))[^\s<>\"{}|\\^`\u0000-\u001f]{2,2048}+")
# Endings that no English sentence has after a dot without a space.
_BARE = re.compile(
    r"\.(?<=[a-zA-Z0-9]\.)(?:com|org|net|edu|gov|mil|info|biz|io|co\.uk|org\.uk|ac\.uk|gov\.uk|nhs\.uk|eu)"
    r"(?![\w-]|\.\w)(?:/[^\s<>\"{}|\\^`]{0,512}+)?"
)
_HOST = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
_IPV4 = re.compile(r"\d(?<![\w.-]\d)\d{0,2}+(?:\.\d{1,3}+){3}+(?![\w]|\.\d)(?:/\d{1,2}+(?!\d))?(?::\d{1,5}+(?!\d))?")
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_HEX = "0123456789abcdefABCDEF:."
_MAC = re.compile(r"[0-9A-Fa-f](?<![\w:-].)[0-9A-Fa-f](?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})(?![\w:-])")
_HANDLE = re.compile(r"@(?<![\w@./-]@)\w{2,30}+(?![\w@.]\w)")


def find(text: str) -> Iterator[Hit]:
    """Yield network identifiers of a text."""
    if "@" in text:
        yield from _emails(text)
    for match in _URL.finditer(text):
        yield Hit(match.start(), match.start() + len(_unpunctuated(match.group())), "URL", FULL)
    yield from _bare_domains(text)
    for match in _IPV4.finditer(text):
        yield from _ipv4(text, match)
    if ":" in text:
        yield from _ipv6(text)
    for match in _MAC.finditer(text):
        yield Hit(match.start(), match.end(), "MAC", FULL)


def _emails(text: str) -> Iterator[Hit]:
    for at in _AT.finditer(text):
        window = text[max(0, at.start() - 64) : at.start()]
        local = window[len(window.rstrip(_LOCAL)) :].lstrip(".'-")
        if not local and window and window[-1].isalnum():
            local = window[-1]  # a letter of another script
        domain = _DOMAIN.match(text, at.end())
        if not local or domain is None:
            continue
        name = domain.group().rstrip("-_")
        top = name.rpartition(".")[2]
        if len(top) >= 2 and top.isalpha():
            yield Hit(at.start() - len(local), at.end() + len(name), "EMAIL", FULL)
    for match in _HANDLE.finditer(text):
        yield Hit(match.start(), match.end(), "OTHER_ID", WEAK)


def _unpunctuated(address: str) -> str:
    """An address without the punctuation of the sentence it stands in."""
    address = address.rstrip(".,;:!?'*_~]")
    while address.endswith(")") and address.count("(") < address.count(")"):
        address = address[:-1].rstrip(".,;:!?'")
    return address


def _bare_domains(text: str) -> Iterator[Hit]:
    for match in _BARE.finditer(text):
        window = text[max(0, match.start() - 128) : match.start()]
        host = window[len(window.rstrip(_HOST)) :].lstrip(".-")
        if any(c.isalpha() for c in host):
            end = match.start() + len(_unpunctuated(match.group()))
            yield Hit(match.start() - len(host), end, "URL", FULL if host[-1].islower() else VALID)


def _ipv4(text: str, match: re.Match[str]) -> Iterator[Hit]:
    octets = [int(n) for n in re.split(r"[/:]", match.group())[0].split(".")]
    if max(octets) > 255:
        return
    # A section or version number hardly reaches 100.
    sure = max(octets) >= 100 or around(text, match.start(), match.end(), NETWORK_CUE)
    yield Hit(match.start(), match.end(), "IP", FULL if sure else LIKELY)


def _ipv6(text: str) -> Iterator[Hit]:
    done = 0
    for match in _COLONS.finditer(text):
        if match.start() < done:
            continue
        left = text[max(0, match.start() - 40) : match.start()]
        right = text[match.start() : match.start() + 40]
        start = match.start() - (len(left) - len(left.rstrip(_HEX)))
        end = match.start() + (len(right) - len(right.lstrip(_HEX)))
        done = end
        inside = text[start:end].rstrip(".:") if not text[start:end].endswith("::") else text[start:end]
        outside = text[start - 1 : start] + text[end : end + 1]
        try:
            ipaddress.IPv6Address(inside)
        except ValueError:
            continue
        if not any(c.isalnum() for c in outside) and len(inside) > 2:
            groups = sum(bool(g) for g in inside.split(":"))
            yield Hit(start, start + len(inside), "IP", FULL if groups >= 3 else WEAK)
