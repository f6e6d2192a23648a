"""`tacenda reproduce` on small made-up data: every paper's experiments run, and say what the paper says beside."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tacenda.cli.reproduce import EXPERIMENTS, command
from tacenda.errors import InputError, UsageError
from tacenda.testing.fakes import FakeIndex

CRUISE = "Tom Cruise is an American actor. He was born in Syracuse and made the film Top Gun with Tony Scott."
DIAZ = "Cameron Diaz is an American actress. She was born in San Diego and made the comedy The Mask with Jim Carrey."


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


def lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def actor(name: str, title: str, text: str, *marked: str) -> dict[str, Any]:
    spans = [{"start": text.index(m), "end": text.index(m) + len(m)} for m in marked]
    tagged = {f"stanford_ner{n}": text.replace(title, f"{{PERSON[{title.replace(' ', '_')}]}}") for n in (3, 4, 7)}
    return {"doc_id": name, "title": title, "text": text, "gold_sensitive": spans, "np_chunks_spacy": [], **tagged}


@pytest.fixture
def actors(tmp_path: Path) -> Path:
    rows = [
        actor("actor_1", "Tom Cruise", CRUISE, "Tom Cruise", "Syracuse", "Top Gun", "Tony Scott"),
        actor("actor_2", "Cameron Diaz", DIAZ, "Cameron Diaz", "San Diego", "The Mask", "Jim Carrey"),
    ]
    lines(tmp_path / "actors50" / "actors_dev20.jsonl", rows)
    versions = ("original_abstract", "presidio_abstract", "word2vec_t=0.25_abstract")
    masked = [
        {
            "name": r["title"],
            **{v: r["text"] if v[0] == "o" else r["text"].replace(r["title"], "PERSON") for v in versions},
        }
        for r in rows
    ]
    lines(tmp_path / "tri_reid" / "anonymized_dev.jsonl", masked)
    people = [{"name": r["title"], "public_knowledge": f"{r['text']} More of {r['title']}."} for r in rows]
    lines(tmp_path / "tri_reid" / "background_knowledge_500.jsonl.gz", people)
    lines(
        tmp_path / "paper_articles" / "paper_articles.jsonl.gz",
        [{"name": "Tom Cruise", "paper": "a", "lead": CRUISE}, {"name": "HIV", "paper": "b", "lead": "HIV"}],
    )
    return tmp_path


def reproduced(paper: str, data: Path) -> tuple[dict[str, Any], str]:
    out = data / "out"
    found = run(paper, "--data", data, "-o", out)
    assert found.exit_code == 0, found.exception
    assert (out / f"{paper}.html").read_text("utf-8").startswith("<!doctype html>")
    return json.loads((out / f"{paper}.json").read_text("utf-8"))["result"], (out / f"{paper}.md").read_text("utf-8")


def test_paper_000(actors: Path) -> None:
    numbers, page = reproduced("000", actors)
    assert "Table 3 is in log10" in page
    first, second = (numbers["table_6"][way] for way in ("ζ: three types of entities", "Ψ(ζ), whole document"))
    assert second["recall"] >= first["recall"] > 0
    assert numbers["articles"]["Tom Cruise"]["taken_out_first"] >= 1


def test_small_tables_of_paper_000_by_hand() -> None:
    from papers.paper000 import small_tables

    held = ["acquired immunodeficiency syndrome influenza"] * 4 + ["influenza"] * 4 + ["other words"] * 8
    found = small_tables(FakeIndex(held))["acquired immunodeficiency syndrome"]  # type: ignore[arg-type]
    assert found["IC"] == 2.0  # 4 of 16
    assert found["influenza"] == 1.0  # 4·16 / (4·8) = 2


def test_paper_001(actors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from papers import paper001

    monkeypatch.setattr(paper001, "ENTITIES", {"HIV": paper001.ENTITIES["HIV"]})
    monkeypatch.setattr(paper001, "SETTINGS", {"paper, support 1": paper001.SETTINGS["paper, support 1"]})
    numbers, page = reproduced("001", actors)
    rows = [numbers["settings"]["paper, support 1"][alpha]["HIV"] for alpha in ("1", "3/2", "2")]
    assert rows[0]["recall"] < rows[1]["recall"] <= rows[2]["recall"]
    assert rows[0]["sanitization"] > rows[2]["sanitization"] >= rows[2]["redaction"]
    assert "| HIV | 1.000 |" in page  # the paper's 100 % at α = 1
    assert "built with these articles" in page


def test_paper_003(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from papers import paper003

    monkeypatch.setattr(paper003, "SETS", 1)
    monkeypatch.setattr(paper003, "draw_words", lambda words, count, rng: dict(list(words.items())[:count]))
    for name, value in {"LIMIT": 200, "SIZES": (10, 12), "THRESHOLDS": (4096, 16384)}.items():
        monkeypatch.setattr(paper003, name, value)
    synsets = [
        {"id": f"n{i}", "pos": "n", "members": [f"level{i}"], "hypernym": [f"n{i - 1}"] if i else []} for i in range(8)
    ]
    leaves = [{"id": f"l{i}", "pos": "n", "members": [f"leaf{i}"], "hypernym": [f"n{7 - i % 2}"]} for i in range(200)]
    lines(tmp_path / "oewn_compact" / "synsets.jsonl.gz", synsets + leaves)
    words = [{"lemma": one["members"][0], "pos": {"n": {"s": [one["id"]]}}} for one in leaves]
    lines(tmp_path / "oewn_compact" / "lemmas.jsonl.gz", words)
    numbers, page = reproduced("003", tmp_path)
    assert numbers["examples"]["Example 3, cost of the uneven text"][1] == 2.34375
    assert "never generalizes the last word" in page
    assert {f"Figure 3 ({letter})" in page for letter in "abcdef"} == {True}
    empty = tmp_path / "empty"
    empty.mkdir()
    assert isinstance(run("003", "--data", empty).exception, InputError)


def test_paper_004(actors: Path) -> None:
    numbers, page = reproduced("004", actors)
    assert numbers["table7"]["original"]["words"] == 1.0
    assert numbers["table1"]["NER3"]["term"]["precision"] == 1.0
    assert all(0.0 <= value <= 1.0 for value in numbers["ranking"].values())
    assert "Table 7 understates the risk" in page
    assert "has seen them" in page


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    unknown = run("005", "--data", tmp_path)
    assert isinstance(unknown.exception, UsageError)
    for paper in ("000", "002", "004"):
        assert isinstance(run(paper, "--data", tmp_path).exception, InputError)
    assert set(EXPERIMENTS) == {"000", "001", "002", "003", "004"}
