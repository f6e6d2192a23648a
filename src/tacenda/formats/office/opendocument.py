"""OpenDocument texts and spreadsheets: content and styles are kept, everything else is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from urllib.parse import quote, unquote

from tacenda.errors import InputError
from tacenda.formats.element import Element, parent_of
from tacenda.formats.flow import Flow, Mark, NodeTail, NodeText
from tacenda.formats.office import pictures
from tacenda.formats.office.archive import pack, unpack
from tacenda.formats.office.odf_clean import SHOWN_FIELDS, clean, name, rename_styles, scrub
from tacenda.formats.office.table_heads import ALLOWED, FORBIDDEN, Heads, fitted_names
from tacenda.formats.office.values import as_displayed, plain_number
from tacenda.formats.office.xml import local, parse, serialize
from tacenda.model import Edit, Limits, Part
from tacenda.model.case import PartKind

_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_PARAGRAPHS = frozenset((name("text:p"), name("text:h")))
_LINES = {name("text:tab"): "\t", name("text:line-break"): "\n"}
_ASIDE = frozenset(map(name, ("text:note-body", "draw:frame", "text:ruby-text", "draw:text-box", "draw:custom-shape")))
_LOOSE_TEXT = frozenset(map(name, ("svg:title", "svg:desc", "table:title", "table:desc")))
_ROWS = name("table:table-row")
_CELLS = frozenset((name("table:table-cell"), name("table:covered-table-cell")))
_VALUES = tuple(map(name, ("office:value", "office:date-value", "office:time-value", "office:boolean-value",
                           "office:string-value", "office:currency")))  # fmt: skip
_LINK = name("xlink:href")
_SAFE = "/:?#@!$&'()*+,;=~"
_NO_TARGET = "about:blank"
_PICTURES = ("image", "fill-image", "background-image", "list-level-style-image")


class _OpenDocument:
    """One file: its trees, cleaned, and its flat text."""

    body: str
    media_type: str

    def __init__(self, data: bytes, limits: Limits) -> None:
        entries = unpack(data, limits)
        self.flow = Flow(limits)
        self.dropped: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self._check(entries)
        self.content = parse(entries["content.xml"])
        self.styles = parse(entries["styles.xml"]) if "styles.xml" in entries else None
        self.roots = [root for root in (self.content, self.styles) if root is not None]
        if self.content.find(f"{name('office:body')}/{name(self.body)}") is None:
            raise InputError("the file is an OpenDocument file of another kind")
        for root in self.roots:
            self.dropped.update(clean(root))
        rename_styles(self.roots)
        self._pictures = self._read_pictures(entries)
        self._count(entries)
        self._read()

    def _check(self, entries: dict[str, bytes]) -> None:
        if "content.xml" not in entries:
            raise InputError("the archive is not an OpenDocument file: it has no content.xml")
        if b"encryption-data" in entries.get("META-INF/manifest.xml", b""):
            raise InputError("the file is encrypted: remove the password first")
        if any(entry.startswith(("Basic/", "Scripts/")) for entry in entries):
            raise InputError("the file contains macros: save it without them first")

    def _count(self, entries: dict[str, bytes]) -> None:
        self.dropped["set of properties"] += "meta.xml" in entries
        self.dropped["digital signature"] += "META-INF/documentsignatures.xml" in entries
        self.dropped["thumbnail"] += any(entry.startswith("Thumbnails/") for entry in entries)

    def _read_pictures(self, entries: dict[str, bytes]) -> dict[str, bytes]:
        """Clean the pictures that are shown and give them new names; the others do not leave."""
        kept: dict[str, bytes] = {}
        renamed: dict[str, str] = {}
        for root in self.roots:
            for node in [
                n
                for n in root.iter()
                if local(n) in ("image", "fill-image", "background-image", "list-level-style-image")
            ]:
                target = (node.get(_LINK) or "").removeprefix("./")
                if target not in renamed and target in entries:
                    picture = pictures.cleaned(entries[target])
                    self.dropped["picture of a kind that cannot be cleaned"] += picture is None
                    self.unread["picture"] += picture is not None and picture[0] != pictures.BLANK
                    content, ending = picture or (pictures.BLANK, "png")
                    renamed[target] = f"Pictures/image{len(renamed) + 1}.{ending}"
                    kept[renamed[target]] = content
                node.attrib.pop(_LINK, None)
                if target in renamed:
                    node.set(_LINK, renamed[target])
                elif target:
                    self.dropped["linked picture"] += 1
        return kept

    def _read(self) -> None:
        reader = _Reader(self.flow)
        reader.blocks(self.content.find(name("office:body")))
        if self.styles is not None:
            for number, page in enumerate(self.styles.iter(name("style:master-page")), 1):
                for child in page:
                    reader.blocks(child, where=f"{local(child)} of page style {number}")
        self._cells, self._names = reader.cells, reader.names
        for root in self.roots:
            for number, node in enumerate(root.iter(name("text:a"), name("draw:a")), 1):
                target = node.get(_LINK) or ""
                self.flow.whole("" if target == _NO_TARGET else unquote(target), _Uri(node), "uri", f"link {number}")
            self.dropped["text in an unknown place"] += scrub(self.flow, root)

    def fit(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits with new names of sheets that differ from each other."""
        return fitted_names(self.flow, self._names, edits)

    def save(self) -> bytes:
        """Return the bytes of the file as it now is."""
        for cell, before in self._cells:
            _settle_value(cell, before)
        entries = {"mimetype": self.media_type.encode(), "content.xml": serialize(self.content), **self._pictures}
        if self.styles is not None:
            entries["styles.xml"] = serialize(self.styles)
        entries["META-INF/manifest.xml"] = self._manifest(entries)
        return pack(entries, stored_first="mimetype")

    def _manifest(self, entries: dict[str, bytes]) -> bytes:
        from lxml import etree

        root = etree.Element(f"{{{_MANIFEST}}}manifest", nsmap={"manifest": _MANIFEST})
        root.set(f"{{{_MANIFEST}}}version", "1.2")
        listed = {"/": self.media_type}
        for entry in sorted(set(entries) - {"mimetype"}):
            listed[entry] = "text/xml" if entry.endswith(".xml") else "image/" + entry.rpartition(".")[2]
        for entry, kind in listed.items():
            node = etree.SubElement(root, f"{{{_MANIFEST}}}file-entry")
            node.set(f"{{{_MANIFEST}}}full-path", entry)
            node.set(f"{{{_MANIFEST}}}media-type", kind)
        return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


