"""Files and folders: what belongs together is planned together, and every name that leaves is looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tacenda
from tacenda import Reading
from tacenda.errors import InputError, TacendaError, UsageError

POLICY = tacenda.Policy.from_text("""
name = "people"
annotate = ["encoder", "patterns"]
replace = ["label", "suppress"]
[risk.entity]
labels = ["PERSON", "EMAIL"]
""")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    source = tmp_path / "in"
    (source / "Jones Mary").mkdir(parents=True)
    (source / "Jones Mary" / "first.txt").write_text("Mary Jones met Peter Okafor in the garden behind the house.")
    (source / "Jones Mary" / "second.txt").write_text("Peter Okafor wrote to Mary Jones about the garden.")
    (source / "weather.txt").write_text("It rained in the garden, and the house stayed dry.")
    return source


def files(target: Path) -> dict[str, str]:
    return {str(p.relative_to(target)): p.read_text() for p in sorted(target.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_is_sanitized_and_its_names_too(folder: Path, tmp_path: Path, jobs: int) -> None:
    run = tacenda.sanitize_folder(folder, tmp_path / "out", policy=POLICY, jobs=jobs)
    assert not run.failed
    assert run.tally.documents == 3
    found = files(tmp_path / "out")
    assert sorted(found) == ["folder-0001/first.txt", "folder-0001/second.txt", "weather.txt"]
    assert not any("Jones" in text or "Okafor" in text for text in found.values())


def test_a_folder_as_one_case(folder: Path, tmp_path: Path) -> None:
    tacenda.sanitize_folder(folder, tmp_path / "out", policy=POLICY, per_case="folder")
    found = files(tmp_path / "out")
    assert found["folder-0001/first.txt"].startswith("[person 1] met [person 2]")
    assert found["folder-0001/second.txt"].startswith("[person 2] wrote to [person 1]")


@pytest.mark.parametrize(
    "name", ["Mary Jones.txt", "00482913.txt", "JonesMary_scan.txt", "mary-jones-2.txt", "MARY_JONES.txt"]
)
def test_known_names_and_numbers_do_not_leave_as_names_of_files(tmp_path: Path, name: str) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / name).write_text("Nothing new is to be told about the garden.")
    tacenda.sanitize_folder(source, tmp_path / "out", policy=POLICY, known=("Mary Jones", "00482913"))
    assert list(files(tmp_path / "out")) == ["document-0001.txt"]


def test_harmless_names_stay(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    names = ["clinic-letter.txt", "report_2.txt", "minutes of the meeting.txt", "notes.txt", "a.txt", "README.md"]
    for name in names:
        (source / name).write_text("Nothing new is to be told about the garden.")
    tacenda.sanitize_folder(source, tmp_path / "out", policy=POLICY)
    assert sorted(files(tmp_path / "out")) == sorted(names)


def test_fields_of_a_record_are_one_case(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    row = {
        "history": "Mary Jones came with Peter Okafor to the clinic.",
        "plan": "Peter Okafor will bring Mary Jones again next month.",
    }
    (source / "r.jsonl").write_text(json.dumps(row) + "\n")
    reading = Reading(fields=("history", "plan"))
    tacenda.sanitize_folder(source, tmp_path / "out", policy=POLICY, reading=reading)
    made = json.loads((tmp_path / "out" / "r.jsonl").read_text())
    assert made == {
        "history": "[person 1] came with [person 2] to the clinic.",
        "plan": "[person 2] will bring [person 1] again next month.",
    }


def test_records_that_share_a_field_are_one_case(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    rows = [
        ("7", "Mary Jones met Peter Okafor at the clinic."),
        ("8", "Nobody came to the clinic on that day."),
        ("7", "Peter Okafor called about Mary Jones at the clinic."),
    ]
    (source / "r.csv").write_text("who,text\n" + "".join(f"{who},{text}\n" for who, text in rows))
    reading = Reading(case_field="who")
    tacenda.sanitize_folder(source, tmp_path / "out", policy=POLICY, reading=reading)
    lines = (tmp_path / "out" / "r.csv").read_text().splitlines()
    assert lines == [
        "text",
        "[person 1] met [person 2] at the clinic.",
        "Nobody came to the clinic on that day.",
        "[person 2] called about [person 1] at the clinic.",
    ]


def test_a_column_says_what_its_cells_are(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "t.csv").write_text("Patient,First name,note\nqwxz,Zyx,qwxz is well and Zyx too\n")
    reading = Reading(fields=("Patient", "First name", "note"))
    tacenda.sanitize_folder(source, tmp_path / "out", policy=POLICY, reading=reading)
    text = (tmp_path / "out" / "t.csv").read_text()
    assert text.splitlines()[0] == "Patient,First name,note"
    assert "qwxz" not in text
    assert "Zyx" not in text


def test_the_head_of_a_table_is_sanitized(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "t.csv").write_text("Mary Jones said,id\nall is well,7\n")
    reading = Reading(fields=("Mary Jones said",), keep=("id",))
    tacenda.sanitize_folder(source, tmp_path / "out", policy=POLICY, reading=reading, known=("Mary Jones",))
    assert (tmp_path / "out" / "t.csv").read_text() == "[person 1] said,id\nall is well,7\n"


def test_pipe_gives_results_in_order_and_errors_as_values() -> None:
    sanitizer = tacenda.Sanitizer(POLICY)
    french = "Le patient est suivi dans le service pour une infection et il ne prend pas de traitement avec les autres."
    texts = ["Write to jo@example.org.", french, "Write to al@example.org."]
    for jobs in (1, 2):
        first, bad, last = sanitizer.pipe(texts, jobs=jobs, on_error="skip")
        assert isinstance(bad, InputError)
        assert not isinstance(first, TacendaError)
        assert not isinstance(last, TacendaError)
        assert first.text == last.text == "Write to [e-mail address]."
    with pytest.raises(InputError, match="French"):
        list(sanitizer.pipe(texts))
    with pytest.raises(UsageError, match="raise, skip"):
        list(sanitizer.pipe(texts, on_error="ignore"))  # type: ignore[arg-type]
