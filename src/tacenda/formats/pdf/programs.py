"""Embedded font programs as far as reading needs them: which glyph a code selects, and what it stands for."""

from __future__ import annotations

import io
from typing import Any

from tacenda.formats.pdf import type1

FILES = (("/FontFile", "type1"), ("/FontFile2", "truetype"), ("/FontFile3", "cff"))


def kind(descriptor: Any) -> str:
    """Tell how a font is embedded: type1, truetype, cff, or none."""
    import pikepdf

    for key, name in FILES:
        stream = descriptor.get(key)
        if isinstance(stream, pikepdf.Stream):
            if key == "/FontFile3" and str(stream.get("/Subtype", "")) == "/OpenType":
                return "truetype" if data(descriptor)[:4] in (b"\0\1\0\0", b"true") else "cff"
            return name
    return "none"


def data(descriptor: Any) -> bytes:
    """Return the bytes of the font program."""
    for key, _ in FILES:
        if key in descriptor:
            return bytes(descriptor[key].read_bytes())
    return b""


def open_truetype(content: bytes) -> Any:
    """Return a TrueType font, fully parsed on use."""
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(content), recalcTimestamp=False, lazy=False)
    if "glyf" in font:
        font.setGlyphOrder([f"glyph{gid:05d}" for gid in range(font["maxp"].numGlyphs)])
        if "hmtx" in font and "hhea" in font:
            _mend_widths(font)
    return font


def _mend_widths(font: Any) -> None:
    """Subsets often cut the table of widths short; viewers do not mind, fontTools does."""
    from fontTools.ttLib import newTable

    raw, glyphs, long = font.reader["hmtx"], font["maxp"].numGlyphs, font["hhea"].numberOfHMetrics
    long = font["hhea"].numberOfHMetrics = min(long, glyphs)
    needed = 4 * long + 2 * (glyphs - long)
    if len(raw) < needed:
        table = newTable("hmtx")
        table.decompile(raw + bytes(needed - len(raw)), font)
        font["hmtx"] = table


def cmaps(font: Any) -> dict[tuple[int, int], dict[int, str]]:
    """Return the readable character maps of a TrueType font by platform and encoding."""
    found: dict[tuple[int, int], dict[int, str]] = {}
    try:
        tables = font["cmap"].tables
    except Exception:  # no table, or a damaged one
        return found
    for table in tables:
        try:
            found.setdefault((table.platformID, table.platEncID), table.cmap)
        except Exception:  # damaged: the others may do
            continue
    return found


def open_cff(content: bytes) -> Any:
    """Return the one font of a CFF program, bare or inside OpenType."""
    from fontTools.cffLib import CFFFontSet

    if content[:4] == b"OTTO":
        return open_truetype(content)["CFF "].cff[0]
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(content), None)
    return fonts[0]


def encoding(descriptor: Any, kind: str) -> dict[int, str] | None:
    """Return the glyph names of a program's own encoding; None if it has none."""
    try:
        if kind == "type1":
            return type1.parse(data(descriptor)).encoding or None
        if kind == "cff":
            table = open_cff(data(descriptor)).Encoding
        else:
            return None
    except Exception:  # any damage in a font program: it tells nothing
        return None
    if isinstance(table, str):
        return None
    return {code: name for code, name in enumerate(table) if name != ".notdef"}


def truetype_codes(descriptor: Any) -> dict[int, str]:
    """Return what the codes of a symbolic TrueType font stand for, by its own tables."""
    try:
        font = open_truetype(data(descriptor))
        glyphs = {glyph: chr(u) for u, glyph in (font.getBestCmap() or {}).items() if not 0xE000 <= u < 0xF900}
        found = dict[int, str]()
        tables = cmaps(font)
        for key in ((3, 0), (1, 0)):
            for code, glyph in tables.get(key, {}).items():
                if glyph in glyphs:
                    found.setdefault(code & 0xFF, glyphs[glyph])
        return found
    except Exception:
        return {}


def cid_texts(descriptor: Any, kind: str, to_gid: Any) -> dict[int, str]:
    """Return what the CIDs of a font without ToUnicode stand for, by the program's own tables."""
    import pikepdf

    if kind != "truetype":
        return {}
    try:
        font = open_truetype(data(descriptor))
        numbers = font.getReverseGlyphMap()
        texts = {numbers[glyph]: chr(u) for u, glyph in (font.getBestCmap() or {}).items()}
    except Exception:
        return {}
    if not isinstance(to_gid, pikepdf.Stream):
        return texts
    raw = to_gid.read_bytes()
    pairs = ((cid, int.from_bytes(raw[2 * cid : 2 * cid + 2])) for cid in range(len(raw) // 2))
    return {cid: texts[gid] for cid, gid in pairs if gid in texts}
