"""Persons and numbers are tied and numbered over all that is released together, whatever it is made of."""

from __future__ import annotations

import email
import email.policy
import json
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

import tacenda
from tacenda.model import Case, Document

LETTER = (
    "Dear Ms Alvarez,\n\nYour order 4471-88213 was shipped on 3 May 2021. Please call Daniel Okafor"
    " at (916) 555-0142.\n\nRegards, Peter Lindqvist\n"
)
NOTE = (
    "Lindqvist spoke with Maria Alvarez about order no. 447188213. Okafor was not in.\n"
    "She said that Dan would call back from 916-555-0142.\n"
)
# Alvarez, Okafor, Lindqvist and the numbers, in the order in which the letter and the note name them.
WANTED_LETTER = [("person", 1), ("person", 2), ("person", 3)]
WANTED_NOTE = [("person", 3), ("person", 1), ("person", 2), ("person", 2)]


def people(text: str) -> list[tuple[str, int]]:
    return [(kind, int(number)) for kind, number in re.findall(r"\[(person) (\d+)\]", text)]


def numbers(text: str) -> list[str]:
    return re.findall(r"\[((?:phone )?number(?: \d+)?)\]", text)


def test_documents_of_a_case(ready) -> None:
    text = ready("identifiers").sanitize(Case((Document(LETTER, "a"), Document(NOTE, "b")))).text
    assert people(text) == [*WANTED_LETTER, *WANTED_NOTE]
    assert numbers(text) == ["number", "phone number"] * 2, "one of each, so neither has a number of its own"


def test_files_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(LETTER)
    (folder / "b.txt").write_text(NOTE)
    tacenda.sanitize_folder(folder, tmp_path / "out", policy="identifiers", per_case="folder")
    letter, note = ((tmp_path / "out" / name).read_text() for name in ("a.txt", "b.txt"))
    assert (people(letter), people(note)) == (WANTED_LETTER, WANTED_NOTE)
    assert numbers(letter) == numbers(note) == ["number", "phone number"]


def test_fields_of_a_record_and_records_of_a_case(tmp_path: Path) -> None:
    again = "Mr Okafor called about order 4471-88213, not about order 9023-11746."
    rows = [{"letter": LETTER, "note": NOTE, "case": "7"}, {"letter": again, "note": "-", "case": "7"}]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    reading = tacenda.Reading(fields=("letter", "note"), case_field="case")
    tacenda.sanitize_folder(folder, tmp_path / "out", policy="identifiers", reading=reading)
    first, second = map(json.loads, (tmp_path / "out" / "r.jsonl").read_text().splitlines())
    assert (people(first["letter"]), people(first["note"])) == (WANTED_LETTER, WANTED_NOTE)
    assert people(second["letter"]) == [("person", 2)]
    assert numbers(first["letter"])[0] == numbers(first["note"])[0] == "number 1"
    assert numbers(second["letter"]) == ["number 1", "number 2"]


def test_a_mail_and_its_attachments(ready) -> None:
    pytest.importorskip("lxml")
    mail = EmailMessage()
    mail["From"], mail["To"] = "Peter Lindqvist <pl@example.org>", "Maria Alvarez <ma@example.org>"
    mail["Subject"] = "Order 4471-88213"
    mail.set_content(LETTER)
    mail.add_attachment(NOTE, filename="note.txt")
    mail.add_attachment(b"customer,order\nMaria Alvarez,4471-88213\n", maintype="text", subtype="csv", filename="t.csv")
    file = tacenda.formats.open_bytes(mail.as_bytes(), name="m.eml")
    sanitizer = ready("identifiers")
    (data,) = sanitizer.write([file], sanitizer.plan(file.document))
    again = email.message_from_bytes(data, policy=email.policy.default)
    texts = [part.get_content() for part in again.walk() if part.get_content_maintype() == "text"]
    body, note, table = (text if isinstance(text, str) else text.decode() for text in texts)
    # The sender is named first, then the recipient, then Okafor in the letter.
    moved = {1: 2, 2: 3, 3: 1}
    assert {number for _, number in people(str(again["From"]))} == {1}
    assert {number for _, number in people(str(again["To"]))} == {2}
    assert [number for _, number in people(body)] == [moved[number] for _, number in WANTED_LETTER]
    assert [number for _, number in people(note)] == [moved[number] for _, number in WANTED_NOTE]
    assert [number for _, number in people(table)] == [2]
    assert {*numbers(str(again["Subject"])), *numbers(body)[:1], *numbers(note)[:1], *numbers(table)} == {"number"}


def test_replacements_read_together_in_files_with_links_and_cells(ready, tmp_path) -> None:
    page = tmp_path / "life.html"
    page.write_text(
        "<html><body><p>She taught there between 1994 and 1997. <a href='https://example.org/x'>More</a></p>"
        "<table><tr><td>She taught there between 1994 and 1997.</td><td>1998</td></tr></table></body></html>",
        encoding="utf-8",
    )
    file = tacenda.open_file(page)
    sanitizer = ready("person")
    (data,) = sanitizer.write([file], sanitizer.plan(file.document))
    assert data.decode().count("taught there in the 1990s.") == 2, "one span in the paragraph, one in the cell"
