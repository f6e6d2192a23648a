"""The search for residue finds a word wherever it is planted, and does not cry wolf."""

from __future__ import annotations

import base64
import quopri
import zlib
from collections.abc import Callable

import pytest
from tests.formats.samples import pack

from tacenda.formats.residue import search

NAME = "Quillfeather"
PLANTS: dict[str, Callable[[str], bytes]] = {
    "text": lambda n: f"seen {n} today".encode(),
    "other case": lambda n: n.upper().encode(),
    "look-alike letters": lambda n: n.replace("e", "\u0435").encode(),
    "soft hyphens": lambda n: "\u00ad".join(n).encode(),
    "inside a word": lambda n: f"bm_{n}2".encode(),
    "over tags": lambda n: f"<p>{n[:4]}<b>{n[4:]}</b></p>".encode(),
    "attribute": lambda n: f'<p title="of {n}">x</p>'.encode(),
    "lone attribute": lambda n: f'<p title="{n}">x</p>'.encode(),
    "comment": lambda n: f"<p>x</p><!-- {n} -->".encode(),
    "instruction": lambda n: f"<?x {n}?><p>x</p>".encode(),
    "element": lambda n: f"<{n}>x</{n}>".encode(),
    "name of an attribute": lambda n: f'<a {n}="1">x</a>'.encode(),
    "character references": lambda n: ("<p>" + "".join(f"&#{ord(c)};" for c in n) + "</p>").encode(),
    "percent signs": lambda n: ('<a href="x?' + "".join(f"%{ord(c):02X}" for c in n) + '">x</a>').encode(),
    "escapes": lambda n: "".join(f"_x{ord(c):04X}_" for c in n).encode(),
    "UTF-16": lambda n: n.encode("utf-16"),
    "UTF-16 at an odd place": lambda n: b"\0x\0" + n.encode("utf-16-be"),
    "base64": lambda n: b"x: " + base64.b64encode(f"it is {n} again".encode()),
    "base64 of UTF-16": lambda n: base64.b64encode(f"it is {n}".encode("utf-16")) + b"\n",
    "quoted-printable": lambda n: quopri.encodestring("".join(f"{c}" for c in n).replace("u", "=75").encode()).replace(
        b"=3D", b"="
    ),
    "encoded header": lambda n: b"Subject: =?utf-8?b?" + base64.b64encode(n.encode()) + b"?=",
    "entry": lambda n: pack({"a.xml": n}),
    "name of an entry": lambda n: pack({f"{n}.xml": "x"}),
    "remark": lambda n: pack({"a.xml": "x"}, comment=n),
    "archive in an archive": lambda n: pack({"a.zip": pack({"b.zip": pack({"c.xml": n})})}),
    "archive in base64": lambda n: b"\r\n" + base64.encodebytes(pack({"a.xml": n})),
}


@pytest.mark.parametrize("place", list(PLANTS))
def test_a_planted_word_is_found(place: str) -> None:
    data = PLANTS[place](NAME)
    found = search(data, [NAME])
    assert found
    assert all(NAME.lower() not in where.lower() for where in found)
    assert search(PLANTS[place]("Somebodyelse"), [NAME]) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a smart in the room", "Martin"),
        ("for example, so it was", "Examples"),
        ('<c:rich><a:t val="green">x</a:t></c:rich>', "Rich"),
        ('<w:highlight w:val="green"/>', "Green"),
        ('<input placeholder="x">', "Holder"),
        ("Content-Transfer-Encoding: quoted-printable\r\n\r\nx", "Encoding"),
        ("carefully", "Care"),
        ("<p>the end.</p><p>anna</p>", "Dana"),
    ],
)
def test_other_words_are_not_taken_for_it(text: str, word: str) -> None:
    assert search(text.encode(), [word]) == []


def test_short_names_are_found_as_words() -> None:
    assert search(b"<p>Dr Fox is in</p>", ["Fox"])
    assert search(b'<p title="Fox">x</p>', ["Fox"])
    assert search(b'<p title="Dr Fox">x</p>', ["Fox"])


def test_what_cannot_be_searched_is_not_clean() -> None:
    data = pack({"a.xml": "x"})
    for _ in range(12):
        data = pack({"a.zip": data})
    assert "too deep" in search(data, [NAME])[0]
    assert search(data[:60] + zlib.compress(b"x") + data[70:], [NAME])


def test_what_a_format_calls_itself_is_no_residue() -> None:
    own = (
        '<w:document xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
        'xmlns:o="urn:schemas-microsoft-com:office:office">{}</w:document>'
    )
    assert search(own.format("<w:t>x</w:t>").encode(), ["Microsoft", "Office", "Word"]) == []
    assert search(b'<style:style style:family="table-cell" style:rel="paragraph"/>', ["Cell", "paragraph"]) == []
    assert search(pack({"word/document.xml": own.format("x"), "word/styles.xml": "x"}), ["Word", "Office"]) == []
    assert search(pack({"word/smith.xml": "x"}), ["Smith"]) == ["name of entry 1 of the file"]
    assert search(own.format("<w:t>Microsoft</w:t>").encode(), ["Microsoft"]) == ["the file"]
    for value in ("http://schemas.microsoft.com/office/Quillfeather", "Microsoft Smith", "table-cell Smith"):
        assert search(own.format(f'<w:t w:name="{value}"/>').encode(), ["Quillfeather", "Smith"]) == ["the file"]
