"""HTML pages: a tree of allow-listed elements and attributes, serialized anew.

Scripts, styles, comments, `data-*` and hidden elements are dropped; text, attributes that people read, and links are
parts. Browsers mend broken pages in many ways, so what leaves is our own tree, which leaves nothing to mend.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

from tacenda.errors import InputError
from tacenda.formats.element import Element
from tacenda.formats.flow import Attribute, Flow, Holder, Mark, NodeTail, NodeText, take_out
from tacenda.formats.loaded import OpenedTree
from tacenda.formats.office import pictures
from tacenda.formats.office.table_heads import Heads
from tacenda.formats.residue import search
from tacenda.model import Limits, Reading
from tacenda.model.case import PartKind

_BLOCKS = frozenset(
    "html head body title address article aside blockquote center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol option optgroup p pre search "
    "section select summary table tbody td textarea tfoot th thead tr ul caption colgroup col button".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark meter output "
    "progress q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
# Inline, yet no part of the word they follow: readings above it, numbers of notes.
_APART = frozenset(("ruby", "rt", "rp", "sup"))
_GONE = frozenset(
    "script style noscript noembed noframes template object embed applet iframe frame frameset svg canvas audio video "
    "source track param link meta base datalist map area portal slot picture-source xml bgsound basefont".split()
)
_COUNTED = {"script": "script", "svg": "drawing", "iframe": "frame", "object": "embedded object", "video": "video"}
_SIZES = frozenset(
    "width height colspan rowspan border cellpadding cellspacing span start value size cols rows max min".split()
)
_SIZE = re.compile(r"[+-]?\d{1,6}(\.\d{1,4})?(%|px|pt|em|rem)?")
_WORDS = {
    "align": r"left|right|center|justify|char", "valign": r"top|middle|bottom|baseline", "dir": r"ltr|rtl|auto",
    "lang": r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", "scope": r"row|col|rowgroup|colgroup",
    "type": r"[1aAiI]|text|checkbox|radio|button|submit|email|tel|number|date|search|url|disc|circle|square",
    "bgcolor": r"#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,20}", "color": r"#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,20}",
    "checked": r"checked|", "disabled": r"disabled|", "reversed": r"reversed|", "open": r"open|",
    "selected": r"selected|",
}  # fmt: skip
_READ = frozenset("title alt aria-label aria-description placeholder summary label abbr".split())
_STYLE = frozenset(
    "color background-color text-align font-weight font-style font-size text-decoration vertical-align width height "
    "max-width min-width padding padding-left padding-right padding-top padding-bottom margin margin-left margin-right "
    "margin-top margin-bottom border border-collapse border-color border-style border-width border-bottom border-top "
    "border-left border-right line-height white-space list-style-type text-indent letter-spacing".split()
)
_STYLE_VALUE = re.compile(r"[#\w.%\s,-]{1,60}|rgba?\([\d.,%\s]+\)", re.A)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])",
    re.I,
)
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
_SCHEMES = frozenset(("http", "https", "mailto", "tel", "ftp", "sms"))
_LINKS = {"a": "href", "q": "cite", "blockquote": "cite", "img": "src"}
_SAFE = "/:?#@!$&'()*+,;=~"
_NO_TARGET = "about:blank"
_DATA = re.compile(r"data:image/(png|jpeg|jpg|gif);base64,([A-Za-z0-9+/=\s]+)", re.I)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([A-Za-z0-9_.:-]{2,40})""", re.I)
_LONGEST_URI = 100_000


class Html:
    """Web pages."""

    name = "html"
    suffixes = (".html", ".htm", ".xhtml")
    magic: tuple[bytes, ...] = ()

    def open(self, data: bytes, reading: Reading) -> OpenedTree:
        """Open a whole page."""
        return OpenedTree(data, lambda source, limits: Page(decoded(source, reading.encoding), limits), reading)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written page where one of these words still stands."""
        return search(data, words)


def decoded(data: bytes, encoding: str = "") -> str:
    """Decode a page: by its mark, by what was told, by what it says itself, else UTF-8 or Windows-1252."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    declared = _CHARSET.search(data[:4096])
    for name in (encoding, "utf-8", declared.group(1).decode() if declared else "", "cp1252"):
        try:
            if name:
                return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


