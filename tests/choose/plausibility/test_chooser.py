"""The chooser: t plausible originals in every segment, whatever the order of the mentions."""

import math
import random

import pytest

from tacenda.choose.plausibility import Plausibility
from tacenda.errors import GuaranteeError, UsageError
from tacenda.model import Candidate, Context, Document, Mention, Risk

TEXT = "Uses marijuana for pain. Grows marijuana in Sacramento.\n\nHas liver cancer and Zorblax."
LADDERS = {
    "marijuana": [("soft drug", 4), ("drug", 90)],
    "pain": [("symptom", 3), ("state", 50)],
    "Sacramento": [("state capital", 50), ("city", 900)],
    "liver cancer": [("carcinoma", 12), ("cancer", 40), ("disease", 500)],
    "Zorblax": [],
}
SENTENCES = ((0, 24), (25, 55), (57, 87))
PARAGRAPHS = ((0, 55), (57, 87))


def setting():
    mentions, candidates = [], []
    for word, rungs in LADDERS.items():
        start = TEXT.find(word)
        while start >= 0:
            mentions.append(Mention(start, start + len(word), word, "TERM"))
            made = [Candidate(name, "generalize", 5.0 - i, name, volume) for i, (name, volume) in enumerate(rungs)]
            candidates.append([*made, Candidate("[...]", "suppress")])
            start = TEXT.find(word, start + 1)
    risks = [Risk("x", (i,), "identity", 1.0, 0.5, "bits") for i in range(len(mentions))]
    return mentions, candidates, risks, Context(Document(TEXT), SENTENCES, PARAGRAPHS)


def product(mentions, chosen, span):
    inside = {
        m.text: c.volume if c and c.volume else 1
        for m, c in zip(mentions, chosen, strict=True)
        if span[0] <= m.start < span[1]
    }
    return math.prod(inside.values())


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize(
    ("per", "spans"), [("sentence", SENTENCES), ("paragraph", PARAGRAPHS), ("document", ((0, 99),))]
)
@pytest.mark.parametrize("t", [1, 10, 40])
def test_every_segment_has_t_originals(uniform, per, spans, t):
    mentions, candidates, risks, context = setting()
    chosen = Plausibility(t, uniform=uniform, per=per).choose(mentions, candidates, risks, lambda m: [], context)
    assert all(product(mentions, chosen, span) >= t for span in spans)
    same = {m.text: set() for m in mentions}
    for m, c in zip(mentions, chosen, strict=True):
        same[m.text].add(c)
    assert all(len(replacements) == 1 for replacements in same.values())


def test_the_order_of_mentions_changes_nothing():
    mentions, candidates, risks, context = setting()
    chooser = Plausibility(10)
    expected = dict(zip(mentions, chooser.choose(mentions, candidates, risks, lambda m: [], context), strict=True))
    for seed in range(5):
        order = list(range(len(mentions)))
        random.Random(seed).shuffle(order)
        moved = chooser.choose(
            [mentions[i] for i in order], [candidates[i] for i in order], risks, lambda m: [], context
        )
        assert dict(zip([mentions[i] for i in order], moved, strict=True)) == expected


def test_a_term_without_a_ladder_is_suppressed_and_what_is_not_risky_is_kept():
    mentions, candidates, risks, context = setting()
    chosen = Plausibility(10).choose(mentions, candidates, risks[-1:], lambda m: [], context)
    assert chosen[-1].text == "[...]"
    assert list(chosen[:-1]) == [None] * (len(mentions) - 1)
    assert not any(Plausibility(10).choose(mentions, candidates, [], lambda m: [], context))


def test_out_of_reach_takes_the_most_general_or_refuses():
    mentions, candidates, risks, context = setting()
    chosen = Plausibility(10**10, per="document", fallback="general").choose(
        mentions, candidates, risks, lambda m: [], context
    )
    assert {c.text for c in chosen} == {"drug", "state", "city", "disease", "[...]"}
    strict = Plausibility(10**10, per="document")
    with pytest.raises(GuaranteeError, match="out of reach"):
        strict.choose(mentions, candidates, risks, lambda m: [], context)


def test_bad_settings():
    with pytest.raises(UsageError):
        Plausibility(0)
    with pytest.raises(UsageError, match="sentence, paragraph or document"):
        Plausibility(2, per="page")


def test_the_uniform_floor_leaves_no_term_as_it_is() -> None:
    mentions, candidates, risks, context = setting()
    free = Plausibility(2, uniform=True, per="document", alpha=0.0, floor=1)
    kept = free.choose(mentions, candidates, risks, lambda m: [], context)
    floored = Plausibility(2, uniform=True, per="document", alpha=0.0)
    chosen = floored.choose(mentions, candidates, risks, lambda m: [], context)
    assert None in kept  # so that the test shows something
    assert None not in chosen
    assert all(c.volume >= 2 or c.action == "suppress" for c in chosen)
