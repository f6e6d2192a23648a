"""Office files (OOXML and OpenDocument): one engine over the zip, with allow-listed parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacenda.formats.loaded import Loaded, OpenedTree
from tacenda.formats.residue import search
from tacenda.model import Limits, Reading

_ZIP = (b"PK\x03\x04",)


class _Office:
    """What the formats share: how they are opened and searched."""

    magic = _ZIP

    def open(self, data: bytes, reading: Reading) -> OpenedTree:
        """Open a whole file."""
        return OpenedTree(data, self._loader(), reading)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written file where one of these words still stands."""
        return search(data, words)

    def _loader(self) -> Callable[[bytes, Limits], Loaded]:
        raise NotImplementedError


class Docx(_Office):
    """Word documents."""

    name = "docx"
    suffixes = (".docx", ".dotx")

    def _loader(self) -> Callable[[bytes, Limits], Loaded]:
        from tacenda.formats.office.word import Word

        return Word


class Xlsx(_Office):
    """Excel workbooks."""

    name = "xlsx"
    suffixes = (".xlsx", ".xltx")

    def _loader(self) -> Callable[[bytes, Limits], Loaded]:
        from tacenda.formats.office.sheets import Workbook

        return Workbook


class Pptx(_Office):
    """PowerPoint presentations."""

    name = "pptx"
    suffixes = (".pptx", ".potx", ".ppsx")

    def _loader(self) -> Callable[[bytes, Limits], Loaded]:
        from tacenda.formats.office.slides import Slides

        return Slides


class Odt(_Office):
    """OpenDocument texts."""

    name = "odt"
    suffixes = (".odt", ".ott")

    def _loader(self) -> Callable[[bytes, Limits], Loaded]:
        from tacenda.formats.office.opendocument import TextDocument

        return TextDocument


class Ods(_Office):
    """OpenDocument spreadsheets."""

    name = "ods"
    suffixes = (".ods", ".ots")

    def _loader(self) -> Callable[[bytes, Limits], Loaded]:
        from tacenda.formats.office.opendocument import Spreadsheet

        return Spreadsheet
