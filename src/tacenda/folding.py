"""Fold characters: what looks the same is the same, whatever the code points.

Folding is done character by character (compatibility form, no accents, no invisible characters,
look-alike letters as the Latin ones they imitate, lower case). Because it looks at one character at a
time it runs at C speed through `str.translate`, and every folded character knows where it came from.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import numpy.typing as npt

# Letters of other scripts that are drawn like Latin ones; a masked name must not survive written in them.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝвкмнтгіαβεικνορτυχγηωɡıƖℓАВЕЗКМНОРСТУХІЈЅԀԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshdqwbkmhtriabeiknoptuxynwgillabe3kmhopctyxijsdqwabezhikmnoptyx",
)
_APOSTROPHES = "’‘ʼ＇`´′"
_HYPHENS = "‐‑‒–—−﹘﹣－"


class _FoldTable(dict[int, str]):
    """Folded form of each character, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = _folded(chr(code))
        self[code] = folded
        return folded


def _folded(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    if character in _HYPHENS:
        return "-"
    plain = unicodedata.normalize("NFKD", character).translate(_LOOKALIKES).casefold()
    kept = (c for c in unicodedata.normalize("NFKD", plain) if unicodedata.category(c) not in ("Mn", "Me", "Cf"))
    return "".join(kept).translate(_LOOKALIKES)


_TABLE = _FoldTable()
_TABLE.update((code, chr(code).lower()) for code in range(128))
NON_ASCII = re.compile(r"[^\x00-\x7f]+")


def _fold_match(match: re.Match[str]) -> str:
    return match.group().translate(_TABLE)


def fold_character(character: str) -> str:
    """Folded form of one character; several characters for a ligature, none for a mark."""
    return _TABLE[ord(character)]


def fold(text: str) -> str:
    """Fold case, accents, compatibility forms, invisible characters and look-alike letters.

    >>> fold("Ｓｍíth\\u00adson’s")
    "smithson's"
    """
    if text.isascii():
        return text.lower()
    # Only the few other characters take the slow road through the table.
    return NON_ASCII.sub(_fold_match, text).lower()


def fold_with_offsets(text: str) -> tuple[str, npt.NDArray[np.int64]]:
    """Fold, and give for each folded character (and the end) its offset in `text`.

    >>> folded, at = fold_with_offsets("ﬁx")
    >>> folded, at.tolist()
    ('fix', [0, 0, 1, 2])
    """
    folded = fold(text)
    if text.isascii():
        return folded, np.arange(len(text) + 1)
    lengths = np.ones(len(text), dtype=np.int64)
    for match in NON_ASCII.finditer(text):
        lengths[match.start() : match.end()] = [len(_TABLE[ord(c)]) for c in match.group()]
    return folded, np.append(np.repeat(np.arange(len(text)), lengths), len(text))


class _PlainTable(dict[int, str]):
    """Form of each character folded, but with its case, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = _TABLE[code]
        plain = folded.upper() if chr(code).isupper() else folded
        self[code] = plain
        return plain


_PLAIN_TABLE = _PlainTable()


def plain_with_offsets(text: str) -> tuple[str, npt.NDArray[np.int64] | None]:
    """Undo Unicode variants as `fold` does, but keep the case; offsets are None where nothing moved.

    >>> plain_with_offsets("Tel：１２３–４")[0]
    'Tel:123-4'
    """
    if text.isascii():
        return text, None
    pieces: list[str] = []
    lengths = np.ones(len(text), dtype=np.int64)
    done, moved = 0, False
    for match in NON_ASCII.finditer(text):
        plain = match.group().translate(_PLAIN_TABLE)
        pieces += (text[done : match.start()], plain)
        done = match.end()
        folds = [len(_PLAIN_TABLE[ord(c)]) for c in match.group()]
        if folds != [1] * len(folds):
            lengths[match.start() : done] = folds
            moved = True
    plain = "".join((*pieces, text[done:]))
    return plain, np.append(np.repeat(np.arange(len(text)), lengths), len(text)) if moved else None
