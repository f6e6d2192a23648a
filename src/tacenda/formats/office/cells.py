"""Cells of a workbook: their texts as displayed, numbers that stay numbers, and the formats that show them."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tacenda.errors import InputError
from tacenda.formats.element import Element
from tacenda.formats.flow import Flow, NodeText
from tacenda.formats.office import values
from tacenda.formats.office.package import Package
from tacenda.formats.office.xml import drop, name, names

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


@dataclass
class Cell:
    """A cell: the texts of its runs, or its number."""

    node: Element
    column: int
    runs: list[tuple[Element, str]]
    number: NumberCell | None

    @property
    def text(self) -> str:
        """What the cell shows."""
        return self.number.text if self.number else "".join(text for _, text in self.runs)

    @property
    def is_text(self) -> bool:
        """Whether it holds a text, not a number."""
        return self.number is None

    def put(self, flow: Flow) -> None:
        """Read the cell."""
        if self.number:
            flow.put(self.number.text, self.number)
        for node, text in self.runs:
            flow.put(text, _String(node))


class _String(NodeText):
    """The text of a run in a cell, with the escapes that Excel asks for."""

    def set(self, value: str) -> None:
        """Put another text in its place."""
        self.node.text = _escape(value)


@dataclass(eq=False)
class NumberCell:
    """The number of a cell; an edit leaves a number or date if its text is one, else a text."""

    node: Element
    text: str
    code: str
    styles: Styles
    since_1904: bool

    def set(self, value: str) -> None:
        """Put another value in its place."""
        number = values.value_of(value, self.code, since_1904=self.since_1904)
        if number is not None:
            value_of(self.node).text = stored(number)
        elif values.plain_number(value):
            self.node.set("s", self.styles.general(self.node.get("s")))
            value_of(self.node).text = value
        else:
            make_string(self.node, None, value)


class Styles:
    """Number formats of the cell styles."""

    def __init__(self, package: Package) -> None:
        self._codes: list[str] = []
        self._general: dict[str, str] = {}
        self._formats: Any = None
        for part in package.of("styles"):
            self._read(part.root)

    def _read(self, root: Element) -> None:
        codes = dict(values.BUILT_IN)
        for node in root.iter(name("s:numFmt")):
            codes[integer(node.get("numFmtId"), 0)] = node.get("formatCode") or "General"
        self._formats = next(root.iter(name("s:cellXfs")), None)
        for xf in self._formats if self._formats is not None else ():
            self._codes.append(codes.get(integer(xf.get("numFmtId"), 0), "General"))
        for node in root.iter(name("s:numFmt")):
            if values.has_words(node.get("formatCode") or ""):
                node.set("formatCode", "General")
        for number, node in enumerate(root.iter(name("s:cellStyle")), 1):
            if not node.get("builtinId"):
                node.set("name", f"Style {number}")
            else:
                node.set("name", "Normal" if node.get("builtinId") == "0" else f"Built-in {node.get('builtinId')}")
        for node in root.iter(name("s:tableStyles")):
            for key in ("defaultTableStyle", "defaultPivotStyle"):
                node.attrib.pop(key, None)
            for child in list(node):
                node.remove(child)
            node.set("count", "0")

    def code(self, style: str | None) -> str:
        """Return the number format of a style."""
        index = integer(style, 0)
        return self._codes[index] if index < len(self._codes) else "General"

    def general(self, style: str | None) -> str:
        """Return a style that looks the same but shows numbers as they are."""
        index = integer(style, 0)
        if self._formats is None or index >= len(self._formats):
            return "0"
        if str(index) not in self._general:
            new = copy.deepcopy(self._formats[index])
            new.set("numFmtId", "0")
            self._formats.append(new)
            self._formats.set("count", str(len(self._formats)))
            self._general[str(index)] = str(len(self._formats) - 1)
        return self._general[str(index)]


def value_of(node: Element) -> Element:
    """Return the element that holds the value of a cell with one."""
    found = node.find(name("s:v"))
    if found is None:
        raise InputError("a cell without its value")
    return found


def make_string(node: Element, source: Element | None, text: str = "") -> None:
    """Turn a cell into one that holds its own text, with the runs of a shared string if there is one."""
    from lxml import etree

    for child in list(node):
        node.remove(child)
    node.set("t", "inlineStr")
    if source is None:
        holder = etree.SubElement(node, name("s:is"))
        etree.SubElement(holder, name("s:t")).text = _escape(text)
    else:
        source.tag = name("s:is")
        drop(source, names("s", "rPh phoneticPr extLst"))
        node.append(source)
    for t in node.iter(name("s:t")):
        t.set(name("xml:space"), "preserve")


def settle_text(node: Element) -> str:
    """Read the text of a run, and write it as Excel would."""
    text = unescape(node.text or "")
    node.text = _escape(text)
    return text


def unescape(text: str) -> str:
    """Return a text without Excel's escapes of characters."""
    if "_x" not in text:
        return text
    return _ESCAPED.sub(lambda m: _legal(int(m.group(1), 16)), text)


def _legal(code: int) -> str:
    return chr(code) if (code >= 32 and not 0xD800 <= code <= 0xDFFF and code < 0xFFFE) or code in (9, 10) else ""


def _escape(text: str) -> str:
    return _ESCAPED.sub(lambda m: "_x005F" + m.group(), text) if "_x" in text else text


def stored(value: Decimal) -> str:
    """Return a number as a file holds it."""
    return f"{value:f}" if abs(value) < Decimal(10) ** 20 else f"{value:E}"


def column_number(letters: str) -> int:
    """Return the number of a column by its letters, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_letters(column: int) -> str:
    """Return the letters of a column."""
    out = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        out = chr(65 + rest) + out
    return out


def integer(text: str | None, default: int) -> int:
    """Return a number out of a file, or a default for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else default
