"""Outputs beside what people marked, in one call."""

from __future__ import annotations

import pytest

import tacenda
from tacenda.errors import InputError
from tacenda.measures.gold import GoldDocument, GoldMention

TEXT = "Please write to jo@example.org or to al@example.org about the garden."


def gold(*marked: str) -> list[GoldDocument]:
    mentions = tuple(GoldMention(TEXT.index(m), TEXT.index(m) + len(m), "EMAIL", "direct", m) for m in marked)
    return [GoldDocument("a", TEXT, {"one": mentions})]


def test_recall_precision_and_utility() -> None:
    policy = tacenda.Policy(name="p", annotate=("patterns",), risk={"entity": {"labels": ["EMAIL"]}})
    result = tacenda.Sanitizer(policy).sanitize(TEXT)
    both = tacenda.measure(result, gold=gold("jo@example.org", "al@example.org"))
    assert (both.recall, both.precision) == (1.0, 1.0)
    assert 0 < both.utility < 1
    more = tacenda.measure([result], gold=gold("jo@example.org", "garden"))
    assert more.recall == 0.5
    assert more.precision < 1


def test_a_text_that_nobody_marked_is_an_error() -> None:
    policy = tacenda.Policy(name="p", annotate=("patterns",), risk={"entity": {}})
    with pytest.raises(InputError, match="contains no document with this text"):
        tacenda.measure(tacenda.Sanitizer(policy).sanitize("Another text."), gold=gold("garden"))
