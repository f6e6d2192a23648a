"""A search for words over all that a written file holds, whatever a reader would show.

It shares no code with reading or writing: archives are unpacked entry by entry, encoded text is decoded in every way
that it could be (UTF-8, UTF-16, base64, quoted-printable, percent signs, entities, escapes), and what is inside
another archive or mail is searched the same way.

Of markup, text and values of attributes are searched with words joined over tags; names of elements and attributes
only for capitalized words as they are, since "marker" or "rich" is what a format calls its own elements. The fixed
addresses and types that office files are made of ("schemas.microsoft.com") are left out. A long word
is found inside longer ones too, a short one only between letters of its own, and in pictures not at all: there any
four letters turn up by chance.
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
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header
from typing import Literal

from tacenda.term import fold

_DEPTH = 8
_SIZE = 1 << 30
_LONG = 6

_Kind = Literal["text", "value", "name", "binary"]
_MARKUP = re.compile(r"<[!?/a-zA-Z][^<>]*>")
_REMARK = re.compile(r"<!--(.*?)-->|<\?(.*?)\?>|<!\[CDATA\[(.*?)\]\]>|<!DOCTYPE([^>]*)>", re.S)
_BREAK = re.compile(
    r"</(?:w:p|a:p|p|text:p|text:h|c|si|is|td|th|li|div|tr|h\d|table:table-cell|title)\s*>|<br\s*/?>", re.I
)
_VALUE = re.compile(r"""[\w:.-]+\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_TOKEN = re.compile(r"[a-z][A-Za-z]*\d*")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}(?:\r?\n[A-Za-z0-9+/]+)*={0,2}")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_|\\u([0-9A-Fa-f]{4})")
_ENCODED_WORD = re.compile(r"=\?[\w-]+\?[bqBQ]\?[^?\s]*\?=(?:\s+=\?[\w-]+\?[bqBQ]\?[^?\s]*\?=)*")
_SPLIT = re.compile(r"[\W_]+")
# What mails say of themselves in fixed words.
_MAIL_WORDS = re.compile(
    r"^(?:Content-(?:Type|Transfer-Encoding|Disposition|ID)|MIME-Version|From|Sender|To|Cc|Bcc|Reply-To|Subject|Date):|"
    r"^From MAILER-DAEMON .*|quoted-printable|boundary=|charset=utf-8|multipart/\w+|text/(?:plain|html|csv)|"
    r"message/rfc822|application/[\w.+-]+|image/\w+|attachment|inline|filename\*?=",
    re.M,
)

# What office files say of themselves in fixed words: without this, no Word file that names Microsoft could be written.
_OFFICE_WORDS = re.compile(
    r"https?://schemas\.microsoft\.com/office(?:/(?:word|excel|powerpoint|drawing|spreadsheetml|thememl|office)\b)?|"
    r"https?://schemas\.openxmlformats\.org/(?:officeDocument|package|drawingml|wordprocessingml|spreadsheetml|"
    r"presentationml|markup-compatibility)\b(?:/2006/relationships(?:/officeDocument\b)?)?|"
    r"urn:schemas-microsoft-com:(?:office:(?:office|word|excel|powerpoint)|vml)\b|"
    r"urn:oasis:names:tc:opendocument:xmlns:(?:text|table|office|style|drawing|presentation|chart|form|meta)\b|"
    r"application/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation|chart)\b|"
    r"application/vnd\.openxmlformats-officedocument\.wordprocessingml\.document\b|"
    r"application/vnd\.(?:openxmlformats-officedocument|ms-(?:word|excel|powerpoint|office))\b|"
    r"^/?(?:word/document\.xml$|(?:word|xl|ppt)/)",
    re.M,
)
_OFFICE_VALUES = frozenset("paragraph paragraph-content table table-cell table-row table-column text graphic".split())


@dataclass(frozen=True, slots=True)
class _View:
    """Some text of the file: where it stands and how it may be searched; None where it could not be searched."""

    place: str
    text: str | None
    kind: _Kind = "text"


def search(data: bytes, words: Sequence[str]) -> list[str]:
    """Return the places where one of the words stands, each once, without the words themselves."""
    needles = [needle for needle in map(_Needle, words) if needle.letters]
    found: dict[str, None] = {}
    for view in _views(data, "the file", 0, [_SIZE]):
        if view.place in found:
            continue
        if view.text is None:
            found[f"{view.place} (too large or too deep to be searched)"] = None
        elif needles:
            folded = fold(view.text)
            if any(needle.stands_in(folded, view) for needle in needles):
                found[view.place] = None
    return list(found)


class _Needle:
    """A word or phrase to look for."""

    def __init__(self, word: str) -> None:
        pieces = [piece for piece in _SPLIT.split(fold(unicodedata.normalize("NFKC", word))) if piece]
        self.letters = "".join(pieces)
        self._word = word
        inner = r"[\W_]{1,3}".join(map(re.escape, pieces))
        self._long = len(self.letters) >= _LONG
        self._first = pieces[0] if pieces else ""
        self._pattern = re.compile(inner if self._long else rf"(?<![^\W_]){inner}(?![^\W_])")

    def stands_in(self, folded: str, view: _View) -> bool:
        if view.kind == "name":
            return self._long and self._word[:1].isupper() and self._word in (view.text or "")
        if view.kind == "binary" and not self._long:
            return False
        if self._first not in folded:
            return False
        if view.kind == "value" and not self._long:
            # A value that is nothing but a small word is a term of the format: the color green.
            values = (fold(value) for value in (view.text or "").split("\n") if not _TOKEN.fullmatch(value))
            return any(self._pattern.search(value) for value in values)
        return self._pattern.search(folded) is not None


