"""Look at a written PDF with other tools than ours: extractors, a full decode, recognition, pixels."""

from __future__ import annotations

import collections
import importlib
import io
import pkgutil
import random
import re
import subprocess
import unicodedata
from pathlib import Path

import numpy as np

from benchmarks.quality.pdf.producers import Person
from tacenda.formats.pdf.opened import OpenedPdf

LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "\xad": None})


def nobody() -> Person:
    """Return a person for documents that need none."""
    return Person("-", "The office", "-", "nobody@example.org", "-", "-")


def squeezed(text: str) -> str:
    """Return a text without white space, in small letters."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFC", text.translate(LIGATURES))).lower()


def folded(text: str) -> str:
    """Return a text without accents, which recognition for English does not see."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def texts(path: Path) -> dict[str, str]:
    """Return what four extractors read."""
    import pypdf
    import pypdfium2
    from pdfminer.high_level import extract_text

    document = pypdfium2.PdfDocument(path)
    poppler = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True)
    read = {
        "poppler": poppler.stdout.decode("utf-8", "replace"),
        "pdfminer": extract_text(str(path)),
        "pypdf": "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages),
        "pdfium": "\n".join(page.get_textpage().get_text_bounded() for page in document),
    }
    # TeX sets accents over a letter without its dot; extractors pass that on.
    return {
        name: unicodedata.normalize("NFC", re.sub("ı(?=[\u0300-\u036f])", "i", text)) for name, text in read.items()
    }


def extracted(path: Path, words: tuple[str, ...]) -> list[str]:
    """Return where words are left: an extractor, or the file after qpdf's full decode."""
    found = [name for name, text in texts(path).items() for word in words if squeezed(word) in squeezed(text)]
    command = ["qpdf", "--qdf", "--object-streams=disable", "--stream-data=uncompress", str(path), "-"]
    raw = subprocess.run(command, capture_output=True, check=False).stdout.lower()
    for word in words:
        for code in ("latin-1", "utf-8", "utf-16-be", "utf-16-le"):
            form = word.lower().encode(code, "ignore")
            if len(form) > 4 and (form in raw or form.hex().encode() in raw):
                found.append(f"decoded, {code}")
    return found


def recognized(data: bytes, words: tuple[str, ...], dpi: int = 150) -> list[str]:
    """Return the pages on which tesseract still sees a word."""
    from PIL import Image

    from tacenda.formats.pdf import render
    from tacenda.formats.pdf.ocr import words as seen_words

    found, number = [], 1
    while True:
        try:
            page = Image.open(io.BytesIO(render(data, number, dpi / 72)))
        except Exception:
            return found
        text = folded(squeezed(" ".join(word.text for word in seen_words(page, seconds=180))))
        found += [f"page {number}" for word in words if len(word) > 4 and folded(squeezed(word)) in text]
        number += 1


def lost_words(before: Path, after: Path, words: tuple[str, ...]) -> int:
    """Count words that poppler read before, outside what was removed, and reads no more."""
    old = unicodedata.normalize("NFC", texts(before)["poppler"].translate(LIGATURES))
    for word in words:
        old = re.sub(r"\s*".join(re.escape(c) for c in word if not c.isspace()), " ", old, flags=re.I)
    new = unicodedata.normalize("NFC", texts(after)["poppler"].translate(LIGATURES))
    count = lambda text: collections.Counter(re.findall(r"\w+", text))  # noqa: E731
    return int((count(old) - count(new)).total())


def changed_pixels(opened: OpenedPdf, after: bytes, dpi: int = 150) -> int:
    """Count pixels outside the altered lines that have no like pixel within one step in the other picture.

    pdfium sets every glyph on whole pixels, so that a glyph may move by one where nothing changed but the last digit.
    """
    import pypdfium2

    old, new, total, k = pypdfium2.PdfDocument(opened.source.data), pypdfium2.PdfDocument(after), 0, dpi / 72
    for n in range(len(old)):
        a, b = (
            np.asarray(d[n].render(scale=k, draw_annots=False, may_draw_forms=False).to_pil().convert("L")).astype(int)
            for d in (old, new)
        )
        if a.shape != b.shape:
            return -1
        differ = _unlike(a, b) | _unlike(b, a)
        box = opened.source.box(n)  # pdfium does not see inherited boxes
        for left, bottom, right, top in opened.changed.get(n, []):
            x0, x1 = int((left - box[0]) * k) - 2, int((right - box[0]) * k) + 3
            y0, y1 = int((box[3] - top) * k) - 2, int((box[3] - bottom) * k) + 3
            differ[max(0, y0) : y1, max(0, x0) : x1] = False
        total += int(differ.sum())
    return total


def _unlike(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    around = [np.roll(np.roll(b, dy, 0), dx, 1) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    return (a < np.minimum.reduce(around) - 40) | (a > np.maximum.reduce(around) + 40)


def surnames() -> list[str]:
    """Return the surnames of all locales of Faker that DejaVu can set."""
    import faker.providers.person as person

    found: set[str] = set()
    for module in pkgutil.iter_modules(person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for name in dir(provider):
            values = getattr(provider, name) if name.startswith("last_names") else ()
            if isinstance(values, dict | tuple | list | set):
                found.update(str(value) for value in values)
    return sorted(n for n in found if n.isascii() and n.isalpha() and 3 <= len(n) <= 14)


def long_file(pages: int) -> bytes:
    """Return a file of many full pages with a name on each."""
    from tests.formats.pdf import making

    line = "the officer in charge confirms that nothing was found in the flat and the figure was affirmed"
    lines = [f"Report on Zebulon Quillfeather and {line[:50]}", *(line for _ in range(44))]
    return making.letter(lines, kind="truetype", pages=pages)


def damage(data: bytes, chance: random.Random) -> bytes:
    """Return a file with a few injuries."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at, kind = chance.randrange(max(1, len(out))), chance.randrange(7)
        if kind == 0:
            out[at : at + 1] = bytes((chance.randrange(256),))
        elif kind == 1:
            del out[at : at + chance.randint(1, 400)]
        elif kind == 2:
            out = out[: max(20, at)]
        elif kind == 3:
            piece = out[at : at + 200]
            to = chance.randrange(len(out) + 1)
            out[to:to] = piece
        else:
            numbers = list(re.finditer(rb"\d+", bytes(out)))
            if numbers:
                hit = chance.choice(numbers)
                other = chance.choice((b"99999999999", b"-1", b"0", b"4294967296", b"1e309", b"7", b"12"))
                out[hit.start() : hit.end()] = other
    return bytes(out)
