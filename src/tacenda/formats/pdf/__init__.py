"""PDF: true removal from the content streams, replacement in the line, nothing left behind.

source    opening within limits, pages, links, bookmarks        content  every glyph of a page
fonts     bytes into Unicode and widths (cmap, programs)        lines    glyphs into lines and paragraphs
relay     touched lines set anew                                compose  the new file, from allow-lists
refont    subsets with new codes                                picture  the fallback; ocr: recognized words
second_reader  what pdfium sees                                 hidden_words  the independent search
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tacenda.errors import InputError, UsageError
from tacenda.model import Reading

if TYPE_CHECKING:
    from tacenda.protocols import Opened

# Their warnings may quote what a damaged file holds, and tell a user nothing that our own checks do not.
for library in ("fontTools", "pdfminer", "pikepdf"):
    logging.getLogger(library).setLevel(logging.CRITICAL)


class Pdf:
    """The PDF format."""

    name = "pdf"
    suffixes: tuple[str, ...] = (".pdf",)
    magic: tuple[bytes, ...] = (b"%PDF-",)

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a whole file."""
        from tacenda.formats.pdf.opened import OpenedPdf

        return OpenedPdf(data, reading)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written file where one of these words still stands."""
        from tacenda.formats.pdf.hidden_words import search

        return search(data, words)


def render(data: bytes, page: int, scale: float = 1.5, *, password: str = "") -> bytes:
    """Return a page (numbered from 1) as a PNG picture, `scale` pixels to a point; for review."""
    import io

    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data, password=password or None)
    except pypdfium2.PdfiumError as error:
        raise InputError("not a PDF that can be shown") from error
    try:
        if not 1 <= page <= len(document):
            raise UsageError(f"no page {page}; the file has {len(document)}")
        shown = document[page - 1]
        width, height = shown.get_size()
        scale = min(scale, (40_000_000 / max(1.0, width * height)) ** 0.5)
        held = io.BytesIO()
        document.init_forms()
        shown.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB").save(held, "PNG")
        return held.getvalue()
    finally:
        document.close()
