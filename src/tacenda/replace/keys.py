"""Secret keys: made once, kept in a file only its owner can read or in the environment, and used through HMAC."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from tacenda.errors import InputError, UsageError

VARIABLE = "TACENDA_KEY"
_BYTES = 32
_PREFIX = "tacenda-key-1:"


@dataclass(frozen=True, slots=True)
class Key:
    """A secret of 32 bytes. Never shown: `repr` and `str` hold nothing of it."""

    secret: bytes = field(repr=False)

    def derive(self, *purpose: str) -> bytes:
        """Return 32 bytes that belong to a purpose; nobody can compute them, or go back, without the key."""
        # Lengths before parts, so that ("ab", "c") and ("a", "bc") differ.
        message = b"".join(len(part.encode()).to_bytes(8, "big") + part.encode() for part in purpose)
        return hmac.new(self.secret, message, hashlib.sha256).digest()

    def number(self, below: int, *purpose: str) -> int:
        """Return a number from 0 up to `below` - 1 that belongs to a purpose, all equally likely."""
        return int.from_bytes(self.derive(*purpose), "big") % below

    def encoded(self) -> str:
        """Return the key as the text that is written to its file."""
        return _PREFIX + base64.urlsafe_b64encode(self.secret).decode("ascii")


def new_key() -> Key:
    """Make a key from the randomness of the operating system."""
    return Key(secrets.token_bytes(_BYTES))


def write_key(key: Key, file: Path) -> None:
    """Write a key to a new file that only its owner can read (mode 0600); an existing file is never overwritten."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise InputError(f"{file} exists already; a key is never overwritten. Name another file.") from error
    except OSError as error:
        raise InputError(f"The key cannot be written to {file}: {error.strerror}.") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        out.write(key.encoded() + "\n")


def load_key(file: Path | None = None, *, variable: str = VARIABLE) -> Key:
    """Read a key from a file or, without one, from an environment variable."""
    if file is None:
        text = os.environ.get(variable, "")
        if not text:
            raise UsageError(f"No key: name a key file or set {variable}. Create one with `tacenda key new FILE`.")
        return _decode(text, f"the variable {variable}")
    try:
        mode = file.stat().st_mode
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise InputError(
                f"The key file {file} can be read by others (mode {mode & 0o777:o}); run: chmod 600 {file}"
            )
        return _decode(file.read_text(encoding="ascii"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"The key file {file} cannot be read: {why}.") from error


def _decode(text: str, where: str) -> Key:
    text = text.strip()
    try:
        secret = base64.b64decode(text.removeprefix(_PREFIX), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if not text.startswith(_PREFIX) or len(secret) != _BYTES:
        raise InputError(f"{where} does not hold a Tacenda key; create one with `tacenda key new FILE`.") from None
    return Key(secret)
