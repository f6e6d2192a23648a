"""Writing that never shows half a file: beside the target, then renamed."""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from tacenda.errors import InputError, UsageError


def partial(target: Path) -> Path:
    """Return the name under which a target is written until it is whole."""
    return target.with_name(f".{target.name}.partial")


def is_special(target: Path) -> bool:
    """Tell whether a target is a device, a pipe or a socket; a link that would be written through is refused.

    What is not a regular file is written into, never replaced by one; and who may write a link beside our output
    must not choose which file we overwrite.
    """
    if not target.exists() and not target.is_symlink():
        return False
    if target.exists() and not target.is_file() and not target.is_dir():
        return True
    if target.is_symlink():
        raise InputError(f"{target}: is a symbolic link. Name the file it points to, or remove the link")
    return False


@contextmanager
def _into_special(target: Path, *, binary: bool) -> Iterator[Any]:
    """Collect everything, then write it in one go: a pipe cannot take back half a document."""
    whole: Any = io.BytesIO() if binary else io.StringIO(newline="")
    yield whole
    data = whole.getvalue() if binary else whole.getvalue().encode("utf-8")
    try:
        with target.open("wb", buffering=0) as out:
            view = memoryview(data)
            while view:
                view = view[out.write(view) or 0 :]
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror})") from None


@contextmanager
def atomic(target: Path, *, binary: bool = False) -> Iterator[Any]:
    """Open a file to write; it appears under its name only when all of it is there."""
    if is_special(target):
        with _into_special(target, binary=binary) as out:
            yield out
        return
    beside = partial(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w+b") if binary else beside.open("w", encoding="utf-8", newline="") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        beside.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror})") from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


@contextmanager
def only_one(target: Path) -> Iterator[None]:
    """Keep a second run away from the same output: two would mix their files."""
    path = target.with_name(f".{target.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"{target}: another run is writing there. Wait for it, or choose another output") from None
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


@dataclass
class Records:
    """A record file being written, which a later run can go on with.

    Beside the partial output lies its state: how many records it holds, how many bytes they take, and
    a digest of input and settings. The partial file holds sanitized text only.
    """

    target: Path
    fingerprint: str
    done: int = 0
    _size: int = 0
    _out: BinaryIO | None = field(default=None, repr=False)

    def __enter__(self) -> Records:
        self.target.parent.mkdir(parents=True, exist_ok=True)
        beside = partial(self.target)
        try:
            state = json.loads(self._state.read_text())
            whole = state["fingerprint"] == self.fingerprint and beside.stat().st_size >= state["size"]
        except (OSError, ValueError, KeyError):
            whole = False
        if whole:
            self.done, self._size = state["done"], state["size"]
            os.truncate(beside, self._size)
        self._out = beside.open("ab" if whole else "wb")
        return self

    @property
    def _state(self) -> Path:
        return self.target.with_name(f".{self.target.name}.state")

    def write(self, data: bytes, *, record: bool = True) -> None:
        """Append one record (or a header), and note it once it is on disk."""
        assert self._out is not None
        self._out.write(data)
        self._size += len(data)
        self.done += record
        if record and self.done % 100 == 0:
            self.save()

    def save(self) -> None:
        """Note how far the output is, so that a later run can go on from here."""
        assert self._out is not None
        self._out.flush()
        state = {"fingerprint": self.fingerprint, "done": self.done, "size": self._size}
        beside = self._state.with_suffix(".state.partial")
        beside.write_text(json.dumps(state))
        beside.replace(self._state)

    def reread(self) -> BinaryIO:
        """Open what was written so far; leaving the context without `finish` removes it."""
        self.save()
        return partial(self.target).open("rb")

    def finish(self, target: Path) -> None:
        """Give the whole file its name."""
        assert self._out is not None
        self._out.flush()
        os.fsync(self._out.fileno())
        self._out.close()
        partial(self.target).replace(target)
        self._state.unlink(missing_ok=True)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        assert self._out is not None
        if self._out.closed:
            return
        if kind in (KeyboardInterrupt, SystemExit):
            self.save()
            self._out.close()
            return
        self._out.close()
        partial(self.target).unlink(missing_ok=True)
        self._state.unlink(missing_ok=True)


@dataclass
class Journal:
    """Which inputs of a folder are done, kept beside the output folder until all are.

    It holds digests and output names only. A run broken off and started again reads it and does the
    rest; input or settings that changed have other digests and are done anew.
    """

    folder: Path

    @property
    def path(self) -> Path:
        """Where the journal lies: beside the output folder, so that sharing the folder does not share it."""
        return self.folder.with_name(f".{self.folder.name}.journal")

    def read(self) -> dict[str, str]:
        """Return digest -> output name of what is done and still there."""
        return {digest: target for digest, target in self.read_all().items() if (self.folder / target).exists()}

    def read_all(self) -> dict[str, str]:
        """Return digest -> output name of what is done."""
        try:
            lines = self.path.read_text("utf-8").splitlines()
            entries = [json.loads(line) for line in lines if line.endswith("}")]
        except (OSError, ValueError):
            return {}
        return {e["digest"]: e["target"] for e in entries}

    def add(self, digest: str, target: str) -> None:
        """Note one input as done."""
        with self.path.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"digest": digest, "target": target}) + "\n")

    def moved(self, old: str, new: str) -> None:
        """Note that a folder of the output has another name now."""
        done = self.read_all()
        with atomic(self.path) as out:
            for digest, target in done.items():
                name = f"{new}{target[len(old) :]}" if target.startswith(f"{old}/") else target
                out.write(json.dumps({"digest": digest, "target": name}) + "\n")

    def close(self) -> None:
        """Forget the journal: everything is done."""
        self.path.unlink(missing_ok=True)


def fingerprint(path: Path, settings: str) -> str:
    """Digest of a file's content together with the settings of the run."""
    digest = hashlib.sha256(settings.encode())
    with path.open("rb") as data:
        while block := data.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
