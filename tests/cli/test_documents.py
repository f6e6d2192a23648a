"""Documents through the command line: one file, folders that mix formats, plans, certificates, names."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("lxml")
pytest.importorskip("oxmsg")

from tests.formats import samples, samples_msg, samples_open
from tests.formats.samples import ZEBULON

from tacenda import formats
from tacenda.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
POLICY = """
name = "small"
annotate = ["patterns"]
replace = ["label", "suppress"]
[risk.entity]
labels = ["EMAIL", "PHONE", "PERSON"]
"""
FILES = {
    "letter.docx": samples.docx,
    "table.xlsx": samples.xlsx,
    "talk.pptx": samples.pptx,
    "letter.odt": samples_open.odt,
    "table.ods": samples_open.ods,
    "mail.eml": samples_open.eml,
    "box.mbox": samples_open.mbox,
    "old.msg": samples_msg.msg,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(POLICY)
    (tmp_path / "known.txt").write_text(f"{ZEBULON.first} {ZEBULON.name}\n{ZEBULON.address}\n")
    (tmp_path / "in").mkdir()
    for name, make in FILES.items():
        (tmp_path / "in" / name).write_bytes(make(ZEBULON))
    return tmp_path


def call(*arguments: str, **options: Any) -> Result:
    return CliRunner().invoke(main, list(arguments), **options)


def test_a_folder_that_mixes_formats(folder: Path) -> None:
    (folder / "in" / f"{ZEBULON.name}.txt").write_text(f"Notes on {ZEBULON.first} {ZEBULON.name}.")
    done = call("sanitize", "in", "-p", "small.toml", "--known", "known.txt", "--force-language", "-o", "out")
    assert done.exit_code == 0, done.output
    names = sorted(path.name for path in (folder / "out").iterdir() if not path.name.startswith("."))
    assert "old.eml" in names
    assert len(names) == len(FILES) + 1
    assert all(ZEBULON.name not in name for name in names)
    for name in names:
        data = (folder / "out" / name).read_bytes()
        assert formats.find(name, data[:4096]).residue(data, [ZEBULON.name, ZEBULON.address]) == [], name


def test_plan_and_apply_give_what_sanitize_gives(folder: Path) -> None:
    options = ("-p", "small.toml", "--force-language")
    assert call("sanitize", "in/letter.docx", *options, "-o", "one.docx").exit_code == 0
    assert call("plan", "in/letter.docx", *options, "-o", "plan.json").exit_code == 0
    done = call("apply", "in/letter.docx", "plan.json", *options, "-o", "two.docx")
    assert done.exit_code == 0, done.output
    assert (folder / "one.docx").read_bytes() == (folder / "two.docx").read_bytes()
    assert ZEBULON.address not in (folder / "plan.json").read_text()


def test_a_certificate_is_about_the_text_of_the_file(folder: Path) -> None:
    shutil.copy(EXAMPLES / "referral.docx", folder / "r.docx")
    done = call("sanitize", "r.docx", "--protect", "HIV", "--certificate", "c.json", "-o", "safe.docx")
    assert done.exit_code == 0, done.output
    assert call("verify", "safe.docx", "c.json", "--protect", "HIV").exit_code == 0
    assert call("verify", "r.docx", "c.json", "--protect", "HIV").exit_code == 7


@pytest.mark.parametrize(
    ("name", "output", "told"),
    [
        ("old.msg", "new.msg", "EML, not as MSG. Name the output new.eml"),
        ("letter.docx", "x.txt", "Name the output x.docx"),
    ],
)
def test_an_output_named_as_something_else_is_refused(folder: Path, name: str, output: str, told: str) -> None:
    done = call("sanitize", f"in/{name}", "-p", "small.toml", "--force-language", "-o", output)
    assert done.exit_code == 2
    assert told in done.output
    assert not (folder / output).exists()
    assert call("sanitize", "in/old.msg", "-p", "small.toml", "--force-language", "-o", "new.eml").exit_code == 0
