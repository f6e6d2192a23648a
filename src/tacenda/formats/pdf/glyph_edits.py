"""Edits of a text in terms of glyphs: which ones go, and what is typed in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacenda.formats.pdf.lines import PageText
from tacenda.model import Edit


@dataclass(frozen=True, slots=True)
class Span:
    """One edit in terms of glyphs."""

    glyphs: tuple[int, ...]
    text: str


def spans(text: PageText, edits: Sequence[Edit]) -> list[Span]:
    """Return the glyphs of each edit and what to type in their place."""
    found = []
    for start, end, replacement in _on_glyphs(text, edits):
        glyphs = _glyphs(text, start, end)
        # a glyph for several letters goes as a whole; letters of it that stay are typed anew
        before, after = start, end
        while before > 0 and text.places[before - 1] == glyphs[0]:
            before -= 1
        while after < len(text.text) and text.places[after] == glyphs[-1]:
            after += 1
        glyphs += _hyphens(text, start, end)
        typed = text.text[before:start] + replacement + text.text[end:after]
        found.append(Span(tuple(glyphs), typed))
    return found


def _glyphs(text: PageText, start: int, end: int) -> list[int]:
    return list(dict.fromkeys(p for p in text.places[start:end] if p >= 0))


def _on_glyphs(text: PageText, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits so that each has glyphs of its own, because words can be typed only where a glyph stands.

    An edit of a gap between lines, or one that only adds, takes a neighboring letter with it, which is typed anew; two
    edits of one glyph become one. An edit that leaves a gap blank is dropped: gaps are set anew anyway.
    """
    found: list[Edit] = []
    for start, end, new in sorted(edits):
        own = set(_glyphs(text, start, end))
        if not own and not new.strip():
            continue
        if found:
            first, last, typed = found[-1] = _with_glyph(text, found[-1], before=0, after=start)
            held = set(_glyphs(text, first, last))
            apart = set(_glyphs(text, last, start)) - held
            if own & held or not (apart or (own and held)):
                found[-1] = (first, end, typed + text.text[last:start] + new)
                continue
        found.append(_with_glyph(text, (start, end, new), before=found[-1][1] if found else 0, after=end))
    found = [_with_glyph(text, edit, before=0, after=len(text.text)) for edit in found]
    return [(start, end, new) for start, end, new in found if _glyphs(text, start, end)]


def _with_glyph(text: PageText, edit: Edit, *, before: int, after: int) -> Edit:
    """Widen an edit without glyphs to the nearest letter on its left, or else on its right, within these bounds."""
    start, end, new = edit
    if _glyphs(text, start, end):
        return edit
    for at in range(start - 1, before - 1, -1):
        if text.places[at] >= 0:
            return at, end, text.text[at:start] + new
    for at in range(end, after):
        if text.places[at] >= 0:
            return start, at + 1, new + text.text[end : at + 1]
    return edit


def _hyphens(text: PageText, start: int, end: int) -> list[int]:
    """Return the hyphens that divide an edited word at the end of a line; reading took them out of the text."""
    return [
        text.lines[text.line[i]].places[-1]
        for i in range(start, end - 1)
        if text.line[i] >= 0 and text.line[i + 1] >= 0 and text.line[i] != text.line[i + 1]
        and text.lines[text.line[i]].places[-1] != text.places[i]
    ]  # fmt: skip


def removed(text: PageText, found: Sequence[Span]) -> set[int]:
    """Return all glyphs that go, with those tied to them, and echoes of every touched line."""
    gone = {g for span in found for g in span.glyphs}
    gone |= {t for g in gone for t in text.tied.get(g, ())}
    return gone