def _views(data: bytes, place: str, depth: int, left: list[int]) -> Iterator[_View]:
    """Every text that the bytes could be, with its place."""
    left[0] -= len(data)
    if depth > _DEPTH or left[0] < 0:
        yield _View(place, None)
        return
    if data[:2] == b"PK":
        yield from _archive(data, place, depth, left)
    if b"\0" in data:
        yield from _binary(data, place)
        return
    text = data.decode("utf-8", "replace")
    for view in _texts(text):
        yield _View(place, *view)
    if "\ufffd" in text:
        yield _View(place, data.decode("latin-1"))
    yield from _decoded(data, text, place, depth, left)


def _binary(data: bytes, place: str) -> Iterator[_View]:
    yield _View(place, data.decode("utf-8", "ignore"), "binary")
    yield _View(place, data.decode("latin-1"), "binary")
    for encoding in ("utf-16-le", "utf-16-be"):
        for shift in (0, 1):
            yield _View(place, data[shift:].decode(encoding, "ignore"), "binary")


def _archive(data: bytes, place: str, depth: int, left: list[int]) -> Iterator[_View]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield _View(f"remark of {place}", archive.comment.decode("utf-8", "replace"))
            for number, info in enumerate(archive.infolist(), 1):
                where = f"entry {number} of {place}"
                yield _View(f"name of {where}", _OFFICE_WORDS.sub(" ", info.filename))
                yield _View(f"name of {where}", info.extra.decode("latin-1") + info.comment.decode("latin-1"))
                if info.file_size > left[0]:
                    yield _View(where, None)
                else:
                    yield from _views(archive.read(info), where, depth + 1, left)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError, ValueError):
        yield _View(place, None)


def _texts(text: str) -> Iterator[tuple[str, _Kind]]:
    """The same characters as different readers see them."""
    if _MARKUP.search(text):
        yield from _markup(text)
    else:
        plain = _OFFICE_WORDS.sub(" ", _MAIL_WORDS.sub(" ", text))
        yield plain, "text"
        yield from ((other, "text") for other in _undone(plain))


def _markup(text: str) -> Iterator[tuple[str, _Kind]]:
    yield "\n".join(" ".join(groups) for groups in _REMARK.findall(text)), "text"
    bare = _REMARK.sub(lambda m: m.group(3) or "", text)
    # Words split over tags are words; paragraphs stay apart.
    inside = _MAIL_WORDS.sub(" ", html.unescape(_MARKUP.sub("", _BREAK.sub("\n", bare))))
    tags = _MARKUP.findall(bare)
    said = (html.unescape(a or b).replace("\n", " ") for tag in tags for a, b in _VALUE.findall(tag))
    values = _OFFICE_WORDS.sub(" ", "\n".join(value for value in said if value not in _OFFICE_VALUES))
    yield inside, "text"
    yield values, "value"
    yield "\n".join(dict.fromkeys(_QUOTED.sub("", tag) for tag in tags)), "name"
    for other in (*_undone(inside), *_undone(values)):
        yield other, "value"


def _undone(text: str) -> Iterator[str]:
    """A text without the codes that may stand for letters."""
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield urllib.parse.unquote(text)
    if "_x" in text or "\\u" in text:
        yield _ESCAPE.sub(lambda m: chr(int(m.group(1) or m.group(2), 16)), text)
    if "=?" in text:
        yield _ENCODED_WORD.sub(_encoded_word, text)


def _encoded_word(match: re.Match[str]) -> str:
    try:
        pieces = decode_header(match.group())
        return "".join(p if isinstance(p, str) else p.decode(c or "utf-8", "replace") for p, c in pieces)
    except (ValueError, LookupError, binascii.Error, MessageError):
        return match.group()


def _decoded(data: bytes, text: str, place: str, depth: int, left: list[int]) -> Iterator[_View]:
    if re.search(rb"=[0-9A-F]{2}|=\r?\n", data):
        plain = quopri.decodestring(data).decode("utf-8", "replace")
        for view in _texts(plain):
            yield _View(f"quoted-printable text of {place}", *view)
    for number, match in enumerate(_BASE64.finditer(text), 1):
        packed = re.sub(r"\s", "", match.group())
        try:
            inner = base64.b64decode(packed + "=" * (-len(packed) % 4))
        except (ValueError, binascii.Error):
            continue
        if len(inner) < len(data):
            where = f"encoded block {number} of {place}"
            yield from _views(inner, where, depth + 1, left) if _is_readable(inner) else _binary(inner, where)


def _is_readable(data: bytes) -> bool:
    """Tell whether decoded bytes are text or an archive; most runs of letters decode to neither."""
    if data[:2] == b"PK":
        return True
    try:
        return data.decode("utf-8").isprintable() or b"\n" in data or b"<" in data
    except UnicodeDecodeError:
        return False
