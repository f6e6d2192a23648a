"""Pages: what leaves is valid, and other parsers see no more in it than we did."""

from __future__ import annotations

import re
import warnings
from html.parser import HTMLParser

import pytest

pytest.importorskip("lxml")

from tests.formats import samples_open
from tests.formats.checks import bare, sanitized
from tests.formats.samples import ZEBULON

from tacenda.formats.html import Html, decoded
from tacenda.model import Reading


class Words(HTMLParser):
    """The text of a page as the standard library sees it."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def page(source: str) -> str:
    return Html().open(source.encode(), Reading()).write([]).decode()


def test_another_parser_reads_the_same_words() -> None:
    document, written, promised = sanitized(Html(), samples_open.html(ZEBULON).encode(), ZEBULON)
    other = Words()
    other.feed(written.decode())
    words = bare("".join(other.text))
    assert words
    assert bare(promised).startswith(words) or all(w in promised for w in "".join(other.text).split())
    assert document.dropped


def test_the_result_is_valid_html() -> None:
    html5lib = pytest.importorskip("html5lib")
    _, written, _ = sanitized(Html(), samples_open.html(ZEBULON).encode(), ZEBULON)
    parser = html5lib.HTMLParser(strict=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parser.parse(written.decode())
    assert parser.errors == []


def test_hidden_things_go() -> None:
    for source in (
        "<p hidden>x</p>", '<p style="display: none">x</p>', "<script>x</script>", "<!-- x -->", '<p data-a="x"></p>',
        '<input type="hidden" value="x">', "<template>x</template>", '<p onclick="x"></p>',
        '<a href="javascript:x"></a>',
        '<meta content="x">', '<p class="x" id="x"></p>', '<img srcset="x 2x">', "<svg><text>x</text></svg>",
        '<p style="background: url(x)"></p>', '<font face="x"></font>',
    ):  # fmt: skip
        assert not re.search(r"\bx\b", page(f"<body><p>y</p>{source}</body>").replace("<p>y", "")), source


def test_links_inside_a_page_still_lead_there() -> None:
    written = page('<a href="#zoe-kern">down</a><h2 id="zoe-kern">Here</h2><h2 id="other">There</h2>')
    assert '<a href="#a1">' in written
    assert '<h2 id="a1">' in written
    assert "zoe" not in written


def test_names_in_addresses_are_seen_behind_percent_signs() -> None:
    opened = Html().open(b'<a href="https://example.org/%5A%6Fe">x</a>', Reading())
    text = opened.read().text
    assert "https://example.org/Zoe" in text
    start = text.index("https")
    written = opened.write([(start, start + len("https://example.org/Zoe"), "[link]")])
    assert b'href="%5Blink%5D"' in written


def test_encodings() -> None:
    assert decoded("Zoë".encode("cp1252")) == "Zoë"
    assert decoded("Zoë".encode()) == "Zoë"
    assert decoded("\ufeffZoë".encode("utf-16-le")) == "Zoë"
    assert decoded('<meta charset="iso-8859-7">\xd3'.encode("latin-1")) == '<meta charset="iso-8859-7">Σ'
