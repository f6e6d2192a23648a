"""Paper 000 on a collection whose counts reproduce its Tables 1 to 3, through the real index."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from papers.fitted import AIDS, IMMUNE, WINDOWS, WORDS, windows
from tacenda.choose.greedy import Greedy
from tacenda.errors import InputError
from tacenda.knowledge.index import build_index, open_index
from tacenda.model import Candidate, Context, Document, Mention
from tacenda.risk.concepts import concept_windows
from tacenda.risk.correlation import ZETA, Correlation
from tacenda.risk.counts import Counts
from tacenda.risk.formulas import information, pmi
from tacenda.testing import check_risk_model
from tacenda.testing.fakes import FakeIndex

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
    path = tmp_path_factory.mktemp("k") / "figure1.tix"
    build_index(path, list(enumerate(windows())))
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


class Kinds:
    """A taxonomy of one ladder: everything hidden is a "trouble", and so are its kinds."""

    def volume(self, name):
        return 2

    def specializations(self, name):
        return ("other",) if name == "trouble" else ()

    def is_generalization(self, name, term):
        return name == "trouble" and term == "secret"


def own_generalization(taxonomy):
    """What is risky in "He told the trouble of a tree." where "trouble" stands for a secret."""
    # Of eight windows with a tree two hold the secret: 2 of 8 bits apart, the tree tells little alone.
    windows = ["secret tree"] * 2 + ["tree"] * 6 + ["other"] * 2 + ["trouble"] * 2 + ["nothing"] * 20
    text = "He told the secret of a tree."
    first, second = mentions_of(text, "secret", label="SENSITIVE") + mentions_of(text, "tree")
    model = Correlation(
        index=FakeIndex(windows), taxonomy=taxonomy, labels=["SENSITIVE"], mode="paper", support=1, listed=["nothing"]
    )
    changed = replace(first, text="trouble")
    return [risk for risk in model.assess([changed, second], Context(Document(text))) if risk.reason != ZETA]


def test_a_secrets_own_generalization_tells_with_what_is_left():
    assert own_generalization(None) == []  # the word "trouble" never occurs with the secret: no evidence
    risks = own_generalization(Kinds())
    # Windows of "trouble" now hold those of its kinds and of the secret; all of them with a tree hold the secret.
    assert [risk.mentions for risk in risks] == [(0, 1)]
    assert risks[0].counts["joint"] == risks[0].counts["count"] == 2


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=30),
)
def test_a_generalization_never_lowers_what_a_group_tells(rows):
    """PMI(s; {g} ∪ T) >= PMI(s; T) where g is counted with its kinds, the secret among them."""
    names = ("secret", "other", "tree")
    index = FakeIndex([" ".join(n for n, held in zip(names, row, strict=True) if held) or "nothing" for row in rows])
    counts = Counts(index, "test")
    secret, tree = counts.windows("secret"), counts.windows("tree")
    general = concept_windows("trouble", counts, Kinds(), [("secret", secret)])
    both = np.intersect1d(secret, tree)
    assume(len(both))
    assert set(secret) <= set(general)
    with_it = pmi(len(np.intersect1d(both, general)), len(secret), len(np.intersect1d(general, tree)), len(rows))
    assert with_it >= pmi(len(both), len(secret), len(tree), len(rows)) - 1e-12


def test_a_fragment_sets_no_limit():
    windows = ["s secret"] * 2 + ["s tree"] * 10
    text = "The s and the secret of a tree."
    taken = mentions_of(text, "s", "secret", label="SENSITIVE")
    model = Correlation(index=FakeIndex(windows), labels=["SENSITIVE"], mode="paper", support=1)
    risks = list(model.assess([*taken, *mentions_of(text, "tree")], Context(Document(text))))
    assert {risk.limit for risk in risks} == {information(2, 12)}


def test_conformance():
    check_risk_model(Correlation(index=SMALL))
