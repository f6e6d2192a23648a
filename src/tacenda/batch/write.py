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

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


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


def _cannot(target: Path, error: OSError) -> str:
    return f"{target}: cannot be written ({error.strerror or type(error).__name__})"


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Tell in one line that something cannot be written: no permission, no room, no such place."""
    try:
        yield
    except OSError as error:
        raise InputError(_cannot(target, error)) from None


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
        raise InputError(_cannot(target, error)) from None


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
        raise InputError(_cannot(target, error)) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


@contextmanager
def only_one(target: Path) -> Iterator[None]:
    """Keep a second run away from the same output: two would mix their files."""
    path = target.with_name(f".{target.name}.lock")
    with writing(target):
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("a")
    with opened as lock:
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
    a digest of input and settings. The partial file holds sanitized text only. Records that failed are set aside as
    they came, in a quarantine file that only its owner may read.
    """

    target: Path
    fingerprint: str
    quarantine: Path
    done: int = 0
    aside: int = 0
    _size: int = 0
    _out: BinaryIO | None = field(default=None, repr=False)
    _aside_out: BinaryIO | None = field(default=None, repr=False)
    _aside_size: int = 0
    _waiting: list[bytes] = field(default_factory=list, repr=False)

    def __enter__(self) -> Records:
        with writing(self.target):
            return self._opened()

    def _opened(self) -> Records:
        self.target.parent.mkdir(parents=True, exist_ok=True)
        beside = partial(self.target)
        try:
            state = json.loads(self._state.read_text())
            sizes = (beside.stat().st_size >= state["size"], self._aside_length() >= state["aside_size"])
            whole = state["fingerprint"] == self.fingerprint and all(sizes)
        except (OSError, ValueError, KeyError, TypeError):
            whole = False
        if whole:
            self.done, self._size = state["done"], state["size"]
            self.aside, self._aside_size = state["aside"], state["aside_size"]
            os.truncate(beside, self._size)
            if self._aside_size:
                os.truncate(partial(self.quarantine), self._aside_size)
        if not self._aside_size:
            partial(self.quarantine).unlink(missing_ok=True)
        self._out = beside.open("ab" if whole else "wb")
        return self

    @property
    def _state(self) -> Path:
        return self.target.with_name(f".{self.target.name}.state")

    def _aside_length(self) -> int:
        beside = partial(self.quarantine)
        return beside.stat().st_size if beside.exists() else 0

    def write(self, data: bytes, *, record: bool = True) -> None:
        """Append one record (or a header), and note it once it is on disk."""
        assert self._out is not None
        if self._waiting:
            self._keep_waiting()
        self._out.write(data)
        self._size += len(data)
        self.done += record
        if record and self.done % 100 == 0:
            self.save()

    def set_aside(self, source: bytes, head: bytes = b"") -> None:
        """Keep a record that failed as it came, noted with the next one written; `head` goes before the first."""
        kept = (b"" if self.aside or self._waiting else head) + source
        self._waiting.append(kept if kept.endswith((b"\n", b"\n\0")) else kept + b"\n")

    def _keep_waiting(self) -> None:
        if self._aside_out is None:
            self.quarantine.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._aside_out = os.fdopen(os.open(partial(self.quarantine), _APPEND, 0o600), "ab")
        for kept in self._waiting:
            self._aside_out.write(kept)
            self._aside_size += len(kept)
        self.aside += len(self._waiting)
        self._waiting.clear()

    def restart(self) -> None:
        """Forget what an earlier run wrote."""
        assert self._out is not None
        self._out.truncate(0)
        partial(self.quarantine).unlink(missing_ok=True)
        self.done = self._size = self.aside = self._aside_size = 0

    def save(self) -> None:
        """Note how far the output is, so that a later run can go on from here."""
        assert self._out is not None
        for out in (self._out, self._aside_out):
            if out is not None:
                out.flush()
        state = {
            "fingerprint": self.fingerprint,
            "done": self.done,
            "size": self._size,
            "aside": self.aside,
            "aside_size": self._aside_size,
        }
        beside = self._state.with_suffix(".state.partial")
        beside.write_text(json.dumps(state))
        beside.replace(self._state)

    def reread(self) -> BinaryIO:
        """Open what was written so far; leaving the context without `finish` removes it."""
        self.save()
        return partial(self.target).open("rb")

    def finish(self, target: Path) -> None:
        """Give the whole file its name, and what was set aside its own."""
        assert self._out is not None
        self.keep_aside()
        _close(self._out)
        partial(self.target).replace(target)
        self._state.unlink(missing_ok=True)

    def keep_aside(self) -> None:
        """Give what was set aside its name."""
        if self._aside_out is not None:
            _close(self._aside_out)
        if self.aside:
            partial(self.quarantine).replace(self.quarantine)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        assert self._out is not None
        goes_on = kind in (KeyboardInterrupt, SystemExit)
        if not self._out.closed:
            with suppress(OSError):  # a full disk: what is not noted is done again
                if goes_on:
                    self.save()
            for out in filter(None, (self._out, self._aside_out)):
                with suppress(OSError):
                    out.close()
            if not goes_on:
                for path in (partial(self.target), partial(self.quarantine), self._state):
                    path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(_cannot(self.target, error)) from None


def _close(out: BinaryIO) -> None:
    out.flush()
    os.fsync(out.fileno())
    out.close()


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
        with writing(self.path), self.path.open("a", encoding="utf-8") as out:
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
    digest = hashlib.sha256(settings.encode("utf-8", "surrogatepass"))
    try:
        with path.open("rb") as data:
            while block := data.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return digest.hexdigest()
