"""Headers of mails: those that people read, decoded; names and addresses as parts of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.errors import MessageError
from email.header import Header, decode_header, make_header
from typing import Any

from tacenda.formats.flow import Flow
from tacenda.model.case import PartKind

# All others go: Received, Message-ID, DKIM, ARC, X-…
KEPT = ("From", "Sender", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date")
_ADDRESSES = frozenset(("From", "Sender", "To", "Cc", "Bcc", "Reply-To"))
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_MAILBOX = re.compile(
    r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^<>,;"]*))\s*'
    r"(?:<(?P<address>[^<>]*)>)?[^,;]*[,;]?"
)
_SPECIAL = re.compile(r'[()<>\[\]:;@\\,."]')


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One address of a header, with the name that stands before it."""

    name: str
    address: str


def decode(value: Any) -> str:
    """Return a header as people see it, on one line."""
    text = str(value)
    with suppress(ValueError, LookupError, UnicodeError, MessageError):
        text = str(make_header(decode_header(_CONTROL.sub(" ", text))))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(_CONTROL.sub(" ", text).split())


def mailboxes(text: str) -> Iterator[Mailbox]:
    """Return the addresses of a header.

    >>> list(mailboxes('"Kern, Zoe" <zk@example.org>, ann@example.org'))
    [Mailbox(name='Kern, Zoe', address='zk@example.org'), Mailbox(name='', address='ann@example.org')]
    """
    at = 0
    while at < len(text):
        match = _MAILBOX.match(text, at)
        if match is None or match.end() == at:
            at += 1
            continue
        at = match.end()
        name = re.sub(r"\\(.)", r"\1", match.group("quoted") or "") or (match.group("plain") or "")
        name, address = name.replace('"', "'").strip(), (match.group("address") or "").strip()
        if not address and "@" in name and " " not in name:
            name, address = "", name
        if name or address:
            yield Mailbox(name, address)


def show(box: Mailbox) -> str:
    """Return one address as a header holds it."""
    name = f'"{box.name}"' if _SPECIAL.search(box.name) else box.name
    # A name without an address stays a name, whatever it looks like.
    return " ".join(filter(None, (name, f"<{box.address}>" if box.address or box.name else "")))


class Headers:
    """The headers of one mail that leave, with what they will say."""

    def __init__(self, message: Any) -> None:
        self._values: list[tuple[str, list[list[str]]]] = []
        for key in KEPT:
            for value in message.get_all(key, []):
                text = decode(value)
                if key in _ADDRESSES:
                    self._values.append((key, [[box.name, box.address] for box in mailboxes(text)]))
                else:
                    self._values.append((key, [[text]]))

    def read(self, flow: Flow, where: str) -> None:
        """Read every name, address and text."""
        for key, entries in self._values:
            place = ", ".join(filter(None, (where, key)))
            for entry in entries:
                if len(entry) == 1:
                    flow.whole(entry[0], _Field(entry, 0), "prose", place)
                    continue
                kinds: tuple[tuple[PartKind, str], ...] = (("cell", "Name"), ("cell", "Email"))
                for at, (kind, column) in enumerate(kinds):
                    flow.whole(entry[at], _Field(entry, at), kind, place, column)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Return names and values of the headers, ASCII only."""
        for key, entries in self._values:
            if key in _ADDRESSES:
                yield key, encode(", ".join(show(Mailbox(*entry)) for entry in entries))
            else:
                yield key, encode(entries[0][0])


@dataclass(eq=False)
class _Field:
    entry: list[str]
    at: int

    def set(self, value: str) -> None:
        """Put another text in its place; only the name of a mailbox is written between quotation marks."""
        value = value if len(self.entry) == 1 else value.replace('"', "'")
        self.entry[self.at] = " ".join(_CONTROL.sub(" ", value).split())


def encode(text: str) -> str:
    """Return a header as mails carry it: long ones folded, other letters than ASCII encoded."""
    if text.isascii() and len(text) < 900 and "=?" not in text:
        return "\r\n ".join(_folded(text))
    return Header(text, "utf-8", maxlinelen=76).encode(linesep="\r\n")


def _folded(text: str) -> list[str]:
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + len(word) > 70:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
