"""PowerPoint presentations: slides (hidden ones too), notes, and what masters and layouts show."""

from __future__ import annotations

from collections.abc import Sequence

from tacenda.errors import InputError
from tacenda.formats.element import Element, parent_of
from tacenda.formats.flow import Flow
from tacenda.formats.office import drawing
from tacenda.formats.office.package import Kind, Package
from tacenda.formats.office.xml import name, names
from tacenda.model import Edit, Limits

_P = "application/vnd.openxmlformats-officedocument.presentationml."
_KINDS = {
    "presentation": Kind("ppt/presentation.xml", _P + "presentation.main+xml"),
    "slide": Kind("ppt/slides/slide{}.xml", _P + "slide+xml"),
    "slideLayout": Kind("ppt/slideLayouts/slideLayout{}.xml", _P + "slideLayout+xml"),
    "slideMaster": Kind("ppt/slideMasters/slideMaster{}.xml", _P + "slideMaster+xml"),
    "notesSlide": Kind("ppt/notesSlides/notesSlide{}.xml", _P + "notesSlide+xml"),
    "notesMaster": Kind("ppt/notesMasters/notesMaster{}.xml", _P + "notesMaster+xml"),
    "tableStyles": Kind("ppt/tableStyles.xml", _P + "tableStyles+xml"),
    **drawing.kinds("ppt"),
}
_PRESENTATION = names("p", "sldMasterIdLst notesMasterIdLst sldIdLst sldSz notesSz defaultTextStyle")
_PROMPTS = ("slideLayout", "slideMaster", "notesMaster")
_WORDS = {"slideLayout": "layout", "slideMaster": "master", "notesMaster": "master of notes"}


class Slides:
    """One presentation: its package, cleaned, and its flat text."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.package = Package(data, limits, "presentation", _KINDS)
        main = self.package.main.root
        if main.tag != name("p:presentation"):
            raise InputError("the main part of the file is not a PowerPoint presentation")
        self.flow = Flow(limits)
        self.dropped, self.unread = self.package.dropped, self.package.unread
        for child in [c for c in main if c.tag not in _PRESENTATION]:
            main.remove(child)
        for part in self.package.parts.values():
            if part.root is not None:
                self._clean(part.kind, part.root)
        self.package.settle_links()
        self._read()

    def fit(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits as they are: every one can be made."""
        return edits

    def save(self) -> bytes:
        """Return the bytes of the presentation as it now is."""
        return self.package.save()

    def _clean(self, kind: str, root: Element) -> None:
        drawing.clean(root)
        if kind == "chart":
            drawing.clean_chart(root)
        for timing in list(root.iter(name("p:timing"), name("p:transition"))):
            parent_of(timing).remove(timing)
            self.dropped["animation"] += 1
        if kind in _PROMPTS:
            # "Click to edit the title": shown to authors only.
            for shape in root.iter(name("p:sp")):
                if next(shape.iter(name("p:ph")), None) is not None:
                    for text in shape.iter(name("a:t")):
                        text.text = ""

    def _read(self) -> None:
        package, flow = self.package, self.flow
        order = [node.get(name("r:id")) for node in package.main.root.iter(name("p:sldId"))]
        links = package.main.links
        slides = [package.parts[links[key]] for key in order if key in links]
        for number, slide in enumerate(slides, 1):
            drawing.read_shapes(flow, slide.root, f"slide {number}")
            for source in slide.links.values():
                if package.parts[source].kind == "notesSlide":
                    drawing.read_shapes(flow, package.parts[source].root, f"notes of slide {number}")
        for kind, word in _WORDS.items():
            for number, part in enumerate(package.of(kind), 1):
                drawing.read_shapes(flow, part.root, f"{word} {number}")
        drawing.read_charts(flow, package)
        roots = [part.root for part in package.parts.values() if part.root is not None]
        drawing.read_words_in_attributes(flow, roots)
        package.read_uris(flow)
        for root in roots:
            self.dropped["text in an unknown place"] += drawing.scrub(flow, root)
