"""The verifier: trusts nothing, agrees with the risk models on what is risky, and refuses what does not fit."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tacenda.certify import verify as module
from tacenda.certify.certificate import Claim, certify, read_certificate
from tacenda.certify.verify import verify
from tacenda.cli.verify import command
from tacenda.errors import InputError
from tacenda.knowledge.index import build_index, open_index
from tacenda.model import Context, Document, Mention, Protected
from tacenda.risk.alpha_c import AlphaC
from tacenda.risk.evidence import SupportTable, is_beyond_chance, theta_scaled
from tacenda.risk.rules import Evidence, Rule
from tacenda.testing.fakes import FakeIndex


class Stamped(FakeIndex):
    digest = "d" * 64


def random_index(rng, terms):
    windows = int(rng.integers(60, 200))
    secret = rng.random(windows) < rng.uniform(0.1, 0.4)
    base, lift = rng.uniform(0.05, 0.5, terms), rng.uniform(0, 0.9, terms)
    holds = rng.random((windows, terms)) < np.where(secret[:, None], np.maximum(base, lift), base)
    texts = [
        " ".join(["rest", *(f"word{chr(97 + t)}" for t in np.flatnonzero(holds[w])), *(["secretum"] * bool(secret[w]))])
        for w in range(windows)
    ]
    return Stamped(texts, [w // 3 for w in range(windows)])


def certificate_for(output, index, **settings):
    model = AlphaC(index=index, **settings)
    protected = (Protected("secretum", alpha=Fraction(3, 2)),)
    made = certify(
        output,
        policy={"name": "test"},
        claims=[Claim(**claim) for claim in model.claims(protected)],
        rule=model.stated_rule(),
        total=model.counts.total,
        index_digest=index.digest,
    )
    return json.loads(made.to_json()), model, protected


@pytest.mark.parametrize("mode", ["evidence", "paper"])
def test_it_agrees_with_the_risk_model_on_random_outputs(mode):
    rng = np.random.default_rng(11)
    seen = set()
    for _ in range(60):
        index = random_index(rng, 6)
        words = [f"word{chr(97 + t)}" for t in rng.permutation(6)[: int(rng.integers(1, 7))]]
        output = "Rest " + " and ".join(words)
        table, model, protected = certificate_for(output, index, mode=mode, level="1/20")
        mentions = [Mention(output.index(w), output.index(w) + len(w), w, "TERM") for w in ["Rest", *words]]
        risks = list(model.assess(mentions, Context(Document(output), protected=protected)))
        verdict = verify(output, table, index)
        assert verdict.holds == (not risks), (verdict, risks)
        if verdict.words:
            assert verdict.status == "broken"
            assert verdict.counts[0] >= 1
        seen.add(verdict.status)
    assert seen == {"holds", "broken"}


@pytest.fixture
def small():
    texts = ["secretum wordb rest"] * 5 + ["worda rest"] * 30 + ["rest wordb worda"] * 30 + ["rest wordc"] * 35
    return Stamped(texts)


def test_a_changed_letter_another_index_an_edited_count(small):
    output = "worda rest"
    table, _, _ = certificate_for(output, small)
    assert verify(output, table, small).holds
    assert "digest differs" in verify("wordb rest", table, small).reason
    other = Stamped(["x"] * 100)
    other.digest = "e" * 64
    assert "another index" in verify(output, table, other).reason
    for key, value, reason in (
        ("count", 6, "the certificate says 6"),
        ("counted", ["worda"], "the certificate says 5"),
    ):
        edited = json.loads(json.dumps(table))
        edited["claims"][0][key] = value
        verdict = verify(output, edited, small)
        assert verdict.status == "refused"
        assert reason in verdict.reason
    edited = {**table, "total": 99}
    assert "99 windows" in verify(output, edited, small).reason
    edited = {**table, "digests": {**table["digests"], "normalizer": "term 0"}}
    assert "another normalizer" in verify(output, edited, small).reason
    assert "claims nothing" in verify(output, {**table, "claims": []}, small).reason
    assert verify(output, {**table, "rule": {}}, small).status == "refused"


def test_a_name_of_the_entity_breaks_it(small):
    output = "the Secretum"
    table, _, _ = certificate_for(output, small)
    verdict = verify(output, table, small)
    assert (verdict.status, verdict.words) == ("broken", ("secretum",))


def test_unknown_words_and_kept_terms_are_not_covered(small):
    output = "worda qqq"
    table, _, _ = certificate_for(output, small)
    verdict = verify(output, table, small)
    assert verdict.status == "not covered"
    assert verdict.words == ("qqq",)
    kept, _, _ = certificate_for("worda", small)
    kept["not_covered"] = ["a reviewer kept 1 risky term"]
    assert verify("worda", kept, small).status == "not covered"


def test_integer_tests_agree_with_those_of_the_risk_models():
    evidence = Evidence.of("evidence")
    stated = evidence.settings()
    for secret, total in ((50, 5000), (994, 609_641)):
        for alpha in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(7, 3)):
            rule = Rule(secret, total, alpha=alpha, evidence=evidence)
            other = module._Rule(stated, secret, total, str(alpha), 0)
            assert alpha == 1 or other.part == theta_scaled(secret, total, alpha)
            for joint in (2, 5, 7, 20):
                for count in (joint, joint + 1, 3 * joint, 10 * joint, 40 * joint):
                    assert other.group(joint, count) == rule.group(joint, count)
                    assert other.single(joint, count) == rule.single(joint, count)


def test_exact_tails_agree_with_the_scaled_ones():
    share = Fraction(36, 1000)
    table = SupportTable(share, Fraction(1, 1000))
    for n in (5, 17, 60, 200, 700):
        need = table.need(n)
        assert module._tail_below(n, need, 36, 1000, Fraction(1, 1000), strict=False)
        assert not module._tail_below(n, need - 1, 36, 1000, Fraction(1, 1000), strict=False)
    for joint, count in ((2, 9), (3, 40), (6, 30)):
        level = Fraction(1, 1000)
        assert module._tail_below(count, joint, 9, 1000, level, strict=True) == is_beyond_chance(
            joint, count, 9, 1000, level
        )


@pytest.mark.parametrize("everywhere", [False, True])
def test_closed_groups_are_all_found_once(everywhere):
    rng = np.random.default_rng(3)
    index = random_index(rng, 7)
    if everywhere:  # a rare word that is in every window of the entity
        index._windows["worda"] = index.find("secretum").windows
    words = {f"word{chr(97 + t)}": index.find(f"word{chr(97 + t)}").windows for t in range(7)}
    secret = index.find("secretum").windows
    found = list(module._closed(words, secret, index, 2))
    groups = [frozenset(group) for group, *_ in found]
    assert len(groups) == len(set(groups))
    holds = {word: set(windows.tolist()) for word, windows in words.items()}
    expected = set()
    for mask in range(1, 1 << 7):
        chosen = [word for i, word in enumerate(sorted(words)) if mask >> i & 1]
        rows = set(secret.tolist()).intersection(*(holds[word] for word in chosen))
        if len(rows) >= 2:
            expected.add(frozenset(word for word in words if rows <= holds[word]))
    assert set(groups) == expected
    for group, joint, count, _ in found:
        together = set.intersection(*(holds[word] for word in group))
        assert (joint, count) == (len(together & set(secret.tolist())), len(together))


def test_the_verifier_stands_alone():
    source = Path(module.__file__).read_text("utf-8")
    assert len(source.splitlines()) < 300
    imported = {node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert not any("risk" in name or "choose" in name for name in imported)
    assert not [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant) and isinstance(n.value, float)]
    assert not [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]


def test_the_word_we_never_print():
    made = certify("x", policy={}, claims=[], rule={}, total=1, index_digest="d")
    assert "anonymous" not in made.to_json().lower()


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "other"}', '{"format": "tacenda-certificate", "version": 9}'])
def test_what_is_no_certificate_is_refused(text):
    with pytest.raises(InputError):
        read_certificate(text)


def test_the_command_on_a_real_index(tmp_path):
    lines = [f"Secretum stands beside wordb here, item{i % 9}." for i in range(8)]
    lines += [f"Plain worda text about trees and rivers, item{i % 9}, line{i}." for i in range(60)]
    build_index(tmp_path / "k.tix", list(enumerate(lines)))
    index = open_index(tmp_path / "k.tix")
    runner = CliRunner()

    def check(output):
        table, _, _ = certificate_for(output, index)
        (tmp_path / "out.txt").write_text(output, "utf-8")
        (tmp_path / "c.json").write_text(json.dumps(table), "utf-8")
        arguments = [str(tmp_path / "out.txt"), str(tmp_path / "c.json"), "--index", str(tmp_path / "k.tix")]
        return runner.invoke(command, arguments)

    good = check("Trees and rivers.")
    assert good.exit_code == 0
    assert good.output.startswith("yes")
    bad = check("Trees and wordb.")
    assert bad.exit_code != 0
    assert "wordb" in bad.output
    (tmp_path / "out.txt").write_text("Trees and river.", "utf-8")
    again = runner.invoke(
        command, [str(tmp_path / "out.txt"), str(tmp_path / "c.json"), "--index", str(tmp_path / "k.tix"), "--json"]
    )
    assert again.exit_code != 0
    assert json.loads(again.output)["status"] == "refused"
