"""Reading: every kind of bad input has a message that says what, where and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.errors import InputError, UsageError
from tacenda.read import open_bytes, open_file
from tacenda.read import source as reading


def items(data: bytes, **options: object) -> list[reading.Item]:
    return list(open_bytes(data, name="in", **options).items())  # type: ignore[arg-type]


def test_text_with_and_without_byte_order_mark() -> None:
    assert items("héllo".encode())[0].documents[0].text == "héllo"
    assert items("héllo".encode("utf-8-sig"))[0].documents[0].text == "héllo"
    assert items("héllo".encode("utf-16"))[0].documents[0].text == "héllo"
    assert items("héllo".encode("latin-1"), encoding="latin-1")[0].documents[0].text == "héllo"


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"", {}, "in: is empty"),
        (b" \n ", {}, "in: is empty"),
        (b"\x7fELF\0\0\0", {}, "binary"),
        ("é".encode("latin-1"), {}, "not valid utf-8 near byte 0.*--encoding"),
        (b"x", {"encoding": "klingon"}, "no encoding named 'klingon'"),
        (b'{"text": "a"}\n{"text": }\n', {"format": "jsonl"}, "in, line 2: not valid JSON"),
        (b"[1]\n", {"format": "jsonl"}, "holds a list"),
        (b'{"note": "a"}\n', {"format": "jsonl"}, "no field 'text'. This record has: note"),
        (b'{"text": 3}\n', {"format": "jsonl"}, "field 'text' holds a int"),
        (b'{"text": "a\\ud800b"}\n', {"format": "jsonl"}, "half of a surrogate pair at character 1"),
        (b'{"text": "a\\u0000b"}\n', {"format": "jsonl"}, "NUL"),
        (b"id,text\n1,a\n2,b,c\n", {"format": "csv"}, "in, line 3: has 3 fields, the header has 2"),
        (b'id,text\n1,"a\n', {"format": "csv"}, "not valid CSV"),
        (b"x", {"fields": ("text",)}, "plain text"),
        (b'{"text": "a"}', {"format": "jsonl", "keep": ("text",)}, "both to be sanitized and to be kept"),
        (b"x", {"format": "docx"}, "no format 'docx'"),
    ],
)
def test_bad_input(data: bytes, options: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        items(data, **options)


def test_errors_do_not_quote_the_text() -> None:
    with pytest.raises(InputError) as caught:
        items(b'{"text": "Zyxwolf" oops}\n', format="jsonl")
    assert "Zyxwolf" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_document_may_not_be_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_CHARACTERS", 100)
    with pytest.raises(InputError, match=r"longer than 100 characters.*Split it"):
        items(b"x" * 401)
    with pytest.raises(InputError, match="line 2: longer than"):
        items(b'{"text": "a"}\n{"text": "' + b"x" * 200 + b'"}\n', format="jsonl")


def test_broken_line_37_is_named() -> None:
    lines = [json.dumps({"text": str(n)}) for n in range(1, 41)]
    lines[36] = lines[36][:-1]
    with pytest.raises(InputError, match="line 37"):
        items("\n".join(lines).encode(), format="jsonl")


def test_jsonl_drops_what_was_not_named() -> None:
    (item,) = items(
        b'{"id": 7, "name": "Ann", "text": "a", "note": "b"}\n', format="jsonl", fields=("text", "note"), keep=("id",)
    )
    assert [d.text for d in item.documents] == ["a", "b"]
    assert item.render(["A", "B"]) == '{"id": 7, "text": "A", "note": "B"}\n'


def test_null_fields_stay_null() -> None:
    (item,) = items(b'{"text": null}\n', format="jsonl")
    assert item.documents == ()
    assert item.render([]) == '{"text": null}\n'


def test_csv_goes_back_as_csv() -> None:
    source = open_bytes(b'id,text,name\r\n1,"a, b\nc",Ann\r\n', format="csv", keep=("id",))
    (item,) = source.items()
    assert source.header() + item.render([item.documents[0].text]) == 'text,id\n"a, b\nc",1\n'


@pytest.mark.parametrize("known", ['"Ann Lee"', '["Ann Lee"]', '{"name": "Ann Lee"}'])
def test_known_field(known: str) -> None:
    (item,) = items(f'{{"text": "a", "who": {known}}}'.encode(), format="jsonl", known_field="who")
    assert item.documents[0].known == ("Ann Lee",)


def test_files_by_ending(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# x")
    assert next(open_file(tmp_path / "a.md").items()).documents[0].text == "# x"
    (tmp_path / "a.docx").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"ending '\.docx'"):
        open_file(tmp_path / "a.docx")
    with pytest.raises(InputError, match="no such file"):
        open_file(tmp_path / "b.txt")
    with pytest.raises(InputError, match="is a folder"):
        open_file(tmp_path)
