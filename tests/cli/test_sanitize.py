"""The command line: parity with the library, bad input, atomic and resumable output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tacenda import policy as policies
from tacenda.batch import Task, Worker
from tacenda.cli import main
from tacenda.model import Document
from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_to_json

TEXT = "Please write to jo@example.org or call (212) 555-0123 about the visit."
POLICY = """
name = "small"
annotate = ["patterns"]
replace = ["label", "suppress"]
[risk.entity]
labels = ["EMAIL", "PHONE"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TACENDA_KEY", raising=False)
    (tmp_path / "small.toml").write_text(POLICY)
    (tmp_path / "a.txt").write_text(TEXT)
    return tmp_path


def call(*arguments: str, **options: Any) -> Result:
    return CliRunner().invoke(main, list(arguments), **options)


def test_file_to_standard_output_equals_the_library(folder: Path) -> None:
    done = call("sanitize", "a.txt", "-p", "small.toml")
    assert done.exit_code == 0, done.output
    assert done.stdout == Sanitizer(policies.load(folder / "small.toml")).sanitize(Document(TEXT)).text
    assert "jo@example.org" not in done.stdout
    assert call("sanitize", "a.txt", "-p", "small.toml", "-o", "-").stdout == done.stdout
    assert not (folder / "-").exists()


def test_standard_input(folder: Path) -> None:
    by_file = call("sanitize", "a.txt", "-p", "small.toml").stdout
    assert call("sanitize", "-p", "small.toml", input=TEXT).stdout == by_file
    assert call("sanitize", "-", "-p", "small.toml", input=TEXT).stdout == by_file


def test_plan_then_apply_equals_sanitize(folder: Path) -> None:
    assert call("plan", "a.txt", "-p", "small.toml", "-o", "a.plan.json").exit_code == 0
    plan = Sanitizer(policies.load(folder / "small.toml")).plan(Document(TEXT, "a.txt"))
    assert (folder / "a.plan.json").read_text() == plan_to_json(plan) + "\n"
    assert (
        call("apply", "a.txt", "a.plan.json", "-p", "small.toml").stdout
        == call("sanitize", "a.txt", "-p", "small.toml").stdout
    )


def test_apply_refuses_another_document(folder: Path) -> None:
    call("plan", "a.txt", "-p", "small.toml", "-o", "a.plan.json")
    (folder / "b.txt").write_text(TEXT + "!")
    done = call("apply", "b.txt", "a.plan.json", "-p", "small.toml", "-o", "b.out")
    assert done.exit_code == 6
    assert "made for another text" in done.stderr
    assert not (folder / "b.out").exists()


def records(folder: Path, count: int = 250) -> None:
    lines = [{"id": n, "name": "x", "text": f"{TEXT} Case {n}."} for n in range(count)]
    (folder / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_jsonl_by_field(folder: Path, jobs: str) -> None:
    records(folder, 40)
    done = call("sanitize", "r.jsonl", "-p", "small.toml", "--keep-field", "id", "-o", "out.jsonl", "--jobs", jobs)
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == list(range(40))
    assert all(set(line) == {"id", "text"} and "jo@" not in line["text"] for line in lines)
    assert sorted(p.name for p in folder.iterdir()) == ["a.txt", "out.jsonl", "r.jsonl", "small.toml"]


def test_a_broken_off_run_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records(folder)
    whole = call("sanitize", "r.jsonl", "-p", "small.toml")
    seen: list[str] = []
    real = Worker.do

    def counted(worker: Worker, task: Task, stop: int = 0) -> Any:
        seen.append(task.where)
        if stop and len(seen) > stop:
            raise KeyboardInterrupt
        return real(worker, task)

    monkeypatch.setattr(Worker, "do", lambda w, t: counted(w, t, 120))
    assert call("sanitize", "r.jsonl", "-p", "small.toml", "-o", "out.jsonl").exit_code != 0
    assert not (folder / "out.jsonl").exists()
    first = len(seen) - 1
    monkeypatch.setattr(Worker, "do", counted)
    assert call("sanitize", "r.jsonl", "-p", "small.toml", "-o", "out.jsonl").exit_code == 0
    assert (folder / "out.jsonl").read_text() == whole.stdout
    assert first == 120
    assert len(seen) - first - 1 == 250 - 120
    assert not list(folder.glob(".*"))


def test_folder_with_one_bad_file(folder: Path) -> None:
    source = folder / "in"
    (source / "deep").mkdir(parents=True)
    (source / "good.txt").write_text(TEXT)
    (source / "deep" / "good.md").write_text(TEXT)
    (source / "bad.txt").write_bytes(b"\xff\xfe\xfa" * 9)
    (source / "empty.txt").write_text("")
    (source / "broken.jsonl").write_text('{"text": "a"}\n{"text": \n')
    (source / "picture.png").write_bytes(b"\x89PNG")
    done = call("sanitize", "in", "-p", "small.toml", "-o", "out", "--json")
    assert done.exit_code == 3
    out = folder / "out"
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()) == [
        "broken.jsonl",
        "deep/good.md",
        "good.txt",
    ]
    report = json.loads(done.stdout)
    assert report["failed"] == 3
    assert report["skipped_files"] == 1
    assert "broken.jsonl, line 2" in done.stderr
    (source / "bad.txt").write_text(TEXT)
    (source / "empty.txt").unlink()
    (source / "broken.jsonl").unlink()
    before = (out / "good.txt").stat().st_mtime_ns
    assert call("sanitize", "in", "-p", "small.toml", "-o", "out").exit_code == 0
    assert (out / "good.txt").stat().st_mtime_ns == before, "what was done is not done again"
    assert (out / "bad.txt").exists()
    assert not list(folder.glob(".*"))


def test_file_names_that_tell_a_name_are_replaced(folder: Path) -> None:
    source = folder / "in"
    source.mkdir()
    (source / "wexford_john.txt").write_text("John Wexford was seen.")
    (source / "notes.txt").write_text("Nothing new.")
    (folder / "known.txt").write_text("John Wexford\n")
    done = call("sanitize", "in", "-p", "small.toml", "--known", "known.txt", "-o", "out")
    assert done.exit_code == 0, done.output
    names = sorted(p.name for p in (folder / "out").iterdir())
    assert names == ["document-0002.txt", "notes.txt"]


def test_spans(folder: Path) -> None:
    (folder / "s.jsonl").write_text(json.dumps({"id": "d1", "text": TEXT}) + "\n")
    done = call("spans", "s.jsonl", "-p", "small.toml")
    spans = json.loads(done.stdout)
    assert TEXT[spans["d1"][0][0] : spans["d1"][0][1]] == "jo@example.org"
    assert spans["d1"][0][2] == "EMAIL"
    (folder / "s.jsonl").write_text((json.dumps({"id": "d1", "text": TEXT}) + "\n") * 2)
    assert call("spans", "s.jsonl", "-p", "small.toml").exit_code == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("sanitize", "a.txt"), 2, "say what to protect"),
        (("sanitize", "none.txt", "-p", "small.toml"), 3, "no such file"),
        (("sanitize", "a.txt", "-p", "smal"), 4, "no policy named 'smal'"),
        (("sanitize", "a.txt", "-p", "none.toml"), 4, "no such policy file"),
        (("sanitize", "a.txt", "-p", "small.toml", "-o", "a.txt"), 2, "never overwrites an original"),
        (("sanitize", ".", "-p", "small.toml"), 2, "is a folder"),
        (("sanitize", "a.txt", "-p", "small.toml", "--field", "x"), 2, "plain text"),
        (("sanitize", "a.txt", "-p", "small.toml", "--json"), 2, "--output"),
        (("sanitize", "a.txt", "-p", "small.toml", "--known", "nobody.txt"), 3, "cannot be read"),
        (("apply", "a.txt", "small.toml"), 6, "not a plan"),
        (("apply", "a.txt", "none.json"), 3, "cannot be read"),
    ],
)
def test_bad_calls(folder: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    done = call(*arguments)
    assert done.exit_code == code, done.output
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_policies_are_listed_and_printed() -> None:
    listed = call("policies").stdout
    assert all((name in listed) == (name != "similarity") for name in policies.shipped())  # that one repeats a paper
    assert call("policies", "health").stdout == policies.shipped_text("health")
    assert json.loads(call("policies", "health", "--json").stdout)["name"] == "health"


def test_nothing_is_left_behind_when_output_cannot_be_written(folder: Path) -> None:
    (folder / "locked").mkdir(mode=0o500)
    if os.access(folder / "locked", os.W_OK):
        (folder / "locked").rmdir()
        (folder / "locked").write_text("a file where a folder should be")
    done = call("sanitize", "a.txt", "-p", "small.toml", "-o", "locked/out.txt")
    assert done.exit_code == 3
    assert "cannot be written" in done.stderr


def test_help_is_quick_to_import() -> None:
    done = subprocess.run([sys.executable, "-m", "tacenda", "--help"], capture_output=True, text=True, check=True)
    assert "sanitize" in done.stdout


def test_a_vault_undoes_what_the_policy_lets_undo(folder: Path) -> None:
    assert call("key", "new", "-o", "k.key").exit_code == 0
    sealing = ("sanitize", "a.txt", "-p", "small.toml", "--key-file", "k.key", "--vault", "a.vault", "-o", "a.out")
    refused = call(*sealing)
    assert refused.exit_code == 4
    assert "does not allow replacements to be undone" in refused.stderr
    assert not (folder / "a.out").exists()
    (folder / "small.toml").write_text("reversible = true\n" + POLICY)
    assert call(*sealing).exit_code == 0
    assert b"jo@example.org" not in (folder / "a.vault").read_bytes()
    assert call("restore", "a.out", "a.vault", "--key-file", "k.key").stdout == TEXT
    call("key", "new", "-o", "other.key")
    assert call("restore", "a.out", "a.vault", "--key-file", "other.key").exit_code == 3


def test_a_certificate_is_written_and_holds(folder: Path) -> None:
    (folder / "n.txt").write_text("The patient has HIV and takes antiretroviral therapy. His CD4 count is low.")
    done = call("sanitize", "n.txt", "--protect", "HIV", "--certificate", "c.json", "-o", "n.out")
    assert done.exit_code == 0, done.output
    assert "HIV" not in (folder / "n.out").read_text()
    assert call("verify", "n.out", "c.json", "--protect", "HIV").exit_code == 0
    (folder / "n.out").write_text((folder / "n.out").read_text().replace("patient", "patients"))
    assert call("verify", "n.out", "c.json", "--protect", "HIV").exit_code == 7
    assert call("sanitize", "a.txt", "-p", "small.toml", "--certificate", "c2.json", "-o", "x").exit_code == 2


def test_pseudonyms_need_a_key(folder: Path) -> None:
    (folder / "p.toml").write_text(POLICY.replace('["label", "suppress"]', '["pseudonym", "suppress"]'))
    done = call("sanitize", "a.txt", "-p", "p.toml")
    assert done.exit_code == 2
    assert "tacenda key new" in done.stderr
