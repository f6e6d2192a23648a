"""Zip archives of office files: unpacked under limits, packed the same way every time."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from tacenda.errors import InputError
from tacenda.model import Limits

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_CHUNK = 1 << 20
_SMALL = 1 << 20  # a part below this size may be packed as tightly as it likes


def unpack(data: bytes, limits: Limits) -> dict[str, bytes]:
    """Return the entries of an archive by name; refuse what is encrypted, hostile or too large."""
    if len(data) > limits.size:
        raise InputError(f"the file has {len(data)} bytes, over the limit of {limits.size}")
    if data.startswith(_OLE):
        raise InputError(
            "the file is encrypted, or an old binary office file: remove the password or save it in the new format"
        )
    try:
        return _entries(data, limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
        raise InputError("the file is not a complete zip archive, which an office file must be") from None


def _entries(data: bytes, limits: Limits) -> dict[str, bytes]:
    entries: dict[str, bytes] = {}
    left = limits.expanded
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        if len(infos) > min(limits.parts, 100_000):
            raise InputError(f"the archive has {len(infos)} entries, over the limit")
        seen: set[str] = set()
        for info in infos:
            _check_name(info.filename, seen)
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                raise InputError("an entry of the archive is encrypted: remove the password first")
            content = _inflate(archive, info, left, limits)
            left -= len(content)
            entries[info.filename] = content
    return entries


def _check_name(name: str, seen: set[str]) -> None:
    pieces = name.replace("\\", "/").split("/")
    if ".." in pieces or name.startswith(("/", "\\")) or ":" in pieces[0] or "\0" in name:
        raise InputError("an entry of the archive points outside it (../ or an absolute path)")
    # Two entries of one name: readers disagree on which one counts.
    if name.lower() in seen:
        raise InputError("two entries of the archive have the same name")
    seen.add(name.lower())


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int, limits: Limits) -> bytes:
    # The size that an entry claims may be a lie: count what really comes out.
    allowed = min(left, max(_SMALL, info.compress_size * limits.ratio))
    chunks, size = [], 0
    with archive.open(info) as stream:
        while chunk := stream.read(min(_CHUNK, allowed + 1 - size)):
            size += len(chunk)
            if size > allowed:
                raise InputError("an entry of the archive unpacks to more than the limits allow (a zip bomb)")
            chunks.append(chunk)
    return b"".join(chunks)


def pack(entries: Mapping[str, bytes], *, stored_first: str = "") -> bytes:
    """Return an archive with these entries, without dates or remarks; the same entries give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(entries, key=lambda n: (n != stored_first, n != "[Content_Types].xml", n)):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 0
            info.external_attr = 0
            info.compress_type = zipfile.ZIP_STORED if name == stored_first else zipfile.ZIP_DEFLATED
            archive.writestr(info, entries[name])
    return out.getvalue()
