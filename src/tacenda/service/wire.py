"""Messages between the server and its workers: a JSON header and bytes, each with its length before it. No pickle."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

_LENGTHS = struct.Struct(">II")
LENGTHS = _LENGTHS.size


def pack(header: dict[str, Any], data: bytes = b"") -> bytes:
    """Return a message as bytes."""
    body = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return _LENGTHS.pack(len(body), len(data)) + body + data


def lengths(head: bytes) -> tuple[int, int]:
    """Return the lengths of header and data."""
    body, data = _LENGTHS.unpack(head)
    return body, data


def header_of(body: bytes) -> dict[str, Any]:
    """Return the header of a message."""
    found: dict[str, Any] = json.loads(body)
    return found


def receive(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """Read one message; None at the end of the stream."""
    head = stream.read(LENGTHS)
    if len(head) < LENGTHS:
        return None
    body, data = lengths(head)
    return header_of(stream.read(body)), stream.read(data)
