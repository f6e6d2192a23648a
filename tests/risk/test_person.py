"""Facts that fit few people: alone, together, by an estimate; the subject's own article; notes and explanations."""

from dataclasses import replace

import numpy as np
import pytest

from tacenda.errors import PolicyError
from tacenda.model import Context, Document, Mention, Subject
from tacenda.risk.counts import Counts
from tacenda.risk.person import DIRECT, Person
from tacenda.risk.population import People
from tacenda.testing import check_risk_model
from tacenda.testing.fakes import FakeIndex
from tacenda.wording import explain, note_in_words

# 40 people: 30 sing, 10 paint, 8 keep bees (all of them paint), 2 fence; 60 other articles.
PEOPLE = (
    ["ann vale born he stage singer"] * 28
    + ["born singer fencing stage"] * 2
    + ["born painter stage beekeeping"] * 8
    + ["born painter stage"] * 2
)
OTHERS = ["court appeal detention"] * 50 + ["court zeolite"] * 10
INDEX = FakeIndex([*PEOPLE, *OTHERS])


def mentions_of(text, *phrases):
    return [Mention(text.index(one), text.index(one) + len(one), one, "TERM") for one in phrases]


def hidden(text, *phrases, context=None, **settings):
    mentions = mentions_of(text, *phrases)
    context = context or Context(Document(text), mentions=tuple(mentions))
    return list(Person(index=INDEX, **settings).assess(mentions, context))


def test_conformance():
    check_risk_model(Person(index=INDEX))


def test_articles_about_people_are_told_by_how_they_open():
    people = People(Counts(INDEX, "person"))
    assert people.number == 40
    assert people.about[:40].all()
    assert not people.about[40:].any()
    assert people.named(("ann", "vale")).sum() == 28
    assert people.holding(("painter", "beekeeping")).sum() == 8
    assert people.leaning(["stage", "stage"]) > 0 > people.leaning(["court", "appeal"])
    # A word in 10 of 100 articles: a tenth of the people; a second one adds a fifth of its bits.
    assert people.estimate(("zeolite",)) == pytest.approx(4.0)
    assert people.estimate(("zeolite", "beekeeping")) == pytest.approx(40 * (8 / 100) * (10 / 100) ** 0.2)
    assert people.estimate(("unheard",)) == pytest.approx(40 * 0.5 / 100)


def test_a_common_fact_stays_and_a_rare_one_goes():
    text = "stage born singer fencing"
    risks = hidden(text, "singer", "fencing", k=3)
    assert [(risk.mentions, risk.score, risk.reason.kind) for risk in risks] == [((1,), 2.0, "few")]
    assert not hidden(text, "singer", "fencing", k=2)


def test_two_facts_that_fit_many_each_may_fit_few_together():
    assert not hidden("stage born painter beekeeping", "painter", "beekeeping", k=8)
    [risk] = hidden("stage painter fencing", "painter", "fencing", k=2)
    assert risk.score == 0.0  # ten paint, two fence, nobody does both
    said = explain(risk, Document("stage painter fencing"), [(6, 13), (14, 21)])
    assert "0 of the 40 people the index knows: *fencing* and *painter*" in said


def test_a_text_of_another_kind_is_judged_by_all_that_the_index_holds():
    text = "court appeal detention zeolite"
    assert not hidden(text, "appeal", "detention", "zeolite", k=4)
    [risk] = hidden(text, "appeal", "detention", "zeolite", k=5)
    assert (risk.mentions, risk.reason.kind) == ((2,), "estimate")
    assert "about 4 of the 40 people" in explain(risk, Document(text), [(0, 0), (0, 0), (23, 30)])


def test_direct_identifiers_go_and_replaced_ones_say_nothing():
    text = "John stage"
    john = Mention(0, 4, "John", "PERSON", "entity")
    model = Person(index=INDEX)
    assert [risk.reason for risk in model.assess([john], Context(Document(text)))] == [DIRECT]
    assert not list(model.assess([replace(john, text="[person 1]", kind="term")], Context(Document(text))))


def test_the_subject_s_own_article_does_not_count_and_is_warned_of():
    text = "Zoe Quill stage fencing Leeds York Bath"
    index = FakeIndex([*PEOPLE, "zoe quill born singer he fencing stage leeds york bath", *OTHERS])
    name, fencing = Mention(0, 9, "Zoe Quill", "PERSON", "entity", entity=0), mentions_of(text, "fencing")[0]
    places = [replace(m, label="LOC", kind="entity") for m in mentions_of(text, "Leeds", "York", "Bath")]
    model = Person(index=index, k=3, kinds=["TERM"])

    def noted(*facts):
        mentions = (name, fencing, *facts)
        context = Context(Document(text), mentions=mentions, subject=Subject(("Zoe Quill",), (0,)))
        risks = [risk.mentions for risk in model.assess(mentions, context)]
        return risks, [note_in_words(note) for note in model.notes(mentions, context)]

    risks, [note] = noted(*places)
    assert risks == [(0,), (1,)]
    assert "no text of useful length hides a well-known person" in note
    assert "characters 24-29" in note
    # Somebody else of that name, of whom three fencers are known.
    assert noted(*places[:2]) == ([(0,)], [])


def test_settings_are_checked():
    with pytest.raises(PolicyError, match="k is 0"):
        Person(index=INDEX, k=0)
    with pytest.raises(PolicyError, match="no kind of fact 'TREE'"):
        Person(index=INDEX, kinds=["TREE"])
    assert not hidden("stage fencing", "fencing", k=9, noun_phrases=False)
    assert np.count_nonzero(People(Counts(INDEX, "person")).about) == 40
