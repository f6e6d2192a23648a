"""Excel workbooks: cells read as displayed, written as values that still sort; formulas become their results."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tacenda.errors import InputError
from tacenda.formats.element import Element, parent_of
from tacenda.formats.flow import Flow, NodeText
from tacenda.formats.office import drawing, values
from tacenda.formats.office.cells import (
    Cell,
    NumberCell,
    Styles,
    column_letters,
    column_number,
    integer,
    make_string,
    settle_text,
    stored,
    unescape,
    value_of,
)
from tacenda.formats.office.package import Kind, OfficePart, Package
from tacenda.formats.office.table_heads import ALLOWED, FORBIDDEN, Heads, fitted_names, is_head
from tacenda.formats.office.xml import drop, name, names
from tacenda.model import Edit, Limits

_S = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_KINDS = {
    "workbook": Kind("xl/workbook.xml", _S + "sheet.main+xml"),
    "worksheet": Kind("xl/worksheets/sheet{}.xml", _S + "worksheet+xml"),
    "chartsheet": Kind("xl/chartsheets/sheet{}.xml", _S + "chartsheet+xml"),
    "styles": Kind("xl/styles.xml", _S + "styles+xml"),
    "sharedStrings": Kind("xl/sharedStrings.xml", _S + "sharedStrings+xml"),
    "table": Kind("xl/tables/table{}.xml", _S + "table+xml"),
    "drawing": Kind("xl/drawings/drawing{}.xml", "application/vnd.openxmlformats-officedocument.drawing+xml"),
    **drawing.kinds("xl"),
}
_WORKBOOK = names("s", "workbookPr bookViews sheets")
_SHEET = names(
    "s",
    "sheetPr dimension sheetViews sheetFormatPr cols sheetData autoFilter mergeCells conditionalFormatting hyperlinks "
    "printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks drawing tableParts",
)
_DROPPED = names(
    "s",
    "filterColumn sortState customFilters calculatedColumnFormula totalsRowFormula xmlColumnPr rPh phoneticPr "
    "customSheetViews",
)
_COUNTED = {"dataValidations": "data validation", "sheetProtection": "sheet protection", "definedNames": "set of names"}
_HEADER_CODE = re.compile(r'&"[^"]*"|&K[0-9A-Fa-f]{6}|&\d+|&[&A-Za-z+\-]')
_LONGEST_NAME = 31
_REFERENCE = re.compile(r"(?:'((?:[^']|'')+)'|([^'!,()]+))!([$A-Z0-9:]+)")


class Workbook:
    """One workbook: its package, cleaned, and its flat text."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.package = Package(data, limits, "workbook", _KINDS)
        if self.package.main.root.tag != name("s:workbook"):
            raise InputError("the main part of the file is not an Excel workbook")
        self.flow = Flow(limits)
        self.dropped, self.unread = self.package.dropped, self.package.unread
        strings = self.package.of("sharedStrings")
        self._strings = [node for part in strings for node in part.root if node.tag == name("s:si")]
        for part in self.package.parts.values():
            if part.root is not None and part not in strings:
                self._clean(part)
        properties = next(self.package.main.root.iter(name("s:workbookPr")), None)
        self._since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._styles = Styles(self.package)
        for part in strings:  # every cell gets a copy of its own
            del self.package.parts[part.source]
        self.package.main.links = {k: v for k, v in self.package.main.links.items() if v in self.package.parts}
        self.package.settle_links()
        self._read()

    def fit(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits with new names of sheets that Excel accepts."""
        return fitted_names(self.flow, self._names, edits, longest=_LONGEST_NAME)

    def save(self) -> bytes:
        """Return the bytes of the workbook as it now is."""
        self._rename_sheets()
        for part in self.package.of("worksheet"):
            self._name_columns(part)
        return self.package.save()

    def _clean(self, part: OfficePart) -> None:
        root = part.root
        allowed = {"officeDocument": _WORKBOOK, "worksheet": _SHEET}.get(part.kind)
        for child in [c for c in root if allowed is not None and c.tag not in allowed]:
            what = _COUNTED.get(child.tag.rpartition("}")[2])
            if what:
                self.dropped[what] += max(1, len(child) if what == "data validation" else 1)
            root.remove(child)
        drawing.clean(root)
        if part.kind == "officeDocument":
            for node in root.iter(name("s:workbookPr")):
                for key in [k for k in node.attrib if k != "date1904"]:
                    del node.attrib[key]
        drop(root, _DROPPED)
        for rule in list(root.iter(name("s:cfRule"))):
            formulas = rule.find(f".//{name('s:cfvo')}[@type='formula']") is not None
            if formulas or rule.get("type") not in ("colorScale", "dataBar", "iconSet"):
                parent_of(rule).remove(rule)
                self.dropped["rule of conditional formatting"] += 1
        for node in [n for n in root.iter(name("s:conditionalFormatting")) if not len(n)]:
            root.remove(node)
        for node in root.iter(name("s:hyperlink")):
            node.attrib.pop("display", None)
        if part.kind == "chart":
            drop(root, names("c", "strCache numCache multiLvlStrCache"))
        if part.kind == "table":
            _clean_table(root)

    def _read(self) -> None:
        for number, sheet in enumerate(self.package.main.root.iter(name("s:sheet")), 1):
            title = (sheet.get("name") or "").translate(ALLOWED)
            self.flow.whole(title, _SheetName(sheet), "label", f"name of sheet {number}")
        self._names = list(self.flow.parts)
        self._old_names = [s.get("name") or "" for s in self.package.main.root.iter(name("s:sheet"))]
        for number, part in enumerate(self._sheets(), 1):
            self._read_sheet(part, number)
        for number, part in enumerate(self.package.of("drawing"), 1):
            drawing.read_shapes(self.flow, part.root, f"drawing {number}")
        drawing.read_charts(self.flow, self.package)
        roots = [part.root for part in self.package.parts.values() if part.root is not None]
        drawing.read_words_in_attributes(self.flow, roots)
        self.package.read_uris(self.flow)
        for root in roots:
            self.dropped["text in an unknown place"] += drawing.scrub(self.flow, root)

    def _sheets(self) -> list[OfficePart]:
        """Worksheets in the order of their tabs, hidden ones too."""
        ids = [sheet.get(name("r:id")) for sheet in self.package.main.root.iter(name("s:sheet"))]
        links = self.package.main.links
        return [self.package.parts[links[key]] for key in ids if key in links]

    def _read_sheet(self, part: OfficePart, number: int) -> None:
        heads, waiting = Heads(), True
        previous: list[tuple[int, str]] = []
        for row_number, row in enumerate(part.root.iter(name("s:row")), 1):
            at = integer(row.get("r"), row_number)
            cells = self._cells(row)
            texts = [(c.column, c.text) for c in cells if c.text]
            head = bool(waiting and texts and self._is_head(cells, part))
            if head:
                width = max(column for column, _ in texts) + 1
                by_column = dict(texts)
                heads = Heads(tuple(" ".join(by_column.get(i, "").split()) for i in range(min(width, 16384))))
            # One lone cell on top is a title; heads may follow it.
            waiting = waiting and (not texts or (len(texts) == 1 and not previous and not head)) and not head
            previous = texts
            for cell in cells:
                left = next((text for column, text in texts if column == cell.column - 1), "")
                column = "" if head else heads.column(cell.column, left)
                with self.flow.part(
                    "label" if head else "cell", f"sheet {number}, {column_letters(cell.column)}{at}", column
                ):
                    cell.put(self.flow)
        self._read_headers(part, number)

    def _is_head(self, cells: list[Cell], part: OfficePart) -> bool:
        texts = [c.text for c in cells if c.text]
        rows = sum(1 for _, _ in zip(part.root.iter(name("s:row")), range(2), strict=False))
        return (
            rows > 1
            and all(c.is_text for c in cells if c.text)
            and is_head(texts)
            and (len(texts) > 1 or _one_column(part))
        )

    def _cells(self, row: Element) -> list[Cell]:
        out, following = [], 0
        for node in row.iter(name("s:c")):
            reference = re.fullmatch(r"([A-Z]{1,3})\d+", node.get("r") or "")
            column = column_number(reference.group(1)) if reference else following
            following = column + 1
            out.append(self._cell(node, column))
        return out

    def _cell(self, node: Element, column: int) -> Cell:
        self.dropped["formula"] += drop(node, names("s", "f"))
        for key in ("cm", "vm", "ph"):
            node.attrib.pop(key, None)
        kind = node.get("t", "n")
        value = node.find(name("s:v"))
        raw = (value.text or "") if value is not None else ""
        if kind == "s":
            source = self._strings[int(raw)] if raw.isdigit() and int(raw) < len(self._strings) else None
            make_string(node, copy.deepcopy(source) if source is not None else None)
        elif kind == "str":
            make_string(node, None, unescape(raw))
        elif kind in ("b", "e", "d"):
            shown = {"1": "TRUE", "0": "FALSE"}.get(raw, raw) if kind == "b" else raw
            make_string(node, None, shown)
        if node.get("t") == "inlineStr":
            return Cell(node, column, [(t, settle_text(t)) for t in node.iter(name("s:t"))], None)
        if not raw:
            return Cell(node, column, [], None)
        code = self._styles.code(node.get("s"))
        shown_number = values.show(raw, code, since_1904=self._since_1904)
        if shown_number.value is None or values.has_words(code):
            make_string(node, None, shown_number.text)
            return Cell(node, column, [(t, t.text or "") for t in node.iter(name("s:t"))], None)
        value_of(node).text = stored(shown_number.value)
        return Cell(node, column, [], NumberCell(node, shown_number.text, code, self._styles, self._since_1904))

    def _read_headers(self, part: OfficePart, number: int) -> None:
        for node in part.root.iter(*names("s", "oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter")):
            text = node.text or ""
            holder, at = NodeText(node), 0
            for match in [*_HEADER_CODE.finditer(text), None]:
                end = match.start() if match else len(text)
                with self.flow.part("prose", f"sheet {number}, header or footer"):
                    self.flow.put(text[at:end], holder, whole=text, at=at)
                at = match.end() if match else end

    def _rename_sheets(self) -> None:
        """Put the new names of sheets into the references of charts and links."""
        new = [sheet.get("name") for sheet in self.package.main.root.iter(name("s:sheet"))]
        renamed = dict(zip(self._old_names, new, strict=True))
        for part in self.package.parts.values():
            if part.root is None:
                continue
            for node in part.root.iter(name("c:f")):
                node.text = _renamed(node.text or "", renamed)
            for node in part.root.iter(name("s:hyperlink")):
                if "location" in node.attrib:
                    node.set("location", _renamed(node.get("location"), renamed))
        self._old_names = new

    def _name_columns(self, part: OfficePart) -> None:
        """Give the columns of tables the names that their heads now show."""
        for source in part.links.values():
            table = self.package.parts[source]
            if table.kind != "table":
                continue
            first = re.match(r"([A-Z]+)(\d+)", table.root.get("ref") or "")
            texts = _row_texts(part.root, first.group(2)) if first else {}
            start = column_number(first.group(1)) if first else 0
            used: Counter[str] = Counter()
            for offset, column in enumerate(table.root.iter(name("s:tableColumn"))):
                text = texts.get(start + offset) or f"Column{offset + 1}"
                used[text.lower()] += 1
                column.set("name", text if used[text.lower()] == 1 else f"{text}{used[text.lower()]}")


@dataclass(eq=False)
class _SheetName:
    """The name of a sheet; characters that Excel forbids there are written as their wide forms."""

    node: Element

    def set(self, value: str) -> None:
        """Put another name in its place."""
        self.node.set("name", value.translate(FORBIDDEN))


def _clean_table(root: Element) -> None:
    number = integer(root.get("id"), 1)
    kept = {"id", "ref", "headerRowCount", "totalsRowCount", "totalsRowShown"}
    for key in [k for k in root.attrib if k not in kept]:
        del root.attrib[key]
    root.set("name", f"Table{number}")
    root.set("displayName", f"Table{number}")
    for column in root.iter(name("s:tableColumn")):
        for key in [k for k in column.attrib if k not in ("id", "name", "totalsRowFunction")]:
            del column.attrib[key]
        if column.get("totalsRowFunction") == "custom":
            del column.attrib["totalsRowFunction"]
    for style in root.iter(name("s:tableStyleInfo")):
        if not re.fullmatch(r"TableStyle(Light|Medium|Dark)\d+", style.get("name") or ""):
            style.attrib.pop("name", None)


def _renamed(reference: str, names_: dict[str, str]) -> str:
    out = []
    for area in reference.strip("()").split(","):
        match = _REFERENCE.fullmatch(area.strip())
        old = (match.group(1) or match.group(2)).replace("''", "'") if match else ""
        if match is None or old not in names_:
            return "#REF!"
        out.append(f"'{names_[old]}'!{match.group(3)}".replace("’", "’"))
    return ",".join(out) if len(out) == 1 else f"({','.join(out)})"


def _row_texts(root: Element, row_number: str) -> dict[int, str]:
    row = next((r for r in root.iter(name("s:row")) if r.get("r") == row_number), None)
    texts = {}
    for cell in row if row is not None else ():
        reference = re.match(r"[A-Z]+", cell.get("r") or "")
        if reference:
            texts[column_number(reference.group())] = "".join(unescape(t.text or "") for t in cell.iter(name("s:t")))
    return texts


def _one_column(part: OfficePart) -> bool:
    rows = (row for row, _ in zip(part.root.iter(name("s:row")), range(20), strict=False))
    return all(sum(1 for cell in row if len(cell)) <= 1 for row in rows)
