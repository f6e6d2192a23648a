from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda.errors import InputError
from tacenda.knowledge.index import read_collection
from tacenda.knowledge.index.mediawiki import is_maintenance, plain_text
from tacenda.knowledge.index.read_collection import read_pieces

DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">
<page><title>A</title><ns>0</ns><revision><text>'''A''' is a {{t|{{u}}}}[[Paris, Texas|town]] &amp;amp; [[river]].
This article does not cite any sources. Please help improve it.</text></revision></page>
<page><title>B</title><ns>0</ns><redirect title="A"/><revision><text>#REDIRECT [[A]]</text></revision></page>
<page><title>Talk:A</title><ns>1</ns><revision><text>chat</text></revision></page>
<page><title>C</title><ns>0</ns><revision><text>C is short.&lt;ref&gt;x&lt;/ref&gt;</text></revision></page>
</mediawiki>
"""


def test_every_format_gives_its_articles(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"text": t, "n": 1}) + "\n" for t in ("one", "two"))
    (tmp_path / "a.txt").write_text("first\n\nsecond\n")
    (tmp_path / "b.md").write_text("# Head\n")
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "d.csv.xz").write_bytes(lzma.compress(b'id,text\n1,"x, y"\n2,"z\nw"\n'))
    (tmp_path / "e.xml.bz2").write_bytes(bz2.compress(DUMP.encode()))
    (tmp_path / "ignored.png").write_bytes(b"\x89PNG")
    found = list(read_pieces([tmp_path]))
    assert [n for n, _ in found] == list(range(8))
    assert [text for _, text in found] == [
        "first\n\nsecond\n", "# Head\n", "one", "two", "x, y", "z\nw", "A is a town & river.", "C is short."
    ]  # fmt: skip


def test_a_long_text_comes_in_pieces_of_one_article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_collection, "_PIECE", 10)
    (tmp_path / "a.txt").write_text("some words here\n\nmore words there\n\nend")
    assert [n for n, _ in read_pieces([tmp_path / "a.txt"])] == [0, 0, 0]
    assert len(list(read_pieces([tmp_path / "a.txt"], whole=True))) == 1


def _cut(pack: Callable[[bytes], bytes]) -> bytes:
    lines = b"".join(b'{"text": "line %d of many"}\n' % n for n in range(20_000))
    return pack(lines)[:-3000]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b'{"text": "x"}\n{"text": "cana', "line 2: not a JSON object"),
        ("a.jsonl", b'{"body": "canary"}\n', "line 1: no text in field 'text'. Fields: body"),
        ("a.jsonl", b"[1]\n", "line 1: no text"),
        ("a.jsonl", b'{"text": "\xff"}\n', "line 1: not UTF-8"),
        ("a.csv", b"id,body\n1,canary\n", "line 1: no column 'text'. Columns: id, body"),
        ("a.csv", b'id,text\n1,ok\n2,"canary', "line 3"),
        ("a.csv", b"id,text\n1,ok,canary\n", "line 2: a different number of columns"),
        ("a.xml", b"<mediawiki><page><title>canary", "line 1: not well-formed XML"),
        ("a.jsonl.gz", _cut(gzip.compress), r"breaks off after line \d+"),
        ("a.jsonl.xz", _cut(lzma.compress), r"breaks off after line \d+"),
        ("a.jsonl.gz", b"no gzip at all", "breaks off after line 0"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        list(read_pieces([tmp_path / name]))
    assert name in str(caught.value)
    assert "canary" not in str(caught.value)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_pieces([tmp_path / "none"]))
    with pytest.raises(InputError, match="contains no file"):
        list(read_pieces([tmp_path]))


@pytest.mark.parametrize(
    ("text", "drop"),
    [
        ("This article needs additional citations for verification. Please help improve this article.", True),
        ("This section does not cite any sources.", True),
        ("The neutrality of this article is disputed. Please do not remove this message.", True),
        ("This article of faith was declared in 1950 by the pope.", False),
        ("Please Please Me is an album.", False),
        ("The section of the river north of the town is shallow.", False),
    ],
)
def test_maintenance_notes_are_told_from_text(text: str, drop: bool) -> None:
    assert is_maintenance(text) is drop


def test_wiki_markup_becomes_running_text() -> None:
    marked = "== Head ==\n* A ''b''<ref name=x/> [http://h c d] {| class=x\n| y\n|} [[File:p.jpg|thumb|A [[b]] c]]e"
    assert plain_text(marked).split() == ["A", "b", "c", "d", "e"]
