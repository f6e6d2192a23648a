"""One PDF being read and written."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tacenda.errors import GuaranteeError, InputError, PlanError
from tacenda.formats.pdf import picture
from tacenda.formats.pdf.compose import Composer, Used, page_dictionary
from tacenda.formats.pdf.geometry import Area, join, overlap
from tacenda.formats.pdf.glyph_edits import removed, spans
from tacenda.formats.pdf.lines import PageText
from tacenda.formats.pdf.relay import edit_page
from tacenda.formats.pdf.second_reader import Checker, bare
from tacenda.formats.pdf.source import Link, Source
from tacenda.formats.pdf.unreadable import Unwritable
from tacenda.model import Box, Document, Edit, Part, PartKind, Reading
from tacenda.model.case import SEPARATOR

LINK_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of the text and what it comes from: a page, a link of a page, a bookmark."""

    start: int
    end: int
    kind: Literal["page", "link", "bookmark"]
    page: int = -1
    item: int = -1


class OpenedPdf:
    """Reads the text of a PDF and writes it anew with edits; keeps glyphs to itself."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self.source = Source(data, reading)
        self.reading = reading
        self.regions: list[Region] = []
        self._document: Document | None = None
        self.pictured: dict[int, str] = {}  # pages that became pictures in the last writing, and why
        self.changed: dict[int, list[Area]] = {}  # where pages look different after the last writing

    def read(self) -> Document:
        """Return the text with its parts; raise InputError where the file cannot be read safely."""
        if self._document is None:
            self.source.start_clock()
            try:
                self._document = self._read()
            except InputError:
                raise
            except Exception as error:  # any damage not foreseen: refuse, and say nothing of the content
                raise InputError(f"{self.source.name}: damaged, cannot be read ({type(error).__name__})") from None
        return self._document

    def _read(self) -> Document:
        source = self.source
        texts: list[str] = []
        parts: list[Part] = []
        at = 0

        def add(text: str, pieces: Sequence[tuple[int, int, PartKind, str]], where: str, region: Region) -> None:
            nonlocal at
            if texts:
                at += len(SEPARATOR)
            texts.append(text)
            parts.extend(Part(at + a, at + b, kind, where, column) for a, b, kind, column in pieces)
            self.regions.append(Region(at, at + len(text), region.kind, region.page, region.item))
            at += len(text)

        for n in range(len(source.pages)):
            _, text = source.page(n)
            add(text.text, text.parts, f"page {n + 1}", Region(0, 0, "page", n))
            for k, link in enumerate(source.links(n)):
                if link.uri:
                    uri = " ".join(link.uri.split())[:LINK_LENGTH]
                    add(uri, [(0, len(uri), "uri", "")], f"page {n + 1}, link {k + 1}", Region(0, 0, "link", n, k))
            if len(parts) > source.limits.parts:
                raise InputError(f"{source.name}: more than the limit of {source.limits.parts} paragraphs")
        for k, mark in enumerate(source.bookmarks()):
            add(mark.title, [(0, len(mark.title), "prose", "")], f"bookmark {k + 1}", Region(0, 0, "bookmark", item=k))
        return Document(
            text=SEPARATOR.join(texts),
            id=self.reading.name,
            parts=tuple(part for part in parts if part.end > part.start),
            unread=self._unread(),
            dropped=source.dropped(),
        )

    def _unread(self) -> tuple[str, ...]:
        source = self.source
        found = [f"page {n + 1}: {what} not read" for n, what in sorted(source.pictures.items())]
        found += [f"page {n + 1}: {k} glyphs without Unicode, left out" for n, k in sorted(source.blind.items())]
        found += [
            f"page {n + 1}: {k} words of uncertain recognition, left out" for n, k in sorted(source.unsure.items())
        ]
        return tuple(found)

    # places

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Return where a stretch of the text stands, one box for each line."""
        self.read()
        found: list[Box] = []
        for region in self._regions(start, end):
            if region.kind == "page":
                page, text = self.source.page(region.page)
                first, last = max(start, region.start) - region.start, min(end, region.end) - region.start
                lines: dict[int, list[Area]] = {}
                for i in range(first, last):
                    if text.places[i] >= 0:
                        lines.setdefault(text.line[i], []).append(page.glyphs[text.places[i]].box())
                found += [self._shown(region.page, join(areas)) for areas in lines.values()]
            elif region.kind == "link":
                found.append(self._shown(region.page, self.source.links(region.page)[region.item].box))
        return found

    def _regions(self, start: int, end: int) -> list[Region]:
        first = bisect_right(self.regions, start, key=lambda r: r.start) - 1
        return [r for r in self.regions[max(first, 0) :] if r.start < end and start < r.end]

    def _shown(self, n: int, area: Area) -> Box:
        """Return a box as seen on the displayed page, from its upper left corner."""
        left, bottom, right, top = self.source.box(n)
        x0, x1, y0, y1 = area[0] - left, area[2] - left, top - area[3], top - area[1]
        width, height = right - left, top - bottom
        turned = self.source.rotation(n)
        if turned == 90:
            x0, x1, y0, y1 = height - y1, height - y0, x0, x1
        elif turned == 180:
            x0, x1, y0, y1 = width - x1, width - x0, height - y1, height - y0
        elif turned == 270:
            x0, x1, y0, y1 = y0, y1, width - x1, width - x0
        return Box(n + 1, x0, y0, x1, y1)

    # writing

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the file with these edits made and nothing else left; raise GuaranteeError if it cannot be proved."""
        self.read()
        self.source.start_clock()
        shares = self._shares(edits)
        self.pictured = {}
        try:
            for attempt in range(3):
                data = self._compose(shares)
                failed = self._check(data, shares)
                if not failed:
                    return data
                if attempt == 2 or any(n in self.pictured for n in failed):
                    break
                self.pictured |= failed
        except (InputError, GuaranteeError):
            raise
        except Exception as error:  # whatever goes wrong: nothing is written
            raise GuaranteeError(f"{self.source.name}: cannot be written safely ({type(error).__name__})") from None
        first = min(failed)
        where = "the outline or links" if first < 0 else f"page {first + 1}"
        raise GuaranteeError(f"{self.source.name}: {where}: {failed[first]}; nothing was written")

    def draft(self, number: int, edits: Sequence[Edit]) -> bytes:
        """Return a page (numbered from 1) with its edits as a file of its own, unchecked.

        It shows a reviewer what the page will look like; what is released is written and checked as a whole.
        """
        import pikepdf

        self.read()
        self.source.start_clock()
        n = number - 1
        region = next(r for r in self.regions if r.kind == "page" and r.page == n)
        own = [(a - region.start, b - region.start, t) for a, b, t in edits if region.start <= a and b <= region.end]
        page, text = self.source.page(n)
        used = Used()
        used.count(page, removed(text, spans(text, own)) | {i for i, g in enumerate(page.glyphs) if g.hidden})
        target = pikepdf.Pdf.new()
        self.pictured = {}
        obj, _ = self._page(Composer(target, used, layout=self.reading.layout), n, own)
        target.pages.append(pikepdf.Page(obj))
        return _saved(target)

    def _shares(self, edits: Sequence[Edit]) -> dict[Region, list[Edit]]:
        shares: dict[Region, list[Edit]] = {}
        last = -1
        for start, end, text in sorted(edits):
            found = self._regions(start, max(end, start + 1))
            if start < last or len(found) != 1 or end > found[0].end:
                raise PlanError(f"{self.source.name}: an edit overlaps another or crosses the edge of a page")
            last = end
            region = found[0]
            shares.setdefault(region, []).append((start - region.start, end - region.start, text))
        return shares

    def _compose(self, shares: dict[Region, list[Edit]]) -> bytes:
        import pikepdf

        source, count = self.source, len(self.source.pages)
        by_page = {region.page: found for region, found in shares.items() if region.kind == "page"}
        used = Used()
        for n in range(count):
            page, text = source.page(n)
            gone = removed(text, spans(text, by_page.get(n, ())))
            used.count(page, gone | {i for i, g in enumerate(page.glyphs) if g.hidden})
        target = pikepdf.Pdf.new()
        composer = Composer(target, used, layout=self.reading.layout)
        lines: list[list[tuple[Area, Area]]] = []
        for n in range(count):
            source.tick()
            obj, moved = self._page(composer, n, by_page.get(n, []))
            target.pages.append(pikepdf.Page(obj))
            lines.append(moved)
        self._add_links(target, shares, lines)
        self._add_bookmarks(target, shares)
        _language(source.pdf, target)
        return _saved(target)

    def _page(self, composer: Composer, n: int, edits: Sequence[Edit]) -> tuple[Any, list[tuple[Area, Area]]]:
        """Return one page in the new file and the old and new boxes of the lines that changed on it."""
        import pikepdf

        source = self.source
        page, text = source.page(n)
        box = source.box(n)
        if n not in self.pictured:
            try:
                if any(g.stream < 0 for g in page.glyphs):
                    raise Unwritable("words read by optical recognition")
                edit = edit_page(page, text, edits, measure=composer.measure, width=box[0] + box[2])
                data, resources = composer.content(page, edit)
                unit = float(source.pages[n].get("/UserUnit", 1))
                obj = page_dictionary(
                    composer.target, box=box, rotate=source.rotation(n), unit=unit, data=data, resources=resources
                )
                group = source.pages[n].get("/Group")
                if isinstance(group, pikepdf.Dictionary):
                    obj.Group = composer.group(group)
                self.changed[n] = edit.touched
                return obj, edit.lines
            except Unwritable as problem:
                self.pictured[n] = str(problem)
            except InputError:
                raise
            except Exception as error:  # damaged objects surface anywhere: the picture needs none of them
                self.pictured[n] = f"damaged content ({type(error).__name__})"
        self.changed[n] = [box]
        made = picture.make(composer.target, source, n, page, text, edits, self.reading.layout)
        return made, _changed(text, edits)

    def _add_links(self, target: Any, shares: dict[Region, list[Edit]], lines: list[list[tuple[Area, Area]]]) -> None:
        """Keep links; on a line set anew the box of a link becomes the line's, because its own tells widths."""
        from pikepdf import Array, Dictionary, Name, String

        edits = {(r.page, r.item): found for r, found in shares.items() if r.kind == "link"}
        for n, page in enumerate(target.pages):
            made = Array()
            for k, link in enumerate(self.source.links(n)):
                uri = _edited(_uri(link), edits.get((n, k), []))
                if link.uri and not uri.strip():
                    continue
                box = next((new for old, new in lines[n] if overlap(link.box, old)), link.box)
                annotation = Dictionary(
                    Type=Name.Annot, Subtype=Name.Link, Rect=Array([round(v, 2) for v in box]), Border=Array([0, 0, 0])
                )
                if link.uri:
                    annotation.A = Dictionary(S=Name.URI, URI=String(uri))
                else:
                    annotation.Dest = Array([target.pages[link.page].obj, Name.Fit])
                made.append(target.make_indirect(annotation))
            if len(made):
                page.obj.Annots = made

    def _titles(self, shares: dict[Region, list[Edit]]) -> list[str]:
        edits = {r.item: found for r, found in shares.items() if r.kind == "bookmark"}
        return [_edited(mark.title, edits.get(k, [])) for k, mark in enumerate(self.source.bookmarks())]

    def _add_bookmarks(self, target: Any, shares: dict[Region, list[Edit]]) -> None:
        import pikepdf

        marks = self.source.bookmarks()
        if not marks:
            return
        with target.open_outline() as outline:
            levels: list[list[Any]] = [outline.root]
            for mark, title in zip(marks, self._titles(shares), strict=True):
                item = pikepdf.OutlineItem(title, mark.page if mark.page >= 0 else None, "Fit")
                del levels[max(1, min(mark.level + 1, len(levels))) :]
                levels[-1].append(item)
                levels.append(item.children)

    # the check

    def _check(self, data: bytes, shares: dict[Region, list[Edit]]) -> dict[int, str]:
        """Read what was written, twice, and compare it with what was promised; return pages that fail, and why."""
        by_page = {region.page: found for region, found in shares.items() if region.kind == "page"}
        reading = Reading(name=self.reading.name, ocr=self.reading.ocr, limits=self.reading.limits)
        try:
            again = OpenedPdf(data, reading)
            if len(again.source.pages) != len(self.source.pages):
                return {-1: "pages are missing"}
        except InputError:
            return {-1: "what was written cannot be opened"}
        failed: dict[int, str] = {}
        with Checker(self.source.data, self.reading.password, data) as checker:
            for n in range(len(self.source.pages)):
                self.source.tick()
                _, text = self.source.page(n)
                promised = _edited(text.text, by_page.get(n, []))
                try:
                    got = again.source.page(n)[1].text
                except InputError:
                    failed[n] = "what was written cannot be read again"
                    continue
                if bare(got) != bare(promised):
                    failed[n] = "what was written reads differently from the plan"
                elif not checker.agrees(n, text.text, promised, _edited(text.text, _apart(by_page.get(n, [])))):
                    failed[n] = "another reader does not see what was promised"
        titles = [mark.title for mark in again.source.bookmarks()]
        if [bare(t) for t in titles] != [bare(t) for t in self._titles(shares)]:
            failed[-1] = "the outline reads differently from the plan"
        return failed


