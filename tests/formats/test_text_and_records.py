"""Text, JSONL, CSV and TSV: every kind of bad input has a message; what is kept leaves byte for byte."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from tacenda import formats
from tacenda.errors import InputError, UsageError
from tacenda.formats import File, open_bytes, open_file
from tacenda.formats import text as plain
from tacenda.formats.records import Broken
from tacenda.model import Reading

NAMES = {"text": "in.txt", "jsonl": "in.jsonl", "csv": "in.csv", "tsv": "in.tsv"}


def opened(data: bytes, format: str = "text", **options: Any) -> File:
    file = open_bytes(data, name="in", format=format, reading=Reading(**options))
    assert file.document.text is not None
    return file


def records(data: bytes, format: str = "jsonl", **options: Any) -> list[Any]:
    found: Any = formats.named(format)
    return list(found.records(io.BytesIO(data), Reading(name="in", **options)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_leaves_in_the_encoding_it_came_in(encoding: str) -> None:
    data = "héllo\r\nwörld".encode(encoding)
    file = opened(data)
    assert file.document.text == "héllo\r\nwörld"
    assert file.opened.write([]) == data
    assert file.again(file.opened.write([(0, 5, "ciao")])) == "ciao\r\nwörld"


def test_a_replacement_that_the_encoding_lacks_loses_its_accents() -> None:
    file = opened("Zoë née".encode("latin-1"), encoding="latin-1")
    edits = [(0, 3, "Šárka’s")]
    assert file.promised(edits) == "Sarka's née"
    assert file.opened.write(edits) == "Sarka's née".encode("latin-1")
    assert file.again(file.opened.write(edits)) == file.promised(edits)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"", {}, "in: is empty"),
        (b" \n ", {}, "in: is empty"),
        (b"\x7fELF\0\0\0", {}, "binary"),
        ("é".encode("latin-1"), {}, "not valid utf-8 near byte 0"),
        (b"x", {"encoding": "klingon"}, "no encoding named 'klingon'"),
        (b'{"text": "a"}\n{"text": }\n', {"format": "jsonl"}, "in, line 2: not valid JSON"),
        (b"[1]\n", {"format": "jsonl"}, "holds a list"),
        (b'{"note": "a"}\n', {"format": "jsonl"}, "no field 'text'. This record has: note"),
        (b'{"text": 3}\n', {"format": "jsonl"}, "field 'text' holds a int"),
        (b'{"text": "a\\ud800b"}\n', {"format": "jsonl"}, "half of a surrogate pair at character 1"),
        (b'{"text": "a\\u0000b"}\n', {"format": "jsonl"}, "NUL"),
        (b"id,text\n1,a\n2,b,c\n", {"format": "csv"}, "in, line 3: has 3 fields, the header has 2"),
        (b'id,text\n1,"a\n', {"format": "csv"}, "not a valid table"),
        (b"x", {"fields": ("text",)}, "plain text"),
        (b'{"text": "a"}', {"format": "jsonl", "keep": ("text",)}, "both to be sanitized and to be kept"),
        (b"x", {"format": "docxx"}, "no format 'docxx'"),
    ],
)
def test_bad_input(data: bytes, options: dict[str, Any], message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        opened(data, **options)


def test_errors_do_not_quote_the_text() -> None:
    (broken,) = records(b'{"text": "Zyxwolf" oops}\n')
    with pytest.raises(InputError) as caught:
        broken.read()
    assert "Zyxwolf" not in repr(broken)
    assert "Zyxwolf" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_a_table_without_header_is_not_quoted(format: str) -> None:
    with pytest.raises(InputError, match="A table needs a header") as caught:
        records(b"Zyxwolf Mary,HIV positive\nJo,well\n", format)
    assert "Zyxwolf" not in str(caught.value)


def test_a_document_may_not_be_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "MAX_CHARACTERS", 100)
    with pytest.raises(InputError, match=r"longer than 100 characters.*Split it"):
        opened(b"x" * 401)
    with pytest.raises(InputError, match="line 2: longer than"):
        records(b'{"text": "a"}\n{"text": "' + b"x" * 200 + b'"}\n')


def test_broken_line_37_is_named() -> None:
    lines = [json.dumps({"text": str(n)}) for n in range(1, 41)]
    lines[36] = lines[36][:-1]
    found = records("\n".join(lines).encode())
    assert [record.read().text.split()[0] for record in found[:36]] == [str(n) for n in range(1, 37)]
    with pytest.raises(InputError, match="line 37"):
        found[36].read()
    assert found[36].source.decode().strip() == lines[36]
    assert found[39].read().text.startswith("40")


def test_a_broken_row_does_not_stop_the_rows_after_it() -> None:
    data = b'id,text\n1,a\n2,b,c\n3,"d" e\n4,f\n'
    found = records(data, "csv")
    assert [isinstance(record, Broken) for record in found] == [False, True, True, False]
    assert [record.source for record in found] == [b"1,a\n", b"2,b,c\n", b'3,"d" e\n', b"4,f\n"]


def test_a_field_that_no_record_has_is_an_error_of_the_call() -> None:
    with pytest.raises(InputError, match="no field 'note'"):
        records(b'{"text": "a"}\n' * 3, fields=("note",))
    found = records(b'{"text": "a"}\n{"body": "b"}\n')
    assert [isinstance(record, Broken) for record in found] == [False, True]


def test_names_of_fields_that_may_be_names_of_people_are_not_quoted() -> None:
    with pytest.raises(InputError, match="no field 'text'") as caught:
        records(b'{"Zyxwolf": "a", "note": "b"}\n')
    assert "Zyxwolf" not in str(caught.value)
    assert "note and 1 more" in str(caught.value)


def test_plain_text_is_not_read_as_other_letters() -> None:
    with pytest.raises(InputError, match="is plain text, not utf-16"):
        opened(b"Ann Porter called again today.", encoding="utf-16")
    with pytest.raises(UsageError, match="no encoding named 'hex'"):
        opened(b"616263", encoding="hex")
    assert opened("Zoë called again.".encode("utf-16-le"), encoding="utf-16-le").document.text == "Zoë called again."


def test_jsonl_drops_what_was_not_named() -> None:
    (record,) = records(b'{"id": 7, "name": "Ann", "text": "a", "note": "b"}\n', fields=("text", "note"), keep=("id",))
    document = record.read()
    cells = [(document.text[p.start : p.end], p.column) for p in document.parts if p.kind == "cell"]
    assert cells == [("a", "text"), ("b", "note")]
    labels = [document.text[p.start : p.end] for p in document.parts if p.kind == "label"]
    assert labels == ["id", "text", "note"]
    assert record.write([(0, 1, "A"), (3, 4, "B")]) == b'{"id": 7, "text": "A", "note": "B"}\n'


def test_a_name_of_a_field_is_edited_like_the_rest() -> None:
    (record,) = records(b'{"Zyxwolf said": "a", "Zyxwolf": "b"}\n', fields=("Zyxwolf said", "Zyxwolf"))
    document = record.read()
    edits = [(p.start, p.start + 7, "[x]") for p in document.parts if p.kind == "label"]
    assert record.write(edits) == b'{"[x] said": "a", "[x]": "b"}\n'
    assert record.reopened(record.write(edits)).read().text == record.promised(edits)


def test_null_fields_stay_null() -> None:
    (record,) = records(b'{"text": null}\n')
    assert record.write([]) == b'{"text": null}\n'


def test_tables_keep_the_order_of_their_columns() -> None:
    data = b'id,text,name\r\n1,"a, b\nc",Ann\r\n'
    found: Any = formats.named("csv")
    reading = Reading(name="in", keep=("id",))
    head = found.head(io.BytesIO(data), reading)
    (row,) = found.records(io.BytesIO(data), reading)
    assert head.write([]) + row.write([]) == b'id,text\r\n1,"a, b\nc"\r\n'


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_are_recognized(delimiter: str) -> None:
    (row,) = records(f"id{delimiter}text\n1{delimiter}a\n".encode(), "csv", keep=("id",))
    assert row.write([(0, 1, "b")]) == f"1{delimiter}b\n".encode()


@pytest.mark.parametrize("known", ['"Ann Lee"', '["Ann Lee"]', '{"name": "Ann Lee"}'])
def test_known_field(known: str) -> None:
    (record,) = records(f'{{"text": "a", "who": {known}}}'.encode(), known_field="who")
    assert record.read().known == ("Ann Lee",)


def test_files_by_ending_and_by_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# x")
    assert open_file(tmp_path / "a.md").document.text == "# x"
    (tmp_path / "a.xyz").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"ending '\.xyz'"):
        open_file(tmp_path / "a.xyz")
    with pytest.raises(InputError, match="no such file"):
        open_file(tmp_path / "b.txt")
    with pytest.raises(InputError, match="is a folder"):
        open_file(tmp_path)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = formats.Entry("no.such:Module", (".fancy",), (b"%FANCY",), "fancy", ("no_such_library",))
    monkeypatch.setitem(formats.TABLE, "fancy", entry)
    formats._table.cache_clear()
    try:
        with pytest.raises(InputError, match=r"letter.fancy: reading FANCY needs the extra tacenda\[fancy\]"):
            formats.find("letter.fancy", b"%FANCY-1")
        with pytest.raises(InputError, match=r"pip install 'tacenda\[fancy\]'"):
            formats.find("letter.txt", b"%FANCY-1")
        with pytest.raises(InputError, match="is not a FANCY file"):
            formats.find("letter.fancy", b"hello")
    finally:
        monkeypatch.undo()
        formats._table.cache_clear()


texts = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=1, max_size=60)


@settings(max_examples=80, deadline=None)
@given(texts)
def test_text_that_is_kept_leaves_byte_for_byte(text: str) -> None:
    data = text.encode()
    if data.strip() and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert opened(data).opened.write([]) == data


@settings(max_examples=80, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["a", "b c", "d"]), texts, min_size=3), min_size=1, max_size=4))
def test_records_that_are_kept_leave_byte_for_byte(rows: list[dict[str, str]]) -> None:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    file = opened(data, "jsonl", fields=("a", "b c", "d"))
    assert file.opened.write([]) == data
    assert file.again(data) == file.document.text


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(texts, min_size=2, max_size=2), min_size=1, max_size=4), st.sampled_from(["csv", "tsv"]))
def test_tables_that_are_kept_leave_byte_for_byte(rows: list[list[str]], format: str) -> None:
    import csv

    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter="," if format == "csv" else "\t", lineterminator="\r\n")
    writer.writerows([["a", "b"], *rows])
    data = buffer.getvalue().encode()
    file = opened(data, format, fields=("a", "b"))
    assert file.opened.write([]) == data
    assert file.again(data) == file.document.text


@settings(max_examples=80, deadline=None)
@given(texts, texts, st.sampled_from(["jsonl", "csv", "tsv"]))
def test_what_is_written_reads_as_promised(first: str, new: str, format: str) -> None:
    if format == "jsonl":
        data = (json.dumps({"a": first, "b": "x"}) + "\n").encode()
    else:
        import csv

        buffer = io.StringIO()
        csv.writer(buffer, delimiter="," if format == "csv" else "\t").writerows([["a", "b"], [first, "x"]])
        data = buffer.getvalue().encode()
    file = opened(data, format, fields=("a",), keep=("b",))
    start = next(p.start for p in file.document.parts if p.kind == "cell")
    edits = [(start, start + len(first), new)]
    assert file.again(file.opened.write(edits)) == file.promised(edits)
