"""The file a taxonomy lives in: a header and plain arrays, memory-mapped.

    magic, 8 bytes | length of the header, 4 bytes | header, JSON | arrays, each on a 64-byte boundary

The header names the version of the format and of the normalizer the keys were made with, so a file made
by another one is refused. No pickle; the same arrays always give the same bytes.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import KnowledgeError

MAGIC = b"TACENDAX"
FORMAT = 1
_ALIGN = 64

Arrays = Mapping[str, npt.NDArray[Any]]


def write(path: Path, meta: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a taxonomy file; an interrupted write leaves the old file as it was."""
    table: dict[str, list[Any]] = {}
    body = bytearray()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        body += bytes(-len(body) % _ALIGN)
        table[name] = [array.dtype.str, array.size, len(body)]
        body += array.tobytes()
    header = {
        "format": FORMAT,
        "term": term.VERSION,
        "meta": dict(meta),
        "arrays": table,
        "size": len(body),
        "crc32": zlib.crc32(body),
    }
    packed = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    packed += b" " * (-(len(MAGIC) + 4 + len(packed)) % _ALIGN)
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_bytes(MAGIC + len(packed).to_bytes(4, "little") + packed + body)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def read(path: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Map a taxonomy file into memory; refuse one that is damaged, foreign or of another version."""
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC) + 4)
            length = int.from_bytes(start[len(MAGIC) :], "little")
            packed = file.read(length)
            whole = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise KnowledgeError(f"{path}: cannot be read ({error.strerror}). Check the path.") from error
    if start[: len(MAGIC)] != MAGIC:
        raise KnowledgeError(f"{path}: not a taxonomy file. Other kinds end in .csv or .obo, or are an RF2 folder.")
    header = _header(path, packed, length)
    offset = len(start) + length
    if whole != offset + header["size"]:
        raise KnowledgeError(f"{path}: damaged, {whole} bytes instead of {offset + header['size']}. Install it again.")
    body = np.memmap(path, dtype=np.uint8, mode="r", offset=offset) if header["size"] else np.zeros(0, np.uint8)
    if zlib.crc32(body.data) != header["crc32"]:
        raise KnowledgeError(f"{path}: damaged, the checksum does not match. Install it again.")
    arrays = {
        name: np.frombuffer(body, dtype=np.dtype(dtype), count=size, offset=at)
        for name, (dtype, size, at) in header["arrays"].items()
    }
    return header["meta"], arrays


def _header(path: Path, packed: bytes, length: int) -> dict[str, Any]:
    try:
        if len(packed) != length:
            raise ValueError
        header: dict[str, Any] = json.loads(packed)
        version, keys = header["format"], header["term"]
    except (ValueError, KeyError, TypeError) as error:
        raise KnowledgeError(f"{path}: damaged, its header breaks off. Install it again.") from error
    if version != FORMAT or keys != term.VERSION:
        raise KnowledgeError(
            f"{path}: format {version} with keys of version {keys}; this version of Tacenda reads format {FORMAT}"
            f" with keys of version {term.VERSION}. Build the file again, or use the release it came with."
        )
    return header
