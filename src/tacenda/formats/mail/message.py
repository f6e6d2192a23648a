"""One mail with all that is in it, as one document: headers, bodies, mails in it, attachments by their own formats.

The parts of the mail keep their order and nesting; everything around them (boundaries, identifiers, encodings) is
written anew.
"""

from __future__ import annotations

import base64
import csv
import email
import email.policy
import json
import quopri
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.message import Message
from email.utils import encode_rfc2231
from pathlib import PurePosixPath
from typing import Any

from tacenda.errors import InputError, TacendaError
from tacenda.formats import find
from tacenda.formats.flow import Flow, Guest
from tacenda.formats.html import Page, decoded
from tacenda.formats.loaded import OpenedTree, counted
from tacenda.formats.mail.headers import Headers, decode
from tacenda.formats.office import pictures
from tacenda.model import Document, Edit, Limits, Part, Reading
from tacenda.protocols import Opened

_SECURE = ("multipart/signed", "multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime",
           "application/pgp-encrypted", "application/pkcs7-signature", "application/x-pkcs7-signature",
           "application/pgp-signature")  # fmt: skip
_ARMOR = re.compile(rb"-----BEGIN PGP (MESSAGE|SIGNED MESSAGE)-----")
_MULTIPART = ("mixed", "alternative", "related")
_UNSAFE_NAME = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|;]+')
_TYPES = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "pdf": "application/pdf",
    "html": "text/html",
    "csv": "text/csv",
    "text": "text/plain",
}
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*(?:\n|\Z)))*")


@dataclass
class Leaf:
    """A part of a mail without parts of its own: a body, an attachment, a mail, or a picture."""

    kind: str  # its content type when written
    opened: Opened | None = None  # writes the content after edits
    guest: Guest | None = None
    content: bytes = b""  # of a picture, as it leaves
    filename: list[str] = field(default_factory=list)  # one entry, or none
    attached: bool = False
    cid: str = ""


@dataclass
class Branch:
    """A part of a mail that holds others."""

    kind: str
    children: list[Leaf | Branch] = field(default_factory=list)


