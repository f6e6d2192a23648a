"""What of a page nobody can read: glyphs without Unicode, pictures that may hold words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tacenda.formats.pdf.geometry import Area
from tacenda.formats.pdf.glyphs import Page
from tacenda.formats.pdf.lines import PageText

PICTURE_SHARE = 0.004  # of a page from which a picture may hold words: a signature, a stamp


def blind_glyphs(page: Page, text: PageText) -> list[int]:
    """Return the glyphs that nobody can read and that are not mere ornaments standing alone."""
    found: list[int] = []
    for line in text.lines:
        at = 0
        while at < len(line.places):
            end = at
            while end < len(line.places) and line.places[end] >= 0 and page.glyphs[line.places[end]].text is None:
                end += 1
            if end > at:
                around = "".join((line.chars[at - 1] if at else " ", line.chars[end] if end < len(line.chars) else " "))
                pictures = all(page.glyphs[p].show.font.pictures for p in line.places[at:end])
                if not pictures and (end - at > 2 or any(c.isalnum() for c in around)):
                    found += line.places[at:end]
            at = max(end, at + 1)
    return found


def words_around(text: PageText, blind: set[int]) -> set[int]:
    """Return the glyphs of every word that holds one nobody can read: the rest of it might tell a name."""
    found = set(blind)
    for line in text.lines:
        start = 0
        for at in range(len(line.places) + 1):
            if at == len(line.places) or line.chars[at] == " ":
                word = {p for p in line.places[start:at] if p >= 0}
                if word & blind:
                    found |= word | {t for p in word for t in text.tied.get(p, ())}
                start = at + 1
    return found


def unread_pictures(page: Page, box: Area) -> list[Any]:
    """Return pictures large enough for words that have no layer of text over them."""
    whole = (box[2] - box[0]) * (box[3] - box[1])
    found = []
    for mark in page.pictures:
        left, bottom, right, top = mark.box
        clipped = (max(left, box[0]), max(bottom, box[1]), min(right, box[2]), min(top, box[3]))
        if clipped[2] - clipped[0] < 20 or clipped[3] - clipped[1] < 8:
            continue
        if (clipped[2] - clipped[0]) * (clipped[3] - clipped[1]) < PICTURE_SHARE * whole:
            continue
        layer = any(
            g.show.mode == 3 and left <= g.origin[0] <= right and bottom <= g.origin[1] <= top for g in page.glyphs
        )
        if not layer:
            found.append(replace(mark, box=clipped))
    return found
