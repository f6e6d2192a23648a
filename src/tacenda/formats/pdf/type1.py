"""Type 1 font programs: their glyphs as charstrings, their encoding, their matrix. No PostScript is run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_ENTRY = re.compile(rb"/([^\s/{}\[\]()<>]+)\s+(\d+)\s+(?:RD|-\||\S{1,3})[ ]")
_SUBROUTINE = re.compile(rb"dup\s+(\d+)\s+(\d+)\s+(?:RD|-\||\S{1,3})[ ]")
_CODE = re.compile(rb"dup\s+(\d+|8#[0-7]+)\s*/([^\s/{}\[\]()<>]+)\s+put")
_EEXEC_KEY, _CHARSTRING_KEY = 55665, 4330


@dataclass(frozen=True)
class Type1:
    """A parsed program; `encoding` is empty where it is the standard one."""

    glyphs: dict[str, Any]
    encoding: dict[int, str]
    matrix: tuple[float, ...]


def parse(content: bytes) -> Type1:
    """Read a program; raise ValueError if it has no glyphs."""
    from fontTools.misc.eexec import decrypt
    from fontTools.misc.psCharStrings import T1CharString

    content = _segments(content)
    clear, found, secret = content.partition(b"eexec")
    if not found:
        raise ValueError("no encrypted part")
    secret = secret.lstrip(b" \t\r\n")
    if re.fullmatch(rb"[0-9A-Fa-f\s]{8}", secret[:8]):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", secret)
        secret = bytes.fromhex(digits[: len(digits) // 2 * 2].decode())
    private = decrypt(secret, _EEXEC_KEY)[0][4:]
    skipped = re.search(rb"/lenIV\s+(\d+)", private)
    skip = int(skipped[1]) if skipped else 4
    start = private.find(b"/CharStrings")
    subroutines: list[Any] = []
    for match, data in _entries(_SUBROUTINE, private[: start if start >= 0 else None]):
        index = int(match[1])
        if index < 65_536:
            subroutines += [T1CharString(b"\x0b", subrs=subroutines)] * (index + 1 - len(subroutines))
            subroutines[index] = T1CharString(decrypt(data, _CHARSTRING_KEY)[0][skip:], subrs=subroutines)
    glyphs = {
        match[1].decode("latin-1"): T1CharString(decrypt(data, _CHARSTRING_KEY)[0][skip:], subrs=subroutines)
        for match, data in _entries(_ENTRY, private[start + 12 :])
    }
    if start < 0 or not glyphs:
        raise ValueError("no glyphs")
    return Type1(glyphs, _encoding(clear), _matrix(clear))


def _entries(pattern: re.Pattern[bytes], data: bytes) -> list[tuple[re.Match[bytes], bytes]]:
    """Return counted binary entries: each says how many bytes follow it."""
    found, at = [], 0
    while match := pattern.search(data, at):
        length = int(match[2])
        found.append((match, data[match.end() : match.end() + length]))
        at = match.end() + length
    return found


def _encoding(clear: bytes) -> dict[int, str]:
    start = clear.find(b"/Encoding")
    if start < 0 or re.match(rb"/Encoding\s+StandardEncoding", clear[start : start + 60]):
        return {}
    end = clear.find(b"readonly", start)
    table = clear[start : end if end > 0 else None]
    return {
        int(code[2:], 8) if code.startswith(b"8#") else int(code): name.decode("latin-1")
        for code, name in _CODE.findall(table)
        if name != b".notdef"
    }


def _matrix(clear: bytes) -> tuple[float, ...]:
    match = re.search(rb"/FontMatrix\s*\[([^\]]*)\]", clear)
    try:
        return tuple(float(v) for v in match[1].split()) if match else (0.001, 0, 0, 0.001, 0, 0)
    except ValueError:
        return (0.001, 0, 0, 0.001, 0, 0)


def _segments(content: bytes) -> bytes:
    """Take the headers of PFB segments away."""
    out, at = bytearray(), 0
    while content[at : at + 1] == b"\x80" and content[at + 1 : at + 2] in (b"\1", b"\2"):
        length = int.from_bytes(content[at + 2 : at + 6], "little")
        out += content[at + 6 : at + 6 + length]
        at += 6 + length
    return bytes(out) or content
