"""Fonts as they are written: only glyphs that are still shown, under new codes sorted by what they say.

A subset tells which letters a text used, and the order of its codes often spells the text. New codes tell neither.
TrueType is cut by fontTools; CFF and Type 1 are drawn anew from their outlines, so that nothing of the old program
is left; Type 3 gets new names; fonts that are not embedded keep their codes and lose every width nobody uses.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacenda.formats.pdf import cmap, programs, type1
from tacenda.formats.pdf.fonts import Char, Font, encoding, named, standard_name
from tacenda.formats.pdf.geometry import IDENTITY, number
from tacenda.formats.pdf.unreadable import Unwritable

KEPT_TABLES = frozenset(("glyf", "loca", "head", "hhea", "hmtx", "maxp", "cvt ", "fpgm", "prep", "vhea", "vmtx"))
KNOWN_NAMES = re.compile(
    r"(Arial|Helvetica|Times|Courier|Symbol|ZapfDingbats|Georgia|Verdana|Tahoma|Calibri|Cambria|Palatino|Garamond"
    r"|Bookman|Century|Trebuchet|Wingdings|Webdings|MSung|MHei|STSong|STHeiti|SimSun|SimHei|KaiTi|FangSong|MingLiU"
    r"|HeiseiMin|HeiseiKakuGo|KozMin|KozGo|MSMincho|MSGothic|HYSMyeongJo|HYGoThic|Batang|Gulim|Dotum|Ryumin|GothicBBB)"
    r"(Neue|New|Roman|PS|MT|Pro|Std|Std|Linotype|Schoolbook|Narrow|Black|Light|Medium|Regular|Bold|Italic|Oblique|W3|W5"
    r"|[-,])*"
)
DESCRIPTOR = "Flags FontBBox ItalicAngle Ascent Descent CapHeight StemV XHeight MissingWidth".split()


@dataclass(frozen=True)
class Fresh:
    """A font in the new file, the new bytes of every old code, and a code for every text it can show."""

    obj: Any
    codes: Mapping[bytes, bytes]
    texts: Mapping[str, Char]


def fresh(target: Any, font: Font, used: Mapping[bytes, Char]) -> Fresh:
    """Return the font cut down to the used codes; raise Unwritable if that cannot be done."""
    rows = sorted(used.values(), key=lambda c: (c.text or "\U0010ffff", c.width, c.select, c.raw))
    texts: dict[str, Char] = {}
    for row in rows:
        texts.setdefault(row.text or "", row)
    try:
        if font.kind == "none":
            return Fresh(_unembedded(target, font, rows), {c.raw: c.raw for c in rows}, texts)
        glyphs, program, flavor = _truetype(font, rows) if font.kind == "truetype" else _outlines(font, rows)
        obj = _composite(target, font, rows, glyphs, program, flavor)
    except Unwritable:
        raise
    except Exception as error:  # font programs can be damaged in any way
        raise Unwritable("a font that cannot be cut") from error
    return Fresh(obj, {raw: gid.to_bytes(2) for raw, gid in glyphs.items()}, texts)


def _name(font: Font) -> str:
    """Return a name that says how a font looks: the name it had may be anybody's, unless viewers need it."""
    if font.kind == "none" and KNOWN_NAMES.fullmatch(font.base):
        return font.base
    return standard_name(font)


def _descriptor(font: Font) -> Any:
    from pikepdf import Array, Dictionary, Name

    made = Dictionary(Type=Name.FontDescriptor, FontName=Name(f"/AAAAAA+{_name(font)}"))
    for key in (f"/{name}" for name in DESCRIPTOR):
        value = font.descriptor.get(key)
        if key == "/FontBBox":  # that of the old subset told which letters it held
            made[key] = Array([-200, -300, 1200, 1000])
        elif value is not None:
            made[key] = int(number(value)) if key == "/Flags" else number(value)
    made.Flags = int(number(made.get("/Flags", 4))) & ~0x40000 | 4 if font.kind != "none" else font.flags
    for key in ("/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV"):
        if key not in made:
            made[key] = 0
    return made


