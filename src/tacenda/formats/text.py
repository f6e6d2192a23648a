"""Plain text, logs and Markdown: one stretch of prose, given back in the encoding it came in."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from tacenda.errors import InputError, UsageError
from tacenda.formats import markdown
from tacenda.model import Box, Document, Edit, Reading

MAX_CHARACTERS = 32 * 1024 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Text:
    """Text in any encoding; UTF-8 unless a byte-order mark or the user says otherwise."""

    name = "text"
    suffixes = (".txt", ".text", ".md", ".markdown", ".log")
    magic: tuple[bytes, ...] = ()

    def open(self, data: bytes, reading: Reading) -> OpenedText:
        """Open a text."""
        where = reading.name or "document"
        if reading.fields or reading.keep or reading.known_field or reading.case_field:
            raise UsageError(f"{where}: only records (JSONL, CSV, TSV) have fields to name; this is plain text")
        if not data.strip():
            raise InputError(f"{where}: is empty; there is nothing to sanitize")
        mark, encoding = encoding_of(data[:8192], reading.encoding, where)
        text = decoded(data[len(mark) :], encoding, where)
        if len(text) > MAX_CHARACTERS:
            raise InputError(too_long(where))
        check_text(text, where)
        return OpenedText(text, mark, encoding, where)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return where one of the words still stands, in the bytes read as UTF-8 and as UTF-16."""
        return residue(data, words)


@dataclass(frozen=True)
class OpenedText:
    """A text, with its byte-order mark and encoding."""

    text: str = field(repr=False)
    mark: bytes
    encoding: str
    name: str

    def read(self) -> Document:
        """Return the text as one part of prose, or with the cells of its Markdown tables."""
        return Document(self.text, self.name, parts=markdown.parts(self.text))

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the text with the edits made, in the encoding it came in."""
        return self.mark + self.promised(edits).encode(self.encoding)

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text with the edits made, letters the encoding lacks without their accents."""
        return edited(self.text, [(a, b, encodable(new, self.encoding)) for a, b, new in edits])

    def reopened(self, data: bytes) -> OpenedText:
        """Read what was written."""
        text = data[len(self.mark) :].decode(self.encoding)
        return OpenedText(text, self.mark, self.encoding, self.name)

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Plain text has no pages."""
        return ()


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Make edits, which do not overlap, in a text."""
    pieces, done = [], 0
    for start, end, new in sorted(edits):
        pieces += [text[done:start], new]
        done = end
    return "".join([*pieces, text[done:]])


def encoding_of(start: bytes, given: str, where: str) -> tuple[bytes, str]:
    """Return the byte-order mark and the encoding of a file; refuse binary files."""
    if given:
        _check_encoding(start, given, where)
    for mark, encoding in _BOMS:
        if start.startswith(mark) and (not given or codecs.lookup(given).name in (encoding, encoding[:6], "utf-8-sig")):
            return mark, encoding
    if not given and b"\0" in start:
        raise InputError(f"{where}: looks like a binary file, not text")
    return b"", given or "utf-8"


def _check_encoding(start: bytes, given: str, where: str) -> None:
    """Refuse what is no encoding of text, and one in which plain English would be read as other letters altogether."""
    try:
        if not codecs.lookup(given)._is_text_encoding:
            raise LookupError
        read = start[: len(start) // 4 * 4].decode(given, "ignore")
    except (LookupError, UnicodeError):
        raise UsageError(f"there is no encoding named '{given}'; examples: utf-8, utf-16, latin-1") from None
    # Names would go through unseen: plain letters read as UTF-16 are Chinese.
    plain = sum(32 <= byte < 127 or byte in b"\t\n\r" for byte in start)
    if plain > 0.6 * len(start) and sum(map(str.isascii, read)) < 0.5 * len(read):
        raise InputError(f"{where or 'input'}: is plain text, not {given}. Leave the encoding out, or name another one")


def decoded(data: bytes, encoding: str, where: str) -> str:
    """Decode bytes; the error says where and what to do, and quotes nothing."""
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        raise InputError(not_valid(error, encoding, where)) from None


def not_valid(error: UnicodeError, encoding: str, where: str) -> str:
    """Say where bytes are not text of an encoding, and what to do."""
    place = f" near byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
    return (
        f"{where}: not valid {encoding}{place}. If the file is in another encoding, name it"
        " (for example latin-1 or cp1252)"
    )


def encodable(text: str, encoding: str) -> str:
    """Return a text that an encoding can express; letters it lacks lose their accents.

    >>> encodable("Zoë’s café", "ascii")
    "Zoe's cafe"
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plain = unicodedata.normalize("NFKD", text.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}))
        return plain.encode(encoding, "ignore").decode(encoding)
    return text


def check_text(text: str, where: str) -> None:
    """Refuse NUL characters and halves of surrogate pairs."""
    if "\0" in text:
        raise InputError(f"{where}: contains NUL characters, as binary files do; it was not sanitized")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{where}: holds half of a surrogate pair at character {error.start}, which is not valid text; repair it"
        ) from None


def too_long(where: str) -> str:
    """Say that a document is too long, and what to do."""
    return (
        f"{where}: longer than {MAX_CHARACTERS:,} characters, the most one document may have. Split it into parts"
        " (by chapter, by page, by record) and sanitize the folder that holds them"
    )


def residue(data: bytes, words: Sequence[str]) -> list[str]:
    """Return the encodings in which one of the words stands in the bytes, whatever encoding they claim."""
    places = []
    for encoding in ("utf-8", "utf-16-le", "utf-16-be", "latin-1"):
        seen = data.decode(encoding, "ignore").casefold()
        if any(word.casefold() in seen for word in words):
            places.append(f"text as {encoding}")
    return places
