"""`[risk.reidentify]` in a policy, from the file to the attack on the output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacenda.cli import main
from tacenda.errors import InputError, KnowledgeError, PolicyError, UsageError
from tacenda.measures.attack import ATTACKERS, Candidates, run_attacks
from tacenda.model import Document
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer

PEOPLE = {
    "Ann Porter": "Ann Porter sailed round Cape Horn in a ship called Petrel. She wrote of whales and storms at sea.",
    "Bob Reed": "Bob Reed sailed too, on lakes. He wrote of storms and of rain, and grew tomatoes in Kent.",
    "Eve Stone": "Eve Stone painted bridges in Prague. She wrote letters of storms and of towers by the sea.",
    "Ivo Lang": "Ivo Lang built a ship in a bottle. He wrote of bottles, of the sea and of small things.",
}
TEXT = "Ann Porter sailed round Cape Horn. She wrote of whales and of storms, and later of the sea. Bob Reed wrote too."


@pytest.fixture
def background(tmp_path: Path) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text("".join(json.dumps({"name": n, "text": t}) + "\n" for n, t in PEOPLE.items()), encoding="utf-8")
    return path


def policy(background: Path, more: str = "") -> Policy:
    return Policy.from_text(
        f'name = "hide"\nannotate = ["encoder"]\nreplace = ["label"]\n[risk.reidentify]\n'
        f'background = "{background}"\n{more}'
    )


# The attackers that the defender stands on; of others nothing is promised.
USED = ("words", "bigrams", "trigrams", "trigrams, no stop words", "naive Bayes")


def named_first(text: str, name: str) -> float:
    used = {attacker: ATTACKERS[attacker] for attacker in USED}
    return run_attacks([(name, text)], Candidates.of(PEOPLE), attackers=used, backgrounds=[1.0]).by_any()


def test_attackers_that_succeed_on_the_text_fail_on_the_output(background: Path) -> None:
    result = Sanitizer(policy(background)).sanitize(Document(TEXT, subject="Ann Porter"))
    assert named_first(TEXT, "Ann Porter") == 1.0
    assert named_first(result.text, "Ann Porter") == 0.0
    assert "wrote" in result.text  # what all share stays
    risks = [r for r in result.plan.risks if r.model == "reidentify"]
    assert {(r.unit, r.limit, r.counts["people"]) for r in risks} == {("rank", 1.0, 4)}
    assert "Ann" not in result.text


def test_words_about_others_go_too_where_they_tell(background: Path) -> None:
    text = "Ann Porter wrote to Ivo Lang. Ivo Lang wrote of a ship called Petrel and of whales."
    result = Sanitizer(policy(background)).sanitize(Document(text, subject="Ann Porter"))
    assert named_first(result.text, "Ann Porter") < 1.0


def test_subject_of_the_policy_and_stricter_limits(background: Path) -> None:
    text = TEXT.replace("Ann Porter", "She")
    plans = [Sanitizer(policy(background, f'subject = "ann porter"\nk = {k}')).plan(Document(text)) for k in (1, 2)]
    changed = [sum(d.changes for d in plan.decisions) for plan in plans]
    assert 0 < changed[0] <= changed[1]


def test_errors_say_what_is_missing(background: Path, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no such file"):
        Sanitizer(policy(tmp_path / "none.jsonl")).plan(Document(TEXT, subject="Ann Porter"))
    with pytest.raises(UsageError, match="Name the subject"):
        Sanitizer(policy(background)).plan(Document(TEXT))
    with pytest.raises(UsageError, match="contains nothing about 'Zoe Hall'"):
        Sanitizer(policy(background)).plan(Document("Zoe Hall sailed to sea.", subject="Zoe Hall"))
    with pytest.raises(InputError, match="does not occur"):
        Sanitizer(policy(background)).plan(Document(TEXT, subject="Zoe Hall"))
    with pytest.raises(PolicyError, match="background"):
        Sanitizer(Policy.from_text('name = "x"\n[risk.reidentify]\nk = 1\n')).plan(Document(TEXT, subject="Ann Porter"))


def test_command_line(background: Path, tmp_path: Path) -> None:
    rules, letter, out = tmp_path / "hide.toml", tmp_path / "letter.txt", tmp_path / "out.txt"
    rules.write_text(
        f'name = "hide"\nreplace = ["label"]\n[risk.reidentify]\nbackground = "{background}"\n', encoding="utf-8"
    )
    letter.write_text(TEXT, encoding="utf-8")
    call = ["sanitize", str(letter), "--policy", str(rules), "--subject", "Ann Porter", "-o", str(out)]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 0, done.output
    assert named_first(out.read_text("utf-8"), "Ann Porter") == 0.0
