"""Facts that fit few people: of those like the subject, or by an estimate; own articles; notes, explanations."""

from dataclasses import replace

import numpy as np
import pytest

from tacenda.errors import PolicyError
from tacenda.model import Context, Document, Mention, Subject
from tacenda.risk.counts import Counts
from tacenda.risk.person import DIRECT, Person
from tacenda.risk.population import People
from tacenda.testing import check_risk_model
from tacenda.testing.fakes import FakeIndex, FakeTaxonomy
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


def test_the_crowd_is_who_shares_most_with_the_text():
    # Ten of forty people paint; among the eight most like a beekeeper all do, and none of them sings.
    text = "stage born painter beekeeping singer"
    risks = hidden(text, "painter", "beekeeping", "singer", k=8, crowd=8)
    assert [(risk.mentions, risk.counts) for risk in risks] == [((2,), {"fit": 0, "people": 8})]
    said = explain(risks[0], Document(text), [(0, 0), (0, 0), (30, 36)])
    assert "*singer* is hidden because it fits only 0 of the 8 people in the index most like the subject" in said


def test_a_word_common_among_the_like_and_rare_among_all_goes():
    index = FakeIndex([*["born he singer stage"] * 990, *["born painter stage beekeeping"] * 10, *OTHERS])
    text = "stage born painter beekeeping"
    [bees] = mentions_of(text, "beekeeping")
    context = Context(Document(text), mentions=(bees,))
    assert not list(Person(index=index, k=5, crowd=9, k_all=10).assess([bees], context))
    [risk] = Person(index=index, k=5, crowd=9, k_all=15).assess([bees], context)
    assert (risk.reason.kind, risk.score, risk.limit) == ("rare", 10.0, 15.0)
    assert "it fits 10 of the 1,000 people the index knows; at least 15 must fit" in explain(
        risk, Document(text), [bees.span]
    )


def test_names_of_common_things_stay_and_titles_go():
    index = FakeIndex([*["born singer stage golden award girl he"] * 40, *OTHERS])
    text = "stage singer Golden Award Stage Girl girl"
    award, title = (replace(m, label="MISC", kind="entity") for m in mentions_of(text, "Golden Award", "Stage Girl"))
    [risk] = Person(index=index, k=20).assess([award, title], Context(Document(text), mentions=(award, title)))
    assert risk.mentions == (1,)
    assert "the name of one thing" in explain(risk, Document(text), [award.span, title.span])
    dated = replace(award, text="2005 Golden Award")
    assert list(Person(index=index, k=20).assess([dated], Context(Document(text), mentions=(dated,))))
    # Where the index does not know such people, it cannot tell which names many share.
    text = "court appeal Court"
    name = Mention(13, 18, "Court", "MISC", "entity")
    assert [r.mentions for r in Person(index=index).assess([name], Context(Document(text), mentions=(name,)))] == [(0,)]


def test_rare_verbs_count_where_people_are_known_and_not_in_other_texts():
    word = Mention(6, 13, "fencing", "WORD", source="words")
    for text, hides in (("stage fencing", True), ("court fencing appeal detention", False)):
        [*risks] = Person(index=INDEX, k=3, k_elsewhere=30).assess([word], Context(Document(text), mentions=(word,)))
        assert bool(risks) is hides


def test_a_text_of_another_kind_is_judged_by_all_that_the_index_holds():
    text = "appeal, detention and stage: zeolite"  # of people as much as not
    assert not hidden(text, "appeal", "detention", "zeolite", k_elsewhere=4)
    [risk] = hidden(text, "appeal", "detention", "zeolite", k_elsewhere=14)
    assert (risk.mentions, risk.reason.kind) == ((2,), "estimate")
    assert "about 4 of the 40 people" in explain(risk, Document(text), [(0, 0), (0, 0), (29, 36)])


def test_the_less_a_text_speaks_of_people_the_less_its_rare_terms_tell():
    assert hidden("appeal, detention and stage: zeolite", "zeolite", k_elsewhere=14)
    assert not hidden("court, appeal and detention: zeolite", "zeolite", k_elsewhere=14)


def test_what_everybody_has_who_is_examined_does_not_tell_who_it_is():
    text = "appeal, detention and stage: zeolite, beekeeping"
    mentions = mentions_of(text, "zeolite", "beekeeping")
    model = Person(
        index=INDEX, taxonomy=FakeTaxonomy({"zeolite": "symptom", "beekeeping": "agriculture"}), k_elsewhere=40
    )
    risks = list(model.assess(mentions, Context(Document(text), mentions=tuple(mentions))))
    assert [risk.mentions for risk in risks] == [(1,)]


@pytest.mark.parametrize(
    ("text", "phrase", "goes"),
    [
        ("her brother, the mayor, came", "mayor", True),
        ("he is the brother of the current mayor", "current mayor", True),
        ("she is the daughter of the former governor", "daughter of the former governor", True),
        ("married to the ambassador", "ambassador", True),
        ("Their father Tom O'Dea was a senator", "senator", True),
        ("the mayor came with her brother", "mayor", False),
        ("her brother, the baker, came", "baker", False),
    ],
)
def test_the_office_of_a_relative_goes_whatever_stands_for_it(text, phrase, goes):
    index = FakeIndex(["born he singer stage mayor governor ambassador senator daughter baker"] * 40)
    [office] = mentions_of(text, phrase)
    model = Person(index=index, k=2, k_elsewhere=1)
    risks = list(model.assess([office], Context(Document(text), mentions=(office,))))
    assert [risk.reason.kind for risk in risks] == ["relation"] * goes
    if goes:
        said = explain(risks[0], Document(text), [office.span])
        assert "the office of a relative, who can be looked up" in said
        left = replace(office, text=phrase.split()[-1], kind="term")
        assert list(model.assess([left], Context(Document(text), mentions=(office,))))


def test_a_letter_is_not_judged_by_articles_about_people():
    spoken, told = "stage and stage, I say, my stage fencing", "stage and stage, they say, the stage fencing"
    assert [r.reason.kind for r in hidden(told, "fencing", k=3)] == ["few"]
    assert [r.reason.kind for r in hidden(spoken, "fencing", k=3)] == ["estimate"]


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
    assert "no text of useful length can hide a well-known person" in note
    assert "characters 24-29" in note
    # Somebody else of that name, of whom three fencers are known.
    assert noted(*places[:2]) == ([(0,)], [])


def test_settings_are_checked():
    with pytest.raises(PolicyError, match="k is 0"):
        Person(index=INDEX, k=0)
    with pytest.raises(PolicyError, match="crowd is 9; it must be at least k, which is 10"):
        Person(index=INDEX, k=10, crowd=9)
    with pytest.raises(PolicyError, match="no kind of fact 'TREE'"):
        Person(index=INDEX, kinds=["TREE"])
    assert not hidden("stage fencing", "fencing", k=9, noun_phrases=False)
    assert np.count_nonzero(People(Counts(INDEX, "person")).about) == 40
