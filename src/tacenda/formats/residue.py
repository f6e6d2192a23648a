"""A search for words over all that a written file holds, whatever a reader would show.

It shares no code with reading or writing: archives are unpacked entry by entry, encoded text is decoded in every way
that it could be (UTF-8, UTF-16, base64, quoted-printable, percent signs, entities, escapes), tags are taken out, and
what is inside another archive or mail is searched the same way.
"""

from __future__ import annotations

import base64
import binascii
import html
import io
import quopri
import re
import unicodedata
import urllib.parse
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from email.header import decode_header

from tacenda.term import fold

_DEPTH = 8
_SIZE = 1 << 30
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"</(?:w:p|a:p|p|text:p|text:h|c|si|is|td|th|li|div|tr|h\d|table:table-cell)\s*>|<br\s*/?>", re.I)
_VALUE = re.compile(r"""[\w:.-]+\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}(?:[\r\n]+[A-Za-z0-9+/]+)*={0,2}")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_|\\u([0-9A-Fa-f]{4})")
_ENCODED_WORD = re.compile(r"=\?[\w-]+\?[bqBQ]\?[^?\s]*\?=(?:\s+=\?[\w-]+\?[bqBQ]\?[^?\s]*\?=)*")
_SPLIT = re.compile(r"[^\w]+")


def search(data: bytes, words: Sequence[str]) -> list[str]:
    """Return the places where one of the words stands, each once, without the words themselves."""
    needles = [needle for needle in map(_Needle, words) if needle.letters]
    found: dict[str, None] = {}
    for place, text in _texts(data, "the file", 0, [_SIZE]):
        prepared = _prepared(text)
        if place not in found and any(needle.stands_in(prepared) for needle in needles):
            found[place] = None
    return list(found)


class _Needle:
    """A word to look for: as a whole word or phrase, or, if it is long, as a row of letters inside others."""

    LONG = 6

    def __init__(self, word: str) -> None:
        pieces = [piece for piece in _SPLIT.split(fold(unicodedata.normalize("NFKC", word))) if piece]
        self.letters = "".join(pieces)
        self._phrase = re.compile(r"(?<!\w)" + r"\W{0,3}".join(map(re.escape, pieces)) + r"(?!\w)")

    def stands_in(self, prepared: tuple[str, str]) -> bool:
        folded, joined = prepared
        if len(self.letters) >= self.LONG:
            return self.letters in joined
        return self.letters in joined and self._phrase.search(folded) is not None


def _prepared(text: str) -> tuple[str, str]:
    folded = fold(text)
    return folded, _SPLIT.sub("", folded).replace("_", "")


def _texts(data: bytes, place: str, depth: int, left: list[int]) -> Iterator[tuple[str, str]]:
    """Every text that the bytes could be, with its place."""
    left[0] -= len(data)
    if depth > _DEPTH or left[0] < 0:
        # What is too deep or too large to search cannot be said to be clean.
        yield place, ""
        return
    if b"PK\x03\x04" in data[:64] or data[:2] == b"PK":
        yield from _archive(data, place, depth, left)
    text = data.decode("utf-8", "replace")
    yield from ((place, view) for view in _views(text))
    if b"\0" in data:
        for encoding in ("utf-16-le", "utf-16-be"):
            for shift in (0, 1):
                yield place, data[shift:].decode(encoding, "ignore")
    else:
        yield place, data.decode("latin-1")
    yield from _decoded(data, text, place, depth, left)


def _archive(data: bytes, place: str, depth: int, left: list[int]) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield f"remark of {place}", archive.comment.decode("utf-8", "replace")
            for number, info in enumerate(archive.infolist(), 1):
                where = f"entry {number} of {place}"
                yield f"name of {where}", info.filename
                yield f"name of {where}", info.extra.decode("latin-1") + info.comment.decode("latin-1")
                if info.file_size <= left[0]:
                    yield from _texts(archive.read(info), where, depth + 1, left)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError):
        return


def _views(text: str) -> Iterator[str]:
    """The same characters as different readers see them."""
    yield text
    if "<" in text and ">" in text:
        # Words split over tags are words; paragraphs stay apart.
        yield html.unescape(_TAG.sub("", _BREAK.sub("\n", text)))
        yield "\n".join(html.unescape(a or b) for a, b in _VALUE.findall(text))
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield urllib.parse.unquote(text)
        yield urllib.parse.unquote(html.unescape(text))
    if "_x" in text or "\\u" in text:
        yield _ESCAPE.sub(lambda m: chr(int(m.group(1) or m.group(2), 16)), text)
    if "=?" in text:
        yield _ENCODED_WORD.sub(_encoded_word, text)


def _encoded_word(match: re.Match[str]) -> str:
    try:
        pieces = decode_header(match.group())
        return "".join(p if isinstance(p, str) else p.decode(c or "utf-8", "replace") for p, c in pieces)
    except (ValueError, LookupError, binascii.Error):
        return ""


def _decoded(data: bytes, text: str, place: str, depth: int, left: list[int]) -> Iterator[tuple[str, str]]:
    if re.search(rb"=[0-9A-F]{2}|=\r?\n", data):
        plain = quopri.decodestring(data)
        yield from ((f"quoted-printable text of {place}", view) for view in _views(plain.decode("utf-8", "replace")))
        yield f"quoted-printable text of {place}", plain.decode("latin-1")
    for number, match in enumerate(_BASE64.finditer(text), 1):
        packed = re.sub(r"\s", "", match.group())
        try:
            inner = base64.b64decode(packed + "=" * (-len(packed) % 4))
        except (ValueError, binascii.Error):
            continue
        if len(inner) > 11 and inner != data:
            yield from _texts(inner, f"encoded block {number} of {place}", depth + 1, left)
