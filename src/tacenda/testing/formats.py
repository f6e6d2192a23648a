"""Check of formats: what is read can be written back, edits are made and leave nothing behind."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from tacenda.errors import TacendaError
from tacenda.formats import File
from tacenda.model import Document, Edit, Reading
from tacenda.protocols import Format, Placed, RecordFormat

CHECK = Reading(name="check")
NEW = "Qwv"
_WORD = re.compile(r"[^\W\d_]{3,}")


def check_format(format_: Format, files: Sequence[bytes], *, reading: Reading = CHECK) -> None:
    """Check reading, writing without and with edits, boxes and residue on files of the format.

    Every word of three letters and more is replaced in turn in each file, and all of them at once; the output is
    read again, must hold the edits and nothing of what they replaced, and must not change otherwise.
    """
    assert format_.name, "a format needs a name"
    assert all(s.startswith(".") and s == s.lower() for s in format_.suffixes), "a suffix is '.xyz', in lower case"
    assert files, "a format is checked on at least one file"
    for data in files:
        file = File(format_, format_.open(data, reading), reading)
        document = file.document
        _check_document(document)
        assert document.text == file.opened.read().text, "reading twice must give the same text"
        same = file.opened.write([])
        assert file.opened.write([]) == same, "writing twice must give the same bytes"
        assert document.dropped or same == data, "without edits a file comes back byte for byte, unless it says why not"
        assert file.again(same) == document.text, "without edits the text must stay"
        for edits in _edits(document):
            _check_edits(file, edits)
        if isinstance(format_, RecordFormat):
            _check_records(format_, data, reading)
    _check_damage(format_, files[0], reading)


def _check_records(format_: RecordFormat, data: bytes, reading: Reading) -> None:
    """Check that the head and the records, read and written one by one, make the whole file."""
    head = format_.head(io.BytesIO(data), reading)
    records = list(format_.records(io.BytesIO(data), reading))
    places = [record.where for record in records if isinstance(record, Placed)]
    assert len({*places}) == len(places), "each record says a place of its own"
    for record in (*([head] if head else []), *records):
        _check_document(record.read())
        assert record.read().text == record.read().text, "reading twice must give the same text"


def _check_document(document: Document) -> None:
    done = 0
    for part in document.parts:
        assert done <= part.start <= part.end <= len(document.text), "parts stand in order and do not overlap"
        done = part.end
    words = _WORD.findall(document.text)
    shown = repr(document)
    # A name of a place may be an everyday word; the longest word of the text is not.
    assert not words or max(words, key=len) not in shown, "repr must not show the text"


def _edits(document: Document) -> Iterator[list[Edit]]:
    parts = document.parts or None
    found = [
        match.span()
        for match in _WORD.finditer(document.text)
        if parts is None
        or any(p.start <= match.start() and match.end() <= p.end and p.kind in ("prose", "cell") for p in parts)
    ]
    yield from ([(start, end, NEW)] for start, end in found[:20])
    yield [(start, end, NEW) for start, end in found]
    yield [(start, end, "") for start, end in found[:1]]


def _check_edits(file: File, edits: list[Edit]) -> None:
    format_, document = file.format, file.document
    wanted = file.promised(edits)
    written = file.opened.write(edits)
    again = file.again(written)
    assert "".join(again.split()) == "".join(wanted.split()), "the written file must read as the text with its edits"
    for start, end, _ in edits[:1]:
        boxes = file.opened.boxes(start, end)
        assert all(b.left <= b.right and b.top <= b.bottom for b in boxes), "a box runs from upper left to lower right"
    removed = {document.text[start:end] for start, end, _ in edits}
    gone = [word for word in sorted(removed) if word.casefold() not in wanted.casefold()]
    assert not format_.residue(written, gone), "what an edit removed must not stand anywhere in the written file"
    left = [word for word in _WORD.findall(wanted) if word != NEW][:3]
    for word in left:
        assert format_.residue(written, [word]), "residue must find a word that still stands in the file"


def _check_damage(format_: Format, data: bytes, reading: Reading) -> None:
    """A damaged file may be read or refused, but only with an error of ours, which a user can act on."""
    for damaged in (data[: len(data) // 2], b"\0" + data, b""):
        said = ""
        try:
            format_.open(damaged, reading).read()
        except TacendaError as error:
            said = str(error)
        words = [word for word in _WORD.findall(data.decode("utf-8", "ignore")) if len(word) > 7]
        assert not any(word in said for word in words), "an error must not quote the file"
