"""The command `tacenda vectors`."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacenda.cli import main


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["vectors", *arguments])
    return done.exit_code, done.output


def test_info_and_similar_speak_of_the_static_table() -> None:
    code, said = run("info")
    assert code == 0
    assert "static" in said
    assert "checksums correct" in said
    code, said = run("similar", "HIV", "AIDS", "Paris")
    assert code == 0
    assert float(said.split()[0]) > 0.5
    code, said = run("similar", "actor", "-n", "3")
    assert code == 0
    assert len(said.splitlines()) == 3


def test_a_damaged_file_ends_with_the_exit_code_of_knowledge(tmp_path: Path) -> None:
    broken = tmp_path / "x.tvec"
    broken.write_bytes(b"\x89TVEC\r\n\x1a" + b"\0" * 20)
    code, said = run("info", str(broken))
    assert code == 5
    assert "truncated" in said


def test_a_collection_too_small_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Only a few words.")
    code, said = run("train", str(tmp_path), "-o", str(tmp_path / "x.tvec"), "--no-phrases", "-q")
    assert code == 5
    assert "too small to train on" in said


def test_training_without_phrases_and_going_on(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    draw = random.Random(1)
    lines = [
        json.dumps({"text": " ".join(draw.choices("ship sail harbour anchor cape".split(), k=40))}) for _ in range(60)
    ]
    corpus, first, second = tmp_path / "c.jsonl", tmp_path / "a.tvec", tmp_path / "b.tvec"
    corpus.write_text("\n".join(lines))
    asked = ("--no-phrases", "-q", "--epochs", "1", "--workers", "1")
    code, said = run("train", str(corpus), "-o", str(first), "--dimensions", "16", *asked)
    assert code == 0, said
    corpus.write_text(json.dumps({"text": "lighthouse ship sail"}) + "\n")
    code, said = run("train", str(corpus), "-o", str(second), "--continue", str(first), *asked)
    assert code == 0, said
    assert "6" in run("info", str(second))[1]
    code, said = run("similar", "lighthouse", "ship", "--vectors", str(second))
    assert code == 0