def _embedded(target: Any, font: Font, program: bytes, flavor: str) -> Any:
    """Return a descriptor that holds the program of a composite font."""
    from pikepdf import Name

    stream = target.make_stream(program)
    descriptor = _descriptor(font)
    if flavor == "truetype":
        stream.Length1 = len(program)
        descriptor.FontFile2 = stream
    else:
        stream.Subtype = Name.CIDFontType0C
        descriptor.FontFile3 = stream
    return descriptor


def _composite(
    target: Any, font: Font, rows: list[Char], glyphs: Mapping[bytes, int], program: bytes, flavor: str
) -> Any:
    """Write a composite font whose codes are the numbers of its glyphs."""
    from pikepdf import Array, Dictionary, Name, String

    widths: Any = Array()
    by_glyph = {glyphs[c.raw]: c for c in rows}
    for gid in sorted(by_glyph):
        width = font.widths.get(by_glyph[gid].select, font.missing_width) * font.scale * 1000
        widths.extend([gid, Array([round(width, 3)])])
    base = Name(f"/AAAAAA+{_name(font)}")
    inner = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2 if flavor == "truetype" else Name.CIDFontType0,
        BaseFont=base,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=target.make_indirect(_embedded(target, font, program, flavor)),
        DW=round(font.missing_width * font.scale * 1000, 3),
        W=widths,
    )
    if flavor == "truetype":
        inner.CIDToGIDMap = Name.Identity
    if font.vertical and (pair := font.cid_font.get("/DW2")) is not None:
        inner.DW2 = Array([number(v) for v in pair])
    pairs = [(glyphs[c.raw], c.text) for c in rows if c.text]
    return target.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=base,
            Encoding=Name("/Identity-V" if font.vertical else "/Identity-H"),
            DescendantFonts=Array([target.make_indirect(inner)]),
            ToUnicode=target.make_stream(cmap.write(sorted(pairs), 2)),
        )
    )


# TrueType


def _truetype(font: Font, rows: list[Char]) -> tuple[dict[bytes, int], bytes, str]:
    from fontTools import subset
    from fontTools.ttLib.reorderGlyphs import reorderGlyphs

    program = programs.open_truetype(programs.data(font.descriptor))
    order = program.getGlyphOrder()
    chosen = {c.raw: _truetype_glyph(font, program, order, c) for c in rows}
    for tag in [t for t in program.keys() if t not in KEPT_TABLES and t != "GlyphOrder"]:  # noqa: SIM118
        del program[tag]
    _add_tables(program)
    options = subset.Options(
        notdef_outline=True, recommended_glyphs=False, hinting=True, glyph_names=False, drop_tables=[],
        ignore_missing_glyphs=True, recalc_timestamp=False, prune_unicode_ranges=False,
    )  # fmt: skip
    cutter = subset.Subsetter(options)
    cutter.populate(glyphs=sorted(set(chosen.values())))
    cutter.subset(program)
    have = program.getGlyphOrder()
    wanted = list(dict.fromkeys([have[0], *(chosen[c.raw] for c in rows if chosen[c.raw] in have)]))
    parts = [g for g in have if g not in set(wanted)]  # of composed glyphs
    wanted += sorted(parts, key=lambda g: program["glyf"][g].compile(program["glyf"]))
    reorderGlyphs(program, wanted)
    numbers = {glyph: gid for gid, glyph in enumerate(wanted)}
    program["post"].formatType = 3.0
    head = program["head"]
    head.created = head.modified = 0
    out = io.BytesIO()
    program.save(out, reorderTables=True)
    return {raw: numbers.get(glyph, 0) for raw, glyph in chosen.items()}, out.getvalue(), "truetype"


def _add_tables(program: Any) -> None:
    """The subsetter wants tables that embedded subsets often lack."""
    from fontTools.ttLib import newTable

    post = program["post"] = newTable("post")
    post.formatType = 3.0
    for key in ("italicAngle", "underlinePosition", "underlineThickness", "isFixedPitch"):
        setattr(post, key, 0)
    for key in ("minMemType42", "maxMemType42", "minMemType1", "maxMemType1"):
        setattr(post, key, 0)
    table = program["cmap"] = newTable("cmap")
    table.tableVersion, table.tables = 0, []


