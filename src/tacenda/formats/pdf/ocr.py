"""Optical recognition by tesseract, as words with a place; they stand in a page like glyphs of several letters."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tacenda.errors import InputError
from tacenda.formats.pdf.fonts import Char, Font
from tacenda.formats.pdf.geometry import IDENTITY, Area, overlap
from tacenda.formats.pdf.glyphs import Glyph, Page, Show

if TYPE_CHECKING:
    from tacenda.formats.pdf.source import Source

DPI = 300
CONFIDENCE = 20.0  # below, what tesseract says is a guess at a drawing


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
        for word, box in words(picture, seconds=max(5.0, min(120.0, source.limits.seconds))):
            place = image.to_page((box[0] + left, box[1] + top, box[2] + left, box[3] + top))
            if not any(overlap(place, other) for other in taken):
                found.glyphs.append(glyph(word, place, font))
    return found


def words(image: Any, *, seconds: float) -> list[tuple[str, tuple[int, int, int, int]]]:
    """Return the words in a picture with their boxes in pixels, in reading order."""
    if shutil.which("tesseract") is None:
        raise InputError("optical recognition needs the program tesseract, which is not installed")
    held = io.BytesIO()
    image.save(held, "PNG")
    command = ["tesseract", "stdin", "stdout", "--dpi", str(DPI), "--psm", "3", "-l", "eng", "tsv"]
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
        if word and float(row["conf"]) >= CONFIDENCE:
            x, y, w, h = (int(row[key]) for key in ("left", "top", "width", "height"))
            found.append((word, (x, y, x + w, y + h)))
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