class Page:
    """One page: its tree, cleaned, and its flat text. `cids` gives the new names of pictures that a mail holds."""

    def __init__(self, source: str, limits: Limits, *, cids: Mapping[str, str] | None = None) -> None:
        self.flow = Flow(limits)
        self.dropped: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self._cids = cids or {}
        if len(source) > limits.size:
            raise InputError(f"the page has {len(source)} characters, over the limit of {limits.size}")
        self.root = _parsed(source)
        self._clean()
        self._read()

    def fit(self, edits: Sequence[Any]) -> Sequence[Any]:
        """Return the edits as they can be made."""
        return edits

    def save(self) -> bytes:
        """Return the bytes of the page as it now is."""
        import lxml.html

        head = self.root.find("head")
        if head is None:
            head = self.root.makeelement("head")
            self.root.insert(0, head)
        if head.find("meta") is None:
            head.insert(0, head.makeelement("meta", {"charset": "utf-8"}))
        text = lxml.html.tostring(self.root, encoding="unicode", doctype="<!DOCTYPE html>")
        head.remove(head.find("meta"))
        return bytes((text + "\n").encode("utf-8"))

    def _clean(self) -> None:
        targets = {
            (node.get("href") or "")[1:] for node in self.root.iter("a") if (node.get("href") or "").startswith("#")
        }
        numbers: dict[str, str] = {}
        for node in list(self.root.iter()):
            if not isinstance(node.tag, str) or node.tag in _GONE or _is_hidden(node):
                self.dropped[_COUNTED.get(node.tag, "") if isinstance(node.tag, str) else ""] += 1
                if node is not self.root:
                    take_out(node)
        self.dropped.pop("", None)
        for node in list(self.root.iter()):
            if node.tag not in _BLOCKS and node.tag not in _INLINE and node is not self.root:
                node.tag = "span"
            anchor = node.get("id") or (node.get("name") if node.tag == "a" else None)
            self._clean_attributes(node)
            if anchor in targets and anchor:
                node.set("id", numbers.setdefault(anchor, f"a{len(numbers) + 1}"))
        for node in self.root.iter("a"):
            target = node.get("href") or ""
            if target.startswith("#"):
                node.attrib.pop("href")
                if target[1:] in numbers:
                    node.set("href", "#" + numbers[target[1:]])

    def _clean_attributes(self, node: Element) -> None:
        kept: dict[str, str] = {}
        for key, value in node.attrib.items():
            if key in _READ or (key == "value" and node.tag in ("input", "button", "data")):
                kept[key] = _SPACE.sub(" ", value)
            elif (key in _SIZES and _SIZE.fullmatch(value)) or (key in _WORDS and re.fullmatch(_WORDS[key], value)):
                kept[key] = value
            elif key == "style" and (style := _style(value)):
                kept[key] = style
            elif _LINKS.get(node.tag) == key and (link := self._link(node.tag, value)):
                kept[key] = link
        node.attrib.clear()
        node.attrib.update(kept)
        if node.tag == "img" and "src" not in kept:
            node.set("src", _NO_TARGET)
            node.set("alt", node.get("alt") or "")

    def _link(self, tag: str, value: str) -> str:
        value = value.strip()
        scheme = _SCHEME.match(value)
        if tag == "img" and value.lower().startswith("cid:"):
            new = self._cids.get(unquote(value[4:]))
            return f"cid:{new}" if new else ""
        if tag == "img" and (match := _DATA.fullmatch(value)):
            return self._picture(match.group(2))
        if len(value) > _LONGEST_URI or (scheme and scheme.group(1).lower() not in _SCHEMES and value != _NO_TARGET):
            self.dropped["link of an unusual kind"] += 1
            return ""
        return value

    def _picture(self, encoded: str) -> str:
        try:
            picture = pictures.cleaned(base64.b64decode(encoded))
        except (ValueError, binascii.Error):
            picture = None
        if picture is None:
            self.dropped["picture of a kind that cannot be cleaned"] += 1
            return ""
        self.unread["picture"] += 1
        return f"data:image/{picture[1]};base64,{base64.b64encode(picture[0]).decode()}"

    def _read(self) -> None:
        _Reader(self.flow).read(self.root)
        link = 0
        for node in self.root.iter():
            for key, value in node.attrib.items():
                if key in _READ or (key == "value" and node.tag in ("input", "button", "data")):
                    self.flow.whole(value, Attribute((node,), key), "prose", f"{key} of an element")
                elif _LINKS.get(node.tag) == key and not value.startswith(("#", "cid:", "data:")):
                    link += 1
                    text = "" if value == _NO_TARGET else unquote(value)
                    self.flow.whole(text, _Uri(node, key), "uri", f"link {link}")


class _Uri:
    """The address of a link; read without its percent signs, so that a name in it is seen."""

    def __init__(self, node: Element, key: str) -> None:
        self._node, self._key = node, key

    def set(self, value: str) -> None:
        """Put another address in its place."""
        self._node.set(self._key, quote(value, safe=_SAFE) if value else _NO_TARGET)


