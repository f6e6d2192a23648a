from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tacenda.cli.measure import command
from tacenda.cli.reproduce import command as reproduce
from tacenda.errors import InputError, UsageError

TEXT = "Ann met Bob in Rome."


def run(*arguments: object, of: Any = command) -> Result:
    return CliRunner().invoke(of, [str(a) for a in arguments])


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return lines(tmp_path / "gold.jsonl", [{"id": "d", "text": TEXT, "spans": [[0, 3, "PERSON"], [15, 19, "LOC"]]}])


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    return lines(tmp_path / "ref.jsonl", [{"text": t} for t in ("someone met", "in Rome someone", "Ann", "Bob met")])


@pytest.fixture
def masks(tmp_path: Path) -> Path:
    path = tmp_path / "masks.json"
    path.write_text(json.dumps({"d": [[0, 3, "PERSON", "someone"]]}), encoding="utf-8")
    return path


def test_detection_and_utility(tmp_path: Path, gold: Path, masks: Path, reference: Path) -> None:
    page, numbers = tmp_path / "r.html", tmp_path / "r.json"
    to = ("-o", page, "--json", numbers, "--reference", reference)
    found = run("detection", "--gold", gold, "--masks", f"ours={masks}", *to)
    assert found.exit_code == 0, found.output
    held = json.loads(numbers.read_text("utf-8"))
    assert held["result"]["ours"]["micro"]["mention"]["recall"] == 0.5
    assert set(held["versions"]) == {"tacenda", "terms", "python", "numpy"}
    assert page.read_text("utf-8").startswith("<!doctype html>")
    printed = run("utility", "--gold", gold, "--masks", masks, "--json", "-", "--reference", reference)
    assert 0 < json.loads(printed.output)["result"]["masks"]["information_kept"][0] < 1
    twice = run("detection", "--gold", gold, "--masks", masks, "--masks", masks)
    assert isinstance(twice.exception, UsageError)


def test_privacy_release_and_log(tmp_path: Path) -> None:
    rows = [{"user": u, "text": t} for u, t in (("a", "x"), ("a", "y"), ("b", "x"), ("b", "hiv"))]
    original = lines(tmp_path / "x.jsonl", rows)
    out = tmp_path / "y.jsonl"
    assert "2 of 4 documents released" in run("release", original, "-k", 2, "-o", out).output.replace("\n", " ")
    found = json.loads(run("privacy", original, out, "--json", "-").output)["result"]
    assert set(found) == {"document", "word", "partial"}
    assert found["document"]["impressions"] == 50
    words = tmp_path / "words.txt"
    words.write_text("hiv\n", "utf-8")
    both = json.loads(run("log", original, "--private", words, "--sigma", 0.5, "--json", "-").output)["result"]
    assert set(both) == {"by_k", "by_strategy"}
    lines(out, [{"user": "zoe", "text": "x"}])
    assert isinstance(run("privacy", original, out).exception, InputError)


def test_sensitivity_is_trained_and_used(tmp_path: Path) -> None:
    rows = [{"text": f"hiv test {i}", "sensitive": True} for i in range(10)]
    rows += [{"text": f"cheap flight {i}", "sensitive": False} for i in range(10)]
    labeled, model = lines(tmp_path / "l.jsonl", rows), tmp_path / "m.json"
    found = run("sensitivity", labeled, "--save", model, "--json", "-")
    assert json.loads(found.output)["result"]["accuracy"] == 1
    original = lines(tmp_path / "x.jsonl", [{"user": "a", "text": "hiv"}, {"user": "a", "text": "flight"}])
    kept = lines(tmp_path / "y.jsonl", [{"user": "a", "text": "flight"}])
    shown = json.loads(run("privacy", original, kept, "--sensitivity", model, "--json", "-").output)["result"][
        "document"
    ]
    assert shown["spi_printed"] < shown["jsd"] < shown["spi_withheld"] <= 1


def test_attack(tmp_path: Path) -> None:
    people = [
        {"name": "ann", "text": "Ann sails. She met whales."},
        {"name": "bob", "text": "Bob digs. He grew beans."},
    ]
    background = lines(tmp_path / "b.jsonl", people)
    documents = lines(tmp_path / "d.jsonl", [{"name": "ann", "masked": "PERSON met whales."}])
    found = run("attack", "--documents", documents, "--background", background, "--text", "masked", "--json", "-")
    held = json.loads(found.output)["result"]
    assert held["worst"]["1.0"]["top1"] == 1
    assert held["chance"] == 0.5
    assert set(held["worst"]) == {"0.25", "0.5", "1.0"}


