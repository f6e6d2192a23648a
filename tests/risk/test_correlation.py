"""Paper 000 on a collection whose counts reproduce its Tables 1 to 3, through the real index."""

from __future__ import annotations

import json

import pytest

from tacenda.choose.greedy import Greedy
from tacenda.errors import InputError
from tacenda.knowledge.index import build_index, open_index
from tacenda.model import Candidate, Context, Document, Mention
from tacenda.risk.correlation import ZETA, Correlation
from tacenda.risk.formulas import information, pmi
from tacenda.testing import check_risk_model
from tacenda.testing.fakes import FakeIndex

AIDS, IMMUNE = "acquired immunodeficiency syndrome", "immune system"
WORDS = {"i": "influenza", "t": "blood transfusion", "p": "patient"}
WINDOWS = 66_913
# Windows that hold exactly these of i, t, p: with AIDS, with the immune system, with neither.
HELD = {
    AIDS: {"ip": 1, "itp": 3},
    IMMUNE: {"itp": 16, "ip": 4, "tp": 1, "i": 8, "t": 1, "p": 28, "": 14},
    "": {"itp": 6, "it": 25, "ip": 86, "tp": 40, "i": 189, "t": 25, "p": 967},
}
TABLES = {
    (AIDS, "i"): 7.63, (AIDS, "t"): 8.75, (AIDS, "p"): 5.86,
    (IMMUNE, "i"): 6.28, (IMMUNE, "t"): 7.16, (IMMUNE, "p"): 5.30,
    (AIDS, "it"): 9.966, (AIDS, "ip"): 9.168, (AIDS, "tp"): 9.567,
    (IMMUNE, "it"): 8.238, (IMMUNE, "ip"): 7.308, (IMMUNE, "tp"): 7.906,
}  # fmt: skip
TEXT = (
    "The patient suffers from acquired immunodeficiency syndrome because of a blood transfusion. "
    "He was diagnosed when his immune system responded poorly to influenza."
)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    lines = []
    for secret, parts in HELD.items():
        for letters, number in parts.items():
            held = " ".join([secret, *(WORDS[letter] for letter in letters)])
            lines += [f"{held} number{len(lines) + i}" for i in range(number)]
    lines += [f"number{i}" for i in range(len(lines), WINDOWS)]
    path = tmp_path_factory.mktemp("k") / "figure1.tix"
    build_index(path, list(enumerate(lines)))
    return open_index(path)


def mentions_of(text, *terms, label="TERM"):
    return [Mention(text.index(t), text.index(t) + len(t), t, label) for t in terms]


@pytest.fixture
def figure_1():
    sensitive = mentions_of(TEXT, AIDS, IMMUNE, label="SENSITIVE")
    others = mentions_of(TEXT, "patient", "blood transfusion", "influenza")
    mentions = sorted([*sensitive, *others], key=lambda m: m.start)
    end = TEXT.index(".") + 1
    return mentions, Context(Document(TEXT, "figure-1"), sentences=((0, end), (end + 1, len(TEXT))))


def test_the_index_reproduces_the_tables(index):
    assert index.total == WINDOWS
    for secret, bits in ((AIDS, 14.03), (IMMUNE, 9.86)):
        assert information(index.count(secret).number, WINDOWS) == pytest.approx(bits, abs=0.02)
    for (secret, letters), bits in TABLES.items():
        group = [WORDS[letter] for letter in letters]
        joint, count = index.counts([[secret, *group], group])
        assert pmi(joint, index.count(secret).number, count, WINDOWS) == pytest.approx(bits, abs=0.025)


def test_figure_1_masks_influenza_and_blood_transfusion(index, figure_1):
    mentions, context = figure_1
    model = Correlation(index=index, labels=["SENSITIVE"], mode="paper", support=1)
    risks = list(model.assess(mentions, context))
    first = [risk for risk in risks if risk.reason == ZETA]
    groups = [{mentions[i].text for i in risk.mentions} for risk in risks if risk.reason != ZETA]
    assert [mentions[risk.mentions[0]].text for risk in first] == [AIDS, IMMUNE]
    assert groups == [{"influenza", "blood transfusion"}]
    gone = Candidate("[...]", "suppress")
    chosen = Greedy().choose(mentions, [(gone,)] * 5, risks, lambda new: list(model.assess(new, context)))
    kept = [m.text for m, c in zip(mentions, chosen, strict=True) if c is None]
    assert kept == ["patient"]


def test_within_sentences_nothing_is_correlated(index, figure_1):
    mentions, context = figure_1
    model = Correlation(index=index, labels=["SENSITIVE"], mode="paper", support=1, context="sentence")
    assert all(risk.reason == ZETA for risk in model.assess(mentions, context))


def test_no_risk_carries_source_text(index, figure_1):
    mentions, context = figure_1
    for risk in Correlation(index=index, labels=["SENSITIVE"], mode="paper", support=1).assess(mentions, context):
        assert not any(m.text in repr(risk) for m in mentions)


SMALL = FakeIndex(["secret friend tree"] * 6 + ["tree"] * 60 + ["secret"] * 6 + ["rare pear"] * 6)


def small_risks(**settings):
    text = "secret friend tree"
    mentions = mentions_of(text, "secret", "friend", "tree")
    model = Correlation(index=SMALL, labels=[], mode="paper", support=1, **settings)
    return {mentions[i].text for risk in model.assess(mentions, Context(Document(text, "d"))) for i in risk.mentions}


def test_what_is_taken_out_first_is_pluggable(tmp_path):
    assert small_risks() == set()
    assert small_risks(listed=["secrets"]) == {"secret", "friend"}
    spans = tmp_path / "spans.json"
    spans.write_text(json.dumps({"d": [[0, 6, "X"]], "other": []}), "utf-8")
    assert small_risks(spans=str(spans)) == {"secret", "friend"}
    # Whoever reads "secret" and "tree" knows of the friend: all their windows hold it.
    assert small_risks(limit=3.5) == {"friend", "secret", "tree"}
    with pytest.raises(InputError, match="no such file"):
        small_risks(spans=str(tmp_path / "none.json"))
    spans.write_text("[1]", "utf-8")
    with pytest.raises(InputError, match="not a file of spans"):
        small_risks(spans=str(spans))


def test_conformance():
    check_risk_model(Correlation(index=SMALL))
