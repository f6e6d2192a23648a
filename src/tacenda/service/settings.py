"""What the server is told at its start."""

from __future__ import annotations

import ipaddress
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from tacenda.errors import InputError, UsageError
from tacenda.replace.keys import Key


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who may use the server, known by a token."""

    name: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """All that the server is told.

    policies     names or .toml files, combined where a caller names none; a caller may name any shipped policy or one
                 of these, never a path
    people       who may ask; their names go into the audit trail
    work         where cases, plans and the audit trail are kept; without it nothing is written to disk
    cases        a folder whose files (or folders) become cases at the start
    size         bytes of one upload
    seconds      time for one piece of work; what takes longer is stopped
    memory       bytes that one worker may hold
    rate         requests a second of one person, on average; bursts of ten times that are let through
    warm         whether workers start at once instead of with the first request
    certified    whether plans hide every word the index cannot judge, so that releases carry a certificate
    open_presidio  whether Presidio's routes ask for no token (its clients send none); loopback only
    """

    policies: tuple[str, ...]
    people: tuple[Person, ...]
    host: str = "127.0.0.1"
    port: int = 8765
    key: Key | None = field(default=None, repr=False)
    work: Path | None = None
    cases: Path | None = None
    codes: tuple[str, ...] = ("foia", "uk-foi", "gdpr", "court")
    workers: int = 2
    size: int = 64 * 1024 * 1024
    seconds: float = 120.0
    memory: int = 4 * 1024**3
    upload_seconds: float = 60.0
    rate: float = 50.0
    waiting: int = 64
    open_presidio: bool = False
    force_language: bool = False
    certified: bool = False
    warm: bool = False
    hosts: tuple[str, ...] = ()

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Tell whether an address is of this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_people(file: Path) -> tuple[Person, ...]:
    """Read tokens from a file that only its owner can read: one "NAME TOKEN" a line, or one token alone."""
    try:
        mode = file.stat().st_mode
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{file.name}: the tokens cannot be read") from None
    if os.name == "posix" and mode & 0o077:
        raise InputError(f"{file.name} can be read by others (mode {mode & 0o777:o}); run: chmod 600 {file.name}")
    people = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) > 2 or len(words[-1]) < 16:
            raise UsageError(f"{file.name}, line {number}: write NAME TOKEN, the token at least 16 characters long")
        people.append(Person(words[0] if len(words) == 2 else "reviewer", words[-1]))
    if not people or len({p.name for p in people}) != len(people) or len({p.token for p in people}) != len(people):
        raise UsageError(f"{file.name}: give at least one token, and no name or token twice")
    return tuple(people)


def new_token(work: Path | None) -> str:
    """Make a token; with a work folder it is kept there, so that a restart does not sign anyone out."""
    if work is None:
        return secrets.token_urlsafe(24)
    file = work / "token"
    if file.exists():
        return file.read_text("ascii").strip()
    work.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(24)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        out.write(token + "\n")
    return token
