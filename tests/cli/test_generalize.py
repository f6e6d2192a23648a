"""`tacenda generalize`."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tacenda.cli import main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["generalize", *arguments])
    return result.exit_code, result.output


def test_the_ladder_with_bits_and_volume() -> None:
    code, output = run("marijuana", "--context", "uses for phantom limb pain", "--taxonomy", "wordnet")
    assert code == 0
    assert "cannabis, wordnet:02949691-n (fits the context: uses, pain; 1 other sense)" in output
    assert "soft drug" in output.splitlines()[2]
    assert output.splitlines()[2].split()[3:] == ["14.92", "4", "wordnet"]


def test_json() -> None:
    code, output = run("34-year-old", "--json")
    answer = json.loads(output)
    assert code == 0
    assert answer["sense"] is None
    assert answer["rungs"][0] == {
        "name": "person aged 30 to 34", "taxonomy": "ages", "id": "30-34", "distance": 1,
        "bits": answer["rungs"][0]["bits"], "volume": 5,
    }  # fmt: skip


def test_own_file_and_its_errors(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("widget,gadget\n", encoding="utf-8")
    assert "gadget" in run("widget", "--taxonomy", str(own))[1]
    own.write_text("widget,\n", encoding="utf-8")
    code, output = run("widget", "--taxonomy", str(own))
    assert code == 5
    assert "own.csv, line 1: 'widget' has no parent" in output


def test_an_unknown_term() -> None:
    code, output = run("xqzzt")
    assert code == 1
    assert "No taxonomy contains this term" in output
