from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacenda.cli import main


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["index", *map(str, arguments)])
    return result.exit_code, result.output


@pytest.fixture
def index(tmp_path: Path) -> Path:
    texts = ["HIV and condom", "HIV test", "condom shop", "river bank", "the other bank", "river water"]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"body": t}) + "\n" for t in texts))
    code, output = run("build", tmp_path / "t.jsonl", "--field", "body", "-o", tmp_path / "t.tix")
    assert code == 0
    assert "windows    6 of at most 120 words" in output
    return tmp_path / "t.tix"


def test_pmi_in_words_and_as_json(index: Path) -> None:
    code, output = run("pmi", "HIV", "condom", "--index", index)
    assert code == 0
    assert "'condom' makes 'HIV' 1.5 times as likely: it reveals 0.58 bits" in output
    code, output = run("pmi", "HIV", "condom", "--index", index, "--json")
    told = json.loads(output)
    assert told["count"] == {"HIV": 2, "condom": 2}
    assert (told["joint"], told["total"]) == (1, 6)
    assert told["pmi"] == pytest.approx(0.58496, abs=1e-5)
    assert told["ic"] == pytest.approx(1.58496, abs=1e-5)
    assert told["bound"] == {"HIV": "exact", "condom": "exact", "joint": "exact"}
    assert told["how"]["joint"] == "exact"


def test_zero_unknown_and_less_likely_read_differently(index: Path) -> None:
    assert "never meet" in run("pmi", "HIV", "river", "--index", index)[1]
    assert "not in the index" in run("pmi", "HIV", "unheard", "--index", index)[1]
    assert run("count", "HIV", "river", "--index", index)[1] == "0 of 6 windows (exact)\n"
    assert run("count", "unheard", "--index", index)[1].startswith("unknown")
    assert json.loads(run("count", "unheard", "--index", index, "--json")[1])["count"] is None


def test_synonyms_and_known_context(index: Path) -> None:
    assert run("count", "HIV|river", "--index", index)[1].startswith("4 of 6")
    assert run("count", "HIV", "--known", "condom", "--index", index)[1].startswith("1 of 2")


def test_info_verifies(index: Path) -> None:
    told = json.loads(run("info", index, "--verify", "--json")[1])
    assert told["verified"] is True
    assert told["windows"] == 6
    data = bytearray(index.read_bytes())
    data[-1] ^= 1
    index.write_bytes(data)
    code, output = run("info", index, "--verify")
    assert code == 5
    assert "damaged" in output


def test_merging_from_the_command_line(index: Path, tmp_path: Path) -> None:
    code, output = run("build", "--add-to", index, "--add-to", index, "-o", tmp_path / "m.tix")
    assert code == 0
    assert "windows    6 of at most 120 words" in output


def test_mistakes_have_exit_codes(index: Path, tmp_path: Path) -> None:
    assert run("build", "-o", tmp_path / "x")[0] == 2
    assert run("build", tmp_path / "none", "-o", tmp_path / "x")[0] == 3
    assert run("count", "x", "--index", tmp_path / "none")[0] == 5
    (tmp_path / "cut.jsonl").write_text('{"text": "a"}\n{"te')
    code, output = run("build", tmp_path / "cut.jsonl", "-o", tmp_path / "x")
    assert code == 3
    assert "cut.jsonl, line 2" in output
    assert not (tmp_path / "x").exists()


def test_places_where_nothing_can_be_written_are_named_first(index: Path, tmp_path: Path) -> None:
    code, output = run("build", tmp_path / "t.jsonl", "-o", tmp_path)
    assert (code, "is a folder" in output) == (2, True)
    code, output = run("build", tmp_path / "t.jsonl", "-o", tmp_path / "no" / "x.tix")
    assert (code, "no folder no" in output) == (2, True)
    (tmp_path / "empty.txt").write_text("\n \n")
    code, output = run("build", tmp_path / "empty.txt", "-o", tmp_path / "x.tix")
    assert (code, "no word" in output) == (3, True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty.txt", "t.jsonl", "t.tix"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b'id,text\n1,"never closed\n', "a.csv, line 2"),
        ("a.csv", b"id,text\n1,x,too many\n", "a.csv, line 2"),
        ("a.txt", b"fine\n\xff\xfe\n", "a.txt, line 2: not UTF-8"),
        ("a.xml", b"<mediawiki>\n<page><title>x</title>\n", "a.xml, line 3"),
        ("a.jsonl.gz", b"\x1f\x8b\x08\x00\x00", "a.jsonl.gz: breaks off after line 0"),
        ("a.txt.xz", b"no xz at all", "a.txt.xz: breaks off"),
    ],
)
def test_a_broken_corpus_is_named_and_leaves_nothing(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    (tmp_path / "old.tix").write_bytes(b"as it was")
    code, output = run("build", tmp_path / name, "-o", tmp_path / "old.tix")
    assert code == 3
    assert message in output
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, "old.tix"])
    assert (tmp_path / "old.tix").read_bytes() == b"as it was"
