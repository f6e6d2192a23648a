"""The simpler risk models: entity, information, k_safety, person."""

from __future__ import annotations

import pytest

from tacenda.errors import PolicyError
from tacenda.model import Context, Document, Mention, Protected
from tacenda.risk.entity import Entity
from tacenda.risk.information import Information
from tacenda.risk.k_safety import KSafety
from tacenda.risk.person import Person
from tacenda.risk.terms import contexts, remaining_words, sub_phrases
from tacenda.testing import check_risk_model, sample_mentions
from tacenda.testing.fakes import FakeIndex

INDEX = FakeIndex(
    ["city tree"] * 200 + ["leeds city"] * 16 + ["botanist"] * 8 + ["leeds botanist orchid"] * 8 + ["filler"] * 792,
    list(range(1024)),
)


@pytest.mark.parametrize(
    "model", [Entity(), Information(index=INDEX, limit=5), KSafety(index=INDEX), Person(index=INDEX)]
)
def test_conformance(model):
    check_risk_model(model)


def test_entities_by_type():
    mentions, context = sample_mentions()

    def masked(**settings):
        return sorted(i for risk in Entity(**settings).assess(mentions, context) for i in risk.mentions)

    assert masked() == [0, 1, 4, 5]
    assert masked(types=3, identifiers=False) == [0, 1, 4]
    assert masked(labels=["LOC"], identifiers=False) == [1]
    assert masked(types=7) == [0, 1, 4, 5]
    with pytest.raises(PolicyError, match="3, 4, 7"):
        Entity(types=5)
    with pytest.raises(PolicyError, match="keep one"):
        Entity(types=3, labels=["LOC"])


def mentions_of(*words, label="TERM", kind="term"):
    text = " ".join(words)
    found, at = [], 0
    for word in words:
        found.append(Mention(at, at + len(word), word, label, kind))
        at += len(word) + 1
    return found, Context(Document(text), protected=(Protected("leeds"),))


def test_information_above_a_limit_in_bits_or_words():
    mentions, context = mentions_of("city", "leeds", "botanists", "leeds")
    by_bits = list(Information(index=INDEX, limit=5.9).assess(mentions, context))
    assert [risk.mentions for risk in by_bits] == [(2,)]  # log2(1024/16) = 6
    by_word = Information(index=INDEX, nothing_more_specific_than="city")
    assert [risk.mentions for risk in by_word.assess(mentions, context)] == [(1, 3), (2,)]
    with pytest.raises(PolicyError, match="one limit"):
        Information(index=INDEX)
    with pytest.raises(PolicyError, match="neither the taxonomies nor the index"):
        Information(index=INDEX, nothing_more_specific_than="qqq")


def test_k_safety_keeps_what_other_articles_share():
    mentions, context = mentions_of("city", "botanist", "tree")
    model = KSafety(index=INDEX, k=10)
    (risk,) = model.assess(mentions, context)
    assert risk.mentions == (1,)  # "city" fits 200 other articles, "botanist" only 8
    assert risk.score < risk.limit == 10
    with pytest.raises(PolicyError, match="must be 1 or more"):
        KSafety(index=INDEX, k=0)


def test_contexts_and_parts():
    mentions = [Mention(i, i + 1, "x", "TERM") for i in (0, 4, 9)]
    context = Context(Document("x" * 12), sentences=((0, 3), (4, 6)))
    assert contexts(mentions, context, "sentence") == [[0], [1], [2]]
    assert contexts(mentions, context, "document") == [[0, 1, 2]]
    assert [" ".join(p) for p in sub_phrases(("a", "b"))] == ["a", "b", "a b"]


def test_remaining_words_are_those_outside_mentions():
    text = "The infected patient coughs in Leeds."
    mentions = [Mention(4, 20, text[4:20], "TERM")]
    assert [m.text for m in remaining_words(text, mentions)] == ["coughs", "Leeds"]
    assert [m.text for m in remaining_words(text, [])] == ["infected", "patient", "coughs", "Leeds"]
