"""Mails: threads, attachments, names, streams."""

from __future__ import annotations

import email
import email.policy
import io
import pickle
from email.message import EmailMessage

import pytest

pytest.importorskip("lxml")
pytest.importorskip("oxmsg")

from tests.formats import samples_open
from tests.formats.checks import hide, sanitized
from tests.formats.samples import ZEBULON

from tacenda.errors import UsageError
from tacenda.formats import named, written_suffix
from tacenda.formats.mail import Eml, Mbox
from tacenda.formats.mail.headers import Mailbox, decode, mailboxes, show
from tacenda.model import Reading


def test_mails_of_a_thread_share_a_case() -> None:
    data = io.BytesIO(samples_open.mbox(ZEBULON))
    cases = [r.read().case for r in Mbox().records(data, Reading(case_field="thread"))]
    assert cases == ["thread 1", "thread 1", "thread 2"]
    data.seek(0)
    assert [r.read().case for r in Mbox().records(data, Reading())] == ["", "", ""]
    with pytest.raises(UsageError, match="thread"):
        list(Mbox().records(data, Reading(case_field="sender")))


def test_records_of_a_mailbox_travel_between_processes() -> None:
    record = next(Mbox().records(io.BytesIO(samples_open.mbox(ZEBULON)), Reading()))
    text = record.read().text
    assert pickle.loads(pickle.dumps(record)).read().text == text  # noqa: S301
    assert ZEBULON.name not in repr(record)


def test_lines_that_begin_with_from_stay_in_their_mail() -> None:
    records = list(Mbox().records(io.BytesIO(samples_open.mbox(ZEBULON)), Reading()))
    assert len(records) == 3
    assert "From now." in records[1].read().text
    written = b"".join(r.write([]) for r in records)
    again = list(Mbox().records(io.BytesIO(written), Reading()))
    assert [r.read().text for r in again] == [r.read().text for r in records]


def test_a_mailbox_is_read_as_a_stream() -> None:
    class Endless(io.RawIOBase):
        """A mailbox that never ends."""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            text = b"From a\nSubject: x\n\nHello\n\n"
            buffer[: len(text)] = text
            return len(text)

    records = Mbox().records(io.BufferedReader(Endless()), Reading())  # type: ignore[arg-type]
    assert [next(records).read().text.strip() for _ in range(3)] == ["x\n\nHello"] * 3


def test_attachments_keep_their_kind_and_ending() -> None:
    _, written, _ = sanitized(Eml(), samples_open.eml(ZEBULON), ZEBULON)
    message = email.message_from_bytes(written, policy=email.policy.default)
    names = [part.get_filename() for part in message.walk() if part.get_filename()]
    assert "[person 1] é report.docx" in names
    assert "[person 1].csv" in names
    assert set(message.keys()) <= {
        "From", "To", "Cc", "Reply-To", "Subject", "Date", "MIME-Version", "Content-Type",
    }  # fmt: skip
    table = next(p for p in message.walk() if p.get_filename() == "[person 1].csv")
    assert table.get_payload(decode=True) == b"Name,Note\n[person 1],ill\n"
    pictures = [p for p in message.walk() if p.get_content_maintype() == "image"]
    assert pictures[0]["Content-ID"] == "<part1>"
    page = next(p for p in message.walk() if p.get_content_type() == "text/html")
    assert "cid:part1" in page.get_content()


def test_alternatives_say_the_same() -> None:
    message = EmailMessage()
    message["Subject"] = "x"
    message.set_content(f"Dear {ZEBULON.name}, come.\n")
    message.add_alternative(f"<p>Dear {ZEBULON.name}, come.</p>", subtype="html")
    opened = Eml().open(bytes(message), Reading())
    edits = hide(opened.read().text, ZEBULON)
    assert len(edits) == 2
    written = email.message_from_bytes(opened.write(edits), policy=email.policy.default)
    assert [p.get_content().count("[person 1]") for p in written.walk() if not p.is_multipart()] == [1, 1]


@pytest.mark.parametrize(
    ("header", "boxes"),
    [
        ("Zoe Kern <zk@example.org>", [("Zoe Kern", "zk@example.org")]),
        ('"Kern, Zoe" <zk@example.org>, ann@example.org', [("Kern, Zoe", "zk@example.org"), ("", "ann@example.org")]),
        ('"[person 1]" <[e-mail address 1]>', [("[person 1]", "[e-mail address 1]")]),
        ("undisclosed-recipients:;", [("undisclosed-recipients:", "")]),
        ('"a \\"b\\" c" <d@e.f>', [("a 'b' c", "d@e.f")]),
        ("", []),
    ],
)
def test_addresses_are_read_and_written(header: str, boxes: list[tuple[str, str]]) -> None:
    found = list(mailboxes(header))
    assert [(b.name, b.address) for b in found] == boxes
    assert list(mailboxes(", ".join(map(show, found)))) == [Mailbox(*box) for box in boxes]


def test_headers_are_decoded() -> None:
    assert decode("=?utf-8?q?Zo=C3=AB?=\r\n =?utf-8?b?IEtlcm4=?=") == "Zoë Kern"
    assert decode("=?nonsense?q?x?=") == "=?nonsense?q?x?="


def test_msg_becomes_eml() -> None:
    assert written_suffix(".msg") == ".eml"
    assert written_suffix(".MSG") == ".eml"
    assert written_suffix(".docx") == ".docx"
    assert named("msg").name == "msg"
