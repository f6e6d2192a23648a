"""XML of office files: parsed without entities, network or document types; names of the namespaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tacenda.errors import InputError
from tacenda.formats.element import Element, parent_of
from tacenda.formats.flow import Attribute, Flow, take_out
from tacenda.model.case import PartKind

_OFFICE = "http://schemas.openxmlformats.org/"
NAMESPACES = {
    "w": _OFFICE + "wordprocessingml/2006/main",
    "r": _OFFICE + "officeDocument/2006/relationships",
    "a": _OFFICE + "drawingml/2006/main",
    "wp": _OFFICE + "drawingml/2006/wordprocessingDrawing",
    "pic": _OFFICE + "drawingml/2006/picture",
    "c": _OFFICE + "drawingml/2006/chart",
    "dgm": _OFFICE + "drawingml/2006/diagram",
    "xdr": _OFFICE + "drawingml/2006/spreadsheetDrawing",
    "cdr": _OFFICE + "drawingml/2006/chartDrawing",
    "lc": _OFFICE + "drawingml/2006/lockedCanvas",
    "m": _OFFICE + "officeDocument/2006/math",
    "s": _OFFICE + "spreadsheetml/2006/main",
    "p": _OFFICE + "presentationml/2006/main",
    "mc": _OFFICE + "markup-compatibility/2006",
    "rel": _OFFICE + "package/2006/relationships",
    "ct": _OFFICE + "package/2006/content-types",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "wpg": "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
    "wpc": "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas",
    "dsp": "http://schemas.microsoft.com/office/drawing/2008/diagram",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "w10": "urn:schemas-microsoft-com:office:word",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
_KNOWN = frozenset(NAMESPACES.values())
# ISO "strict" files use other names for the same elements.
_STRICT = (
    (b"http://purl.oclc.org/ooxml/officeDocument/", _OFFICE.encode() + b"officeDocument/2006/"),
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", NAMESPACES["w"].encode()),
    (b"http://purl.oclc.org/ooxml/spreadsheetml/main", NAMESPACES["s"].encode()),
    (b"http://purl.oclc.org/ooxml/presentationml/main", NAMESPACES["p"].encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/", _OFFICE.encode() + b"drawingml/2006/"),
)
# What a value made of several words may be without being words that somebody typed.
_PLAIN_WORDS = re.compile(r"[a-z]{2,}[^\w]*\s[^\w]*[a-z]{2,}", re.I)


def name(tag: str) -> str:
    """Return the full name of a prefixed one.

    >>> name("xml:space")
    '{http://www.w3.org/XML/1998/namespace}space'
    """
    prefix, _, local = tag.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def names(prefix: str, locals_: str) -> frozenset[str]:
    """Return the full names of several elements of one namespace, given in one string."""
    return frozenset(f"{{{NAMESPACES[prefix]}}}{local}" for local in locals_.split())


_LIST_WORDS = frozenset(
    "article section chapter part appendix exhibit annex schedule item step clause page figure table note".split()
)


def is_list_label(text: str) -> bool:
    """Tell whether words before the number of a list item are usual ones; others were typed by somebody.

    >>> is_list_label("Article %1."), is_list_label("Kern %1.")
    (True, False)
    """
    return all(len(word) <= 2 or word.lower() in _LIST_WORDS for word in re.findall(r"[^\W\d_]+", text))


def parse(data: bytes) -> Any:
    """Return the root element; refuse document types and broken XML."""
    from lxml import etree

    if b"purl.oclc.org" in data:
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, AssertionError):
        # The parser's own message may quote the file.
        raise InputError("a part of the file is not well-formed XML") from None
    if root is None:
        raise InputError("a part of the file is empty")
    if root.getroottree().docinfo.internalDTD is not None:
        raise InputError("a part of the file declares a document type, which office files never do")
    return root


def serialize(root: Element) -> bytes:
    """Return the XML of a tree, without declarations of namespaces that it does not use."""
    from lxml import etree

    etree.cleanup_namespaces(root, keep_ns_prefixes=["wps", "wpg", "wpc", "r", "a"])
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def local(node: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(node.tag).rpartition("}")[2]


def elements(root: Element) -> Iterator[Element]:
    """Return all elements in document order as a list that survives changes of the tree."""
    return iter([node for node in root.iter() if isinstance(node.tag, str)])


def alive(node: Element, root: Element) -> bool:
    """Tell whether an element still hangs below the root."""
    return node is root or any(one is root for one in node.iterancestors())


def drop(root: Element, tags: Iterable[str]) -> int:
    """Remove all elements of these names; return how many there were."""
    found = list(root.iter(*tags))
    for node in found:
        take_out(node)
    return len(found)


def unwrap(node: Element) -> None:
    """Put the children of an element in its place."""
    parent = parent_of(node)
    at = parent.index(node)
    for child in list(node):
        parent.insert(at, child)
        at += 1
    parent.remove(node)


def drop_foreign(root: Element, known: frozenset[str] = _KNOWN) -> None:
    """Remove elements and attributes of namespaces that are not known, and settle alternative content."""
    from lxml import etree

    for node in list(root.iter(name("mc:AlternateContent"))):
        _settle(node)
    for node in list(root.iter(etree.Element)):
        if etree.QName(node).namespace not in known or local(node) == "extLst":
            if node is root:
                raise InputError("a part of the file has a root element that is not known")
            take_out(node)
            continue
        for attribute in [key for key in node.attrib if key.startswith("{") and key[1:].split("}")[0] not in known]:
            del node.attrib[attribute]
        for attribute in [key for key in node.attrib if key.startswith("{" + NAMESPACES["mc"])]:
            del node.attrib[attribute]


def _settle(node: Element) -> None:
    """Leave one of the alternatives: the first that is understood, else the fallback."""
    if node.getparent() is None:
        return
    choices = [c for c in node if c.tag == name("mc:Choice") and set((c.get("Requires") or "?").split()) <= _UNDERSTOOD]
    chosen = choices[0] if choices else next((c for c in node if c.tag == name("mc:Fallback")), None)
    if chosen is None:
        take_out(node)
        return
    for other in [c for c in node if c is not chosen]:
        node.remove(other)
    unwrap(chosen)
    unwrap(node)


_UNDERSTOOD = {"wps", "wpg", "wpc"}


def drop_words(root: Element) -> None:
    """Remove attributes of several words that no rule has named: they can only be words that somebody typed."""
    for node in root.iter():
        for key, value in node.attrib.items():
            if _PLAIN_WORDS.search(value) and key.rpartition("}")[2] not in _NO_WORDS:
                del node.attrib[key]


_NO_WORDS = frozenset(
    "fmla path style typeface ascii hAnsi cs eastAsia Requires coordsize coordorigin eqn adj uri formatCode "
    "font-family descr title alt string tooltip val name fontname embosscolor strokecolor fillcolor".split()
)


def read_attributes(flow: Flow, root: Element, texts: Mapping[str, tuple[PartKind, str]]) -> None:
    """Read the attributes that hold words people typed, given as `element@attribute` or `@attribute`."""
    for node in root.iter():
        if not isinstance(node.tag, str):
            continue
        for key, value in node.attrib.items():
            attribute = "@" + key.rpartition("}")[2]
            found = texts.get(local(node) + attribute) or texts.get(attribute)
            if found:
                flow.whole(value, Attribute((node,), key), *found)


def empty_unread(flow: Flow, root: Element, bare: re.Pattern[str], machine: Callable[[Element], bool]) -> int:
    """Empty every text of a tree that was not read; return how many there were.

    bare        texts without words, which may stay
    machine     tells elements whose text a program wrote
    """
    count = 0
    for node in root.iter():
        if node.text and not bare.fullmatch(node.text) and not machine(node) and not flow.holds(node):
            node.text = None
            count += 1
        if node.tail and not bare.fullmatch(node.tail) and not flow.holds(node, tail=True):
            node.tail = None
            count += 1
    return count