def _edited(text: str, edits: Sequence[Edit]) -> str:
    pieces, at = [], 0
    for start, end, replacement in sorted(edits):
        pieces += [text[at:start], replacement]
        at = end
    return "".join((*pieces, text[at:]))


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    return [(start, end, f" {new} ") for start, end, new in edits]


def _uri(link: Link) -> str:
    return " ".join(link.uri.split())[:LINK_LENGTH]


def _changed(text: PageText, edits: Sequence[Edit]) -> list[tuple[Area, Area]]:
    gone = removed(text, spans(text, edits))
    lines = [line for line in text.lines if gone.intersection(line.places)]
    return [(line.box, line.box) for line in lines]


def _language(source: Any, target: Any) -> None:
    """Keep the language of the document if it is a plain tag."""
    import re

    import pikepdf

    tag = source.Root.get("/Lang")
    if isinstance(tag, pikepdf.String) and re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z]{2,4})?", str(tag)):
        target.Root.Lang = pikepdf.String(str(tag))


def _saved(target: Any) -> bytes:
    import pikepdf

    if "/Info" in target.trailer:
        del target.trailer["/Info"]
    out = io.BytesIO()
    target.save(
        out,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
        deterministic_id=True,
        fix_metadata_version=False,
        force_version="1.7",
    )
    return out.getvalue()
