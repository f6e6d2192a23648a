from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.errors import InputError
from tacenda.measures.gold import GoldDocument, GoldMention, Mask, read_gold, read_masks
from tacenda.model import digest

TEXT = "Ann met Bob"
TAB: dict[str, Any] = {
    "doc_id": "d1",
    "text": TEXT,
    "annotations": {
        "a2": {"entity_mentions": []},
        "a1": {
            "entity_mentions": [
                {
                    "start_offset": 0,
                    "end_offset": 3,
                    "entity_type": "PERSON",
                    "identifier_type": "DIRECT",
                    "entity_id": "e1",
                },
                {"start_offset": 8, "end_offset": 11, "entity_type": "PERSON", "identifier_type": "NO_MASK"},
            ]
        },
    },
}
DOCUMENTS = [GoldDocument("d1", TEXT, {}), GoldDocument("d2", "Eve", {})]


def put(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_benchmark_json_as_array_and_as_lines(tmp_path: Path) -> None:
    array = read_gold(put(tmp_path / "a.json", json.dumps([TAB], indent=1)))
    lines = read_gold(put(tmp_path / "a.jsonl", json.dumps(TAB) + "\n\n"))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(TAB).encode()))
    assert array == lines == read_gold(tmp_path / "a.jsonl.gz")
    assert list(array[0].annotators) == ["a1", "a2"]
    assert array[0].annotators["a1"] == (
        GoldMention(0, 3, "PERSON", "direct", "e1"),
        GoldMention(8, 11, "PERSON", "none", ""),
    )
    assert "Ann" not in repr(array)


@pytest.mark.parametrize(
    "spans",
    [[[0, 3, "PERSON"]], [{"start": 0, "end": 3, "type": "PERSON"}], [{"start": 0, "end": 3, "label": "PERSON"}]],
)
def test_span_records(tmp_path: Path, spans: list[Any]) -> None:
    (document,) = read_gold(put(tmp_path / "a.jsonl", {"id": "d1", "text": TEXT, "spans": spans}))
    assert document.annotators["gold"] == (GoldMention(0, 3, "PERSON"),)


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"id": "d2", "text": "Eve", "spans": [[0, 9]]}, ":2: span 0-9 lies outside the text of 3 characters"),
        ({"id": "d2", "text": "Eve", "spans": [[2, 2]]}, ":2: span 2-2 lies outside"),
        ({"id": "d2", "text": "Eve", "spans": [["0", 2]]}, ":2: span 0-2 lies outside"),
        ({"id": "d2", "text": "Eve", "spans": [7]}, ":2: a span is int"),
        ({"id": "d2", "text": "Eve"}, ":2: needs one of spans,"),
        ({"id": "d2", "spans": []}, ":2: needs one of text,"),
        ({"id": "d2", "text": 3, "spans": []}, ":2: the text of document d2 is int"),
        ({"id": "d1", "text": "Eve", "spans": []}, ":2: document d1 appears in the file twice"),
        ("nonsense", ":2: expected an object"),
        ({"id": "d2", "text": "Eve", "spans": [{"start": 0, "end": 1, "role": "odd"}]}, ":2: identifier_type 'odd'"),
    ],
)
def test_bad_gold_names_file_and_line(tmp_path: Path, second: object, said: str) -> None:
    first = json.dumps({"id": "d1", "text": TEXT, "spans": []})
    path = put(tmp_path / "g.jsonl", first + "\n" + json.dumps(second))
    with pytest.raises(InputError) as error:
        read_gold(path)
    assert f"g.jsonl{said}" in str(error.value)
    assert "Eve" not in str(error.value)
    array = put(tmp_path / "g.json", "[" + first + ",\n" + json.dumps(second) + "]")
    with pytest.raises(InputError) as error:
        read_gold(array)
    assert f"g.json{said}" in str(error.value)


def test_broken_files(tmp_path: Path) -> None:
    for content, said in (("[{}", "needs one of id"), ("[", "cut off"), ("[{]", ":1: not JSON"), ("", "no documents")):
        with pytest.raises(InputError, match=said):
            read_gold(put(tmp_path / "g.json", content))
    (tmp_path / "b.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_gold(tmp_path / "b.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_gold(tmp_path / "none.json")


def test_masks_in_every_form(tmp_path: Path) -> None:
    expected = {"d1": (Mask(0, 3, "PERSON", "someone"),), "d2": ()}
    spans = put(tmp_path / "s.json", {"d1": [[0, 3, "PERSON", "someone"]], "d2": []})
    record = {"id": "d1", "spans": [{"start": 0, "end": 3, "label": "PERSON", "replacement": "someone"}]}
    lines = put(tmp_path / "s.jsonl", json.dumps(record) + "\n" + '{"id": "d2", "spans": []}')
    plans = tmp_path / "plans"
    plans.mkdir()
    decision = {"start": 0, "end": 3, "label": "PERSON", "action": "generalize", "replacement": "someone"}
    kept = {**decision, "start": 8, "end": 11, "action": "keep"}
    put(plans / "1.json", {"digest": digest(TEXT), "decisions": [decision, kept]})
    put(plans / "2.json", {"digest": digest("Eve"), "decisions": []})
    for path in (spans, lines, plans):
        assert read_masks(path, DOCUMENTS) == expected


def test_misaligned_masks_are_refused(tmp_path: Path) -> None:
    for content, said in (
        ('{"d1": [],\n"d9": [],\n"d2": []}', r"s\.json:2: document d9 is not among the 2"),
        ('{"d1": []}', "there is no entry for 1 of 2 documents; the first is d2"),
        ('{"d1": [],\n"d2": [[0, 4]]}', r"s\.json:2: span 0-4 lies outside the text of 3"),
        ('{"d1": [],\n"d2": [[0]]}', r"s\.json:2: a mask must be"),
        ('{"digest": "00", "decisions": []}', "another document"),
    ):
        with pytest.raises(InputError, match=said):
            read_masks(put(tmp_path / "s.json", content), DOCUMENTS)
    twice = put(tmp_path / "s.jsonl", '{"id": "d1", "spans": []}\n{"id": "d1", "spans": []}')
    with pytest.raises(InputError, match=r"s\.jsonl:2: document d1 is masked twice"):
        read_masks(twice, DOCUMENTS)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="in this folder"):
        read_masks(tmp_path / "empty", DOCUMENTS)
