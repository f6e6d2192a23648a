"""What leaves an OpenDocument file before it is read: changes, remarks, scripts, objects, names of things."""

from __future__ import annotations

import re
from collections import Counter

from tacenda.formats.element import Element
from tacenda.formats.flow import Flow, take_out
from tacenda.formats.office.xml import drop_foreign, empty_unread, is_list_label, local

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES = {
    **{prefix: f"{_ODF}{word}:1.0" for prefix, word in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("style", "style"),
        ("number", "datastyle"), ("dr3d", "dr3d"), ("svg", "svg-compatible"), ("fo", "xsl-fo-compatible"),
    )},
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
}  # fmt: skip


def name(tag: str) -> str:
    """Return the full name of a prefixed one."""
    prefix, _, local_name = tag.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local_name}"


_COUNTED = {
    "office:annotation": "comment",
    "text:tracked-changes": "record of changes",
    "table:tracked-changes": "record of changes",
    "office:forms": "set of forms",
    "draw:object": "embedded object",
    "draw:object-ole": "embedded object",
    "draw:plugin": "media file",
    "table:content-validations": "set of data validations",
    "table:named-expressions": "set of names",
    "table:data-pilot-tables": "pivot table",
    "table:dde-links": "link to another file",
}
_DROPPED = (
    "office:annotation-end office:scripts office:event-listeners office:dde-source draw:applet "
    "draw:floating-frame draw:control draw:param text:change text:change-start text:change-end text:bookmark "
    "text:bookmark-start text:bookmark-end text:reference-mark text:reference-mark-start text:reference-mark-end "
    "text:soft-page-break text:toc-mark text:toc-mark-start text:toc-mark-end text:alphabetical-index-mark "
    "text:alphabetical-index-mark-start text:alphabetical-index-mark-end text:user-index-mark "
    "text:user-index-mark-start text:user-index-mark-end text:variable-decls text:sequence-decls "
    "text:user-field-decls text:dde-connection-decls text:section-source text:hidden-text "
    "text:alphabetical-index-auto-mark-file text:meta table:database-ranges table:label-ranges table:scenario "
    "table:detective table:table-source table:cell-range-source table:consolidation table:dde-link "
    "table:calculation-settings table:protection text:index-source-styles style:presentation-page-layout"
).split()
SHOWN_FIELDS = frozenset(
    map(name, "text:page-number text:page-count text:span text:a text:note text:ruby text:ruby-base draw:a".split())
)
_INLINE_KEPT = SHOWN_FIELDS | set(
    map(name, "text:s text:tab text:line-break text:note-body text:ruby-text text:number text:note-citation".split())
)
_BLOCKS_IN_PARAGRAPHS = ("frame", "text-box", "custom-shape", "p", "h", "list", "list-item", "table", "section")
_ATTRIBUTES = re.compile(
    r"formula|string-value|formatted-text|protection-key.*|print-ranges|print|content-validation-name|"
    r"cond-style-name|name-and-extension|author|creator|condition|database-name|table-type|column-name|"
    r"target-frame-name|title|actuate|show|filter-name|display-name|html-anchor|citation|label|dde-.*|user-name|"
    r"iterator|bookmark-name|ref-name|reference-name|note|volatile|matrix-.*|group-name|class-id|script|continue-list|"
    r"linked-cell|end-cell-address|end-x|end-y|[a-z-]*cell-range[a-z-]*|base-cell-address|"  # these name sheets
    r"copy-of|chain-next-name|connection-name|description|default-value|current-value"
)
_KEPT_ID = re.compile(r"[a-z]{1,6}\d{1,20}")
_AUTOMATIC = re.compile(r"[A-Za-z]{1,4}\d{1,6}([A-Z]\d*)?|[A-Za-z]+\d+\.[A-Z]?\d*")
_BUILT_IN = re.compile(
    r"Standard|Default|Heading(_20_(\d|10))?|Text_20_body(_20_indent)?|Title|Subtitle|Caption|List|Index|Header|Footer|"
    r"Header_20_and_20_Footer|Footnote(_20_(Symbol|anchor))?|Endnote(_20_(Symbol|anchor))?|Table_20_(Contents|Heading)|"
    r"Graphics|Frame|Frame_20_contents|Internet_20_link|Visited_20_Internet_20_Link|Numbering_20_Symbols|Quotations|"
    r"Bullet_20_Symbols|Preformatted_20_Text|Horizontal_20_Line|First_20_Page|Result\d?|Accent(_20_\d)?|Good|Bad|Neutral"
)