def _truetype_glyph(font: Font, program: Any, order: list[str], char: Char) -> str:
    """Return the glyph that a code selects (ISO 32000, 9.6.6.4 and 9.7.4.2)."""
    import pikepdf

    if font.composite:
        table = font.cid_font.get("/CIDToGIDMap")
        gid = char.select
        if isinstance(table, pikepdf.Stream):
            gid = int.from_bytes(table.read_bytes()[2 * gid : 2 * gid + 2])
        return order[gid] if gid < len(order) else order[0]
    tables = programs.cmaps(program)
    code, name = char.select, font.names.get(char.select, "")
    unicode = ord(named(name)[0]) if named(name) else -1
    roman = {n: c for c, n in encoding("MacRomanEncoding").items()}.get(name, -1)
    by_name = [tables.get((3, 1), {}).get(unicode), tables.get((1, 0), {}).get(roman)]
    symbols = tables.get((3, 0), {})
    by_code = [
        next((symbols[base + code] for base in (0xF000, 0, 0xF100, 0xF200) if base + code in symbols), None),
        tables.get((1, 0), {}).get(code),
    ]
    nonsymbolic = "/Encoding" in font.obj and not font.flags & 4
    ordered = [*by_name, *by_code] if nonsymbolic else [*by_code, *by_name]
    found = next((g for g in ordered if g is not None), None)
    if found is None:
        found = tables.get((0, 3), {}).get(unicode) or order[0]
    return str(found)


# CFF and Type 1


def _outlines(font: Font, rows: list[Char]) -> tuple[dict[bytes, int], bytes, str]:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    glyphs, chosen, scale = _sources(font, rows)
    order = list(dict.fromkeys(chosen[c.raw] for c in rows if chosen[c.raw] != ".notdef"))
    names = {".notdef": ".notdef", **{glyph: f"g{n}" for n, glyph in enumerate(order, 1)}}
    made = {}
    for glyph, name in names.items():
        pen = T2CharStringPen(0, None, roundTolerance=0.01)
        if glyph in glyphs:
            _draw(glyphs, glyph, pen, scale(glyph))
        made[name] = pen.getCharString()
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(list(names.values()))
    builder.setupCFF(_name(font), {}, made, {"nominalWidthX": 0, "defaultWidthX": 0})
    out = io.BytesIO()
    builder.font["CFF "].cff.compile(out, builder.font, isCFF2=False)
    numbers = {glyph: gid for gid, glyph in enumerate(names)}
    return {raw: numbers[glyph] for raw, glyph in chosen.items()}, out.getvalue(), "cff"


def _draw(glyphs: Any, glyph: str, pen: Any, shape: tuple[float, ...]) -> None:
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.pens.transformPen import TransformPen

    record = DecomposingRecordingPen(glyphs)
    glyphs[glyph].draw(record)
    record.replay(pen if shape == IDENTITY else TransformPen(pen, shape))


def _sources(font: Font, rows: list[Char]) -> tuple[Any, dict[bytes, str], Any]:
    """Return drawable glyphs by name, the name of each code, and the map into a thousandth of an em by glyph."""
    content = programs.data(font.descriptor)
    if font.kind == "type1":
        parsed = type1.parse(content)
        glyphs = parsed.glyphs
        shape = _per_mille(parsed.matrix)
        names = {c.raw: font.names.get(c.select, ".notdef") for c in rows}
        return glyphs, {r: n if n in glyphs else ".notdef" for r, n in names.items()}, lambda glyph: shape
    top = programs.open_cff(content)
    glyphs, charset = top.CharStrings, top.charset
    shape = _per_mille(getattr(top, "FontMatrix", None))
    if font.composite:
        keyed = hasattr(top, "ROS")
        names = {c.raw: _cid_glyph(charset, c.select, keyed) for c in rows}
    else:
        names = {c.raw: font.names.get(c.select, ".notdef") for c in rows}
    if not hasattr(top, "ROS"):
        return glyphs, {r: n if n in glyphs else ".notdef" for r, n in names.items()}, lambda glyph: shape
    numbers = {name: gid for gid, name in enumerate(charset)}

    def shape_of(glyph: str) -> tuple[float, ...]:
        inner = top.FDArray[top.FDSelect[numbers.get(glyph, 0)]] if hasattr(top, "FDSelect") else top.FDArray[0]
        given = getattr(inner, "FontMatrix", None) if "FontMatrix" in inner.rawDict else None
        return _per_mille(given) if "FontMatrix" not in top.rawDict else shape if given is None else _refuse()

    return glyphs, {r: n if n in glyphs else ".notdef" for r, n in names.items()}, shape_of