def _parsed(source: str) -> Any:
    import lxml.html
    from lxml import etree

    parser = lxml.html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False, recover=True
    )
    # A declaration of XML would name another encoding than the one the bytes are now in.
    source = re.sub(r"^\s*<\?xml[^>]*\?>", "", source).replace("\0", "")
    try:
        root = lxml.html.document_fromstring(source.encode("utf-8", "replace") or b"<p></p>", parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        raise InputError("the page contains nothing that can be read as HTML") from None
    if any(error.level_name == "FATAL" for error in parser.error_log):
        # The parser has stopped there, and would leave out the rest without a word.
        raise InputError("the page is too large or too deeply nested to be read in full")
    return root


def _is_hidden(node: Element) -> bool:
    return (
        "hidden" in node.attrib
        or (node.tag == "input" and (node.get("type") or "").lower() in ("hidden", "password"))
        or bool(_HIDDEN_STYLE.search(node.get("style") or ""))
    )


def _style(value: str) -> str:
    kept = []
    for declaration in value.split(";"):
        key, _, content = declaration.partition(":")
        if key.strip().lower() in _STYLE and _STYLE_VALUE.fullmatch(content.strip()):
            kept.append(f"{key.strip().lower()}: {content.strip()}")
    return "; ".join(kept)


class _Reader:
    """Gathers the text between the edges of blocks into parts."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._pieces: list[tuple[str, Holder, bool]] = []
        self._kind: PartKind = "prose"
        self._where = ""
        self._column = ""
        self._blocks = 0
        self._tables = 0
        self._preserved = False

    def read(self, node: Element) -> None:
        """Read an element and all below it."""
        if node.tag == "table":
            self._read_table(node)
            return
        block = node.tag in _BLOCKS or node.tag in _APART
        if block:
            self._flush()
        preserved, self._preserved = self._preserved, self._preserved or node.tag in ("pre", "textarea")
        if node.tag == "br":
            self._pieces.append(("\n", Mark(node, "span"), True))
        else:
            self._add(node.text, NodeText(node))
        for child in node:
            self.read(child)
            self._add(child.tail, NodeTail(child))
        if block:
            self._flush()
        self._preserved = preserved

    def _add(self, text: str | None, holder: Holder) -> None:
        if not text:
            return
        settled = text if self._preserved else _SPACE.sub(" ", text)
        if settled != text:
            holder.set(settled)
        self._pieces.append((settled, holder, self._preserved))

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        if not any(text.strip() for text, _, _ in pieces):
            return
        pieces = _stripped(_stripped(pieces, 0), -1)
        self._blocks += 1
        with self._flow.part(self._kind, self._where or f"block {self._blocks}", self._column):
            for text, holder, _ in pieces:
                self._flow.put(text, holder)

    def _read_table(self, table: Element) -> None:
        self._flush()
        self._tables += 1
        place = f"table {self._tables}"
        rows = [row for row in table.iter("tr") if _table_of(row) is table]
        cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
        texts = [[_SPACE.sub(" ", "".join(cell.itertext())).strip() for cell in row] for row in cells]
        marked = len(rows) > 1 and bool(cells[0]) and all(cell.tag == "th" for cell in cells[0])
        nested = next((t for t in table.iter("table") if t is not table), None) is not None
        heads = Heads() if nested else Heads.of(texts, marked=marked)
        places = {cell: (r, c) for r, row in enumerate(cells) for c, cell in enumerate(row)}
        self._table_children(table, places, texts, heads, place)
        self._flush()

    def _table_children(
        self, node: Element, places: dict[Element, tuple[int, int]], texts: list[list[str]], heads: Heads, place: str
    ) -> None:
        self._add(node.text, NodeText(node))
        for child in node:
            if child in places:
                self._cell(child, *places[child], texts, heads, place)
            elif child.tag in ("tr", "thead", "tbody", "tfoot", "colgroup"):
                self._table_children(child, places, texts, heads, place)
            else:
                self.read(child)
            self._add(child.tail, NodeTail(child))

    def _cell(self, cell: Element, r: int, c: int, texts: list[list[str]], heads: Heads, place: str) -> None:
        self._flush()
        before = self._kind, self._where, self._column
        head = r == 0 and bool(heads.texts)
        grid = sum(_span(other) for other in cell.itersiblings(preceding=True) if other.tag in ("td", "th"))
        self._kind, self._where = ("label" if head else "cell"), f"{place}, row {r + 1}, cell {c + 1}"
        self._column = "" if head else heads.column(grid, texts[r][c - 1] if c else "")
        self.read(cell)
        self._flush()
        self._kind, self._where, self._column = before


def _span(cell: Element) -> int:
    value = cell.get("colspan") or "1"
    return int(value) if value.isdigit() and len(value) < 4 else 1


def _table_of(node: Element) -> Element | None:
    return next(node.iterancestors("table"), None)


def _stripped(pieces: list[tuple[str, Holder, bool]], end: int) -> list[tuple[str, Holder, bool]]:
    """Take white space off one end of a block, as browsers do."""
    while pieces:
        text, holder, preserved = pieces[end]
        if preserved:
            return pieces
        bare = text.lstrip(" ") if end == 0 else text.rstrip(" ")
        if bare != text:
            holder.set(bare)
        if bare:
            pieces[end] = (bare, holder, preserved)
            return pieces
        del pieces[end]
    return pieces
