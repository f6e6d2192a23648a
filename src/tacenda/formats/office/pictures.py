"""Pictures without what cameras and programs write beside them: only what is needed to draw them is kept."""

from __future__ import annotations

import struct
import zlib

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNKS = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB pHYs sBIT bKGD".split())


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


# What stands where a picture was that cannot be cleaned: one transparent point.
BLANK = b"".join(
    (
        _PNG,
        _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)),
        _chunk(b"IDAT", zlib.compress(bytes(5), 9)),
        _chunk(b"IEND", b""),
    )
)


def cleaned(data: bytes) -> tuple[bytes, str] | None:
    """Return a picture without its metadata, and its ending; None if it is of no kind that can be cleaned."""
    try:
        if data.startswith(_PNG):
            return _png(data), "png"
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data), "jpeg"
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return _gif(data), "gif"
    except (struct.error, IndexError, ValueError):
        return None
    return None


def _png(data: bytes) -> bytes:
    out, at = [_PNG], 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if at + 12 + length > len(data):
            raise ValueError("cut off")
        if kind in _PNG_CHUNKS:
            out.append(_chunk(kind, data[at + 8 : at + 8 + length]))
        at += 12 + length
        if kind == b"IEND":
            return b"".join(out)
    raise ValueError("no end")


def _jpeg(data: bytes) -> bytes:
    out, at = [b"\xff\xd8"], 2
    while True:
        if data[at] != 0xFF:
            raise ValueError("no marker")
        marker = data[at + 1]
        if marker == 0xFF:  # fill bytes
            at += 1
            continue
        if marker == 0xD9:
            return b"".join((*out, b"\xff\xd9"))
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        if end > len(data):
            raise ValueError("cut off")
        if not (0xE1 <= marker <= 0xED or marker in (0xEF, 0xFE) or 0xF0 <= marker <= 0xFD):
            out.append(_jfif() if marker == 0xE0 else data[at:end])
        at = end
        if marker == 0xDA:
            end = _scan_end(data, at)
            out.append(data[at:end])
            at = end


def _jfif() -> bytes:
    # Written anew, because an APP0 segment can carry a thumbnail.
    return b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"


def _scan_end(data: bytes, at: int) -> int:
    while True:
        at = data.index(b"\xff", at)
        following = data[at + 1]
        if following != 0 and not 0xD0 <= following <= 0xD7:
            return at
        at += 2


def _gif(data: bytes) -> bytes:
    at = 13 + (3 << ((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    out = [data[:at]]
    while True:
        kind = data[at]
        if kind == 0x3B:
            return b"".join((*out, b";"))
        if kind == 0x21:
            end = _gif_blocks(data, at + 2)
            if data[at + 1] == 0xF9 or (data[at + 1] == 0xFF and data[at + 3 : at + 14] == b"NETSCAPE2.0"):
                out.append(data[at:end])
        elif kind == 0x2C:
            flags = data[at + 9]
            end = _gif_blocks(data, at + 11 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0))
            out.append(data[at:end])
        else:
            raise ValueError("unknown block")
        at = end


def _gif_blocks(data: bytes, at: int) -> int:
    while size := data[at]:
        at += size + 1
    return at + 1
