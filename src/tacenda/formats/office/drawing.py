"""What Word, Excel and PowerPoint files share: shapes, pictures, charts, diagrams, themes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tacenda.formats.element import Element
from tacenda.formats.flow import Flow, Mark, NodeText, take_out
from tacenda.formats.office.package import Kind, Package
from tacenda.formats.office.table_heads import Heads
from tacenda.formats.office.xml import drop, drop_foreign, drop_words, empty_unread, local, name, names, read_attributes
from tacenda.model.case import PartKind

_DRAWINGML = "application/vnd.openxmlformats-officedocument.drawingml."


def kinds(folder: str) -> dict[str, Kind]:
    """Return the kinds of parts that all three file types may hold, below one folder."""
    return {
        "theme": Kind(folder + "/theme/theme{}.xml", "application/vnd.openxmlformats-officedocument.theme+xml"),
        "image": Kind(folder + "/media/image{}", ""),
        "chart": Kind(folder + "/charts/chart{}.xml", _DRAWINGML + "chart+xml"),
        "diagramData": Kind(folder + "/diagrams/data{}.xml", _DRAWINGML + "diagramData+xml"),
        "diagramLayout": Kind(folder + "/diagrams/layout{}.xml", _DRAWINGML + "diagramLayout+xml"),
        "diagramQuickStyle": Kind(folder + "/diagrams/quickStyle{}.xml", _DRAWINGML + "diagramStyle+xml"),
        "diagramColors": Kind(folder + "/diagrams/colors{}.xml", _DRAWINGML + "diagramColors+xml"),
        "diagramDrawing": Kind(
            folder + "/diagrams/drawing{}.xml", "application/vnd.ms-office.drawingml.diagramDrawing+xml"
        ),
    }


TEXT_ATTRIBUTES: dict[str, tuple[PartKind, str]] = {
    "@descr": ("prose", "alternative text"),
    "cNvPr@title": ("prose", "title of an object"),
    "docPr@title": ("prose", "title of an object"),
    "shape@alt": ("prose", "alternative text"),
    "rect@alt": ("prose", "alternative text"),
    "textpath@string": ("prose", "text art"),
    "@tooltip": ("prose", "tip of a link"),
    "tblCaption@val": ("prose", "title of a table"),
    "tblDescription@val": ("prose", "alternative text"),
}
# Attributes that name things for programs or tell who worked when: never needed to draw.
_DROPPED_ATTRIBUTES = re.compile(
    r"rsid.*|author|initials|date|dateUtc|paraId|textId|textlink|macro|codeName|userName|editId|anchorId|invalidUrl|"
    r"tgtFrame|spid|gfxdata|cstate|dataDxfId|uid|hlinkHover|href|docLocation"
)
_DROPPED = (
    names("a", "snd wavAudioFile audioFile videoFile quickTimeFile audioCd")
    | names("c", "pivotSource pivotFmts printSettings userShapes externalData")
    | names("o", "OLEObject signatureline callout lock complex relationtable")
    | names("dgm", "extLst title desc cat catLst sampData styleData clrData")
    | names("p", "extLst custDataLst tags controls oleObj modifyVerifier")
)
_NUMBERED = frozenset(("docPr", "cNvPr"))
_BARE = re.compile(r"[\s\d.,:;%+()\-/]*")
# Elements whose text is written by programs: positions, formats, references (cleaned on their own).
_MACHINE_TEXT = frozenset(
    "posOffset align col row colOff rowOff f formatCode instrText tableStyleId v pctWidth pctHeight".split()
)


def clean(root: Element) -> None:
    """Remove from a tree what nobody sees, and number the names of objects."""
    drop_foreign(root)
    drop(root, _DROPPED)
    number = 0
    for node in root.iter():
        for key in list(node.attrib):
            if _DROPPED_ATTRIBUTES.fullmatch(key.rpartition("}")[2]) and local(node) != "workbookPr":
                del node.attrib[key]
        if local(node) in _NUMBERED:
            number += 1
            node.set("name", f"Object {number}")
        elif local(node) in ("shape", "shapetype", "rect", "group", "line", "oval", "roundrect", "imagedata"):
            _clean_vml(node)
        elif local(node) in ("theme", "clrScheme", "fontScheme", "fmtScheme", "tblStyle", "custClr", "cSld"):
            for key in ("name", "styleName"):
                if key in node.attrib:
                    node.set(key, "Office")
        elif local(node) == "font" and node.get("script"):
            take_out(node)
    drop_words(root)


def _clean_vml(node: Element) -> None:
    for key in list(node.attrib):
        named = key in ("id", "type") and not re.fullmatch(r"#?_x0000_[a-z]+\d+", node.get(key))
        if named or key in ("title", name("o:title")):
            del node.attrib[key]


def clean_chart(root: Element) -> None:
    """Point the references of a chart at a workbook that is gone, by cells only."""
    for node in root.iter(name("c:f")):
        cells = (node.text or "").rpartition("!")[2]
        node.text = "Sheet1!" + (cells if re.fullmatch(r"[$A-Z0-9:]{1,40}", cells) else "$A$1")
    for node in root.iter(name("c:formatCode")):
        if re.search(r"[a-z]{3,}", node.text or "", re.I) and (node.text or "") != "General":
            node.text = "General"


def read_paragraph(flow: Flow, paragraph: Element, kind: PartKind, where: str, column: str = "") -> None:
    """Read one paragraph of DrawingML."""
    with flow.part(kind, where, column):
        for node in paragraph.iter():
            if node.tag == name("a:t"):
                flow.put(node.text or "", NodeText(node))
            elif node.tag == name("a:br"):
                flow.put("\n", _Break(node))


class _Break(Mark):
    """A line break of DrawingML; text stands in a run, so an edit makes it one."""

    def __init__(self, node: Element) -> None:
        super().__init__(node, name("a:r"))

    def set(self, value: str) -> None:
        """Put another text in its place."""
        from lxml import etree

        self.node.tag = name("a:r")
        etree.SubElement(self.node, name("a:t")).text = value


def read_shapes(flow: Flow, root: Element, where: str) -> None:
    """Read all paragraphs of a tree, tables by their cells."""
    in_tables: set[Element] = set()
    for table in root.iter(name("a:tbl")):
        in_tables.update(table.iter(name("a:p")))
    for node in root.iter(name("a:tbl"), name("a:p")):
        if node.tag == name("a:tbl"):
            _read_table(flow, node, where)
        elif node not in in_tables:
            read_paragraph(flow, node, "prose", where)


def _read_table(flow: Flow, table: Element, where: str) -> None:
    rows = [[cell for cell in row if cell.tag == name("a:tc")] for row in table.iter(name("a:tr"))]
    texts = [["".join(t.text or "" for t in cell.iter(name("a:t"))) for cell in row] for row in rows]
    marked = any(node.get("firstRow") in ("1", "true") for node in table.iter(name("a:tblPr")))
    heads = Heads.of(texts, marked=marked and len(rows) > 1)
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            head = r == 0 and bool(heads.texts)
            column = "" if head else heads.column(c, texts[r][c - 1] if c else "")
            for paragraph in cell.iter(name("a:p")):
                read_paragraph(
                    flow, paragraph, "label" if head else "cell", f"{where}, row {r + 1}, cell {c + 1}", column
                )


def read_charts(flow: Flow, package: Package) -> None:
    """Read titles and stored values of charts, and the texts of diagrams."""
    for number, part in enumerate(package.of("chart"), 1):
        where = f"chart {number}"
        read_shapes(flow, part.root, where)
        for node in part.root.iter(name("c:v"), *(n for n in names("c", "name separator"))):
            flow.whole(node.text or "", NodeText(node), "cell", where)
    for number, part in enumerate(package.of("diagramData", "diagramDrawing"), 1):
        read_shapes(flow, part.root, f"diagram {number}")


def read_words_in_attributes(flow: Flow, roots: Iterable[Element]) -> None:
    """Read alternative texts, tips of links and other attributes that hold words."""
    for root in roots:
        read_attributes(flow, root, TEXT_ATTRIBUTES)


def scrub(flow: Flow, root: Element) -> int:
    """Empty every text of a tree that was not read, unless a program wrote it; return how many there were."""
    return empty_unread(flow, root, _BARE, lambda node: local(node) in _MACHINE_TEXT)
