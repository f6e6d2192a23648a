"""Answers that take seconds to work out and depend on files alone, kept in the cache folder for the next process.

A file is named by the digest of all that the answer depends on, appears under its name only when it is whole, and holds
a digest of its content: what is missing, cut off or changed is worked out again. Where nothing can be written nothing
is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tacenda.knowledge.index.forward import cache_folder


def kept(made_from: Sequence[str], make: Callable[[], Any]) -> Any:
    """Return what was kept for these digests and names, else make it (of JSON's types) and keep it."""
    name = hashlib.sha256("\n".join(made_from).encode()).hexdigest()
    path = cache_folder() / f"{name}.answer"
    found = _read(path)
    if found is None:
        found = make()
        _write(path, found)
    return found


def _read(path: Path) -> Any:
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
        return json.loads(content) if hashlib.sha256(content).hexdigest().encode() == digest else None
    except (OSError, ValueError):
        return None


def _write(path: Path, answer: Any) -> None:
    content = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".partial", delete=False) as out:
            name = out.name
            out.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        os.replace(name, path)
    except OSError:
        if name:
            Path(name).unlink(missing_ok=True)
