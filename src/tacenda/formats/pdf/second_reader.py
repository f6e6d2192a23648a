"""What a second reader (pdfium) sees in what was written, beside what was promised."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Any

SLACK = 0.005  # of the letters on which two readers may differ more than they did on the original
SHORTEST = 3


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text))


def bare(text: str) -> str:
    """Return a text without white space: lines and spaces are set anew."""
    return "".join(text.split())


def letters(text: str) -> Counter[str]:
    """Count letters and digits."""
    return Counter(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


class Checker:
    """Compares what pdfium reads in the original and in the output."""

    def __init__(self, before: bytes, password: str, after: bytes) -> None:
        import pypdfium2

        self.before = pypdfium2.PdfDocument(before, password=password or None)
        self.after = pypdfium2.PdfDocument(after)

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self.before.close()
        self.after.close()

    def agrees(self, n: int, source: str, promised: str, apart: str) -> bool:
        """Tell whether pdfium sees the promised letters, as well as it saw the original's, and no removed word.

        `apart` is the promised text with spaces around what was replaced: words that an edit joins are kept words too.
        """
        old, new = _text(self.before, n), _text(self.after, n)
        was = _distance(letters(old), letters(source))
        now = _distance(letters(new), letters(promised))
        if now > was + max(4, SLACK * len(promised)):
            return False
        if source == promised:
            return True
        kept = {w.lower() for w in (*words(promised), *words(apart))}
        gone = {w.lower() for w in words(source)} - kept
        return not any(w.lower() in gone and len(w) >= SHORTEST for w in words(new))


def _distance(a: Counter[str], b: Counter[str]) -> int:
    return (a - b).total() + (b - a).total()


def _text(document: Any, n: int) -> str:
    page = document[n]
    text = page.get_textpage()
    try:
        return str(text.get_text_bounded())
    finally:
        text.close()
        page.close()
