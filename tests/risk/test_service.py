"""The counts of a search service: the papers' literal rule, and nothing guessed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log2
from typing import Any

import pytest

from tacenda.errors import KnowledgeError, UsageError
from tacenda.model import Context, Document, Mention, Protected
from tacenda.risk.service import UNASKED, Service
from tacenda.testing import check_risk_model

TOTAL = 1_000_000


class Table:
    """A service that answers from a table; groups by the sorted names of their members."""

    total = TOTAL

    def __init__(self, **counts: int | None) -> None:
        self.table = counts
        self.asked: list[Any] = []

    def counts(self, groups: Sequence[Sequence[Any]]) -> list[int | None]:
        self.asked += groups
        names = [["|".join(m) if isinstance(m, tuple) else m for m in group] for group in groups]
        return [self.table.get("_".join(name).replace(" ", "-"), 0) for name in names]


def document(text: str, *protected: Protected, labels: dict[str, str] | None = None) -> tuple[list[Mention], Context]:
    mentions, at = [], 0
    for word in text.split():
        label = (labels or {}).get(word, "TERM")
        mentions.append(Mention(at, at + len(word), word, label, kind="entity" if label == "PERSON" else "term"))
        at += len(word) + 1
    return mentions, Context(Document(text), protected=protected)


def test_the_literal_rule_by_hand() -> None:
    # n(c) = 100, N = 10^6: IC = 13.2877 bits, half of it 6.6439; risky iff n(ct)/n(t) >= p(c)^(1/2) = 1/100.
    table = Table(HIV=100, condom=500, HIV_condom=5, river=501, HIV_river=5)
    mentions, context = document("condom river", Protected("HIV"))
    (risk,) = Service(service=table).assess(mentions, context)
    assert risk.mentions == (0,)
    assert risk.counts == {"joint": 5, "count": 500, "entity": 100, "total": TOTAL}
    assert risk.score == pytest.approx(log2(5 * TOTAL / (100 * 500)))
    assert risk.limit == pytest.approx(log2(TOTAL / 100) / 2)
    stricter = document("condom river", Protected("HIV", alpha=Fraction(3)))
    assert len(list(Service(service=table).assess(*stricter))) == 2
    assert list(Service(service=table, support=6).assess(*stricter)) == []


def test_a_limit_in_words_is_the_information_of_what_may_be_revealed() -> None:
    # n(g) counts the union of "infection" and the entity; risky iff n(ct) n(g) > n(c) n(t).
    counts = {"HIV": 100, "infection|HIV": 1000, "condom": 50, "HIV_condom": 5, "sarcoma": 50, "HIV_sarcoma": 6}
    mentions, context = document("condom sarcoma", Protected("HIV", may_reveal="infection"))
    (risk,) = Service(service=Table(**counts)).assess(mentions, context)
    assert risk.mentions == (1,)
    assert risk.limit == pytest.approx(log2(TOTAL / 1000))


def test_synonyms_are_asked_as_one_and_only_those_the_policy_gives() -> None:
    table = Table(**{"HIV|AIDS": 10, "HIV": 10, "HIV_x": 1, "x": 1, "HIV|AIDS_x": 1})
    mentions, context = document("x", Protected("HIV", forms=("AIDS", "lentivirus", "slim disease")))
    given = (Protected("HIV", forms=("AIDS",)),)
    assert len(list(Service(service=table, given=given).assess(mentions, context))) == 1
    assert (("HIV", "AIDS"), "x") in table.asked
    assert not any("lentivirus" in str(group) for group in table.asked)


def test_pairs_are_asked_up_to_a_bound_most_telling_first() -> None:
    counts = {"HIV": 100, "a1": 10_000, "b1": 10_000, "c1": 10_000, "HIV_a1": 90, "HIV_b1": 80, "HIV_c1": 10}
    counts |= {"a1_b1": 50, "HIV_a1_b1": 20, "a1_c1": 900, "HIV_a1_c1": 1, "b1_c1": 900, "HIV_b1_c1": 1}
    mentions, context = document("a1 b1 c1", Protected("HIV"))
    assert list(Service(service=Table(**counts)).assess(mentions, context)) == []
    table = Table(**counts)
    (risk,) = Service(service=table, pairs=1).assess(mentions, context)
    assert risk.members == ((0,), (1,))
    assert sum(len(group) == 3 for group in table.asked) == 1
    table = Table(**counts)
    assert len(list(Service(service=table, pairs=10).assess(mentions, context))) == 1
    assert sum(len(group) == 3 for group in table.asked) == 3


def test_names_of_people_and_identifiers_are_never_asked() -> None:
    table = Table(HIV=100)
    mentions, context = document("Hudson river", Protected("HIV"), labels={"Hudson": "PERSON"})
    (risk,) = Service(service=table).assess(mentions, context)
    assert (risk.mentions, risk.reason) == ((0,), UNASKED)
    assert not any("hudson" in str(group).lower() for group in table.asked)
    replaced = [Mention(0, 6, "[person 1]", "PERSON", kind="term"), mentions[1]]
    assert list(Service(service=table).assess(replaced, context)) == []


def test_each_question_is_asked_once() -> None:
    table = Table(HIV=100, condom=10, HIV_condom=9)
    model = Service(service=table)
    mentions, context = document("condom condom river", Protected("HIV"))
    first = list(model.assess(mentions, context))
    asked = len(table.asked)
    assert list(model.assess(mentions, context)) == first
    assert len(table.asked) == asked == len(set(table.asked))
    assert list(model.assess(mentions, Context(context.document))) == []


@pytest.mark.parametrize(
    ("counts", "message"),
    [({}, "no page"), ({"HIV": None}, "unknown"), ({"HIV": TOTAL + 1}, "total"), ({"HIV": 5, "condom": None}, "unkn")],
)
def test_nothing_is_guessed(counts: dict[str, int | None], message: str) -> None:
    mentions, context = document("condom", Protected("HIV"))
    with pytest.raises(KnowledgeError, match=message) as caught:
        list(Service(service=Table(**counts)).assess(mentions, context))
    assert "condom" not in str(caught.value)


@pytest.mark.parametrize("wrong", [{"support": 0}, {"pairs": -1}])
def test_wrong_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Service(service=Table(), **wrong)


def test_it_keeps_the_contract_of_risk_models() -> None:
    check_risk_model(Service(service=Table(**{"HIV|AIDS": 100})))
