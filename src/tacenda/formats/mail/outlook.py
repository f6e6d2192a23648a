"""Outlook's .msg files, turned into mails as the internet knows them."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from tacenda.errors import InputError
from tacenda.formats.mail.headers import Mailbox, encode, show
from tacenda.model import Limits

_RECIPIENTS = {1: "To", 2: "Cc", 3: "Bcc"}
_RECIPIENT_TYPE = 0x0C15
_EMBEDDED = 5


def as_mail(data: bytes, limits: Limits) -> bytes:
    """Return the mail that a .msg file holds."""
    import oxmsg

    if len(data) > limits.size:
        raise InputError(f"the mail has {len(data)} bytes, over the limit of {limits.size}")
    message = oxmsg.Message.load(data)
    kind = message.message_class.upper()
    if "SMIME" in kind:
        raise InputError("the mail is signed or encrypted: decrypt it first")
    out = EmailMessage(policy=SMTP)
    for key, value in _headers(message):
        out[key] = value
    text, page = message.body, message.html_body
    if text is None and page is None:
        raise InputError("the mail has only a body in rich text, which cannot be read: save it as .eml or .html")
    if text is not None:
        out.set_content(text.replace("\r\n", "\n"), cte="base64")
    if page is not None:
        (out.add_alternative if text is not None else out.set_content)(page, subtype="html", cte="base64")
    for attachment in message.attachments:
        _attach(out, attachment)
    return bytes(out)


def _headers(message: Any) -> list[tuple[str, str]]:
    pairs = [("From", message.sender or ""), ("Subject", message.subject)]
    if message.sent_date is not None:
        pairs.append(("Date", format_datetime(message.sent_date)))
    shown: dict[str, list[str]] = {}
    for recipient in message.recipients:
        kind = recipient.properties.int_prop_value(_RECIPIENT_TYPE) or 1
        shown.setdefault(_RECIPIENTS.get(kind, "To"), []).append(show(Mailbox(recipient.name, recipient.email_address)))
    pairs += [(key, ", ".join(boxes)) for key, boxes in shown.items()]
    return [(key, encode(" ".join(value.split()))) for key, value in pairs if value]


def _attach(out: EmailMessage, attachment: Any) -> None:
    content = attachment.file_bytes
    main, _, sub = (attachment.mime_type or "application/octet-stream").partition("/")
    # Whatever is inside is opened by its own bytes and name.
    main, sub = (main, sub) if main == "image" and sub else ("application", "octet-stream")
    name = attachment.file_name or "attachment.bin"
    out.add_attachment(content or b"", maintype=main, subtype=sub, filename=name)