def clean(root: Element) -> Counter[str]:
    """Remove what nobody sees and what tells who made the file; return what was left out."""
    counts: Counter[str] = Counter()
    for tag, what in _COUNTED.items():
        for node in list(root.iter(name(tag))):
            take_out(node)
            counts[what] += 1
    for node in list(root.iter(*map(name, _DROPPED))):
        take_out(node)
    for node in list(root.iter("{*}master-page", "{*}body")):
        for control in list(node.iter(name("draw:control"))):
            take_out(control)
    drop_foreign(root, frozenset(NAMESPACES.values()))
    _settle_fields(root)
    _clean_attributes(root)
    return counts


def _settle_fields(root: Element) -> None:
    """Turn fields into the text they show, and links inside the file into plain text."""
    span = name("text:span")
    for paragraph in list(root.iter(name("text:p"), name("text:h"))):
        for node in list(paragraph.iter()):
            tag = node.tag
            if node is paragraph or not tag.startswith("{" + NAMESPACES["text"]):
                continue
            inside = tag == name("text:a") and (node.get(name("xlink:href")) or "#").startswith("#")
            if inside or (tag not in _INLINE_KEPT and local(node) not in _BLOCKS_IN_PARAGRAPHS):
                node.tag = span
                node.attrib.clear()
        for node in paragraph.iter():
            _collapse(node, paragraph)


def _collapse(node: Element, paragraph: Element) -> None:
    if node.text and re.search(r"[\t\r\n]|  ", node.text):
        node.text = re.sub(r"[ \t\r\n]+", " ", node.text)
    if node is not paragraph and node.tail and re.search(r"[\t\r\n]|  ", node.tail):
        node.tail = re.sub(r"[ \t\r\n]+", " ", node.tail)


def _clean_attributes(root: Element) -> None:
    numbers: Counter[str] = Counter()
    for node in root.iter():
        for key in list(node.attrib):
            word = key.rpartition("}")[2]
            if _ATTRIBUTES.fullmatch(word) or (word == "id" and not _KEPT_ID.fullmatch(node.get(key))):
                del node.attrib[key]
            elif word in ("num-prefix", "num-suffix") and not is_list_label(node.get(key)):
                node.set(key, "")
            elif key in (name("text:name"), name("draw:name"), name("table:name")) and not _is_sheet_or_style(node):
                numbers[word] += 1
                node.set(key, f"Object {len(numbers)}.{numbers[word]}")
        if local(node) in ("a", "frame") and node.get(name("office:name")) is not None:
            del node.attrib[name("office:name")]
        if local(node) == "a" and not (node.get(name("xlink:href")) or ""):
            node.set(name("xlink:href"), "about:blank")


def _is_sheet_or_style(node: Element) -> bool:
    parent = node.getparent()
    return parent is not None and local(parent) in ("spreadsheet", "styles", "automatic-styles")


_STYLE_PLACES = ("styles", "automatic-styles", "master-styles")
_STYLE_WORDS = ("stroke-dash", "marker-start", "marker-end")


def rename_styles(roots: list[Element]) -> None:
    """Number the styles that somebody named."""
    new: dict[str, str] = {}
    definitions = []
    for root in roots:
        for node in root.iter():
            parent = node.getparent()
            place = local(parent) if parent is not None else ""
            key = name("style:name") if name("style:name") in node.attrib else name("draw:name")
            if (
                local(node) != "font-face"
                and key in node.attrib
                and place in ("styles", "automatic-styles", "master-styles")
            ):
                definitions.append((node, key))
    for node, key in definitions:
        old = node.get(key)
        if not (_AUTOMATIC.fullmatch(old) or _BUILT_IN.fullmatch(old)):
            new.setdefault(old, f"Style{len(new) + 1}")
        node.set(key, new.get(old, old))
    for root in roots:
        for node in root.iter():
            for key, value in node.attrib.items():
                if value in new and (key.endswith("-name") or key.rpartition("}")[2] in _STYLE_WORDS):
                    node.set(key, new[value])
    # References to styles that are nowhere defined are words without a use.
    known = {node.get(key) for node, key in definitions}
    for root in roots:
        for node in root.iter():
            for key in [k for k in node.attrib if k.endswith("style-name") and node.get(k) not in known]:
                if not _BUILT_IN.fullmatch(node.get(key)):
                    del node.attrib[key]


_BARE = re.compile(r"[\W\d_]*")


def scrub(flow: Flow, root: Element) -> int:
    """Empty every text that was not read, unless a format of numbers needs it; return how many there were."""
    return empty_unread(flow, root, _BARE, _is_machine_text)


def _is_machine_text(node: Element) -> bool:
    return local(node) in ("text", "currency-symbol", "note-citation") and len(node.text or "") <= 4
