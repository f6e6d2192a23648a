"""(α,C)-sanitization on collections small enough to count by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tacenda.errors import KnowledgeError, PolicyError
from tacenda.model import Context, Document, Mention, Protected, Reason
from tacenda.risk.alpha_c import AlphaC
from tacenda.testing import check_risk_model
from tacenda.testing.fakes import FakeIndex, FakeTaxonomy
from tacenda.wording import explain

# 400 windows, four to an article. HIV is in 20; condom in 12, all but two with HIV; mother and virus are in 40 each,
# six of them together, always with HIV.
TEXTS = [f"filler{i % 7} tree river{i % 3}" for i in range(400)]


def _add(word, windows):
    for number in windows:
        TEXTS[number] += f" {word}"


_add("HIV", range(20))
_add("condom", [*range(10), 100, 101])
_add("mother", [*range(8), *range(120, 152)])
_add("virus", [*range(2, 10), *range(200, 232)])
_add("hepatitis c", range(300, 306))
_add("hepatitis", range(306, 310))
_add("zebra", [399])
INDEX = FakeIndex(TEXTS, [i // 2 for i in range(400)])
TAXONOMY = FakeTaxonomy(
    {"hepatitis c": "hepatitis", "hepatitis": "disease", "HIV": "disease", "condom": "device"},
    {"HIV": ["human immunodeficiency virus"]},
)


HIV = (Protected("HIV"),)


def assessed(*words, model=None, protected=HIV, **settings):
    text = " and ".join(words)
    mentions, at = [], 0
    for word in words:
        mentions.append(Mention(at, at + len(word), word, "TERM"))
        at += len(word) + 5
    context = Context(Document(text), protected=protected)
    chosen = model or AlphaC(index=INDEX, level="1/20", **settings)
    return chosen.survey(mentions, context), mentions, context


def flagged(*words, **settings):
    survey, mentions, _ = assessed(*words, **settings)
    return {tuple(mentions[i].text for i in risk.mentions) for risk in survey.risks}


def test_single_terms_groups_and_the_harmless():
    assert flagged("condom", "tree") == {("condom",)}
    assert flagged("mother", "tree") == set()
    assert flagged("mother", "virus", "tree") == {("mother", "virus")}
    assert flagged("mother", "virus", groups=False) == set()


def test_counts_and_bits_of_a_single_term():
    survey, _, _ = assessed("condom")
    (risk,) = survey.risks
    assert risk.counts == {"joint": 10, "count": 12, "entity": 20, "total": 400}
    assert risk.score == pytest.approx(4.0589, abs=1e-4)  # log2(10 * 400 / (20 * 12))
    assert risk.limit == pytest.approx(4.3219 / 2, abs=1e-4)


def test_a_group_names_its_members_and_what_each_adds():
    survey, mentions, context = assessed("mother", "virus", "mother")
    (risk,) = survey.risks
    assert risk.members == ((0, 2), (1,))
    assert risk.mentions == (0, 1, 2)
    assert risk.counts["joint"] == risk.counts["count"] == 6
    assert (risk.counts["joint_without_0"], risk.counts["count_without_0"]) == (8, 40)
    text = explain(risk, context.document, [m.span for m in mentions])
    assert text.startswith("*mother* and *virus* together reveal 4.3 of the 4.3 bits of *HIV*: of the 6 paragraphs")
    assert "*mother* adds 2.3" in text


def test_explanation_of_a_single_term():
    survey, mentions, context = assessed("condom")
    assert explain(survey.risks[0], context.document, [m.span for m in mentions]) == (
        "*condom* is hidden because it reveals 4.1 of the 4.3 bits of *HIV*: of the 12 paragraphs that mention it, "
        "10 mention HIV."
    )


def test_a_risky_part_speaks_for_the_phrase():
    survey, mentions, context = assessed("tree condom river1")
    (risk,) = survey.risks
    assert risk.reason == Reason("words", {"first": 2, "last": 2})
    assert "(condom)" in explain(risk, context.document, [m.span for m in mentions])


def test_the_entity_its_synonyms_and_kinds_are_risky_by_definition():
    settings = {"taxonomy": TAXONOMY, "unknown": "keep"}
    assert flagged("HIV", "tree", **settings) == {("HIV",)}
    assert flagged("human immunodeficiency virus", **settings) == {("human immunodeficiency virus",)}
    hepatitis = (Protected("hepatitis"),)
    assert flagged("hepatitis C", "tree", protected=hepatitis, **settings) == {("hepatitis C",)}


def test_protecting_an_entity_protects_its_synonyms():
    for given in ("HIV", "human immunodeficiency virus"):
        taxonomy = FakeTaxonomy({}, {"HIV": ["human immunodeficiency virus"], "human immunodeficiency virus": ["HIV"]})
        entry = (Protected(given),)
        found = flagged("HIV", "human immunodeficiency virus", protected=entry, taxonomy=taxonomy, unknown="keep")
        assert {("HIV",), ("human immunodeficiency virus",)} <= found


def test_a_limit_in_words():
    # may_reveal "disease": n(g) = HIV (20) and hepatitis (10) together, so θ = 20/30.
    entry = (Protected("HIV", may_reveal="disease"),)
    survey, _, _ = assessed("condom", protected=entry, taxonomy=TAXONOMY)
    assert [risk.limit for risk in survey.risks] == pytest.approx([3.7370], abs=1e-4)  # log2(400/30)


def test_replacements_are_assessed_as_words_and_as_concepts():
    taxonomy = FakeTaxonomy({"condom": "device", "HIV": "infection", "mother": "person"})
    model = AlphaC(index=INDEX, taxonomy=taxonomy, unknown="keep", level="1/20")
    _, mentions, context = assessed("condom", model=model)
    as_concept = [replace(mentions[0], text="device")]
    (risk,) = model.assess(as_concept, context)  # the word is unknown; the concept holds every condom
    assert risk.reason.kind == "concept"
    assert risk.counts["joint"] == 10
    assert list(model.assess([replace(mentions[0], text="")], context)) == []


def test_unknown_terms_are_suppressed_or_kept():
    assert flagged("zebra", "tree") == set()  # an ordinary word the index cannot judge is evidence of nothing
    survey, _, _ = assessed("qqq", "tree")
    assert survey.unknown == (0,)  # but it is reported
    assert flagged("QXQ tree") == {("QXQ tree",)}  # an abbreviation may tell everything
    assert flagged("gp120") == {("gp120",)}  # and so may a laboratory code
    assert flagged("gp120", unknown="keep") == set()
    assert flagged("qqq tree", covered=True) == {("qqq tree",)}


def test_an_unknown_entity_is_protected_by_name_and_said_so():
    survey, _, _ = assessed("Ruritania", "condom", protected=(Protected("Ruritania"),), unknown="keep")
    assert [risk.mentions for risk in survey.risks] == [(0,)]
    assert survey.unprotected == ("Ruritania",)


@pytest.mark.parametrize(
    ("protected", "message"),
    [
        ((Protected("HIV", alpha=Fraction(1, 2)),), "must be 1 or more"),
        ((Protected("HIV", may_reveal="device"),), "not a generalization"),
        ((Protected("HIV"), Protected("HIV", alpha=Fraction(3))), "listed twice"),
        ((Protected("  "),), "no name"),
    ],
)
def test_bad_policies(protected, message):
    with pytest.raises(PolicyError, match=message):
        assessed("tree", protected=protected, taxonomy=TAXONOMY)


@pytest.mark.parametrize(
    "settings", [{"mode": "guess"}, {"unknown": "maybe"}, {"terms": "letter"}, {"context": "page"}, {"level": 2}]
)
def test_bad_settings(settings):
    with pytest.raises(PolicyError):
        AlphaC(index=INDEX, **{"level": "1/20", **settings})


def test_without_an_index_there_is_a_clear_error():
    with pytest.raises(KnowledgeError, match="needs an index"):
        AlphaC(index=None)


def test_contexts_are_taken_apart():
    text = "mother here. virus there."
    mentions = [Mention(0, 6, "mother", "TERM"), Mention(13, 18, "virus", "TERM")]
    context = Context(Document(text), sentences=((0, 12), (13, 25)), protected=(Protected("HIV"),))
    for unit, groups in (("document", 1), ("sentence", 0), ("paragraph", 1)):
        model = AlphaC(index=INDEX, level="1/20", context=unit)
        assert len(list(model.assess(mentions, context))) == groups


def test_conformance():
    check_risk_model(AlphaC(index=INDEX, taxonomy=TAXONOMY))


def test_what_is_left_of_a_phrase_that_names_the_entity_goes_with_it():
    text = "tree HIV test"
    mentions = [
        Mention(0, 4, "tree", "TERM", phrase=(0, 13)),
        Mention(5, 8, "HIV", "PROTECTED", "protected", phrase=(0, 13)),
    ]
    context = Context(Document(text), protected=HIV)
    model = AlphaC(index=INDEX, level="1/20")
    assert [risk.mentions for risk in model.assess(mentions, context)] == [(1,), (0,)]
    rewritten = [replace(mentions[0], text="plant"), replace(mentions[1], text="")]
    assert all(risk.reason.kind != "name" for risk in model.assess(rewritten, context))


def _in_sentences(first, second, length=300, count=12):
    """Terms at the start of two sentences of a text whose passages are four sentences long."""
    placed = {first: "mother", second: "virus"}
    text = "".join(placed.get(n, "").ljust(length) for n in range(count))
    mentions = [Mention(n * length, n * length + len(word), word, "TERM") for n, word in placed.items()]
    spans = tuple((n * length, (n + 1) * length) for n in range(count))
    context = Context(Document(text), sentences=spans, protected=HIV)
    found = AlphaC(index=INDEX, level="1/20", context="passage").survey(mentions, context).risks
    return [risk.mentions for risk in found]


def test_terms_tell_together_on_either_side_of_the_end_of_a_passage():
    assert _in_sentences(1, 2) == [(0, 1)]  # in one passage, told once
    assert _in_sentences(3, 4) == [(0, 1)]  # the last sentence of one and the first of the next
    assert _in_sentences(2, 9) == []  # far apart: decision 0161
