"""Append-only JSON lines, each bound to the one before it.

    hash   SHA-256 over the entry and the hash before it: anyone can check that nothing was altered by accident
    mac    HMAC over that hash with the owner's key: nobody without the key can write the whole trail anew

A line is on disk before the call that wrote it returns. Beside the trail lies its head (number of entries, last hash),
by which lines missing at the end are found; reports and certificates carry the same hash to other places.

Entries hold places, labels, codes and numbers, never text of a document. What a policy wants recorded of the text
is sealed with the key (`Trail.sealed`).
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacenda.errors import InputError, UsageError
from tacenda.replace.keys import Key

START = "0" * 64
Details = Mapping[str, str | int]


@dataclass(frozen=True)
class Entry:
    """One thing that happened.

    what       opened, decided, hidden, undone, released, withheld, ...: a word the server uses, never free text
    case       the number under which the case is kept; names of files can tell too much
    details    place, label, action, code, plan (a keyed digest), version: whatever the event needs
    """

    number: int
    at: str
    who: str
    what: str
    case: str = ""
    details: Details = field(default_factory=dict)
    previous: str = START
    hash: str = ""
    mac: str = ""

    def computed_hash(self) -> str:
        """Return the hash that this content has."""
        body = [self.number, self.at, self.who, self.what, self.case, dict(self.details), self.previous]
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def line(self) -> str:
        """Return the entry as one line of JSON."""
        body = {
            "n": self.number,
            "at": self.at,
            "who": self.who,
            "what": self.what,
            "case": self.case,
            "details": dict(self.details),
            "previous": self.previous,
            "hash": self.hash,
            "mac": self.mac,
        }
        return json.dumps(body, ensure_ascii=True, separators=(",", ":")) + "\n"


def parse(line: str) -> Entry | None:
    """Return the entry of a line, None where the line is not one."""
    try:
        body = json.loads(line)
        return Entry(
            number=_whole(body["n"]),
            at=str(body["at"]),
            who=str(body["who"]),
            what=str(body["what"]),
            case=str(body["case"]),
            details=dict(body["details"]),
            previous=str(body["previous"]),
            hash=str(body["hash"]),
            mac=str(body["mac"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("not a number")
    return value


def mac(key: Key, purpose: str, value: str) -> str:
    """Return the keyed digest of a value: unlike a plain hash, it cannot be found by guessing the value."""
    return hmac.new(key.derive("audit", purpose), value.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


@dataclass
class Trail:
    """A trail being written. Without a path it is kept in memory.

    >>> from tacenda.replace.keys import Key
    >>> trail = Trail(None, Key(bytes(32)))
    >>> trail.append(who="ann", what="decided", case="1", details={"label": "PERSON", "code": "foia/b6"}).number
    0
    """

    path: Path | None
    key: Key = field(repr=False)
    _count: int = 0
    _last: str = START
    _size: int = 0
    _memory: list[str] = field(default_factory=list, repr=False)

    @property
    def head(self) -> str:
        """The hash of the last entry: whoever keeps it can tell later whether the trail still leads to it."""
        return self._last

    def append(self, *, who: str, what: str, case: str = "", details: Details | None = None) -> Entry:
        """Add one entry; it is on disk when this returns."""
        return self.extend([(what, details or {})], who=who, case=case)[0]

    def extend(self, events: Sequence[tuple[str, Details]], *, who: str, case: str = "") -> list[Entry]:
        """Add several entries at once: all of them, or after a crash none that was promised."""
        if self.path is None:
            entries = self._made(events, who, case)
            self._memory += [entry.line() for entry in entries]
            return entries
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise InputError(f"the audit trail cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            self._catch_up(descriptor)
            entries = self._made(events, who, case)
            data = "".join(entry.line() for entry in entries).encode("ascii")
            _write_all(descriptor, data)
            os.fsync(descriptor)
            self._size += len(data)
            self._note_head()
            return entries
        finally:
            os.close(descriptor)

    def _made(self, events: Sequence[tuple[str, Details]], who: str, case: str) -> list[Entry]:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        entries = []
        for what, details in events:
            bare = Entry(self._count, at, who, what, case, details, self._last)
            own = bare.computed_hash()
            entries.append(
                Entry(self._count, at, who, what, case, details, self._last, own, mac(self.key, "line", own))
            )
            self._count, self._last = self._count + 1, own
        return entries

    def _catch_up(self, descriptor: int) -> None:
        """Read what another process wrote since; cut off a line that a crash left half written and say so."""
        size = os.fstat(descriptor).st_size
        if size == self._size:
            return
        data = os.pread(descriptor, size, 0)
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].decode("ascii", "replace").splitlines()
        last = parse(lines[-1]) if lines else None
        if lines and last is None:
            raise InputError("the audit trail is damaged at its end; 'tacenda audit verify' says where")
        self._count, self._last, self._size = (last.number + 1, last.hash, whole) if last else (0, START, whole)
        if whole == size:
            return
        os.ftruncate(descriptor, whole)
        entry = self._made([("recovered", {"bytes": size - whole})], "tacenda", "")[0].line().encode("ascii")
        _write_all(descriptor, entry)
        self._size += len(entry)

    def _note_head(self) -> None:
        assert self.path is not None
        beside = head_path(self.path)
        partial = beside.with_name(f".{beside.name}.partial")
        body = {"entries": self._count, "hash": self._last, "mac": mac(self.key, "head", f"{self._count} {self._last}")}
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            json.dump(body, out)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(beside)

    def lines(self) -> list[str]:
        """Return all lines as they stand."""
        if self.path is None:
            return list(self._memory)
        return self.path.read_text("ascii").splitlines(keepends=True) if self.path.exists() else []

    def sealed(self, text: str) -> str:
        """Encrypt source text for an entry, where the policy wants it recorded; only the key opens it."""
        return base64.b64encode(_cipher(self.key).encrypt(text.encode("utf-8", "surrogatepass"), [b"audit"])).decode()


def unsealed(text: str, key: Key) -> str:
    """Decrypt what `Trail.sealed` made."""
    from cryptography.exceptions import InvalidTag

    try:
        plain: bytes = _cipher(key).decrypt(base64.b64decode(text), [b"audit"])
        return plain.decode("utf-8", "surrogatepass")
    except (InvalidTag, ValueError):
        raise InputError("the recorded text cannot be opened: it was changed or was sealed with another key") from None


def _cipher(key: Key) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV
    except ImportError:
        raise UsageError("recording source text needs the cryptography library: pip install 'tacenda[vault]'") from None
    return AESSIV(key.derive("audit", "seal mac") + key.derive("audit", "seal cipher"))


def head_path(path: Path) -> Path:
    """Return where the head of a trail lies."""
    return path.with_name(path.name + ".head")


def read(path: Path) -> list[Entry]:
    """Return the readable entries of a trail, in the order of the file."""
    try:
        lines = path.read_text("ascii", errors="replace").splitlines()
    except OSError as error:
        raise InputError(f"{path.name}: the audit trail cannot be read ({error.strerror})") from None
    return [entry for line in lines if (entry := parse(line)) is not None]


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
