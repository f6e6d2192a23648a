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

HIV = (
    "The human immunodeficiency virus (HIV) is a lentivirus that causes AIDS. An infected mother can pass HIV on by "
    "breast milk. The reverse transcriptase of a retrovirus makes double-stranded DNA. Treatment takes time."
)


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
        [
            {"name": "Tom Cruise", "paper": "a", "lead": CRUISE},
            {"name": "HIV", "paper": "b", "lead": "HIV", "text": HIV},
        ],
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
    article = numbers["articles"]["Tom Cruise"]
    assert article["taken_out_first"] >= 1
    assert len(article["threshold_term"]) > 1
    assert set(numbers["table_5"]) == {"Ψ, whole document", "Ψ, sentences", "Ψ, whole document, with evidence (ours)"}
    fitted = numbers["tables_1_to_3"]["fitted by hand"]["acquired immunodeficiency syndrome"]
    assert fitted["influenza + blood transfusion"] == pytest.approx(9.966, abs=0.025)
    own = numbers["own_generalization"]
    assert own["overlooked"]["paper"]["documents"] == 2
    assert own["kept"]["generalization"]["information kept"] >= own["kept"]["suppression"]["information kept"]
    assert "is no measurement" in page


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
    for way in ("single terms", "with groups"):
        rows = [numbers["articles"][way][alpha]["HIV"] for alpha in ("1", "3/2", "2", "4")]
        assert 0 < rows[0]["recall"] <= rows[1]["recall"] <= rows[2]["recall"] <= rows[3]["recall"]
        assert rows[0]["redaction"] >= rows[3]["redaction"]
        assert all(row["sanitization"] >= row["redaction"] for row in rows)
    cut = [numbers["phrases"]["paper, support 1"][alpha]["HIV"] for alpha in ("1", "3/2", "2")]
    assert cut[0]["recall"] < cut[1]["recall"] <= cut[2]["recall"]
    assert "| HIV | 1.000 |" in page  # the paper's 100 % at α = 1
    assert "built with these articles" in page
    assert 0.8 < numbers["labelers"]["HIV"]["kappa"] < 1


def test_marks_are_found_where_they_stand() -> None:
    from papers.articles001 import detected
    from papers.marks import Marks, places

    text = "Corporal and spiritual works are good; a work is work."
    found = places(text, ("corporal spiritual work", "work", "virus"))
    assert [text[s:e] for s, e in found["corporal spiritual work"]] == ["Corporal and spiritual works"]
    assert len(found["work"]) == 3
    assert "virus" not in found
    marks = Marks(("corporal spiritual work", "work", "virus"), frozenset({"work"}), frozenset({"work", "virus"}), 99)
    row = detected([(0, 8), (24, 30)], text, marks)
    assert (row["precision, first"], row["recall, first"]) == (0.0, 0.0)  # "work" stands elsewhere, too
    assert detected([(0, len(text))], text, marks)["recall, second"] == 1.0
    assert marks.agreement == pytest.approx(2 / 3)


def test_paper_003(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from papers import paper003

    monkeypatch.setattr(paper003, "SETS", 1)
    for name, value in {"LIMIT": 200, "SIZES": (10, 12), "THRESHOLDS": (4096, 16384)}.items():
        monkeypatch.setattr(paper003, name, value)
    numbers, page = reproduced("003", tmp_path)
    assert numbers["examples"]["Example 3, cost of the uneven text"][1] == 2.34375
    # WordNet 3.0 as it ships gives the golden values of the paper's example.
    assert numbers["marijuana"] == {"volumes": [4, 3], "product": 12, "cost": 0.0388287904}
    assert paper003.suppression(10) == (0.0, 0.5)
    assert "never generalizes the last word" in page
    assert {f"Figure 3 ({letter})" in page for letter in "abcdef"} == {True}


def test_paper_004(actors: Path) -> None:
    numbers, page = reproduced("004", actors)
    assert numbers["table7"]["original"]["words"] == 1.0
    assert numbers["table7"]["ours: policy person"].keys() == numbers["table7"]["original"].keys()
    assert numbers["table1"]["NER3"]["term"]["precision"] == 1.0
    assert all(0.0 <= value <= 1.0 for value in numbers["ranking"].values())
    assert numbers["table2"]["manual annotation"]["marked"] == 4
    assert set(numbers["table3"]) >= {"NER3", "Presidio", "entity"}
    assert "Table 7 understates the risk" in page
    # No vectors were trained: nothing may be called so, whatever else is at hand.
    assert not any("trained" in name for table in ("table1", "table4", "table6") for name in numbers[table])


def test_other_systems_write_the_type_they_found() -> None:
    from papers.actors import inline_spans, masked_spans

    assert list(inline_spans("Ann Lee saw Rome", "{PERSON[Ann_Lee]} saw {LOCATION[Rome]}")) == [
        ((0, 7), "PERSON"),
        ((12, 16), "LOCATION"),
    ]
    assert list(masked_spans("Ann Lee saw Rome", "PERSON saw LOCATION")) == [((0, 7), "PERSON"), ((12, 16), "LOCATION")]


def test_a_linear_classifier_tells_people_apart() -> None:
    from papers.attack004 import classifier
    from tacenda.measures.attack import Candidates

    ann = "Ann is a nurse. She works in a hospital. The patients like the nurse."
    bob = "Bob is a sailor. He works on a ship. The captain likes the sailor."
    scores = classifier(Candidates.of({"Ann": ann, "Bob": bob}), ["A nurse met a patient.", "A sailor left the ship."])
    assert scores.argmax(axis=1).tolist() == [0, 1]


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    unknown = run("005", "--data", tmp_path)
    assert isinstance(unknown.exception, UsageError)
    for paper in ("000", "001", "002", "004"):
        assert isinstance(run(paper, "--data", tmp_path).exception, InputError)
    for paper in EXPERIMENTS:
        found = run(paper, "--data", tmp_path / "nowhere").exception
        assert isinstance(found, InputError)
        assert "no such folder" in str(found)


def test_all_pages_need_a_folder_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from papers import all as every

    assert every.main(["--data", str(tmp_path / "nowhere"), "--work", str(tmp_path / "w")]) == InputError.exit_code
    assert "no such folder" in capsys.readouterr().err
