"""The parts of an OOXML file: a graph of relationships, walked from its root along allow-listed kinds only.

What the walk does not reach is not written. Every part and relationship gets a new name, because people write names
there too; pictures lose their metadata.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from tacenda.errors import InputError
from tacenda.formats.element import Element
from tacenda.formats.flow import Clock, Flow, take_out
from tacenda.formats.office import pictures
from tacenda.formats.office.archive import pack, unpack
from tacenda.formats.office.xml import NAMESPACES, name, parse, serialize, unwrap
from tacenda.model import Limits

_R = "{" + NAMESPACES["r"] + "}"
_REL = NAMESPACES["rel"]
_CT = NAMESPACES["ct"]
_TYPES = NAMESPACES["r"]
_RELATIONSHIPS = "application/vnd.openxmlformats-package.relationships+xml"
_MACROS = ("vbaproject", "macroenabled", "activex", "xlmacro", "macrosheet")
_SAFE = "/:?#@!$&'()*+,;=~"
_NO_TARGET = "about:blank"
# What a relationship that is not followed is called in the notes.
_WORDS = {
    "comments": "comment part",
    "customXml": "custom XML part",
    "oleObject": "embedded object",
    "package": "embedded file",
    "attachedTemplate": "link to a template",
    "glossaryDocument": "glossary",
    "pivotTable": "pivot table",
    "pivotCacheDefinition": "pivot cache",
    "externalLink": "link to another workbook",
    "externalLinkPath": "link to another workbook",
    "aFChunk": "imported document",
    "video": "video",
    "audio": "sound",
    "media": "media file",
    "printerSettings": "printer setting",
    "font": "embedded font",
    "subDocument": "link to a subdocument",
    "core-properties": "set of properties",
    "extended-properties": "set of properties",
    "custom-properties": "set of properties",
    "thumbnail": "thumbnail",
    "image": "linked picture",
}
_QUIET = frozenset(
    "sharedStrings calcChain fontTable webSettings stylesWithEffects chartStyle chartColorStyle presProps viewProps "
    "vmlDrawing people commentAuthors customXmlProps slideUpdateInfo settings commentsExtended commentsIds "
    "commentsExtensible sheetMetadata".split()
)


@dataclass(frozen=True)
class Kind:
    """A kind of relationship that is followed: what its target is called and which content type it has."""

    path: str  # with {} for a number
    content_type: str


@dataclass
class OfficePart:
    """One part: XML (`root`) or a picture (`data`), and where its relationships lead."""

    kind: str
    source: str
    name: str
    content_type: str
    root: Any = None  # an Element; nothing for a picture
    data: bytes = b""
    links: dict[str, str] = field(default_factory=dict)  # relationship -> name of another part
    uris: dict[str, str] = field(default_factory=dict)  # relationship -> address outside


@dataclass
class Uri:
    """An address outside; read without its percent signs, so that a name in it is seen."""

    part: OfficePart
    relationship: str

    def set(self, value: str) -> None:
        """Put another address in its place."""
        self.part.uris[self.relationship] = quote(value, safe=_SAFE) if value else _NO_TARGET


class Package:
    """All parts that may leave, in the order they were reached."""

    def __init__(self, data: bytes, limits: Limits, main: str, kinds: Mapping[str, Kind]) -> None:
        self._entries = unpack(data, limits)
        self._kinds = {**kinds, "officeDocument": kinds[main]}
        self._clock = Clock(limits)
        self._numbers: Counter[str] = Counter()
        self._lower = {entry.lower(): entry for entry in self._entries}
        self.dropped: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self.parts: dict[str, OfficePart] = {}  # by the name in the source
        self._read_types()
        self.main = self._walk()
        self._entries.clear()

    def _read_types(self) -> None:
        if "[Content_Types].xml" not in self._entries:
            raise InputError("the archive is not an office file: [Content_Types].xml is missing")
        types = parse(self._entries["[Content_Types].xml"])
        declared = [(t.get("ContentType") or "").lower() for t in types.iter("{*}Override", "{*}Default")]
        if any(word in value for word in _MACROS for value in declared + list(self._lower)):
            raise InputError("the file contains macros or active content: save it without them first")

    def _walk(self) -> OfficePart:
        main: OfficePart | None = None
        for kind, target, _, external in self._relationships(""):
            if kind == "officeDocument" and not external and main is None:
                main = self._part(kind, target)
            elif kind != "officeDocument":
                self.dropped[_WORDS.get(kind, "part of another kind")] += 1
        if main is None:
            raise InputError("the archive is not an office file: it has no main document")
        waiting = [main]
        while waiting:
            self._clock.check()
            waiting += self._follow(waiting.pop(0))
        return main

    def _follow(self, part: OfficePart) -> list[OfficePart]:
        found = []
        for kind, target, key, external in self._relationships(part.source):
            if external:
                if kind == "hyperlink":
                    part.uris[key] = target
                else:
                    self.dropped[_WORDS.get(kind, "link to a file outside")] += 1
            elif kind in self._kinds and target.lower() in self._lower:
                new = target not in self.parts
                part.links[key] = self._part(kind, target).source
                found += [self.parts[target]] if new else []
            elif kind not in _QUIET:
                self.dropped[_WORDS.get(kind, "part of another kind")] += 1
        return found

    def _relationships(self, source: str) -> list[tuple[str, str, str, bool]]:
        folder, file = posixpath.split(source)
        entry = self._lower.get(posixpath.join(folder, "_rels", file + ".rels").lower())
        if entry is None:
            return []
        found = []
        for node in parse(self._entries[entry]).iter("{*}Relationship"):
            kind = (node.get("Type") or "").rpartition("/")[2]
            target, external = node.get("Target") or "", node.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")
                target = self._lower.get(target.lower(), target)
            found.append((kind, target, node.get("Id") or "", external))
        return found

    def _part(self, kind: str, source: str) -> OfficePart:
        if source in self.parts:
            return self.parts[source]
        if source not in self._entries:
            raise InputError("the main document of the file is missing")
        rule = self._kinds[kind]
        part = OfficePart(kind, source, "", rule.content_type)
        if kind == "image":
            self._read_picture(part)
        else:
            part.root = parse(self._entries[source])
        ending = part.content_type.rpartition("/")[2] if kind == "image" else ""
        self._numbers[rule.path] += 1
        part.name = rule.path.format(self._numbers[rule.path]) + (f".{ending}" if ending else "")
        self.parts[source] = part
        return part

    def _read_picture(self, part: OfficePart) -> None:
        picture = pictures.cleaned(self._entries[part.source])
        if picture is None:
            self.dropped["picture of a kind that cannot be cleaned"] += 1
            picture = pictures.BLANK, "png"
        else:
            self.unread["picture"] += picture[0] != pictures.BLANK
        part.data, part.content_type = picture[0], "image/" + picture[1]

    def of(self, *kinds: str) -> list[OfficePart]:
        """Return the parts of these kinds."""
        return [part for part in self.parts.values() if part.kind in kinds]

    def settle_links(self) -> None:
        """Drop references to what does not leave, and relationships that nothing refers to."""
        for part in self.parts.values():
            if part.root is None:
                continue
            used = set()
            for node in list(part.root.iter()):
                for key in [k for k in node.attrib if k.startswith(_R)]:
                    if node.get(key) in part.links or node.get(key) in part.uris:
                        used.add(node.get(key))
                    else:
                        _unlink(node, key)
            implicit = {key for key, source in part.links.items() if self.parts[source].kind in _IMPLICIT}
            part.links = {key: value for key, value in part.links.items() if key in used | implicit}
            part.uris = {key: value for key, value in part.uris.items() if key in used}

    def read_uris(self, flow: Flow) -> None:
        """Read every address outside as a part of its own."""
        for part in self.parts.values():
            for number, (key, target) in enumerate(part.uris.items(), 1):
                text = "" if target == _NO_TARGET else unquote(target)
                flow.whole(text, Uri(part, key), "uri", f"link {number} of {part.name.rpartition('/')[2]}")

    def save(self) -> bytes:
        """Return the archive of all parts, with new relationships and types."""
        # Imported late: lxml is an extra.
        from lxml import etree

        entries: dict[str, bytes] = {}
        types = etree.Element(f"{{{_CT}}}Types", nsmap={None: _CT})
        for ending, kind in (
            ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
            ("xml", "application/xml"),
        ):
            etree.SubElement(types, f"{{{_CT}}}Default", Extension=ending, ContentType=kind)
        for part in sorted(self._reached(), key=lambda p: p.name):
            entries |= self._saved(part)
            etree.SubElement(types, f"{{{_CT}}}Override", PartName="/" + part.name, ContentType=part.content_type)
        root = etree.Element(f"{{{_REL}}}Relationships", nsmap={None: _REL})
        _relate(root, "rId1", "officeDocument", self.main.name)
        entries["_rels/.rels"] = serialize(root)
        entries["[Content_Types].xml"] = serialize(types)
        return pack(entries)

    def _reached(self) -> list[OfficePart]:
        reached, waiting = {self.main.source}, [self.main]
        while waiting:
            for source in waiting.pop().links.values():
                if source not in reached:
                    reached.add(source)
                    waiting.append(self.parts[source])
        return [part for part in self.parts.values() if part.source in reached]

    def _saved(self, part: OfficePart) -> dict[str, bytes]:
        from lxml import etree

        if part.root is None:
            return {part.name: part.data}
        new = {key: f"rId{number}" for number, key in enumerate((*part.links, *part.uris), 1)}
        for node in part.root.iter():
            for key in [k for k in node.attrib if k.startswith(_R)]:
                node.set(key, new[node.get(key)])
        saved = {part.name: serialize(part.root)}
        if new:
            root = etree.Element(f"{{{_REL}}}Relationships", nsmap={None: _REL})
            folder, file = posixpath.split(part.name)
            for key, source in part.links.items():
                target = self.parts[source]
                kind = "officeDocument" if target is self.main else target.kind
                _relate(root, new[key], kind, posixpath.relpath(target.name, folder))
            for key, target_uri in part.uris.items():
                _relate(root, new[key], "hyperlink", target_uri).set("TargetMode", "External")
            saved[f"{folder}/_rels/{file}.rels"] = serialize(root)
        return saved


# Parts that belong to another one without an attribute that says so.
_IMPLICIT = frozenset(
    "styles theme settings numbering footnotes endnotes notesSlide slideLayout slideMaster notesMaster slide "
    "tableStyles diagramDrawing table".split()
)
_MICROSOFT = {"diagramDrawing": "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing"}


def _relate(root: Element, key: str, kind: str, target: str) -> Any:
    from lxml import etree

    return etree.SubElement(
        root, f"{{{_REL}}}Relationship", Id=key, Type=_MICROSOFT.get(kind, f"{_TYPES}/{kind}"), Target=target
    )


def _unlink(node: Element, key: str) -> None:
    """Remove a reference that leads nowhere, with the element where it is nothing without it."""
    if node.tag == name("w:hyperlink"):
        del node.attrib[key]
        if name("w:anchor") not in node.attrib:
            unwrap(node)
    elif node.tag in (name("a:blip"), name("v:imagedata"), name("v:fill"), name("w:sectPr")):
        del node.attrib[key]
    else:
        take_out(node)
