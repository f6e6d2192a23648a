"""A PDF as it was given: opened within limits, its pages read one at a time, and what hangs beside the pages."""

from __future__ import annotations

import io
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Any

from tacenda.errors import InputError
from tacenda.formats.pdf import ocr
from tacenda.formats.pdf.content import Walker
from tacenda.formats.pdf.fonts import Font
from tacenda.formats.pdf.geometry import IDENTITY, Area, mapped, matrix, number, rectangle
from tacenda.formats.pdf.glyphs import Page
from tacenda.formats.pdf.legible import blind_glyphs, unread_pictures, words_around
from tacenda.formats.pdf.lines import PageText, arrange
from tacenda.formats.pdf.unreadable import Unreadable
from tacenda.model import Reading

LETTER: Area = (0.0, 0.0, 612.0, 792.0)
KEPT_PAGES = 24  # walked pages that are held for the next step
BLIND_SHARE = 0.02  # of the glyphs of a page that may be unreadable; they are left out, with the words they stand in
DRAWN_SHAPES = 100  # on a page without text from which they may be letters
SHOWN = frozenset(
    "Widget FreeText Stamp Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Ink Caret".split()
)
METADATA = ("block of metadata", "blocks of metadata")
TAGS = ("tree of tags", "trees of tags")
LAYERS = ("list of layers", "lists of layers")
FILES = ("set of attached files", "sets of attached files")
SCRIPTS = ("set of scripts", "sets of scripts")
ACTION = ("action", "actions")
PRIVATE = ("record of a program", "records of a program")
THUMBNAIL = ("thumbnail", "thumbnails")
NOTES = frozenset(("Text", "Popup", "FileAttachment", "Redact", "Sound", "Movie", "Screen", "RichMedia", "3D"))


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: an address, or another page of the file."""

    box: Area
    uri: str = ""
    page: int = -1


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline."""

    title: str
    page: int
    level: int


