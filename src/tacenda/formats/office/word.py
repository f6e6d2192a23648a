"""Word documents: revisions accepted, fields turned into their results, stories read paragraph by paragraph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tacenda.errors import InputError
from tacenda.formats.element import Element, parent_of
from tacenda.formats.flow import Flow, Mark, NodeText, take_out
from tacenda.formats.office import drawing
from tacenda.formats.office.package import Kind, Package
from tacenda.formats.office.table_heads import Heads
from tacenda.formats.office.xml import drop, is_list_label, local, name, names, unwrap
from tacenda.model import Edit, Limits
from tacenda.model.case import PartKind

_W = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_STORIES = {"header": "header", "footer": "footer", "footnotes": "footnote", "endnotes": "endnote"}
_KINDS = {
    "document": Kind("word/document.xml", _W + "document.main+xml"),
    "styles": Kind("word/styles.xml", _W + "styles+xml"),
    "numbering": Kind("word/numbering.xml", _W + "numbering+xml"),
    "settings": Kind("word/settings.xml", _W + "settings+xml"),
    "header": Kind("word/header{}.xml", _W + "header+xml"),
    "footer": Kind("word/footer{}.xml", _W + "footer+xml"),
    "footnotes": Kind("word/footnotes.xml", _W + "footnotes+xml"),
    "endnotes": Kind("word/endnotes.xml", _W + "endnotes+xml"),
    **drawing.kinds("word"),
}
_PROPERTIES = names("w", "pPr rPr tblPr tcPr trPr sectPr sdtPr tblGrid tblPrEx rubyPr")
_DROPPED = names(
    "w",
    "del moveFrom rPrChange pPrChange sectPrChange tblPrChange tblPrExChange trPrChange tcPrChange tblGridChange "
    "numberingChange commentRangeStart commentRangeEnd commentReference annotationRef proofErr moveFromRangeStart "
    "moveFromRangeEnd moveToRangeStart moveToRangeEnd customXmlInsRangeStart customXmlInsRangeEnd "
    "customXmlDelRangeStart customXmlDelRangeEnd customXmlMoveFromRangeStart customXmlMoveFromRangeEnd "
    "customXmlMoveToRangeStart customXmlMoveToRangeEnd delText delInstrText permStart permEnd smartTagPr customXmlPr "
    "sdtPr sdtEndPr ffData fldData altChunk subDoc control softHyphen lastRenderedPageBreak printerSettings "
    "contentPart aliases latentStyles rsid rsids nsid tmpl cellIns cellMerge embedRegular embedBold embedItalic dirty",
)
_UNWRAPPED = names("w", "ins moveTo smartTag customXml sdt sdtContent")
_SETTINGS = names(
    "w",
    "evenAndOddHeaders mirrorMargins gutterAtTop bookFoldPrinting bookFoldRevPrinting defaultTabStop autoHyphenation "
    "characterSpacingControl footnotePr endnotePr compat themeFontLang clrSchemeMapping decimalSymbol listSeparator "
    "displayBackgroundShape updateFields",
)
_PAGE_FIELDS = {"PAGE", "NUMPAGES", "SECTIONPAGES"}
_BUILT_IN = re.compile(
    r"normal|normal \(web\)|heading [1-9]|title|subtitle|header|footer|(footnote|endnote) (text|reference)|"
    r"body text( \d| indent( \d)?)?|list( \d)?|list (paragraph|bullet|number|continue)( \d)?|table grid|table normal|"
    r"normal table|no list|no spacing|default paragraph font|hyperlink|followedhyperlink|strong|emphasis|quote|"
    r"intense (quote|emphasis|reference)|subtle (emphasis|reference)|caption|toc heading|toc [1-9]|index [1-9]|"
    r"page number|line number|plain text|signature|salutation|closing|date|balloon text|block text|book title",
    re.I,
)
_STYLE_REFERENCES = names("w", "pStyle rStyle tblStyle basedOn next link styleLink numStyleLink")
_MARKS = {
    name("w:tab"): "\t", name("w:ptab"): "\t", name("w:br"): "\n", name("w:cr"): "\n", name("w:noBreakHyphen"): "-",
}  # fmt: skip
_TEXT = frozenset((name("w:t"), name("m:t")))
_NOTE_MARK = re.compile(r"[\d*†‡§¶#]+([,;–-]\s?[\d*†‡§¶#]+)*|[a-z]([,;]\s?[a-z])*")
_HAIR_SPACE = "\u200a"  # as thin as spaces are: the line looks the same


class Word:
    """One Word document: its package, cleaned, and its flat text."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.package = Package(data, limits, "document", _KINDS)
        if self.package.main.root.tag != name("w:document"):
            raise InputError("the main part of the file is not a Word document")
        self.flow = Flow(limits)
        self._count_dropped()
        for part in self.package.parts.values():
            if part.root is not None:
                self._clean(part.root)
        for part in self.package.of("chart"):
            drawing.clean_chart(part.root)
        self._name_styles()
        self._name_bookmarks()
        self.package.settle_links()
        self._read()

    @property
    def dropped(self) -> Counter[str]:
        """What is left out."""
        return self.package.dropped

    @property
    def unread(self) -> Counter[str]:
        """What leaves without having been read."""
        return self.package.unread

    def fit(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits as they are: every one can be made."""
        return edits

    def save(self) -> bytes:
        """Return the bytes of the document as it now is."""
        return self.package.save()

    def _count_dropped(self) -> None:
        counted = (("comment", "w:commentReference"), ("deleted passage", "w:del"), ("imported document", "w:altChunk"))
        for what, tag in counted:
            for part in self.package.parts.values():
                if part.root is not None:
                    self.package.dropped[what] += sum(
                        1 for node in part.root.iter(name(tag)) if len(node) or tag != "w:del"
                    )
        if self.package.dropped["comment"]:
            del self.package.dropped["comment part"]

    def _clean(self, root: Element) -> None:
        if root.tag == name("w:settings"):
            for child in [c for c in root if c.tag not in _SETTINGS]:
                root.remove(child)
        _accept_structure(root)
        drawing.clean(root)
        _settle_fields(root)
        drop(root, _DROPPED)
        for node in list(root.iter(*_UNWRAPPED)):
            unwrap(node)
        _part_note_marks(root)
        for node in root.iter(name("w:abstractNum")):
            drop(node, names("w", "name"))
        for node in root.iter(name("w:lvlText")):
            if not is_list_label(node.get(name("w:val")) or ""):
                node.set(name("w:val"), "".join(re.findall(r"%\d|[\W_]", node.get(name("w:val")))))
        preserve = name("xml:space")
        for node in root.iter(*_TEXT):
            if node.get(preserve) != "preserve":
                node.text = (node.text or "").strip(" \t\r\n")
            node.set(preserve, "preserve")

    def _name_styles(self) -> None:
        """Number the styles that somebody named, and their names."""
        new: dict[str, str] = {}
        for part in self.package.of("styles"):
            for style in part.root.iter(name("w:style")):
                title = next(style.iter(name("w:name")), None)
                old, words = (
                    style.get(name("w:styleId")) or "",
                    (title.get(name("w:val")) or "") if title is not None else "",
                )
                built_in = bool(_BUILT_IN.fullmatch(words))
                same = built_in and old.lower() == re.sub(r"\W", "", words).lower()
                new[old] = old if same else f"S{len(new) + 1}"
                style.set(name("w:styleId"), new[old])
                style.attrib.pop(name("w:customStyle"), None)
                if title is not None and not built_in:
                    title.set(name("w:val"), f"Style {len(new)}")
        for part in self.package.parts.values():
            for node in part.root.iter(*_STYLE_REFERENCES) if part.root is not None else ():
                target = new.get(node.get(name("w:val")))
                if target is None:
                    take_out(node)
                else:
                    node.set(name("w:val"), target)

    def _name_bookmarks(self) -> None:
        """Number the bookmarks that links lead to; drop the others."""
        roots = [part.root for part in self.package.parts.values() if part.root is not None]
        anchors = {link.get(name("w:anchor")) for root in roots for link in root.iter(name("w:hyperlink"))}
        new: dict[str, str] = {}
        kept = set()
        for root in roots:
            for mark in list(root.iter(name("w:bookmarkStart"))):
                title = mark.get(name("w:name"))
                if title in anchors and title not in new:
                    new[title] = f"b{len(new) + 1}"
                    kept.add(mark.get(name("w:id")))
                    mark.set(name("w:name"), new[title])
                else:
                    take_out(mark)
            for mark in [m for m in root.iter(name("w:bookmarkEnd")) if m.get(name("w:id")) not in kept]:
                take_out(mark)
        for root in roots:
            for link in list(root.iter(name("w:hyperlink"))):
                target = new.get(link.attrib.pop(name("w:anchor"), ""))
                if target:
                    link.set(name("w:anchor"), target)
                elif name("r:id") not in link.attrib:
                    unwrap(link)

    def _read(self) -> None:
        package, flow = self.package, self.flow
        _Story(flow, "").read(package.main.root)
        for kind, word in _STORIES.items():
            for number, part in enumerate(package.of(kind), 1):
                if kind in ("header", "footer"):
                    _Story(flow, f"{word} {number}").read(part.root)
                else:
                    for note, node in enumerate(part.root, 1):
                        _Story(flow, f"{word} {note}").read(node)
        drawing.read_charts(flow, package)
        roots = [part.root for part in package.parts.values() if part.root is not None]
        drawing.read_words_in_attributes(flow, roots)
        package.read_uris(flow)
        for root in roots:
            package.dropped["text in an unknown place"] += drawing.scrub(flow, root)


class _Story:
    """The paragraphs and tables of one story (body, header, note), read in order."""

    def __init__(self, flow: Flow, where: str) -> None:
        self._flow = flow
        self._where = where
        self._paragraphs = 0
        self._tables = 0

    def read(self, node: Element, kind: PartKind = "prose", where: str = "", column: str = "") -> None:
        """Read everything below a node that holds paragraphs."""
        for child in node:
            if child.tag == name("w:p"):
                self._paragraph(child, kind, where, column)
            elif child.tag == name("w:tbl"):
                self._table(child)
            elif child.tag not in _PROPERTIES:
                self.read(child, kind, where, column)

    def _paragraph(self, paragraph: Element, kind: PartKind, where: str, column: str) -> None:
        self._paragraphs += 1
        place = where or ", ".join(filter(None, (self._where, f"paragraph {self._paragraphs}")))
        aside: list[Element] = []
        with self._flow.part(kind, place, column):
            self._inline(paragraph, aside)
        for node in aside:
            if node.tag == name("a:p"):
                drawing.read_paragraph(self._flow, node, "prose", f"shape beside {place}")
            else:
                self.read(node, "prose", f"box beside {place}")

    def _inline(self, node: Element, aside: list[Element]) -> None:
        for child in node:
            tag = child.tag
            if tag in _TEXT:
                self._flow.put(child.text or "", NodeText(child))
            elif tag in _MARKS:
                self._flow.put(_MARKS[tag], Mark(child, name("w:t")))
            elif tag == name("w:sym"):
                self._flow.put(_symbol(child), Mark(child, name("w:t")))
            elif tag in _ASIDE:
                aside.append(child)
            elif tag not in _PROPERTIES:
                self._inline(child, aside)

    def _table(self, table: Element) -> None:
        self._tables += 1
        place = ", ".join(filter(None, (self._where, f"table {self._tables}")))
        rows = [list(row.iter(name("w:tc"))) for row in table if row.tag == name("w:tr")]
        rows = [[cell for cell in row if _owner(cell) is table] for row in rows]
        texts = [[_plain(cell) for cell in row] for row in rows]
        heads = Heads.of(texts, marked=len(rows) > 1 and next(table.iter(name("w:tblHeader")), None) is not None)
        for r, row in enumerate(rows):
            grid = 0
            for c, cell in enumerate(row):
                head = r == 0 and bool(heads.texts)
                column = "" if head else heads.column(grid, texts[r][c - 1] if c else "")
                self.read(cell, "label" if head else "cell", f"{place}, row {r + 1}, cell {c + 1}", column)
                grid += _span(cell)


_ASIDE = frozenset((name("w:txbxContent"), name("a:p"), name("w:rt"), name("w:p"), name("w:tbl")))


def _owner(cell: Element) -> Element | None:
    return next(cell.iterancestors(name("w:tbl")), None)


def _plain(cell: Element) -> str:
    return " ".join("".join(t.text or "" for t in p.iter(name("w:t"))) for p in cell.iter(name("w:p")))


def _span(cell: Element) -> int:
    span = next(cell.iter(name("w:gridSpan")), None)
    value = span.get(name("w:val")) if span is not None else "1"
    return int(value) if value and value.isdigit() and len(value) < 5 else 1


def _symbol(node: Element) -> str:
    try:
        code = int(node.get(name("w:char")) or "", 16)
        return chr(code & 0xFF if 0xF000 <= code <= 0xF0FF else code).translate(_PRINTABLE)
    except (ValueError, OverflowError):
        return "?"


_PRINTABLE = dict.fromkeys((*range(32), *range(55296, 57344), 65534, 65535), "?")


def _accept_structure(root: Element) -> None:
    """Accept deleted rows, cells and paragraph marks, before the marks themselves go."""
    for node in list(root.iter(name("w:del"))):
        parent = node.getparent()
        if parent is not None and parent.tag == name("w:trPr"):
            take_out(parent_of(parent))
        elif parent is not None and parent.tag == name("w:rPr") and local(parent_of(parent)) == "pPr":
            _join_to_next(parent_of(parent_of(parent)))
    for node in list(root.iter(name("w:cellDel"))):
        take_out(parent_of(parent_of(node)))


def _join_to_next(paragraph: Element) -> None:
    following = paragraph.getnext()
    if following is None or following.tag != name("w:p"):
        return
    at = 1 if len(following) and following[0].tag == name("w:pPr") else 0
    for child in [c for c in paragraph if c.tag != name("w:pPr")]:
        following.insert(at, child)
        at += 1
    take_out(paragraph)


def _part_note_marks(root: Element) -> None:
    """Part raised numbers and letters from the word before them, so that a name with a note mark is read as a name.

    The space becomes part of the document: what is written reads as it was read, whatever was put around it.
    """
    for raised in root.iter(name("w:vertAlign")):
        run = parent_of(raised).getparent()
        if raised.get(name("w:val")) != "superscript" or run is None or run.tag != name("w:r"):
            continue
        held = next(run.iter(name("w:t")), None)
        mark = "".join(t.text or "" for t in run.iter(name("w:t"))).strip()
        if held is None or not held.text or held.text[0].isspace() or not _NOTE_MARK.fullmatch(mark):
            continue
        before = run.getprevious()
        while before is not None and before.tag != name("w:r"):
            before = before.getprevious()
        word = re.search(r"\w*$", "".join(t.text or "" for t in before.iter(name("w:t"))) if before is not None else "")
        length = len(word.group()) if word else 0
        # N with a raised o is a number sign and 2 with a raised e a French ordinal: no marks of notes
        if length and (not mark[0].isalpha() or (length > 2 and word and word.group()[-1].isalpha())):
            held.text = _HAIR_SPACE + held.text


def _settle_fields(root: Element) -> None:
    """Turn fields into the text they show; only page numbers stay fields."""
    open_fields: list[dict[str, Any]] = []
    for node in list(root.iter(name("w:fldChar"), name("w:instrText"), name("w:t"), *_MARKS)):
        kind = node.get(name("w:fldCharType")) if node.tag == name("w:fldChar") else ""
        if kind == "begin":
            open_fields.append({"code": True, "nodes": [node], "text": []})
        elif kind and open_fields:
            open_fields[-1]["nodes"].append(node)
            open_fields[-1]["code"] = False
            if kind == "end":
                _close_field(open_fields.pop())
        elif node.tag == name("w:instrText"):
            if open_fields and open_fields[-1]["code"]:
                open_fields[-1]["text"].append(node)
            else:
                take_out(node)
        elif any(f["code"] for f in open_fields) or kind:
            take_out(node)  # never shown
    for field in reversed(open_fields):
        _close_field(field, whole=False)
    for node in list(root.iter(name("w:fldSimple"))):
        words = (node.get(name("w:instr")) or "").split()
        if words and words[0].upper() in _PAGE_FIELDS:
            node.attrib.clear()
            node.set(name("w:instr"), f" {words[0].upper()} ")
        else:
            unwrap(node)


def _close_field(field: dict[str, Any], *, whole: bool = True) -> None:
    words = "".join(node.text or "" for node in field["text"]).split()
    if whole and words and words[0].upper() in _PAGE_FIELDS and len(field["nodes"]) == 3:
        field["text"][0].text = f" {words[0].upper()} "
        extra = field["text"][1:]
        for node in field["nodes"]:
            for child in list(node):
                node.remove(child)
    else:
        extra = field["text"] + field["nodes"]
    for node in extra:
        take_out(node)
