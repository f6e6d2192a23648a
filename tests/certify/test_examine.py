"""The examination of an output: agrees with the risk models on what is risky, though it shares no code with them."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.certify.conftest import TextCollection

from tacenda.certify import examine as module
from tacenda.certify import rule as own_rule
from tacenda.certify.examine import examine
from tacenda.certify.required import Entity, Evidence, Required
from tacenda.model import Context, Document, Mention, Protected
from tacenda.risk import rules
from tacenda.risk.alpha_c import AlphaC
from tacenda.risk.evidence import SupportTable, is_beyond_chance, theta_scaled
from tacenda.testing.fakes import FakeIndex

SECRET = Entity("secretum", ("secretum",), ("signum",), ("secretum",), Fraction(3, 2))


def asked(**settings):
    evidence = rules.Evidence.of(settings.pop("mode", "evidence"), None, settings.pop("level", "1/1000"), **settings)
    return Required((SECRET,), Evidence(**vars(evidence)))


def random_texts(rng, terms):
    windows = int(rng.integers(60, 200))
    secret = rng.random(windows) < rng.uniform(0.1, 0.4)
    base, lift = rng.uniform(0.05, 0.5, terms), rng.uniform(0, 0.9, terms)
    holds = rng.random((windows, terms)) < np.where(secret[:, None], np.maximum(base, lift), base)
    texts = [
        " ".join(["rest", *(f"word{chr(97 + t)}" for t in np.flatnonzero(holds[w])), *(["secretum"] * bool(secret[w]))])
        for w in range(windows)
    ]
    return texts, [w // 3 for w in range(windows)]


@pytest.mark.parametrize(("mode", "strict"), [("evidence", False), ("evidence", True), ("paper", False)])
def test_it_agrees_with_the_risk_model_on_random_outputs(mode, strict):
    rng = np.random.default_rng(11)
    seen = set()
    protected = (Protected("secretum", alpha=Fraction(3, 2)),)
    for _ in range(60):
        texts, articles = random_texts(rng, 6)
        words = [f"word{chr(97 + t)}" for t in rng.permutation(6)[: int(rng.integers(1, 7))]]
        output = "Rest " + " and ".join(words)
        model = AlphaC(index=FakeIndex(texts, articles), mode=mode, level="1/20", strict=strict)
        mentions = [Mention(output.index(w), output.index(w) + len(w), w, "TERM") for w in ["Rest", *words]]
        survey = model.survey(mentions, Context(Document(output), protected=protected))
        found = examine(output, asked(mode=mode, level="1/20", strict=strict), TextCollection(texts, articles))
        assert (found.status == "holds") == (not survey.risks), (found, survey.risks)
        if strict and found.status == "holds":
            assert not [one for one in found.weak if one.joint >= 5]
        seen.add(found.status)
    assert seen == {"holds", "broken"}


@pytest.fixture
def small():
    texts = ["secretum wordb rest"] * 5 + ["worda rest"] * 30 + ["rest wordb worda"] * 30 + ["rest wordc"] * 35
    return TextCollection(texts)


@pytest.mark.parametrize(
    ("output", "status", "words"),
    [
        ("worda rest", "holds", ()),
        ("the Secretum", "broken", ("secretum",)),
        ("SECRETUM!", "broken", ("secretum",)),
        ("a signum", "broken", ("signum",)),
        ("worda qqq", "not covered", ("qqq",)),
        ("worda 1234", "holds", ()),
    ],
)
def test_names_signs_and_unknown_words(small, output, status, words):
    found = examine(output, asked(), small)
    assert (found.status, found.words) == (status, words)


def test_a_word_too_rare_in_the_known_context_is_judged_in_the_whole_index():
    texts = ["patient secretum rare"] * 3 + ["secretum rare"] * 6 + ["patient secretum"] * 5 + ["patient"] * 60
    index = TextCollection(texts + ["other text"] * 200)
    required = Required((SECRET,), asked().evidence, ("patient",))
    found = examine("rare", required, index)
    assert (found.status, found.words, found.counts) == ("broken", ("rare",), (9, 9))


def test_words_and_groups_with_too_little_evidence_are_listed_and_broken_in_strict_mode():
    texts = ["secretum worda wordb"] * 6 + ["worda wordb"] * 2 + ["worda"] * 200 + ["wordb"] * 200 + ["secretum"] * 30
    index = TextCollection(texts + ["rest"] * 300, [w // 500 for w in range(738)])  # all in one article
    found = examine("worda wordb", asked(), index)
    assert found.status == "holds"
    assert ("worda", "wordb") in {one.words for one in found.weak}
    assert examine("worda wordb", asked(strict=True), index).status == "broken"


def test_integer_tests_agree_with_those_of_the_risk_models():
    evidence = rules.Evidence.of("evidence")
    for secret, total in ((50, 5000), (994, 609_641)):
        for alpha in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(7, 3)):
            rule = rules.Rule(secret, total, alpha=alpha, evidence=evidence)
            other = own_rule.Rule(Evidence(**vars(evidence)), secret, total, alpha, 0)
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
        assert own_rule._tail_below(n, need, 36, 1000, Fraction(1, 1000), strict=False)
        assert not own_rule._tail_below(n, need - 1, 36, 1000, Fraction(1, 1000), strict=False)
    for joint, count in ((2, 9), (3, 40), (6, 30)):
        level = Fraction(1, 1000)
        assert own_rule._tail_below(count, joint, 9, 1000, level, strict=True) == is_beyond_chance(
            joint, count, 9, 1000, level
        )


@pytest.mark.parametrize("everywhere", [False, True])
def test_closed_groups_are_all_found_once(everywhere):
    texts, articles = random_texts(np.random.default_rng(3), 7)
    if everywhere:  # a rare word that is in every window of the entity
        texts = [text.replace("worda", "") + (" worda" if "secretum" in text else "") for text in texts]
    index = TextCollection(texts, articles)
    words = {f"word{chr(97 + t)}": index.windows((f"word{chr(97 + t)}",))[0] for t in range(7)}
    secret = index.windows(("secretum",))[0]
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


@pytest.mark.parametrize("name", ["examine", "rule", "index_file", "required"])
def test_the_verifier_stands_alone(name):
    source = (Path(module.__file__).parent / f"{name}.py").read_text("utf-8")
    tree = ast.parse(source)
    assert len(source.splitlines()) < 300
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    product = {name for name in imported if name.startswith("tacenda") and not name.startswith("tacenda.certify")}
    assert product <= ({"tacenda", "tacenda.disguise"} if name == "examine" else set())  # term, disguise, nothing else
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float)]
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