def test_reproduce_002(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import papers.paper002 as paper

    monkeypatch.setattr(paper, "USERS", 30)
    monkeypatch.setattr(paper.assemble, "__kwdefaults__", {"users": 30, "seed": 1})
    (tmp_path / "asq_phi").mkdir()
    (tmp_path / "k_medquad").mkdir()
    queries = [
        {
            "id": str(i),
            "query": f"Dr Adler seen {i} fever",
            "phi": [{"start": 3, "end": 8, "type": "NAME"}] if i % 3 else [],
        }
        for i in range(60)
    ]
    lines(tmp_path / "asq_phi" / "asq_dev300.jsonl", queries)
    topics = [{"focus": f"{'hiv' if i % 4 == 0 else 'skin'} topic {i}"} for i in range(200)]
    with gzip.open(tmp_path / "k_medquad" / "medquad.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(topic) + "\n" for topic in topics)
    found = run("002", "--data", tmp_path, "-o", tmp_path / "out", of=reproduce)
    assert found.exit_code == 0, found.exception
    assert {p.name for p in (tmp_path / "out").iterdir()} >= {"002.md", "002.html", "002.json", "002-0.svg"}
    assert "rewards the wrong release" in (tmp_path / "out" / "002.md").read_text("utf-8")
    assert isinstance(run("009", "--data", tmp_path, of=reproduce).exception, UsageError)
    assert isinstance(run("002", "--data", tmp_path / "out", of=reproduce).exception, InputError)


def test_classes_and_similarity_per_term(tmp_path: Path, reference: Path) -> None:
    texts = {
        "a": "Ann met Bob in Rome.",
        "b": "Bob met Ann in Rome.",
        "c": "Stocks fell in Paris.",
        "d": "Stocks fell.",
    }
    gold = lines(tmp_path / "g.jsonl", [{"id": i, "text": t, "spans": [[0, 3, "PERSON"]]} for i, t in texts.items()])
    masks = tmp_path / "m.json"
    masks.write_text(json.dumps({**{i: [] for i in texts}, "a": [[0, 3, "PERSON", "a woman"]]}), encoding="utf-8")
    classes = lines(tmp_path / "c.jsonl", [{"id": i, "class": "people" if i in "ab" else "money"} for i in texts])
    call = ("utility", "--gold", gold, "--masks", f"ours={masks}", "--reference", reference, "--json", "-")
    held = json.loads(run(*call, "--classes", classes, "--clusters", 2).output)["result"]["ours"]
    assert held["classifier, agreement"] == held["classifier, accuracy before"] == 1.0
    assert held["clusters, adjusted Rand"] == 1.0
    assert -1 <= held["cosine_per_mask"] <= 1
    assert 0 <= held["kept_per_mask"] <= 1
    classes.write_text('{"id": "a", "class": "people"}\n', encoding="utf-8")
    assert isinstance(run(*call, "--classes", classes).exception, InputError)


def test_report_has_all_plots(tmp_path: Path, reference: Path) -> None:
    texts = {"ann": "Ann met Bob in Rome.", "bob": "Bob met Ann in Paris."}
    gold = lines(tmp_path / "g.jsonl", [{"id": i, "text": t, "spans": [[0, 3, "PERSON"]]} for i, t in texts.items()])
    background = lines(tmp_path / "b.jsonl", [{"name": i, "text": f"{t} {i} again."} for i, t in texts.items()])
    call: list[object] = ["report", "--gold", gold, "--background", background, "--reference", reference, "--over", "t"]
    for t, spans in {"0.5": [], "0.25": [[0, 3, "PERSON", ""]], "0.1": [[0, 11, "PERSON", ""]]}.items():
        path = tmp_path / f"{t}.json"
        path.write_text(json.dumps(dict.fromkeys(texts, spans)), encoding="utf-8")
        call += ["--masks", f"{t}={path}"]
    page, numbers = tmp_path / "r.html", tmp_path / "r.json"
    found = run(*call, "-o", page, "--json", numbers)
    assert found.exit_code == 0, found.output
    html = page.read_text("utf-8")
    for plot in ("Privacy against utility", "Privacy and utility over t", "Recall by type", "Attack by background"):
        assert f"<title>{plot}</title>" in html
    held = json.loads(numbers.read_text("utf-8"))["result"]
    curve = held["tradeoff"]["named first by the worst attacker"]
    assert 1.0 == curve["0.5"][0] > curve["0.25"][0] > curve["0.1"][0]
    assert curve["0.5"][1] == 1.0
    assert set(held) == {"attack", "detection", "tradeoff", "utility"}