class TextDocument(_OpenDocument):
    """One text."""

    body = "office:text"
    media_type = "application/vnd.oasis.opendocument.text"


class Spreadsheet(_OpenDocument):
    """One spreadsheet."""

    body = "office:spreadsheet"
    media_type = "application/vnd.oasis.opendocument.spreadsheet"


class _Uri:
    """The address of a link."""

    def __init__(self, node: Element) -> None:
        self._node = node

    def set(self, value: str) -> None:
        """Put another address in its place."""
        self._node.set(_LINK, quote(value, safe=_SAFE) if value else _NO_TARGET)


class _SheetName:
    """The name of a sheet; characters that are forbidden there are written as their wide forms."""

    def __init__(self, node: Element) -> None:
        self._node = node

    def set(self, value: str) -> None:
        """Put another name in its place."""
        self._node.set(name("table:name"), value.translate(FORBIDDEN))


class _Reader:
    """Reads blocks in order: paragraphs, tables, and what stands beside them."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._paragraphs = 0
        self._tables = 0
        self.cells: list[tuple[Element, str]] = []
        self.names: list[Part] = []

    def blocks(self, node: Iterable[Element], kind: PartKind = "prose", where: str = "", column: str = "") -> None:
        """Read all paragraphs below a node, or among some."""
        for child in node:
            if child.tag in _PARAGRAPHS:
                self._paragraph(child, kind, where, column)
            elif child.tag == name("table:table"):
                self._table(child)
            elif child.tag in _LOOSE_TEXT:
                self._flow.whole(child.text or "", NodeText(child), "prose", "alternative text")
            else:
                self.blocks(child, kind, where, column)

    def _paragraph(self, node: Element, kind: PartKind, where: str, column: str) -> None:
        self._paragraphs += 1
        place = where or f"paragraph {self._paragraphs}"
        aside: list[Element] = []
        with self._flow.part(kind, place, column):
            self._inline(node, aside)
        for other in aside:
            self.blocks([other] if other.tag in _PARAGRAPHS else other, "prose", f"beside {place}")
            if other.tag == name("text:ruby-text"):
                self._flow.whole(other.text or "", NodeText(other), "prose", f"beside {place}")

    def _inline(self, node: Element, aside: list[Element]) -> None:
        self._flow.put(node.text or "", NodeText(node))
        for child in node:
            tag = child.tag
            if tag in _LINES:
                self._flow.put(_LINES[tag], Mark(child, name("text:span")))
            elif tag == name("text:s"):
                count = child.get(name("text:c"), "1")
                spaces = " " * (int(count) if count.isdigit() and len(count) < 5 else 1)
                self._flow.put(spaces, Mark(child, name("text:span")))
            elif tag == name("text:note-citation"):
                pass  # a number, set anew by whoever shows the file
            elif tag in _ASIDE or tag in _PARAGRAPHS or (not tag.startswith(_TEXT) and tag not in SHOWN_FIELDS):
                aside.append(child)
            else:
                self._inline(child, aside)
            self._flow.put(child.tail or "", NodeTail(child))

    def _table(self, table: Element) -> None:
        self._tables += 1
        sheet = local(parent_of(table)) == "spreadsheet"
        word = "sheet" if sheet else "table"
        if sheet:
            title = (table.get(name("table:name")) or "").translate(ALLOWED)
            self._flow.whole(title, _SheetName(table), "label", f"name of sheet {self._tables}")
            self.names.append(self._flow.parts[-1])
        place = f"{word} {self._tables}"
        rows = [row for row in table.iter(_ROWS) if _table_of(row) is table]
        marked = any(local(parent_of(row)) == "table-header-rows" for row in rows[:1])
        filled = [(at, texts) for at, row in enumerate(rows) if any(texts := _texts(row))]
        heads = Heads.of([texts for _, texts in filled[:3]], marked=marked and len(filled) > 1)
        first = filled[0][0] if filled else -1
        line = 0
        for at, row in enumerate(rows):
            head = at == first and bool(heads.texts)
            self._row(row, heads, f"{place}, row {line + 1}", head=head)
            line += _repeated(row, "rows")
        for child in table:
            if local(child) not in ("table-row", "table-rows", "table-header-rows", "table-row-group", "table-column"):
                self.blocks([child])

    def _row(self, row: Element, heads: Heads, place: str, *, head: bool) -> None:
        column, left = 0, ""
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            text = _text(cell)
            if text or len(cell):
                title = "" if head else heads.column(column, left)
                self.blocks(cell, "label" if head else "cell", f"{place}, cell {column + 1}", title)
                self.cells.append((cell, text))
                _show_only(cell, text)
            left = text
            column += _repeated(cell, "columns")


_TEXT = name("text:p")[:-1]


def _table_of(node: Element) -> Element | None:
    return next(node.iterancestors(name("table:table")), None)


def _repeated(node: Element, what: str) -> int:
    count = node.get(name(f"table:number-{what}-repeated"), "1")
    return int(count) if count.isdigit() and len(count) < 8 else 1


def _text(cell: Element) -> str:
    return "\n".join("".join(p.itertext()) for p in cell.iter(*_PARAGRAPHS))


def _texts(row: Element) -> list[str]:
    out: list[str] = []
    for cell in row:
        if cell.tag in _CELLS:
            out += [_text(cell)] * min(_repeated(cell, "columns"), 64)
    return out


def _show_only(cell: Element, text: str) -> None:
    """Leave of a value what the cell shows of it."""
    kind = cell.get(name("office:value-type"))
    if kind in ("float", "percentage", "currency"):
        value = as_displayed(cell.get(name("office:value")) or "", text, percent=kind == "percentage")
        if value is not None:
            cell.set(name("office:value"), f"{value:f}")
            return
    elif kind == "date" and _shows_day(cell.get(name("office:date-value")) or "", text):
        cell.set(name("office:date-value"), (cell.get(name("office:date-value")) or "")[:10])
        return
    _make_text(cell)


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def _shows_day(value: str, text: str) -> bool:
    match = re.match(r"(\d{4})-(\d\d)-(\d\d)", value)
    figures = [int(figure) for figure in re.findall(r"\d+", text)]
    if not match:
        return False
    year, month, day = map(int, match.groups())
    named = 1 <= month <= 12 and _MONTHS[month - 1] in text.lower()
    wanted = Counter([day] + ([] if named else [month]))
    seen = Counter(figures)
    return (seen[year] > 0 or seen[year % 100] > (wanted[year % 100])) and all(seen[n] >= wanted[n] for n in wanted)


def _make_text(cell: Element) -> None:
    for key in _VALUES:
        cell.attrib.pop(key, None)
    if name("office:value-type") in cell.attrib:
        cell.set(name("office:value-type"), "string")


def _settle_value(cell: Element, before: str) -> None:
    """Give a cell whose text was changed the value that its new text is."""
    text = _text(cell)
    if text == before:
        return
    was = cell.get(name("office:value-type"))
    _make_text(cell)
    if was in ("float", "percentage", "currency", "date") and plain_number(text):
        cell.set(name("office:value-type"), "float")
        cell.set(name("office:value"), f"{Decimal(text):f}")
    elif was == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        cell.set(name("office:value-type"), "date")
        cell.set(name("office:date-value"), text)
