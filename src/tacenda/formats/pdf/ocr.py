"""Optical recognition by tesseract, as words with a place; they stand in a page like glyphs of several letters."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacenda.errors import InputError
from tacenda.formats.pdf.fonts import Char, Font
from tacenda.formats.pdf.geometry import IDENTITY, Area, overlap
from tacenda.formats.pdf.glyphs import Glyph, Page, Show

if TYPE_CHECKING:
    from tacenda.formats.pdf.source import Source

DPI = 300
SECOND_DPI = 200  # another size of the same letters is misread in other places
CONFIDENCE = 20.0  # below, what tesseract says is a guess at a drawing
SURE = 60.0  # of a word that only one look has found


@dataclass(frozen=True, slots=True)
class Word:
    """What recognition reads at a place of a picture; `sure` unless two looks read it differently."""

    text: str
    box: tuple[int, int, int, int]
    confidence: float
    sure: bool = True


def read(source: Source, n: int, page: Page, areas: Sequence[Area], *, instead: bool) -> Page:
    """Return the page with the words recognized in these areas; `instead` of the text it has, or beside it."""
    from tacenda.formats.pdf.picture import PageImage

    image = PageImage(source, n, dpi=DPI)
    found = Page(page.number, page.streams, [] if instead else list(page.glyphs), page.paths, page.pictures)
    found.spoken, found.extra = page.spoken, page.extra
    found.uneditable = {*page.uneditable, "read by optical recognition"}
    font = _font()
    taken = [g.box() for g in found.glyphs]
    for area in areas:
        source.tick()
        left, top, picture = image.crop(area)
        for word in looked_twice(picture, seconds=max(5.0, min(120.0, source.limits.seconds))):
            box = word.box
            place = image.to_page((box[0] + left, box[1] + top, box[2] + left, box[3] + top))
            if not any(overlap(place, other) for other in taken):
                found.glyphs.append(glyph(word.text, place, font))
                found.glyphs[-1].hidden = not word.sure
    return found


def looked_twice(image: Any, *, seconds: float) -> list[Word]:
    """Read a picture in two sizes: a word that is not the same in both may be a misread name."""
    first = words(image, seconds=seconds)
    scale = SECOND_DPI / DPI
    smaller = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    second = [
        Word(w.text, (round(a / scale), round(b / scale), round(c / scale), round(d / scale)), w.confidence)
        for w in words(smaller, seconds=seconds, dpi=SECOND_DPI)
        for a, b, c, d in (w.box,)
    ]
    found = [_agreed(word, [other for other in second if _common(word.box, other.box) > 0.3]) for word in first]
    missed = (w for w in second if w.confidence >= SURE and not any(_common(w.box, f.box) > 0.1 for f in first))
    return [*found, *missed]


def _agreed(word: Word, others: Sequence[Word]) -> Word:
    """Return a word, sure if the other look reads the same letters there, however it divides them into words."""
    mine, seen = _letters(word.text), _letters("".join(other.text for other in others))
    if not mine:
        return word
    joined = len(others) == 1 and others[0].box[2] - others[0].box[0] > 1.2 * (word.box[2] - word.box[0])
    same = mine == seen or (joined and mine in seen) or (not others and word.confidence >= SURE)
    return word if same else Word(word.text, word.box, word.confidence, sure=False)


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def _common(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> float:
    """Return what two boxes share, as part of the smaller."""
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    smaller = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return across * down / smaller if across > 0 and down > 0 and smaller > 0 else 0.0


def words(image: Any, *, seconds: float, dpi: int = DPI) -> list[Word]:
    """Return the words in a picture, in reading order."""
    if shutil.which("tesseract") is None:
        raise InputError("optical recognition needs the program tesseract, which is not installed")
    held = io.BytesIO()
    image.save(held, "PNG")
    command = ["tesseract", "stdin", "stdout", "--dpi", str(dpi), "--psm", "3", "-l", "eng", "tsv"]
    try:
        # one thread: more of them cost three times the work for little time
        alone = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        done = subprocess.run(
            command, input=held.getvalue(), capture_output=True, timeout=seconds, check=True, env=alone
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise InputError("optical recognition failed or took too long") from error
    rows = csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "replace")), delimiter="\t", quoting=csv.QUOTE_NONE)
    found = []
    for row in rows:
        word = (row.get("text") or "").strip()
        confidence = float(row["conf"]) if word else -1.0
        if confidence >= CONFIDENCE:
            x, y, w, h = (int(row[key]) for key in ("left", "top", "width", "height"))
            found.append(Word(word, (x, y, x + w, y + h), confidence))
    return found


def glyph(word: str, box: Area, font: Font) -> Glyph:
    """Return a recognized word as one glyph of a page."""
    size = max(1.0, (box[3] - box[1]) * 1.1)
    base = box[1] + 0.2 * size
    show = Show(font, size, 1.0, 0.0, 3, IDENTITY, (1.0, 0.0), 1.0, (0.0, size), size)
    width = box[2] - box[0]
    return Glyph(-1, -1, show, Char(b"", word, width / size, 0, False), 0.0, (box[0], base), width, False)


def _font() -> Font:
    from pikepdf import Dictionary, Name

    font = Font(Dictionary(Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding))
    font.ascent, font.descent = 0.75, -0.25
    return font
