"""The index file: magic, version, a header that names every section with its digest, then the sections.

    magic (8 bytes) | format version (u32) | header length (u32) | SHA-256 of the header | header (JSON) | sections

The header holds the SHA-256 of each section, so the digest of the header stands for the whole file. Opening
reads the header only. A section is checked when first read; the postings, which are read in pieces, carry
a CRC-32 for each block.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tacenda import term
from tacenda.errors import KnowledgeError

MAGIC = b"\x89TIX\r\n\x1a\n"
FORMAT = 1
_PREFIX = len(MAGIC) + 8 + 32


@dataclass(frozen=True)
class Section:
    """Where a section lies and what its bytes hash to."""

    offset: int
    length: int
    sha256: str


def write(target: BinaryIO, meta: Mapping[str, Any], sections: Mapping[str, Iterable[bytes]], spool: BinaryIO) -> str:
    """Write an index file and return its digest; section bytes pass through `spool` so that none is held whole."""
    table: dict[str, list[Any]] = {}
    offset = 0
    for name, pieces in sections.items():
        hashed = hashlib.sha256()
        length = 0
        for piece in pieces:
            hashed.update(piece)
            spool.write(piece)
            length += len(piece)
        table[name] = [offset, length, hashed.hexdigest()]
        offset += length
    header = json.dumps({"meta": dict(meta), "sections": table}, sort_keys=True, ensure_ascii=False).encode()
    digest = hashlib.sha256(header)
    target.write(MAGIC + FORMAT.to_bytes(4, "little") + len(header).to_bytes(4, "little") + digest.digest() + header)
    spool.seek(0)
    while piece := spool.read(1 << 20):
        target.write(piece)
    return digest.hexdigest()


class File:
    """An index file, memory-mapped: its meta data, its digest, and its sections on demand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as handle:
                size = os.fstat(handle.fileno()).st_size
                start = handle.read(_PREFIX)
                header = self._header(start, handle, size)
                self._map = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            message = f"index {path}: cannot be read ({error.strerror}). Build one with `tacenda index build`."
            raise KnowledgeError(message) from error
        self.meta: dict[str, Any] = header["meta"]
        self.sections = {name: Section(*entry) for name, entry in header["sections"].items()}
        self._body = _PREFIX + int.from_bytes(start[12:16], "little")
        self._check_size(size)
        self._check_version()
        self._checked: set[str] = set()

    def _header(self, start: bytes, handle: BinaryIO, size: int) -> dict[str, Any]:
        if start[:8] != MAGIC:
            raise KnowledgeError(f"index {self.path}: not a Tacenda index. Build one with `tacenda index build`.")
        version = int.from_bytes(start[8:12], "little")
        if version > FORMAT:
            raise KnowledgeError(
                f"index {self.path}: written in format {version}, this version reads up to {FORMAT}. "
                "Update tacenda, or build the index again with this version."
            )
        length = int.from_bytes(start[12:16], "little")
        if len(start) < _PREFIX or size < _PREFIX + length:
            raise KnowledgeError(f"index {self.path}: truncated within its header. Copy or build it again.")
        header = handle.read(length)
        self.digest = hashlib.sha256(header).hexdigest()
        if hashlib.sha256(header).digest() != start[16:_PREFIX]:
            raise KnowledgeError(f"index {self.path}: header damaged (checksum differs). Copy or build it again.")
        loaded: dict[str, Any] = json.loads(header)
        return loaded

    def _check_size(self, size: int) -> None:
        need = self._body + max((s.offset + s.length for s in self.sections.values()), default=0)
        if size != need:
            state = "truncated" if size < need else "longer than it should be"
            message = f"index {self.path}: {state} ({size} bytes, {need} expected). Copy or build it again."
            raise KnowledgeError(message)

    def _check_version(self) -> None:
        made = self.meta["term_version"]
        if made != term.VERSION:
            raise KnowledgeError(
                f"index {self.path}: built with version {made} of the term rules, this version uses {term.VERSION}. "
                "Build the index again: counts of the two do not mix."
            )

    def view(self, name: str) -> memoryview:
        """Bytes of a section, unchecked: for data that carries its own checksums."""
        section = self.sections[name]
        start = self._body + section.offset
        return memoryview(self._map)[start : start + section.length]

    def section(self, name: str) -> memoryview:
        """Bytes of a section, checked against its digest on first use."""
        data = self.view(name)
        if name not in self._checked:
            if hashlib.sha256(data).hexdigest() != self.sections[name].sha256:
                message = f"index {self.path}: section '{name}' damaged (checksum differs). Copy or build it again."
                raise KnowledgeError(message)
            self._checked.add(name)
        return data

    def verify(self) -> None:
        """Check every section; raises KnowledgeError that names the first damaged one."""
        for name in self.sections:
            self.section(name)
