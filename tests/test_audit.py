"""The audit trail: whatever is done to it is found and named; it survives crashes and holds no source text."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda import codes
from tacenda.audit import Trail, check, export, read
from tacenda.audit.trail import head_path, mac, unsealed
from tacenda.cli import main
from tacenda.errors import InputError
from tacenda.replace.keys import Key, new_key, write_key

KEY = Key(bytes(range(32)))


def written(path: Path, count: int = 8) -> Trail:
    trail = Trail(path, KEY)
    for i in range(count):
        trail.append(who="ann", what="decided", case="1", details={"place": f"page {i}", "label": "PERSON"})
    return trail


def lines_of(path: Path) -> list[str]:
    return path.read_text("ascii").splitlines(keepends=True)


def kinds(path: Path, key: Key | None = KEY) -> list[tuple[str, str]]:
    return [(fault.kind, fault.text) for fault in check(path, key).faults]


def test_an_untouched_trail_holds(tmp_path: Path) -> None:
    trail = written(tmp_path / "a.jsonl")
    verdict = check(tmp_path / "a.jsonl", KEY, heads=[trail.head])
    assert verdict.holds
    assert (verdict.entries, verdict.head, verdict.keyed) == (8, trail.head, True)
    assert check(tmp_path / "a.jsonl").holds


def test_a_changed_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path)
    path.write_text(path.read_text().replace("page 3", "page 9"))
    assert kinds(path) == [("changed", "line 4 (entry 3): was changed after it was written")]


def test_a_dropped_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path)
    lines = lines_of(path)
    path.write_text("".join(lines[:3] + lines[4:]))
    assert kinds(path) == [("dropped", "entry 3 is missing")]


def test_swapped_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path)
    lines = lines_of(path)
    lines[2], lines[5] = lines[5], lines[2]
    path.write_text("".join(lines))
    found = kinds(path)
    assert {kind for kind, _ in found} == {"swapped"}
    assert ("swapped", "line 6: entry 2 stands after entry 5") in found


@pytest.mark.parametrize("left", [0, 1, 7])
def test_lines_cut_off_at_the_end_are_named(tmp_path: Path, left: int) -> None:
    path = tmp_path / "a.jsonl"
    written(path)
    path.write_text("".join(lines_of(path)[:left]))
    words = "entry 7 is" if left == 7 else f"entries {left} to 7 are"
    assert kinds(path) == [("truncated", f"{words} missing at the end")]


def test_a_line_put_in_the_place_of_another_is_named(tmp_path: Path) -> None:
    path, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    written(path)
    trail = Trail(other, KEY)
    for _ in range(8):
        trail.append(who="eve", what="decided", case="2")
    lines, foreign = lines_of(path), lines_of(other)
    path.write_text("".join([*lines[:4], foreign[4], *lines[5:]]))
    assert {kind for kind, _ in kinds(path)} == {"replaced"}


def test_a_trail_written_anew_without_the_key_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    kept = written(path).head
    path.unlink()
    head_path(path).unlink()
    forger = Trail(path, Key(bytes(32)))
    for i in range(8):
        forger.append(who="ann", what="decided", case="1", details={"place": f"page {i}", "label": "LOC"})
    assert {fault.kind for fault in check(path, KEY).faults} == {"forged", "head"}
    # Without the key only the hash kept elsewhere tells.
    assert check(path).holds
    assert [fault.kind for fault in check(path, heads=[kept]).faults] == ["head"]


def test_cutting_trail_and_head_back_is_found_by_a_kept_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    trail = written(path, 5)
    early, early_head = path.read_bytes(), head_path(path).read_bytes()
    trail.append(who="ann", what="released", case="1")
    path.write_bytes(early)
    head_path(path).write_bytes(early_head)
    assert check(path, KEY).holds
    assert not check(path, KEY, heads=[trail.head]).holds


@settings(max_examples=120, deadline=None)
@given(data=st.data(), count=st.integers(1, 9))
def test_no_change_of_a_byte_goes_unnoticed(
    data: st.DataObject, count: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("trail") / "a.jsonl"
    written(path, count)
    before = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(before) - 1))
    new = data.draw(st.integers(0, 255).filter(lambda b: b != before[at]))
    before[at] = new
    path.write_bytes(bytes(before))
    verdict = check(path, KEY)
    assert not verdict.holds
    assert all(fault.text for fault in verdict.faults)


@settings(max_examples=80, deadline=None)
@given(data=st.data(), count=st.integers(2, 9))
def test_no_other_order_or_selection_of_lines_goes_unnoticed(
    data: st.DataObject, count: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("trail") / "a.jsonl"
    written(path, count)
    lines = lines_of(path)
    chosen = data.draw(
        st.lists(st.sampled_from(range(count)), max_size=count + 2).filter(lambda c: c != list(range(count)))
    )
    path.write_text("".join(lines[i] for i in chosen))
    assert not check(path, KEY).holds


def test_a_line_half_written_is_cut_off_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path, 3)
    with path.open("a") as out:
        out.write('{"n":3,"at":"2026')
    assert ("torn", "line 4: writing broke off in the middle of it") in kinds(path)
    again = Trail(path, KEY)
    again.append(who="ann", what="decided", case="1")
    assert check(path, KEY).holds
    assert [entry.what for entry in read(path)] == ["decided"] * 3 + ["recovered", "decided"]


def test_a_process_killed_while_writing_loses_nothing_it_promised(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    code = (
        "import sys; from pathlib import Path; from tacenda.audit import Trail; from tacenda.replace.keys import Key\n"
        "trail = Trail(Path(sys.argv[1]), Key(bytes(range(32))))\n"
        "while True: print(trail.append(who='a', what='decided').number, flush=True)"
    )
    source = str(Path(__file__).resolve().parent.parent / "src")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": source}
    ) as process:
        assert process.stdout is not None
        promised = [int(process.stdout.readline()) for _ in range(20)][-1]
        process.kill()
    Trail(path, KEY).append(who="b", what="decided")
    assert check(path, KEY).holds
    assert len(read(path)) > promised + 1


def test_two_writers_share_one_trail(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first, second = Trail(path, KEY), Trail(path, KEY)
    for i in range(6):
        (first, second)[i % 2].append(who=f"r{i % 2}", what="decided")
    assert check(path, KEY).holds
    assert [entry.number for entry in read(path)] == list(range(6))


def test_recorded_text_is_sealed(tmp_path: Path, canary: str) -> None:
    pytest.importorskip("cryptography")
    path = tmp_path / "a.jsonl"
    trail = Trail(path, KEY)
    trail.append(who="ann", what="decided", details={"sealed": trail.sealed(canary)})
    assert canary not in path.read_text()
    stored = str(read(path)[0].details["sealed"])
    assert unsealed(stored, KEY) == canary
    with pytest.raises(InputError):
        unsealed(stored, new_key())
    assert all(
        canary not in export(read(path), form) and stored not in export(read(path), form) for form in ("csv", "html")
    )


def test_keyed_digests_differ_by_key_and_purpose() -> None:
    assert mac(KEY, "plan", "x") != mac(KEY, "line", "x")
    assert mac(KEY, "plan", "x") != mac(Key(bytes(32)), "plan", "x")


def test_exports(tmp_path: Path) -> None:
    trail = Trail(tmp_path / "a.jsonl", KEY)
    trail.append(who="=cmd()", what="opened", case="1")
    trail.append(who="ann", what="released", case="1", details={"plan": "abc"})
    trail.append(who="ann", what="withheld", case="1", details={"place": "page 2", "label": "<b>", "code": "foia/b6"})
    entries = read(tmp_path / "a.jsonl")
    rows = list(csv.DictReader(io.StringIO(export(entries, "csv"))))
    assert [row["what"] for row in rows] == ["opened", "released", "withheld"]
    assert rows[0]["who"] == "'=cmd()"
    packs = [codes.load("foia")]
    page = export(entries, "vaughn", explain=lambda id_: (codes.find(id_, packs) or packs[0].codes[0]).text)
    assert "Personnel, medical and similar files" in page
    assert "page 2" in page
    assert "<td><b>" not in page
    assert entries[-1].hash in export(entries, "html")


def test_the_command(tmp_path: Path) -> None:
    path, key = tmp_path / "a.jsonl", tmp_path / "key"
    write_key(KEY, key)
    trail = written(path)
    run = CliRunner().invoke
    done = run(main, ["audit", "verify", str(path), "--key-file", str(key), "--head", trail.head])
    assert (done.exit_code, done.output.split()[0]) == (0, "yes:")
    done = run(main, ["audit", "verify", str(path)])
    assert "no key" in done.output
    path.write_text("".join(lines_of(path)[1:]))
    done = run(main, ["audit", "verify", str(path), "--key-file", str(key)])
    assert done.exit_code == 7
    assert "entry 0 is missing" in done.output
    out = tmp_path / "out.csv"
    assert run(main, ["audit", "export", str(path), "--as", "csv", "-o", str(out)]).exit_code == 0
    assert len(out.read_text().splitlines()) == 8
    assert run(main, ["audit", "verify", str(tmp_path / "none")]).exit_code == 3


def test_lines_are_json_with_fixed_keys(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl", 1)
    line = json.loads((tmp_path / "a.jsonl").read_text())
    assert list(line) == ["n", "at", "who", "what", "case", "details", "previous", "hash", "mac"]