class Source:
    """An open file. Pages are walked when they are needed, and a few are kept."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self.data, self.reading, self.limits = data, reading, reading.limits
        self.name = reading.name or "the file"
        self.start_clock()
        self.pdf = self._open()
        try:
            self.pages = [page.obj for page in self.pdf.pages]
        except Exception as error:
            raise InputError(f"{self.name}: the tree of pages is damaged") from error
        if not self.pages:
            raise InputError(f"{self.name}: the PDF has no pages")
        if len(self.pages) > self.limits.pages:
            raise InputError(f"{self.name}: {len(self.pages)} pages, more than the limit of {self.limits.pages}")
        self.numbers = {obj.objgen: n for n, obj in enumerate(self.pages)}
        self.fonts: dict[Any, Font | Unreadable] = {}
        self.layers_off = _layers_off(self.pdf)
        self._walked: OrderedDict[int, tuple[Page, PageText]] = OrderedDict()
        self.pictures: dict[int, str] = {}  # page -> what is not read of its pictures
        self.blind: dict[int, int] = {}  # page -> glyphs that were left out
        self.unsure: dict[int, int] = {}  # page -> recognized words that were left out

    def start_clock(self) -> None:
        """Begin to count the seconds that reading or writing may take."""
        self.deadline = time.monotonic() + self.limits.seconds

    def tick(self) -> None:
        """Stop when the time is up."""
        if time.monotonic() > self.deadline:
            raise InputError(f"{self.name}: exceeded the time limit of {self.limits.seconds:g} seconds")

    def _open(self) -> Any:
        import pikepdf

        limits = self.limits
        if len(self.data) > limits.size:
            raise InputError(f"{self.name}: {len(self.data)} bytes, more than the limit of {limits.size}")
        most = min(limits.expanded, 2**31 - 1)
        pikepdf.settings.set_qpdf_limits(
            flate_max_memory=most, png_max_memory=most, tiff_max_memory=most, run_length_max_memory=most,
            dct_max_memory=most, parser_max_nesting=100, parser_max_errors=0,
        )  # fmt: skip
        try:
            return pikepdf.open(io.BytesIO(self.data), password=self.reading.password)
        except pikepdf.PasswordError as error:
            told = "the password is wrong" if self.reading.password else "encrypted; its password is needed"
            raise InputError(f"{self.name}: {told}") from error
        except Exception as error:
            raise InputError(f"{self.name}: not a PDF that can be opened") from error

    # pages

    def page(self, n: int) -> tuple[Page, PageText]:
        """Return a page, walked, and its text; raise InputError if it cannot be read with certainty."""
        if n in self._walked:
            self._walked.move_to_end(n)
            return self._walked[n]
        try:
            found = self._walk(n)
        except InputError:
            raise
        except Unreadable as error:
            raise InputError(f"{self.name}: page {n + 1} cannot be read: {error}") from error
        except RecursionError as error:
            raise InputError(f"{self.name}: page {n + 1} is nested too deeply") from error
        self._walked[n] = found
        while len(self._walked) > KEPT_PAGES:
            self._walked.popitem(last=False)
        return found

    def _walk(self, n: int) -> tuple[Page, PageText]:
        import pikepdf

        obj = self.pages[n]
        page = Page(n + 1)
        resources = obj.get("/Resources")
        walker = Walker(page, fonts=self.fonts, layers_off=self.layers_off, tick=self.tick)
        more = self._appearances(page, obj)
        walker.run(obj, resources if isinstance(resources, pikepdf.Dictionary) else pikepdf.Dictionary(), more=more)
        text = arrange(page)
        return self._readable(n, page, text)

    def _readable(self, n: int, page: Page, text: PageText) -> tuple[Page, PageText]:
        """Make sure that all of a page is read, by recognition where that is allowed; else refuse."""
        blind = blind_glyphs(page, text)
        seen = sum(not g.hidden for g in page.glyphs)
        unread = unread_pictures(page, self.box(n))
        why = ""
        if page.lost:
            why = ", ".join(sorted(page.lost))
        elif len(blind) > max(3, BLIND_SHARE * seen):
            why = f"{len(blind)} glyphs without Unicode"
        elif unread and not text.text.strip():
            why = "a picture without text, such as a scan"
        drawn = len(page.paths) if not page.glyphs and len(page.paths) > DRAWN_SHAPES else 0
        if why and not self.reading.ocr:
            raise InputError(
                f"{self.name}: page {n + 1} cannot be read: {why}. "
                "What cannot be read cannot be hidden; allow optical character recognition"
            )
        if (why or unread or drawn) and self.reading.ocr:
            areas = [mark.box for mark in unread] if unread and not why else [self.box(n)]
            page, found = ocr.read(self, n, page, areas, instead=bool(why)), page
            if why or len(page.glyphs) > len(found.glyphs):
                unsure = sum(g.hidden and g.stream < 0 for g in page.glyphs)
                self.unsure |= {n: unsure} if unsure else {}
                return page, arrange(page)
            page, unread, drawn = found, [], 0  # pictures without words
        if blind:
            for i in words_around(text, set(blind)):
                page.glyphs[i].hidden = True
            self.blind[n] = len(blind)
            text = arrange(page)
        if unread or drawn:
            told = f"{len(unread)} picture" + "s" * (len(unread) > 1)
            self.pictures[n] = told if unread else f"{drawn} drawn shapes without text"
        return page, text

    def box(self, n: int) -> Area:
        """Return the visible box of a page; inherited ones count too."""
        page = self.pages[n]
        media = rectangle(_inherited(page, "/MediaBox")) or LETTER
        crop = rectangle(_inherited(page, "/CropBox")) or media
        box = (max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3]))
        return box if box[2] - box[0] > 1 and box[3] - box[1] > 1 else LETTER

    def rotation(self, n: int) -> int:
        """Return by how many degrees a page is turned for display."""
        return int(number(_inherited(self.pages[n], "/Rotate"))) // 90 * 90 % 360

    def _appearances(self, page: Page, obj: Any) -> list[Any]:
        """Return operators that paint the annotations one sees, so that they are read and written as content."""
        import pikepdf

        found: list[Any] = []
        for annotation in _annotations(obj):
            look = _appearance(annotation)
            place = rectangle(annotation.get("/Rect"))
            if look is None or place is None or str(annotation.get("/Subtype", "/"))[1:] not in SHOWN:
                continue
            form = mapped(matrix(look.get("/Matrix", IDENTITY)), rectangle(look.get("/BBox")) or (0, 0, 1, 1))
            if form[2] - form[0] < 1e-6 or form[3] - form[1] < 1e-6:
                continue
            sx, sy = (place[2] - place[0]) / (form[2] - form[0]), (place[3] - place[1]) / (form[3] - form[1])
            name = f"/Annotation{len(page.extra)}"
            page.extra[name] = look
            if str(look.get("/Subtype", "")) != "/Form":
                look.Subtype = pikepdf.Name.Form
            to = [sx, 0, 0, sy, place[0] - form[0] * sx, place[1] - form[1] * sy]
            for operands, op in (([], "q"), (to, "cm"), ([pikepdf.Name(name)], "Do"), ([], "Q")):
                found.append(pikepdf.ContentStreamInstruction(operands, pikepdf.Operator(op)))
        return found

    # beside the pages

    def links(self, n: int) -> list[Link]:
        """Return the links of a page."""
        import pikepdf

        found = []
        for annotation in _annotations(self.pages[n]):
            box = rectangle(annotation.get("/Rect"))
            if str(annotation.get("/Subtype", "")) != "/Link" or box is None:
                continue
            action = annotation.get("/A")
            action = action if isinstance(action, pikepdf.Dictionary) else pikepdf.Dictionary()
            if isinstance(action.get("/URI"), pikepdf.String):
                found.append(Link(box, uri=str(action.URI)))
            else:
                page = self.destination(annotation.get("/Dest", action.get("/D")))
                if page >= 0:
                    found.append(Link(box, page=page))
        return found

    def destination(self, value: Any, depth: int = 0) -> int:
        """Return the page a destination leads to; -1 if it leads nowhere."""
        import pikepdf

        if isinstance(value, pikepdf.Dictionary):
            value = value.get("/D")
        if isinstance(value, pikepdf.Array) and len(value):
            target = value[0]
            return self.numbers.get(target.objgen, -1) if isinstance(target, pikepdf.Dictionary) else -1
        if isinstance(value, pikepdf.String | pikepdf.Name) and depth == 0:
            try:
                names = self.pdf.Root.get("/Names", {}).get("/Dests")
                if isinstance(value, pikepdf.Name) or names is None:
                    return self.destination(self.pdf.Root.get("/Dests", {}).get(f"/{str(value).lstrip('/')}"), 1)
                return self.destination(pikepdf.NameTree(names).get(str(value)), 1)
            except Exception:  # a damaged tree of names: the link leads nowhere
                return -1
        return -1

    def bookmarks(self) -> list[Bookmark]:
        """Return the outline, top down."""
        import pikepdf

        found, seen = list[Bookmark](), set[tuple[int, int]]()
        root = self.pdf.Root.get("/Outlines")
        stack = [(root.get("/First"), 0)] if isinstance(root, pikepdf.Dictionary) else []
        while stack and len(found) < 20_000:
            item, level = stack.pop()
            if not isinstance(item, pikepdf.Dictionary) or (item.is_indirect and item.objgen in seen):
                continue
            seen.add(item.objgen)
            action = item.get("/A")
            to = item.get("/Dest", action.get("/D") if isinstance(action, pikepdf.Dictionary) else None)
            title = item.get("/Title")
            if isinstance(title, pikepdf.String):
                found.append(Bookmark(" ".join(str(title).split()), self.destination(to), level))
            stack.append((item.get("/Next"), level))
            stack.append((item.get("/First"), level + 1))
        return found

    def dropped(self) -> tuple[str, ...]:
        """Count what the output leaves out, in words."""
        counts: Counter[tuple[str, str]] = Counter()
        root = self.pdf.Root
        for obj in self.pages:
            for annotation in _annotations(obj):
                kind = str(annotation.get("/Subtype", "/"))[1:]
                if kind in NOTES:
                    counts[("comment or attached note", "comments or attached notes")] += 1
                elif kind in SHOWN and _appearance(annotation) is None:
                    counts[("field or drawing that nothing shows", "fields or drawings that nothing shows")] += 1
                elif kind == "Widget":
                    counts[("form field (its look is kept)", "form fields (their look is kept)")] += 1
                    counts[("digital signature", "digital signatures")] += str(_inherited(annotation, "/FT")) == "/Sig"
                elif kind in SHOWN and "/Contents" in annotation:
                    counts[("note of a drawn annotation", "notes of drawn annotations")] += 1
            for key, word in (("/Thumb", THUMBNAIL), ("/PieceInfo", PRIVATE), ("/AA", ACTION)):
                counts[word] += key in obj
        names = root.get("/Names", {})
        for key, word in (("/EmbeddedFiles", FILES), ("/JavaScript", SCRIPTS)):
            counts[word] += key in names
        form = root.get("/AcroForm", {})
        for key, word in (
            ("/Metadata", METADATA), ("/StructTreeRoot", TAGS), ("/OpenAction", ACTION), ("/PieceInfo", PRIVATE),
            ("/OCProperties", LAYERS),
        ):  # fmt: skip
            counts[word] += key in root
        counts[("XFA form", "XFA forms")] += "/XFA" in form
        counts[METADATA] += "/Info" in self.pdf.trailer
        if self.layers_off:
            counts[("hidden layer", "hidden layers")] += len(self.layers_off)
        if self.pdf.is_encrypted:
            counts[("encryption", "encryptions")] += 1
        return tuple(f"{n} {one if n == 1 else many}" for (one, many), n in sorted(counts.items()) if n)


def _inherited(page: Any, key: str) -> Any:
    import pikepdf

    for _ in range(40):
        if not isinstance(page, pikepdf.Dictionary):
            return None
        if key in page:
            return page[key]
        page = page.get("/Parent")
    return None


def _annotations(page: Any) -> list[Any]:
    import pikepdf

    found = page.get("/Annots")
    return [a for a in found if isinstance(a, pikepdf.Dictionary)] if isinstance(found, pikepdf.Array) else []


def _appearance(annotation: Any) -> Any:
    """Return the form that shows an annotation; None if it is not shown."""
    import pikepdf

    if int(number(annotation.get("/F", 0))) & (2 | 32):  # hidden, no view
        return None
    table = annotation.get("/AP")
    look = table.get("/N") if isinstance(table, pikepdf.Dictionary) else None
    if isinstance(look, pikepdf.Dictionary) and not isinstance(look, pikepdf.Stream):
        look = look.get(str(annotation.get("/AS", "/Off")))
    return look if isinstance(look, pikepdf.Stream) else None


def _layers_off(pdf: Any) -> frozenset[tuple[int, int]]:
    import pikepdf

    table = pdf.Root.get("/OCProperties")
    if not isinstance(table, pikepdf.Dictionary):
        return frozenset()

    def groups(owner: Any, key: str) -> set[tuple[int, int]]:
        found = owner.get(key) if isinstance(owner, pikepdf.Dictionary) else None
        return (
            {g.objgen for g in found if isinstance(g, pikepdf.Dictionary)}
            if isinstance(found, pikepdf.Array)
            else set()
        )

    default = table.get("/D")
    off = groups(default, "/OFF")
    if isinstance(default, pikepdf.Dictionary) and str(default.get("/BaseState", "")) == "/OFF":
        off |= groups(table, "/OCGs") - groups(default, "/ON")
    return frozenset(off)
