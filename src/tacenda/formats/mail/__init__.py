"""E-mail: single mails (.eml), mailboxes (.mbox) and Outlook's .msg files."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, BinaryIO

from tacenda.errors import InputError, UsageError
from tacenda.formats.flow import Flow
from tacenda.formats.loaded import guarded
from tacenda.formats.mail import mbox
from tacenda.formats.mail.message import OpenedMail
from tacenda.formats.residue import search
from tacenda.model import Box, Document, Edit, Reading
from tacenda.protocols import Opened

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Eml:
    """Single mails."""

    name = "eml"
    suffixes = (".eml",)
    magic: tuple[bytes, ...] = ()

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a mail."""
        return OpenedMail(data, reading)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written mail where one of these words still stands."""
        return search(data, words)


class Msg:
    """Outlook's mails; what is written is a mail as the internet knows it (.eml)."""

    name = "msg"
    suffixes = (".msg",)
    magic = (_OLE,)

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a mail."""
        from tacenda.formats.mail.outlook import as_mail

        return OpenedMail(guarded(lambda: as_mail(data, reading.limits), reading.name or "document"), reading)

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written mail where one of these words still stands."""
        return search(data, words)


class Mbox:
    """Mailboxes: each mail is a record; with the case field `thread`, the mails of a thread are planned as one."""

    name = "mbox"
    suffixes = (".mbox", ".mbx")
    magic = (b"From ",)

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a whole mailbox as one document."""
        return _Mailbox(list(self.records(io.BytesIO(data), reading)), reading)

    def head(self, file: BinaryIO, reading: Reading) -> Opened | None:
        """Return nothing: mailboxes have no head."""
        return None

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Opened]:
        """Yield the mails in order."""
        if reading.case_field not in ("", "thread"):
            where = reading.name or "document"
            raise UsageError(f"{where}: mails belong together by 'thread', not by '{reading.case_field}'")
        threads = mbox.Threads()
        try:
            for number, data in enumerate(mbox.mails(file, reading.limits), 1):
                where = f"{reading.name or 'document'}, mail {number}"
                thread = threads.of(data) if reading.case_field else ""
                yield Entry(data, where, thread, replace(reading, name=where, case_field=""))
        except InputError as error:
            raise InputError(f"{reading.name or 'document'}: {error}") from None

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written mailbox where one of these words still stands."""
        return search(data, words)


@dataclass(frozen=True)
class Entry:
    """One mail of a mailbox; `thread` is the same for mails that belong together."""

    data: bytes = field(repr=False)
    where: str
    thread: str
    reading: Reading = field(repr=False)

    @cached_property
    def _mail(self) -> OpenedMail:
        return OpenedMail(self.data, self.reading)

    def __getstate__(self) -> dict[str, Any]:
        # Another process takes the mail apart on its own.
        return {"data": self.data, "where": self.where, "thread": self.thread, "reading": self.reading}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def read(self) -> Document:
        """Return the text of the mail; its case is its thread."""
        return replace(self._mail.read(), case=self.thread)

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written mail gives."""
        return self._mail.promised(edits)

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the mail as a mailbox holds it."""
        return mbox.entry(self._mail.write(edits))

    @property
    def source(self) -> bytes:
        """The mail as it came, as a mailbox holds it."""
        return mbox.entry(self.data)

    def reopened(self, data: bytes) -> Opened:
        """Open what was written."""
        found = list(mbox.mails(io.BytesIO(data), self.reading.limits))
        return self._mail.reopened(found[0] if len(found) == 1 else b"")

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Mails have no pages."""
        return ()


class _Mailbox:
    """All mails of a mailbox as one document."""

    def __init__(self, entries: list[Opened], reading: Reading) -> None:
        self._entries, self._name = entries, reading.name or "document"
        self._documents = [entry.read() for entry in entries]
        self._flow = Flow(reading.limits)
        self._guests = [self._flow.embed(d, f"mail {n}") for n, d in enumerate(self._documents, 1)]

    def read(self) -> Document:
        """Return the texts of all mails, with their parts."""
        dropped = [f"mail {n}: {what}" for n, d in enumerate(self._documents, 1) for what in d.dropped]
        unread = [f"mail {n}: {what}" for n, d in enumerate(self._documents, 1) for what in d.unread]
        return self._flow.document(self._name, dropped=dropped, unread=unread)

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the mailbox with these edits made."""
        for guest in self._guests:
            guest.edits.clear()
        self._flow.apply(edits)
        return b"".join(e.write(g.edits) for e, g in zip(self._entries, self._guests, strict=True))

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Mails have no pages."""
        return ()
