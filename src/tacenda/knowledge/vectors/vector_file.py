"""The file vectors live in: a header and plain arrays, memory-mapped. No pickle.

    magic (8 bytes) | length of the header (u32) | SHA-256 of the header | header (JSON) | arrays, 64-byte aligned

    hashes    64-bit hash of each key, ascending; row i of everything else belongs to hash i
    offsets   where each key starts in `names`, and the end
    names     the keys, UTF-8
    scales    float32, what the numbers of a row are multiplied with (int8 only)
    rows      int8 or float16, count x dimensions
    counts    how often a key stood in the collection (trained vectors only)
    context   weights of the output layer, with `context_scales`, by which training continues (may be left out)

Rows lie in the order of their hashes, so a look-up is a binary search in the mapped file and opening reads the
header alone. The header holds the SHA-256 of every array; each is checked when first used.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import KnowledgeError

MAGIC = b"\x89TVEC\r\n\x1a"
FORMAT = 1
_PREFIX = len(MAGIC) + 4 + 32
_ALIGN = 64

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


def hash_of(key: str) -> int:
    """Return the 64-bit hash under which a key is found."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def quantized(rows: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return rows as int8 with one scale each; a row of zeros keeps scale 0.

    >>> q, scales = quantized(np.array([[0.5, -1.0]], dtype=np.float32))
    >>> q.tolist(), bool(np.isclose(scales[0], 1 / 127))
    ([[64, -127]], True)
    """
    scales = (np.abs(rows).max(axis=1) / 127).astype(np.float32)
    safe = np.where(scales > 0, scales, 1).astype(np.float32)
    return np.rint(rows / safe[:, None]).astype(np.int8), scales


def write(path: Path, meta: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a file of vectors; an interrupted write leaves an older file as it was."""
    table: dict[str, list[Any]] = {}
    at = 0
    little = {name: _little(array) for name, array in arrays.items()}
    for name, array in little.items():
        at += -at % _ALIGN
        table[name] = [array.dtype.str, list(array.shape), at, hashlib.sha256(array.data).hexdigest()]
        at += array.nbytes
    held = {"format": FORMAT, "term": term.VERSION, "meta": dict(meta), "arrays": table, "size": at}
    header = json.dumps(held, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-(_PREFIX + len(header)) % _ALIGN)
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as out:
            out.write(MAGIC + len(header).to_bytes(4, "little") + hashlib.sha256(header).digest() + header)
            start = out.tell()
            for name, array in little.items():
                out.write(bytes(start + table[name][2] - out.tell()))
                out.write(array.data)
        os.replace(partial, path)
    except OSError as error:
        raise KnowledgeError(f"vectors {path}: cannot be written ({error.strerror}).") from None
    finally:
        partial.unlink(missing_ok=True)


def _little(array: Array) -> Array:
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))


class File:
    """A file of vectors, memory-mapped: meta data at once, arrays on demand, each checked once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            size = path.stat().st_size
            with path.open("rb") as handle:
                start = handle.read(_PREFIX)
                length = int.from_bytes(start[8:12], "little")
                header = handle.read(length) if start[:8] == MAGIC else b""
        except OSError as error:
            raise KnowledgeError(
                f"vectors {path}: cannot be read ({error.strerror}). Make a file with `tacenda vectors train`,"
                " or leave the path out to use the vectors that come with Tacenda."
            ) from None
        held = self._header(start, length, header)
        self.meta: dict[str, Any] = held["meta"]
        self.digest = hashlib.sha256(header).hexdigest()
        self._table: dict[str, list[Any]] = held["arrays"]
        self._body = _PREFIX + length
        self._arrays: dict[str, Array] = {}
        if size != self._body + held["size"]:
            state = "truncated" if size < self._body + held["size"] else "longer than it should be"
            self._refuse(f"{state} ({size} bytes, {self._body + held['size']} expected)")

    def _refuse(self, what: str) -> None:
        raise KnowledgeError(f"vectors {self.path}: {what}. Copy the file again, or train again.")

    def _header(self, start: bytes, length: int, header: bytes) -> dict[str, Any]:
        if start[:8] != MAGIC:
            raise KnowledgeError(
                f"vectors {self.path}: not a file of Tacenda vectors. Make one with `tacenda vectors train`."
            )
        if len(start) < _PREFIX or len(header) < length:
            self._refuse("truncated within its header")
        if hashlib.sha256(header).digest() != start[12:_PREFIX]:
            self._refuse("header damaged (checksum differs)")
        held: dict[str, Any] = json.loads(header)
        for key, what, ours in (("format", "format", FORMAT), ("term", "version of the term rules", term.VERSION)):
            if held[key] != ours:
                raise KnowledgeError(
                    f"vectors {self.path}: made with {what} {held[key]}, this version of Tacenda uses {ours}."
                    " Train again with this version."
                )
        return held

    def __contains__(self, name: str) -> bool:
        return name in self._table

    def array(self, name: str) -> Array:
        """Return an array, mapped and checked against its digest on first use."""
        if name not in self._arrays:
            kind, shape, offset, sha256 = self._table[name]
            mapped = np.memmap(self.path, dtype=kind, mode="r", offset=self._body + offset, shape=tuple(shape))
            if hashlib.sha256(mapped.data).hexdigest() != sha256:
                self._refuse(f"'{name}' damaged (checksum differs)")
            self._arrays[name] = mapped
        return self._arrays[name]

    def verify(self) -> None:
        """Check every array."""
        for name in self._table:
            self.array(name)
