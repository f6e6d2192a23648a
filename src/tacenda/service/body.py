"""Bodies of requests: JSON objects checked for their fields, and uploads that never touch the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from tacenda.service.problems import Problem

_FIELDS = 64


class _InMemory(MultiPartParser):
    """A parser that keeps uploads in memory: the guard has limited their size already."""

    spool_max_size = 2**40


async def json_of(request: Request, **fields: type | tuple[type, ...]) -> dict[str, Any]:
    """Return the JSON object of a request; `fields` must be there and of these types."""
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        raise Problem("UsageError", "the body is not valid JSON") from None
    if not isinstance(body, dict):
        raise Problem("UsageError", "the body must be a JSON object")
    for name, kind in fields.items():
        value = body.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise Problem("UsageError", f"'{name}' is missing or of the wrong type")
    return body


def is_upload(request: Request) -> bool:
    """Whether a request brings files."""
    return request.headers.get("content-type", "").startswith("multipart/form-data")


async def upload_of(request: Request, *, most: int = 200) -> tuple[list[tuple[str, bytes]], Mapping[str, list[str]]]:
    """Return the files and the fields of an upload."""
    if not is_upload(request):
        raise Problem("WrongType", "send multipart/form-data with at least one file")
    parser = _InMemory(request.headers, request.stream(), max_files=most, max_fields=_FIELDS, max_part_size=2**26)
    try:
        form = await parser.parse()
    except (MultiPartException, ValueError, KeyError):
        raise Problem("UsageError", "the upload is not valid multipart/form-data") from None
    files: list[tuple[str, bytes]] = []
    fields: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            files.append((base_name(value.filename or ""), await value.read()))
            await value.close()
        else:
            fields.setdefault(name, []).append(value)
    if not files:
        raise Problem("UsageError", "the upload holds no file")
    return files, fields


def base_name(name: str) -> str:
    """Return the last part of a name that a client sent; folders in it mean nothing here.

    >>> base_name("../../etc/passwd"), base_name("C:\\\\letters\\\\a.txt"), base_name("..")
    ('passwd', 'a.txt', 'file')
    """
    last = PureWindowsPath(PurePosixPath(name).name).name
    cleaned = "".join(c for c in last if c.isprintable())[:120]
    return cleaned if cleaned.strip(". ") else "file"
