"""Parquet and Arrow files: every type comes through, nothing hides in the bytes, failed rows are null."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacenda
from tacenda import InputError, Sanitizer, UsageError, formats
from tacenda.batch import Recipe, Run, sanitize_folder
from tacenda.model import Reading
from tacenda.policy import policy_of
from tacenda.protocols import TableFormat

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra tacenda[frames])")
import pyarrow.parquet as pq  # noqa: E402
from tests.formats.samples_columns import packed, unpacked  # noqa: E402

GREEK = "Ο ασθενής μένει στην οδό Σταδίου και τηλεφωνεί συχνά στο νοσοκομείο."
NOTES = ["Ann Porter called (212) 555-0123.", None, GREEK, "Bob Hill was late.", "a\0b", ""]
SUFFIX = {"parquet": ".parquet", "arrow": ".arrow", "arrows": ".arrows"}


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    return Recipe(policy_of("identifiers"))


def table(**more: Any) -> Any:
    held = {"id": pa.array(range(6), pa.int16()), "note": pa.array(NOTES), "hidden": pa.array(["Zebulon"] * 6)}
    return pa.table({**held, **more})


def sanitized(recipe: Recipe, held: Any, kind: str = "parquet", **reading: Any) -> tuple[Any, Run]:
    run = Run(recipe, Reading(**{"fields": ("note",), **reading}))
    return unpacked(run.data(packed(held, kind), f"notes{SUFFIX[kind]}"), kind), run


@pytest.mark.parametrize("kind", SUFFIX)
def test_a_column_is_sanitized_others_stay_or_go(recipe: Recipe, kind: str) -> None:
    found, run = sanitized(recipe, table().replace_schema_metadata({"author": "Zebulon"}), kind, keep=("id",))
    sanitizer = Sanitizer("identifiers")
    expected = [sanitizer.sanitize(str(NOTES[0])).text, None, None, sanitizer.sanitize(str(NOTES[3])).text, None, ""]
    assert found.column("note").to_pylist() == expected
    assert found.schema == pa.schema([("id", pa.int16()), ("note", pa.string())])
    assert found.column("id").to_pylist() == list(range(6))
    assert not found.schema.metadata
    assert any("1 entries of metadata" in note for note in run.tally.notes)
    assert [str(error).partition(":")[0] for error in run.failed] == [f"notes{SUFFIX[kind]}, row {n}" for n in (3, 5)]


@pytest.mark.parametrize("kind", SUFFIX)
def test_nested_and_dictionary_columns(recipe: Recipe, kind: str) -> None:
    note = "Ann Porter called (212) 555-0123."
    clean = Sanitizer("identifiers").sanitize(note).text
    held = pa.table(
        {
            "note": pa.array([note, "fine", None]).dictionary_encode(),
            "tags": pa.array([["fine", None, note], None, []], pa.large_list(pa.string())),
            "visit": pa.array(
                [{"text": note, "place": 1, "other": note}, None, {"text": None, "place": 3, "other": "x"}]
            ),
            "visits": pa.array([[{"text": note, "place": 5}], [], None]),
            "pair": pa.array([[note, "fine"], None, ["fine", "fine"]], pa.list_(pa.string(), 2)),
            "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
            "when": pa.array([1, None, 3], pa.timestamp("ns", tz="UTC")),
        }
    )
    fields = ("note", "tags", "visit.text", "visits.text", "pair")
    found, run = sanitized(recipe, held, kind, fields=fields, keep=("visit.place", "kind", "when"))
    assert not run.failed
    assert found.column("note").to_pylist()[0].endswith("called [phone number].")
    assert found.column("note").to_pylist()[1:] == ["fine", None]
    assert found.column("tags").to_pylist()[1:] == [None, []]
    assert found.column("tags").to_pylist()[0][:2] == ["fine", None]
    assert found.column("visit").to_pylist()[1:] == [None, {"text": None, "place": 3}]
    assert found.column("pair").to_pylist()[1:] == [None, ["fine", "fine"]]
    assert found.column("visits").to_pylist()[1:] == [[], None]
    assert found.column("when").type == pa.timestamp("ns", tz="UTC")
    assert found.column("kind").to_pylist() == ["a", "b", "a"]
    assert pa.types.is_dictionary(found.column("kind").type)
    assert pa.types.is_large_list(found.column("tags").type)
    assert "Porter" not in str(found.to_pydict())
    assert "555" not in str(found.to_pydict())
    assert clean.count("[phone number]") == 1


def test_nothing_hides_behind_nulls_slices_or_in_dictionaries(recipe: Recipe) -> None:
    words = pa.array(["Zebulon", "open", "Zebulon"])
    shown = pa.py_buffer(bytes([0b010]))
    behind = pa.Array.from_buffers(pa.string(), 3, [shown, *words.buffers()[1:]])
    struct = pa.StructArray.from_arrays([words], ["inner"], mask=pa.array([True, False, True]))
    fixed = pa.FixedSizeListArray.from_arrays(
        pa.array(["Zebulon", "open", "Zebulon"]), type=pa.list_(pa.string(), 1), mask=pa.array([True, False, True])
    )
    unused = pa.DictionaryArray.from_arrays(pa.array([0, 0, 0]), pa.array(["used", "Zebulon"]))
    numbers = pa.Array.from_buffers(pa.int64(), 3, [shown, pa.array([77777, 1, 77777]).buffers()[1]])
    held = pa.table(
        {"note": ["a", "b", "c"], "behind": behind, "struct": struct, "fixed": fixed, "unused": unused, "n": numbers}
    )
    raw = packed(held, "arrow")
    assert b"Zebulon" in raw
    run = Run(recipe, Reading(fields=("note",), keep=("behind", "struct", "fixed", "unused", "n")))
    data = run.data(raw, "x.arrow")
    assert b"Zebulon" not in data
    assert (77777).to_bytes(8, "little") not in data
    assert unpacked(data, "arrow").column("behind").to_pylist() == [None, "open", None]
    assert unpacked(data, "arrow").column("fixed").to_pylist() == [None, ["open"], None]


def test_a_hidden_name_in_a_kept_column_fails_the_row(recipe: Recipe) -> None:
    held = pa.table({"note": ["Ann Porter came.", "Bob Hill came."], "who": ["Ann Porter", "nobody"]})
    found, run = sanitized(recipe, held, keep=("who",))
    assert found.column("note").to_pylist()[0] is None
    assert len(run.failed) == 1


def test_rows_of_a_case_and_known_values(recipe: Recipe) -> None:
    notes = ["Ann Porter met Bob Hill.", "The Quill was not there.", "Bob Hill left."]
    held = pa.table({"note": notes, "case": ["a", "b", "a"], "known": [None, ["Quill"], None]})
    found, _ = sanitized(recipe, held, case_field="case", known_field="known")
    texts = found.column("note").to_pylist()
    assert "[person 2]" in texts[2]
    assert "Quill" not in texts[1]


def test_a_whole_file_as_one_case(recipe: Recipe) -> None:
    held = pa.table({"note": ["Ann Porter met Bob Hill.", None, "Bob Hill left."], "id": [1, 2, 3]})
    run = Run(recipe, Reading(fields=("note",), keep=("id",)), per_case="file")
    found = unpacked(run.data(packed(held), "notes.parquet"))
    assert "[person 2]" in found.column("note").to_pylist()[2]
    assert found.column("id").to_pylist() == [1, 2, 3]


PHONES = 'name = "phones"\nannotate = ["patterns"]\n[risk.entity]\nlabels = ["PHONE"]\n'


@pytest.fixture
def phones(tmp_path: Path) -> Recipe:
    (tmp_path / "phones.toml").write_text(PHONES)
    return Recipe(policy_of(tmp_path / "phones.toml"), force_language=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_batches_in_order(phones: Recipe, tmp_path: Path, jobs: int) -> None:
    notes = [f"Call (212) 555-01{n % 100:02d} for {n}." for n in range(600)]
    pq.write_table(pa.table({"note": notes, "n": range(600)}), tmp_path / "in.parquet", row_group_size=70)
    run = Run(phones, Reading(fields=("note",), keep=("n",)), jobs=jobs)
    run.one(tmp_path / "in.parquet", tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.column("note").to_pylist() == [f"Call [phone number] for {n}." for n in range(600)]
    assert found.column("n").to_pylist() == list(range(600))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.parquet", "out.parquet", "phones.toml"]


def test_a_killed_run_goes_on_where_it_stopped(phones: Recipe, tmp_path: Path) -> None:
    notes = [f"Call (212) 555-01{n % 100:02d} for {n}." for n in range(1500)]
    pq.write_table(pa.table({"note": notes}), tmp_path / "in.parquet")
    command = [sys.executable, "-m", "tacenda", "sanitize", "in.parquet", "-p", "phones.toml", "--field", "note"]
    command += ["--force-language", "-q", "-o", "out.parquet"]
    where = {**os.environ, "PYTHONPATH": str(Path(tacenda.__file__).parents[1])}
    running = subprocess.Popen(command, cwd=tmp_path, env=where)
    state = tmp_path / ".out.parquet.rows.state"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (state.exists() and json.loads(state.read_text())["done"] >= 2):
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "out.parquet").exists()
    kept = json.loads(state.read_text())
    assert 2 <= kept["done"] < 7
    (tmp_path / ".out.parquet.lock").unlink(missing_ok=True)
    steps: list[int] = []
    run = Run(phones, Reading(fields=("note",)), on_step=steps.append)
    run.one(tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert run.tally.documents == 1500 - 256 * (kept["done"] - 1)
    found = pq.read_table(tmp_path / "out.parquet").column("note").to_pylist()
    assert found == [f"Call [phone number] for {n}." for n in range(1500)]


def test_a_folder_with_tables(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    pq.write_table(table(), tmp_path / "in" / "notes.parquet")
    run = sanitize_folder(tmp_path / "in", tmp_path / "out", policy="identifiers", reading=Reading(fields=("note",)))
    assert len(run.failed) == 2
    assert pq.read_table(tmp_path / "out" / "notes.parquet").column_names == ["note"]
    lines = (tmp_path / "out.quarantine" / "notes.parquet.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert "Σταδίου" not in "".join(lines)


def test_mistakes_are_told(recipe: Recipe) -> None:
    for reading, message in (
        ({"fields": ("text",)}, "no column 'text'. This table has: id, note, hidden"),
        ({"fields": ("id",)}, "'id' holds int16, not text"),
        ({"keep": ("nothing",)}, "no column 'nothing'"),
        ({"known_field": "who"}, "no column 'who'"),
    ):
        with pytest.raises(InputError, match=message):
            sanitized(recipe, table(), **reading)
    with pytest.raises(UsageError, match="both"):
        sanitized(recipe, table(), keep=("note",))
    union = pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array(["x"])])
    with pytest.raises(InputError, match="'odd' holds dense_union"):
        sanitized(recipe, pa.table({"note": ["a"], "odd": union}), "arrow", keep=("odd",))
    with pytest.raises(InputError, match="not a valid parquet"):
        Run(recipe, Reading(fields=("note",))).data(packed(table())[:-20], "x.parquet")


def test_damaged_files_are_refused_and_quote_nothing(recipe: Recipe) -> None:
    import random

    for kind in SUFFIX:
        data = packed(table(), kind)
        for seed in range(60):
            drawn = random.Random(seed)
            broken = bytearray(data)
            for _ in range(3):
                broken[drawn.randrange(8, len(broken))] = drawn.randrange(256)
            told = ""
            try:
                list(formats.named(kind).records(io.BytesIO(bytes(broken)), Reading(fields=("note",))))
            except InputError as error:
                told = str(error)
            assert "Porter" not in told


@pytest.mark.parametrize("kind", SUFFIX)
@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "note": st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
                "list": st.none() | st.lists(st.none() | st.text("ab ", max_size=3), max_size=3),
                "deep": st.none()
                | st.fixed_dictionaries({"a": st.none() | st.text("xy"), "n": st.none() | st.integers(0, 9)}),
            }
        ),
        max_size=8,
    )
)
def test_a_table_in_which_all_is_kept_comes_back(kind: str, rows: list[dict[str, Any]]) -> None:
    schema = pa.schema(
        [
            ("note", pa.string()),
            ("list", pa.list_(pa.string())),
            ("deep", pa.struct([("a", pa.large_string()), ("n", pa.int8())])),
        ]
    )
    held = pa.Table.from_pylist(rows, schema)
    reading = Reading(fields=("note", "list", "deep.a"), keep=("deep.n",))
    opened = formats.named(kind).open(packed(held, kind), reading)
    data = opened.write([])
    assert unpacked(data, kind).to_pylist() == held.to_pylist()
    assert unpacked(data, kind).schema.equals(held.schema)
    assert opened.reopened(data).read().text == opened.read().text == opened.promised([])


def test_the_formats_say_what_they_are() -> None:
    for kind in SUFFIX:
        assert isinstance(formats.named(kind), TableFormat)
