"""CMap streams: which bytes make a code, what CID it selects, what Unicode it stands for; and writing one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tacenda.formats.pdf.unreadable import Unreadable

RANGE_LIMIT = 70_000
_TOKEN = re.compile(
    rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])|/([^\s<>\[\]/()]+)|([A-Za-z]+)|(-?\d+)|<<|>>|\((?:[^()\\]|\\.)*\)|%[^\r\n]*"
)

Code = tuple[int, int]  # number of bytes, value
Token = bytes | str | int | list["Token"]


@dataclass
class CMap:
    """What one CMap stream says."""

    spaces: list[tuple[bytes, bytes]] = field(default_factory=list)
    cids: dict[Code, int] = field(default_factory=dict)
    unicode: dict[Code, str] = field(default_factory=dict)
    vertical: bool = False
    parent: str = ""


def parse(data: bytes) -> CMap:
    """Read the tables of a CMap; what is malformed is left out, what is absurd raises Unreadable."""
    cmap, stack = CMap(), list[Token]()
    inner: list[Token] | None = None
    for match in _TOKEN.finditer(data):
        text, opened, closed, name, word, number = match.groups()
        item: Token
        if opened:
            inner = []
            continue
        if closed:
            item, inner = inner or [], None
        elif text is not None:
            digits = re.sub(rb"\s", b"", text)
            item = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        elif name is not None:
            item = "/" + name.decode("latin-1")
        elif number is not None:
            item = int(number)
        elif word is not None:
            stack = _word(cmap, word.decode(), stack)
            continue
        else:
            continue
        (stack if inner is None else inner).append(item)
    return cmap


def _word(cmap: CMap, word: str, stack: list[Token]) -> list[Token]:
    """Carry out one PostScript word; return what is left on the stack."""
    if word == "endcodespacerange":
        pairs = zip(stack[::2], stack[1::2], strict=False)
        cmap.spaces += [(a, b) for a, b in pairs if isinstance(a, bytes) and isinstance(b, bytes) and len(a) == len(b)]
    elif word in ("endcidrange", "endbfrange"):
        for low, high, to in zip(stack[::3], stack[1::3], stack[2::3], strict=False):
            if isinstance(low, bytes) and isinstance(high, bytes):
                _fill(cmap, low, high, to)
    elif word in ("endcidchar", "endbfchar"):
        for code, to in zip(stack[::2], stack[1::2], strict=False):
            if isinstance(code, bytes):
                _fill(cmap, code, code, to)
    elif word == "usecmap" and stack and isinstance(stack[-1], str):
        cmap.parent = stack[-1][1:]
    elif word == "def" and len(stack) >= 2 and stack[-2] == "/WMode":
        cmap.vertical = bool(stack[-1])
    elif word not in ("def", "dict", "dup") and not word.startswith("begin"):
        return stack
    return []


def _fill(cmap: CMap, low: bytes, high: bytes, to: Token) -> None:
    first, last = int.from_bytes(low), int.from_bytes(high)
    if last - first > RANGE_LIMIT:
        raise Unreadable("a CMap with an absurd range")
    for at, code in enumerate(range(first, last + 1)):
        key = (len(low), code)
        if isinstance(to, int):
            cmap.cids[key] = to + at
        elif isinstance(to, list):
            if at < len(to):
                cmap.unicode[key] = _text(to[at])
        elif isinstance(to, bytes) and at:  # the last code unit counts up
            unit = (int.from_bytes(to[-2:]) + at) & 0xFFFF
            cmap.unicode[key] = _text(to[:-2] + unit.to_bytes(min(2, max(1, len(to))) if unit < 256 else 2))
        else:
            cmap.unicode[key] = _text(to)


def _text(value: Token) -> str:
    if isinstance(value, str):
        from pdfminer.encodingdb import name2unicode

        try:
            return name2unicode(value[1:])
        except (KeyError, ValueError):
            return ""
    if not isinstance(value, bytes):
        return ""
    return chr(value[0]) if len(value) == 1 else value.decode("utf-16-be", "ignore")


def write(pairs: Iterable[tuple[int, str]], width: int) -> bytes:
    """Return a ToUnicode CMap for codes of so many bytes."""
    rows = [f"<{code:0{2 * width}X}> <{text.encode('utf-16-be', 'ignore').hex().upper()}>" for code, text in pairs]
    blocks = [rows[i : i + 100] for i in range(0, len(rows), 100)]
    body = "\n".join(f"{len(b)} beginbfchar\n" + "\n".join(b) + "\nendbfchar" for b in blocks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def /CMapName /U def\n"
        f"1 begincodespacerange <{'00' * width}> <{'FF' * width}> endcodespacerange\n{body}\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()
