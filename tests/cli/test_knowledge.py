"""Knowledge that a policy names, end to end: an index of one's own, several, a taxonomy, a search service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tacenda.cli import main
from tacenda.knowledge.counts_http import ToldSecretWarning

TEXT = "The patient takes glimmerol with bread every evening and reads the paper."
POLICY = """
name = "own"
annotate = ["patterns"]
replace = ["generalize", "suppress"]
[[protect]]
entity = "glowfever"
"""
SERVICE = """
[risk.service]
[knowledge.service]
url = "{url}"
path = "hits.total.0"
total = 1000000
cache = "answers.db"
per_second = 1000
retries = 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(TEXT)
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def build(name: str, texts: list[str]) -> None:
    Path(f"{name}.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    done = call("index", "build", f"{name}.jsonl", "-o", f"{name}.tix", "--processes", "1")
    assert done.exit_code == 0, done.output


def own_texts() -> list[str]:
    """Glimmerol is a drug against glowfever; everything else occurs everywhere."""
    common = "the patient takes bread every evening and reads the paper"
    sick = [f"case {n}: glowfever is treated with glimmerol" for n in range(12)]
    return [*(f"{common} {n}" for n in range(400)), *sick]


def test_the_index_and_the_taxonomy_of_a_policy_are_used(folder: Path) -> None:
    build("own", own_texts())
    Path("mine.csv").write_text("child,parent\nglimmerol,remedy\nglowfever,illness\nremedy,thing\nillness,thing\n")
    Path("own.toml").write_text(POLICY + '[knowledge]\nindex = "own.tix"\ntaxonomies = ["mine.csv"]\n')
    done = call("plan", "a.txt", "-p", "own.toml", "-o", "plan.json")
    assert done.exit_code == 0, done.stderr
    (risk,) = [r for r in json.loads(Path("plan.json").read_text())["risks"] if r["discloses"] == "glowfever"]
    assert risk["counts"]["total"] == 412
    assert risk["counts"]["entity"] == risk["counts"]["joint"] == 12
    out = call("sanitize", "a.txt", "-p", "own.toml", "--quiet").stdout
    assert "glimmerol" not in out
    assert "bread" in out


def test_without_the_index_the_word_is_only_unknown(folder: Path) -> None:
    Path("own.toml").write_text(POLICY)
    call("plan", "a.txt", "-p", "own.toml", "-o", "plan.json")
    risks = json.loads(Path("plan.json").read_text())["risks"]
    assert [r["discloses"] for r in risks] == ["unknown"]


def test_several_indexes_count_as_one(folder: Path) -> None:
    texts = own_texts()
    build("one", texts[::2])
    build("two", texts[1::2])
    build("own", texts)
    plans = []
    for names in ('["one.tix", "two.tix"]', '"own.tix"'):
        Path("own.toml").write_text(POLICY + f"[knowledge]\nindex = {names}\n")
        assert call("plan", "a.txt", "-p", "own.toml", "-o", "plan.json").exit_code == 0
        plans.append(json.loads(Path("plan.json").read_text()))
    assert plans[0]["risks"] == plans[1]["risks"]
    assert plans[0]["decisions"] == plans[1]["decisions"]


def test_a_certificate_over_several_indexes_needs_them_all(folder: Path) -> None:
    texts = own_texts()
    build("one", texts[::2])
    build("two", texts[1::2])
    Path("own.toml").write_text(POLICY + '[knowledge]\nindex = ["one.tix", "two.tix"]\n')
    done = call("sanitize", "a.txt", "-p", "own.toml", "-o", "safe.txt", "--certificate", "safe.json", "--quiet")
    assert done.exit_code == 0, done.stderr
    assert (
        call("verify", "safe.txt", "safe.json", "-p", "own.toml", "--index", "one.tix", "--index", "two.tix").exit_code
        == 0
    )
    assert call("verify", "safe.txt", "safe.json", "-p", "own.toml", "--index", "one.tix").exit_code != 0


def counts_of(handler: Any) -> None:
    """Glimmerol tells glowfever; everything else was never seen with it."""
    terms = ("patient", "takes", "take", "bread", "every", "evening", "reads", "read", "paper")
    handler.counts |= {f'"{t}"': 50_000 for t in terms} | {f'"glowfever" AND "{t}"': 0 for t in terms}
    handler.counts |= {'"glowfever"': 100, '"glimmerol"': 40, '"glowfever" AND "glimmerol"': 39}


def test_a_service_is_asked_warned_of_and_replayed(folder: Path, service: Any) -> None:
    handler, url = service
    counts_of(handler)
    Path("own.toml").write_text(POLICY + SERVICE.format(url=url))
    with pytest.warns(ToldSecretWarning, match=r"is sent to 127\.0\.0\.1") as told:
        done = call("sanitize", "a.txt", "-p", "own.toml", "--quiet")
    assert done.exit_code == 0, done.stderr
    assert len([w for w in told if w.category is ToldSecretWarning]) == 1
    assert "glimmerol" not in done.stdout
    assert "bread every evening" in done.stdout
    asked = len(handler.asked)
    assert asked == len(set(handler.asked)) > 9
    handler.script[:] = ["broken"]
    Path("own.toml").write_text(POLICY + SERVICE.format(url=url) + "replay = true\n")
    assert call("sanitize", "a.txt", "-p", "own.toml", "--quiet").stdout == done.stdout
    assert len(handler.asked) == asked


@pytest.mark.parametrize(
    ("act", "reason"),
    [("busy", "429"), ("broken", "500"), ("cut", "cut off|IncompleteRead"), ("nonsense", "not JSON"),
     ("negative", "no count"), ("refused", "refused"), ("elsewhere", "refused"), ("silent", "in 2 attempts")],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::tacenda.knowledge.counts_http.ToldSecretWarning")
def test_a_service_that_fails_ends_the_run_without_output(folder: Path, service: Any, act: str, reason: str) -> None:
    import re

    from tacenda.knowledge import counts_http

    handler, url = service
    counts_of(handler)
    handler.script[:] = ["good", "good", "good", act]
    quick = SERVICE.format(url=url) + "timeout = 0.3\n"
    Path("own.toml").write_text(POLICY + quick)
    before = counts_http._LONGEST_WAIT
    counts_http._LONGEST_WAIT = 0.01
    try:
        done = call("sanitize", "a.txt", "-p", "own.toml", "-o", "safe.txt", "--quiet")
    finally:
        counts_http._LONGEST_WAIT = before
    assert done.exit_code == 5, done.output
    assert re.search(reason, done.stderr)
    assert "glimmerol" not in done.stderr
    assert not Path("safe.txt").exists()


def test_the_warning_is_one_line_on_standard_error(folder: Path, service: Any) -> None:
    handler, url = service
    counts_of(handler)
    Path("own.toml").write_text(POLICY + SERVICE.format(url=url))
    source = Path(__file__).parents[2] / "src"
    command = [sys.executable, "-m", "tacenda", "sanitize", "a.txt", "-p", "own.toml", "--quiet", "--jobs", "2"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("tacenda: warning: every term asked for, also what is to be protected, is sent to")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("url = 'http://h/{query}'", "path, total, cache missing"),
        ("adress = 'x'", "no key named 'adress'. Available: url, path, total, cache"),
        ("url = 'http://h/{query}'\npath = 'n'\ntotal = 'many'\ncache = 'c'", "total must be a whole number"),
        ("url = 'http://h/'\npath = 'n'\ntotal = 5\ncache = 'c'", "hold {query}"),
        ("url = 'http://h/{query}'\npath = 'n'\ntotal = 5\ncache = 'c'\nreplay = 1", "replay must be true or false"),
    ],
)
def test_a_wrong_table_says_what_exists(folder: Path, change: str, message: str) -> None:
    Path("own.toml").write_text(POLICY + "[risk.service]\n[knowledge.service]\n" + change)
    done = call("plan", "a.txt", "-p", "own.toml")
    assert done.exit_code == 4
    assert message in done.stderr


@pytest.mark.parametrize(
    "half", ["[risk.service]\n", SERVICE.format(url="http://h/{query}").replace("[risk.service]", "")]
)
def test_a_service_named_by_half_is_an_error(folder: Path, half: str) -> None:
    Path("own.toml").write_text(POLICY + half)
    done = call("plan", "a.txt", "-p", "own.toml")
    assert done.exit_code == 4
    assert "needs both" in done.stderr
    Path("own.toml").write_text(POLICY + "[knowledge]\nindex = 3\n")
    assert "must be a path, or a list" in call("plan", "a.txt", "-p", "own.toml").stderr
