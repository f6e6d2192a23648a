"""Mailboxes: many mails in one file, read one by one; the mails of a thread belong together."""

from __future__ import annotations

import email.parser
import re
from collections.abc import Iterator
from typing import BinaryIO

from tacenda.errors import InputError
from tacenda.formats.mail.headers import decode
from tacenda.model import Limits

_START = b"From "
# Some programs leave out the blank line before it; then the year at its end tells it from a sentence.
_ENVELOPE = re.compile(rb"From \S+ .*\d\d:\d\d:\d\d .*\d{4}\s*$")
_QUOTED = re.compile(rb"^>(>*From )", re.M)
_TO_QUOTE = re.compile(rb"^(>*From )", re.M)
_IDENTIFIER = re.compile(r"<[^<>\s]+>")
_REPLY = re.compile(r"^(?:\s*(?:re|fw|fwd|aw|wg|antw|sv)\s*(?:\[\d+\])?\s*:)+\s*", re.I)
# What precedes every mail; the true line tells who sent it and when.
LINE = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n"


def mails(file: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Yield the mails of a mailbox in order, without the lines that part them."""
    lines: list[bytes] = []
    size, started, blank = 0, False, True
    for line in file:
        if line.startswith(_START) and (blank or _ENVELOPE.match(line)):
            if started:
                yield _unquoted(lines)
            lines, size, started = [], 0, True
        elif started:
            lines.append(line)
            size += len(line)
            if size > limits.size:
                raise InputError(f"a mail of the mailbox has more than {limits.size} bytes, the limit")
        elif line.strip():
            raise InputError("the file is not a mailbox: it does not begin with a 'From ' line")
        blank = not line.strip()
    if started:
        yield _unquoted(lines)


def _unquoted(lines: list[bytes]) -> bytes:
    if lines and not lines[-1].strip():
        lines = lines[:-1]
    return _QUOTED.sub(rb"\1", b"".join(lines))


def entry(mail: bytes) -> bytes:
    """Return a mail as a mailbox holds it."""
    body = _TO_QUOTE.sub(rb">\1", mail.replace(b"\r\n", b"\n"))
    return LINE + body + (b"" if body.endswith(b"\n") else b"\n") + b"\n"


class Threads:
    """Says which thread a mail belongs to: by what it replies to, else by its subject."""

    def __init__(self) -> None:
        self._thread: dict[str, str] = {}
        self._count = 0

    def of(self, mail: bytes) -> str:
        """Return the number of the thread of a mail; mails come in the order of the file."""
        headers = email.parser.BytesHeaderParser().parsebytes(mail[:1_000_000])
        own = _IDENTIFIER.findall(str(headers.get("Message-ID") or ""))
        others = _IDENTIFIER.findall(f"{headers.get('References') or ''} {headers.get('In-Reply-To') or ''}")
        subject = decode(headers.get("Subject") or "")
        bare = _REPLY.sub("", subject).casefold()
        keys = [*own, *others]
        known = [self._thread[key] for key in keys if key in self._thread]
        if not known and bare and (_REPLY.match(subject) or others) and f"subject {bare}" in self._thread:
            known = [self._thread[f"subject {bare}"]]
        if not known:
            self._count += 1
            known = [f"thread {self._count}"]
        for key in (*keys, *([f"subject {bare}"] if bare else [])):
            self._thread.setdefault(key, known[0])
        return known[0]