class Mail:
    """One mail, taken apart."""

    def __init__(self, data: bytes, reading: Reading, *, depth: int = 0) -> None:
        limits = reading.limits
        if depth > limits.depth:
            raise InputError(f"mails are nested more than {limits.depth} deep, the limit")
        if len(data) > limits.size:
            raise InputError(f"the mail has {len(data)} bytes, over the limit of {limits.size}")
        if _ARMOR.search(data):
            raise InputError("the mail is signed or encrypted with PGP: decrypt it first")
        self._reading, self._depth = (
            replace(reading, name="", fields=(), keep=(), known_field="", subject_field=""),
            depth,
        )
        self.flow = Flow(limits)
        self.dropped: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self._said: list[str] = []
        self._unread: list[str] = []
        message = email.message_from_bytes(data, policy=email.policy.compat32)
        if not message.keys():
            raise InputError("the file has no headers, as a mail must")
        self.message = message
        self._headers = Headers(message)
        self._headers.read(self.flow, "")
        self._parts = 0
        self._cids = {cid: f"part{n}" for n, cid in enumerate(_content_ids(message), 1)}
        self._root = self._take(message)

    def fit(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits as the files inside can make them."""
        return edits

    def _take(self, part: Message) -> Leaf | Branch | None:
        self._parts += 1
        if self._parts > min(10_000, self._reading.limits.parts):
            raise InputError("the mail has more than 10,000 parts, the limit")
        self.flow.clock.check()
        kind = part.get_content_type().lower()
        if kind in _SECURE:
            raise InputError("the mail is signed or encrypted: decrypt it, or take the signature off, first")
        payload = part.get_payload()
        inner = [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []
        if part.get_content_maintype() == "multipart" and isinstance(payload, list):
            subtype = part.get_content_subtype().lower()
            branch = Branch(subtype if subtype in _MULTIPART else "mixed")
            branch.children = [taken for child in inner if (taken := self._take(child))]
            return branch
        if kind == "message/rfc822":
            return self._mail(inner[0]) if inner else None
        return self._leaf(part, kind)

    def _mail(self, message: Message) -> Leaf | None:
        data = message.as_bytes(policy=email.policy.compat32.clone(max_line_length=0))
        return self._embedded(Leaf("message/rfc822"), OpenedMail(data, self._reading, self._depth + 1), "a mail in it")

    def _leaf(self, part: Message, kind: str) -> Leaf | None:
        content = part.get_payload(decode=True) or b""
        content = content if isinstance(content, bytes) else b""
        name = _filename(part)
        attached = part.get_content_disposition() == "attachment" or bool(name)
        cid = self._cids.get((part.get("Content-ID") or "").strip().strip("<>"), "")
        leaf = Leaf(kind, attached=attached, cid=cid)
        if not attached and kind in ("text/plain", "text/html"):
            return self._body(leaf, content, part.get_content_charset() or "")
        if kind.startswith("image/"):
            return self._picture(leaf, content, name)
        return self._attachment(leaf, content, name)

    def _body(self, leaf: Leaf, content: bytes, charset: str) -> Leaf | None:
        if leaf.kind == "text/html":
            opened: Opened = OpenedTree(content, lambda data, limits: self._page(data, limits, charset), self._reading)
            return self._embedded(leaf, opened, "body")
        return self._embedded(leaf, PlainBody(_decoded(content, charset)), "body")

    def _page(self, data: bytes, limits: Limits, charset: str) -> Page:
        return Page(decoded(data, charset) if data.strip() else "<p></p>", limits, cids=self._cids)

    def _picture(self, leaf: Leaf, content: bytes, name: str) -> Leaf | None:
        picture = pictures.cleaned(content)
        if picture is None:
            self.dropped["picture of a kind that cannot be cleaned"] += 1
            return None
        self.unread["picture"] += 1
        leaf.content, leaf.kind = picture[0], f"image/{picture[1]}"
        self._named(leaf, name)
        return leaf

    def _attachment(self, leaf: Leaf, content: bytes, name: str) -> Leaf | None:
        try:
            form = find(name or _default_name(leaf.kind), content[:4096])
            fields = _fields(form.name, content)
            opened = form.open(content, replace(self._reading, name="attachment", fields=fields))
            leaf.kind = _TYPES.get(form.name, "application/octet-stream")
            taken = self._embedded(leaf, opened, f"attachment {self._parts}")
        except TacendaError as error:
            self._said.append(f"attachment {self._parts} ({_reason(error)})")
            return None
        if form.name in ("msg", "eml"):
            leaf.kind, name = "message/rfc822", re.sub(r"\.msg$", ".eml", name, flags=re.I)
        self._named(leaf, name)
        return taken

    def _named(self, leaf: Leaf, name: str) -> None:
        if name:
            leaf.filename = [name]
            # The ending tells the format; it is kept.
            stem = name[: -len(PurePosixPath(name).suffix)] if PurePosixPath(name).suffix else name
            with self.flow.part("name", f"name of attachment {self._parts}"):
                self.flow.put(stem, _Name(leaf.filename), whole=name)

    def _embedded(self, leaf: Leaf, opened: Opened, where: str) -> Leaf | None:
        document = opened.read()
        leaf.opened, leaf.guest = opened, self.flow.embed(document, where)
        self._said += [f"{what} in {where}" for what in document.dropped]
        self._unread += [f"{what} in {where}" for what in document.unread]
        return leaf

    def document(self, name: str) -> Document:
        """Return the text of the mail and of all in it, with their parts."""
        dropped = [*counted(self.dropped), *self._said]
        return self.flow.document(name, dropped=dropped, unread=[*counted(self.unread, " not read"), *self._unread])

    def save(self) -> bytes:
        """Return the bytes of the mail as it now is."""
        lines = [f"{key}: {value}\r\n" for key, value in self._headers.lines()]
        lines.append("MIME-Version: 1.0\r\n")
        return "".join(lines).encode("ascii") + b"".join(_written(self._root or Branch("mixed"), f"{self._depth}"))


def _written(part: Leaf | Branch, place: str) -> Iterator[bytes]:
    if isinstance(part, Branch):
        boundary = f"=_part_{place}"
        yield f'Content-Type: multipart/{part.kind}; boundary="{boundary}"\r\n\r\n'.encode()
        for number, child in enumerate(part.children, 1):
            yield f"--{boundary}\r\n".encode()
            yield from _written(child, f"{place}_{number}")
            yield b"\r\n"
        yield f"--{boundary}--\r\n".encode()
        return
    content = part.opened.write(part.guest.edits) if part.opened and part.guest else part.content
    text = not part.attached and part.kind.startswith("text/")
    yield f"Content-Type: {part.kind}{'; charset=utf-8' if text else ''}\r\n".encode()
    if part.attached or part.kind == "message/rfc822":
        yield f"Content-Disposition: attachment{_filename_parameter(part.filename)}\r\n".encode()
    elif part.filename:
        yield f"Content-Disposition: inline{_filename_parameter(part.filename)}\r\n".encode()
    if part.cid:
        yield f"Content-ID: <{part.cid}>\r\n".encode()
    if part.kind == "message/rfc822":
        yield b"Content-Transfer-Encoding: 7bit\r\n\r\n" + content
    elif text:
        lines = quopri.encodestring(content.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
        yield b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + lines
    else:
        yield b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(content).replace(b"\n", b"\r\n")


def _fields(form: str, content: bytes) -> tuple[str, ...]:
    """Return all fields of attached records: nobody was asked which to sanitize, so none is left out."""
    lines = content.decode("utf-8-sig", "replace").splitlines()
    if form in ("csv", "tsv") and lines:
        delimiter = max(",;\t|", key=lines[0].count)
        return tuple(filter(None, next(csv.reader([lines[0]], delimiter=delimiter), [])))
    if form == "jsonl":
        with suppress(ValueError):
            records = [r for line in lines if line.strip() and isinstance(r := json.loads(line), dict)]
            return tuple(dict.fromkeys(k for record in records for k, v in record.items() if isinstance(v, str)))
    return ()


def _reason(error: TacendaError) -> str:
    """Say why a file inside a mail cannot be read, without its name, which somebody may have chosen."""
    text = str(error)
    return text.removeprefix("attachment: ") if text.startswith("attachment: ") else "of a kind that cannot be read"


def _filename_parameter(name: list[str]) -> str:
    if not name:
        return ""
    if name[0].isascii():
        return f'; filename="{name[0]}"'
    return f"; filename*={encode_rfc2231(name[0], 'utf-8')}"


def _filename(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, UnicodeError, TypeError):
        name = "attachment"
    return _UNSAFE_NAME.sub("_", decode(name)).strip()


def _default_name(kind: str) -> str:
    return {"text/plain": "a.txt", "text/html": "a.html", "text/csv": "a.csv", "application/pdf": "a.pdf"}.get(kind, "")


def _content_ids(message: Message) -> list[str]:
    found = ((part.get("Content-ID") or "").strip().strip("<>") for part in message.walk())
    return list(dict.fromkeys(cid for cid in found if cid))


def _decoded(content: bytes, charset: str) -> str:
    for encoding in (charset, "utf-8", "cp1252", "latin-1"):
        try:
            if encoding:
                text = content.decode(encoding)
                break
        except (UnicodeDecodeError, LookupError):
            continue
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


@dataclass(eq=False)
class _Name:
    """The name of an attachment."""

    holder: list[str]

    def set(self, value: str) -> None:
        """Put another name in its place."""
        self.holder[0] = _UNSAFE_NAME.sub("_", value).strip() or "attachment"


@dataclass(frozen=True)
class PlainBody:
    """A body of plain text: a part for each paragraph."""

    text: str = field(repr=False)

    def read(self) -> Document:
        """Return the text with its paragraphs as parts."""
        parts = [Part(m.start(), m.end()) for m in _PARAGRAPH.finditer(self.text)]
        return Document(self.text, parts=tuple(parts))

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the text with the edits made."""
        text, pieces, done = self.text, [], 0
        for start, end, new in sorted(edits):
            pieces += [text[done:start], new]
            done = end
        return "".join([*pieces, text[done:]]).encode("utf-8")

    def boxes(self, start: int, end: int) -> Sequence[Any]:
        """Plain text has no pages."""
        return ()


class OpenedMail(OpenedTree):
    """One mail, opened."""

    def __init__(self, data: bytes, reading: Reading, depth: int = 0) -> None:
        super().__init__(data, lambda source, _: Mail(source, reading, depth=depth), reading)

    def read(self) -> Document:
        """Return the text of the mail and of all in it, with their parts."""
        loaded: Any = self._fresh()
        document: Document = loaded.document(self._name)
        return document

    def reopened(self, data: bytes) -> OpenedMail:
        """Open what was written: a mail, whatever it was before."""
        return OpenedMail(data, self._reading)