def _refuse() -> tuple[float, ...]:
    raise Unwritable("a font with two matrices")


def _cid_glyph(charset: list[str], cid: int, keyed: bool) -> str:
    if keyed:
        return ".notdef" if cid == 0 else f"cid{cid:05d}"
    return charset[cid] if cid < len(charset) else ".notdef"


def _per_mille(values: Any) -> tuple[float, ...]:
    """Return a font matrix as the map into thousandths of an em."""
    if values is None:
        return IDENTITY
    shape = tuple(round(number(v) * 1000, 9) for v in values)
    return shape if len(shape) == 6 else IDENTITY


# fonts that are not embedded


def _unembedded(target: Any, font: Font, rows: list[Char]) -> Any:
    from pikepdf import Array, Dictionary, Name, Stream, String

    made = Dictionary(Type=Name.Font, Subtype=Name(font.subtype), BaseFont=Name(f"/{_name(font)}"))
    pairs = sorted({(int.from_bytes(c.raw), c.text) for c in rows if c.text})
    if font.to_unicode and pairs:
        made.ToUnicode = target.make_stream(cmap.write(pairs, max(len(c.raw) for c in rows)))
    given = font.obj.get("/Encoding")
    if font.composite:
        inner = Dictionary(Type=Name.Font, Subtype=Name(str(font.cid_font.get("/Subtype", "/CIDFontType0"))))
        inner.BaseFont = made.BaseFont
        info = font.cid_font.get("/CIDSystemInfo", Dictionary())
        inner.CIDSystemInfo = Dictionary(
            Registry=String("Adobe"),
            Ordering=String(re.sub(r"\W", "", str(info.get("/Ordering", "Identity")))),
            Supplement=int(number(info.get("/Supplement", 0))),
        )
        inner.DW = font.missing_width
        widths: Any = Array()
        for cid in sorted({c.select for c in rows if c.select in font.widths}):
            widths.extend([cid, Array([font.widths[cid]])])
        inner.W = widths
        inner.FontDescriptor = target.make_indirect(_descriptor(font))
        made.DescendantFonts = Array([target.make_indirect(inner)])
        made.Encoding = target.copy_foreign(given) if isinstance(given, Stream) else Name(str(given))
        return target.make_indirect(made)
    codes = sorted(c.select for c in rows)
    if isinstance(given, Name) and encoding(str(given)[1:]):
        made.Encoding = Name(str(given))
    elif isinstance(given, Dictionary):
        made.Encoding = _differences(font, given, codes)
    if "/Widths" in font.obj and codes:
        made.FirstChar, made.LastChar = codes[0], codes[-1]
        shown = set(codes)
        made.Widths = Array([font.widths.get(c, 0) if c in shown else 0 for c in range(codes[0], codes[-1] + 1)])
        made.FontDescriptor = target.make_indirect(_descriptor(font))
    return target.make_indirect(made)


def _differences(font: Font, given: Any, codes: list[int]) -> Any:
    from pikepdf import Array, Dictionary, Name

    made = Dictionary(Type=Name.Encoding)
    base = str(given.get("/BaseEncoding", "/"))[1:]
    if encoding(base):
        made.BaseEncoding = Name(f"/{base}")
    items: Any = Array()
    for code in codes:
        if font.names.get(code):
            items.extend([code, Name(f"/{font.names[code]}")])
    made.Differences = items
    return made
