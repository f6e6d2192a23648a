"""Hostile and damaged files: refused with a clear word, or read and checked; never a crash, never a leak."""

from __future__ import annotations

import random
import time
import zipfile
from io import BytesIO

import pytest

pytest.importorskip("lxml")
pytest.importorskip("oxmsg")

from tests.formats.samples import XML, ZEBULON, W, pack, relations, types

from benchmarks.quality.documents.mutate import MUTATIONS
from benchmarks.quality.documents.run import SAMPLES, _outcome
from tacenda.errors import InputError
from tacenda.formats import named
from tacenda.model import Limits, Reading

MAIN = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml", "odt": "content.xml"}


def entries(name: str) -> dict[str, str | bytes]:
    with zipfile.ZipFile(BytesIO(SAMPLES[name](ZEBULON))) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def refused(name: str, data: bytes, says: str, **limits: int) -> None:
    with pytest.raises(InputError, match=says):
        named(name).open(data, Reading(limits=Limits(**limits))).read()


@pytest.mark.parametrize("name", list(SAMPLES))
def test_damaged_files_are_refused_or_checked(name: str) -> None:
    chance = random.Random(name)
    data = SAMPLES[name](ZEBULON)
    weights = [weight for _, _, weight in MUTATIONS[:-1]]
    for _ in range(40):
        _, change, _ = chance.choices(MUTATIONS[:-1], weights)[0]
        assert _outcome(name, change(data, chance)).startswith(("refused", "read", "stopped"))


@pytest.mark.parametrize("name", list(MAIN))
def test_entities_and_document_types_are_refused(name: str) -> None:
    files = entries(name)
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    for declared in (f'<!ENTITY l0 "ha">{laughs}', '<!ENTITY l8 SYSTEM "file:///etc/hostname">'):
        files[MAIN[name]] = f"<!DOCTYPE x [{declared}]><x>&l8;</x>"
        refused(name, pack(files), "document type|well-formed")


@pytest.mark.parametrize("name", list(MAIN))
def test_names_that_lead_outside_are_refused(name: str) -> None:
    for path in ("../evil.xml", "/etc/evil", "..\\evil.xml", "C:/evil"):
        refused(name, pack({**entries(name), path: "x"}), "points outside")


@pytest.mark.parametrize("name", list(MAIN))
def test_bombs_are_refused_quickly(name: str) -> None:
    files = entries(name)
    files[MAIN[name]] = b" " * 60_000_000
    bomb = pack(files)
    start = time.perf_counter()
    refused(name, bomb, "zip bomb")
    assert time.perf_counter() - start < 5
    refused(name, pack({**entries(name), "a": random.Random(1).randbytes(900_000)}), "zip bomb", expanded=500_000)
    refused(name, SAMPLES[name](ZEBULON), "over the limit", size=1000)


@pytest.mark.parametrize(
    ("name", "entry"),
    [("docx", "word/vbaProject.bin"), ("xlsx", "xl/vbaProject.bin"), ("pptx", "ppt/activeX/activeX1.xml"),
     ("odt", "Basic/Standard/Module1.xml"), ("ods", "Scripts/python/x.py")],
)  # fmt: skip
def test_macros_are_refused(name: str, entry: str) -> None:
    refused(name, pack({**entries(name), entry: "x"}), "macros")


@pytest.mark.parametrize("name", [*MAIN, "ods"])
def test_encrypted_files_are_refused(name: str) -> None:
    refused(name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4000), "encrypted")


def test_an_encrypted_opendocument_file_is_refused() -> None:
    files = entries("odt")
    files["META-INF/manifest.xml"] = "<manifest:encryption-data/>"
    refused("odt", pack(files), "encrypted")


def test_relationships_in_a_circle_end() -> None:
    body = f"{XML}<w:document {W}><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>"
    circle = relations(
        ("a", "header", "document.xml"), ("b", "footnotes", "document.xml"), ("c", "image", "document.xml")
    )
    data = pack(
        {
            "[Content_Types].xml": types({"word/document.xml": "wordprocessingml.document.main"}),
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": body,
            "word/_rels/document.xml.rels": circle,
        }
    )
    assert "x" in named("docx").open(data, Reading()).read().text


def test_two_entries_of_one_name_are_refused() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "x")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("[Content_Types].xml", "y")
    refused("docx", out.getvalue(), "same name")


def test_deep_trees_are_refused() -> None:
    page = b"<div>" * 100_000 + b"Quillfeather" + b"</div>" * 100_000
    refused("html", page, "nested|read as HTML")
    files = entries("docx")
    files["word/document.xml"] = f"<w:document {W}>{'<w:p>' * 100_000}{'</w:p>' * 100_000}</w:document>"
    refused("docx", pack(files), "well-formed|zip bomb")


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("Content-Type: multipart/signed; boundary=a", "signed or encrypted"),
        ("Content-Type: multipart/encrypted; boundary=a", "signed or encrypted"),
        ("Content-Type: application/pkcs7-mime", "signed or encrypted"),
        ("Content-Type: text/plain\r\n\r\n-----BEGIN PGP MESSAGE-----", "PGP"),
    ],
)
def test_signed_and_encrypted_mails_are_refused(head: str, says: str) -> None:
    refused("eml", f"Subject: x\r\n{head}\r\n\r\n--a\r\n\r\nx\r\n--a--\r\n".encode(), says)


def test_mails_in_mails_have_an_end() -> None:
    inner = b"Subject: x\r\n\r\nx"
    for _ in range(12):
        inner = b"Subject: x\r\nContent-Type: message/rfc822\r\n\r\n" + inner
    refused("eml", inner, "nested more than")


def test_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: list[float] = [0.0]

    def tick() -> float:
        clock[0] += 1000.0
        return clock[0]

    monkeypatch.setattr("tacenda.formats.flow.time.monotonic", tick)
    refused("docx", SAMPLES["docx"](ZEBULON), "time limit")
