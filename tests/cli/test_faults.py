"""What broke when people tried to break the command line: each has its test."""

from __future__ import annotations

import fcntl
import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tacenda
from tacenda import Policy, PolicyError
from tacenda.cli import main
from tacenda.language.detect import other_language

HERE = os.environ | {"PYTHONPATH": str(Path(tacenda.__file__).parents[1])}
TEXT = "Call Ann Porter at (916) 555-0142 today please, she waits.\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "tacenda", *map(str, arguments)]


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text(TEXT)
    return path


def test_a_pipe_is_written_into_and_stays_a_pipe(letter: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert run("sanitize", letter, "--policy", "identifiers", "-o", pipe, "-q").exit_code == 0
    reader.join(30)
    assert pipe.is_fifo()
    assert "[phone number]" in read[0]


def test_a_link_is_not_written_through(letter: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("untouched")
    link = tmp_path / "link.txt"
    link.symlink_to(other)
    found = run("sanitize", letter, "--policy", "identifiers", "-o", link, "-q")
    assert found.exit_code == 3
    assert "symbolic link" in found.output
    assert link.is_symlink()
    assert other.read_text() == "untouched"


def test_a_full_output_is_told_in_one_line(letter: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        asked = command("sanitize", letter, "--policy", "identifiers", "-q")
        done = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=HERE)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "standard output" in done.stderr


def test_an_interrupted_run_ends_with_130_and_no_traceback(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number}.txt").write_text(TEXT * 20)
    asked = command("sanitize", folder, "--policy", "person", "-o", tmp_path / "out", "-q")
    # A shell that runs the tests in the background has them ignore the signal, and their children too.
    listen = functools.partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    started = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True, env=HERE, preexec_fn=listen)
    for _ in range(600):
        if list((tmp_path / "out").glob("*.txt")):
            break
        time.sleep(0.1)
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=60)
    assert started.returncode == 130
    assert "Traceback" not in errors


def test_two_runs_do_not_share_an_output(letter: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    letter.rename(folder / "letter.txt")
    with (tmp_path / ".out.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = run("sanitize", folder, "--policy", "identifiers", "-o", tmp_path / "out", "-q")
    assert found.exit_code == 2
    assert "another run" in found.output
    assert run("sanitize", folder, "--policy", "identifiers", "-o", tmp_path / "out", "-q").exit_code == 0
    assert not (tmp_path / ".out.lock").exists()


def test_a_record_that_fails_is_set_aside_and_the_others_are_written(tmp_path: Path) -> None:
    greek = "Ο ασθενής μένει στην οδό Σταδίου και τηλεφωνεί συχνά στο νοσοκομείο."
    rows = ["Ann Porter called again this morning.", greek, "The nurse spoke to Bob Hill today."]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps({"text": row}) + "\n" for row in rows))
    found = run("sanitize", source, "--policy", "identifiers", "-o", tmp_path / "out.jsonl", "-q")
    assert found.exit_code == 3
    written = (tmp_path / "out.jsonl").read_text().splitlines()
    assert len(written) == 2
    assert not any("Porter" in line or "Hill" in line for line in written)
    aside = tmp_path / "out.quarantine.jsonl"
    assert aside.stat().st_mode & 0o777 == 0o600
    assert aside.read_text() == source.read_text().splitlines(keepends=True)[1], "as it came, so that it can be mended"
    assert "1 record(s) were set aside" in found.output
    assert "line 2" in found.output
    assert "Σταδίου" not in found.output


def test_broken_rows_are_set_aside_with_their_header(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_text('id,text\n1,Ann Porter called again.\n2,too,many\n3,"open "quote\n4,Bob Hill was here today.\n')
    found = run(
        "sanitize", source, "-p", "identifiers", "--keep-field", "id", "-o", tmp_path / "out.csv", "--json"
    )  # fmt: skip
    assert found.exit_code == 3
    assert [line[0] for line in (tmp_path / "out.csv").read_text().splitlines()] == ["i", "1", "4"]
    aside = tmp_path / "out.quarantine.csv"
    assert aside.read_text() == 'id,text\n2,too,many\n3,"open "quote\n'
    assert json.loads(found.stdout.splitlines()[-1])["quarantine"] == {str(aside): 2}


def test_what_a_folder_sets_aside_lies_beside_its_output(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text": "Ann Porter called."}\n{"text": \n')
    (folder / "b.txt").write_text(TEXT)
    for _ in range(2):  # a second run tries again
        found = run("sanitize", folder, "-p", "identifiers", "-o", tmp_path / "out", "-q")
        assert found.exit_code == 3
        assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a.jsonl", "b.txt"]
        assert (tmp_path / "out.quarantine" / "a.jsonl").read_text() == '{"text": \n'


def test_many_errors_are_told_in_few_lines(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "Ann Porter called."}\n' + "{\n" * 300)
    found = run("sanitize", tmp_path / "in.jsonl", "-p", "identifiers", "-o", tmp_path / "out.jsonl", "-q")
    assert found.exit_code == 3
    assert found.output.count("\n") < 30
    assert "and 280 more errors" in found.output


def test_several_files_at_once(tmp_path: Path) -> None:
    for name in ("one.txt", "two.log"):
        (tmp_path / name).write_text(TEXT)
    found = run(
        "sanitize", tmp_path / "one.txt", tmp_path / "two.log", "--policy", "identifiers", "-o", tmp_path / "out", "-q"
    )
    assert found.exit_code == 0, found.output
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["one.txt", "two.log"]
    assert "Porter" not in (tmp_path / "out" / "two.log").read_text()
    assert run("sanitize", tmp_path / "one.txt", tmp_path / "two.log", "--policy", "identifiers").exit_code == 2


def test_a_misspelled_label_is_an_error_that_names_the_right_one() -> None:
    text = 'name = "x"\nannotate = ["patterns"]\n[risk.entity]\nlabels = ["PERSN"]\n'
    with pytest.raises(PolicyError, match="PERSON"):
        Policy.from_text(text)
    own = 'name = "x"\n[risk.entity]\nlabels = ["BADGE"]\n[[words.patterns]]\nlabel = "BADGE"\nregex = "B-[0-9]{4}"\n'
    assert Policy.from_text(own).name == "x"


def test_a_missing_setting_is_named(letter: Path, tmp_path: Path) -> None:
    policy = tmp_path / "p.toml"
    policy.write_text('name = "x"\nchoose = "plausibility"\n[risk.entity]\n')
    found = run("sanitize", letter, "--policy", policy, "-q")
    assert found.exit_code == 4
    assert "needs t: set it in [chooser.plausibility]" in found.output


@pytest.mark.parametrize(
    "text",
    ["Der Patient ist krank.", "Le patient est malade et fatigué.", "El paciente está enfermo y con fiebre."],
)
def test_short_foreign_text_is_refused(text: str) -> None:
    assert other_language(text)


@pytest.mark.parametrize(
    "text",
    ["Ann met Bob in Leeds.", "No fever.", "Pt is A&O x3, d/c home.", "Die cast model, was on sale.", "Per Mr. Sandoz"],
)
def test_short_english_text_passes(text: str) -> None:
    assert not other_language(text)


def test_a_plan_is_explained_without_a_policy(letter: Path, tmp_path: Path) -> None:
    plan = tmp_path / "letter.plan.json"
    assert run("plan", letter, "-p", "identifiers", "-o", plan).exit_code == 0
    found = run("explain", letter, "--plan", plan)
    assert found.exit_code == 0, found.output
    assert "[phone number]" in found.output
    missing = run("explain", letter)
    assert missing.exit_code == 2
    assert "--policy" in missing.output
