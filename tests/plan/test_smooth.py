"""Replacements side by side: rows of masks, lists, spans, doubled words, one thing and another, clauses."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.model import Decision, Plan
from tacenda.plan.rewrite import splice
from tacenda.plan.smooth import smooth

PIECE = re.compile(r"<([^|<>]*)\|([^|<>]*)\|([^<>]*)>")
ACTIONS = {"L": "label", "S": "suppress", "G": "generalize", "D": "date"}


def rewritten(marked, clauses="drop"):
    """ "<source|what|replacement>": what is the action's letter, then the label, then the group."""
    text, decisions, done = "", [], 0
    for number, found in enumerate(PIECE.finditer(marked)):
        text += marked[done : found.start()]
        action, label, group = [*found[2].split(","), "", ""][:3]
        start = len(text)
        text += found[1]
        kind = "entity" if label not in ("", "TERM") else "term"
        decisions.append(
            Decision(start, len(text), label or "TERM", ACTIONS[action], found[3], kind, int(group or 100 + number))
        )
        done = found.end()
    text += marked[done:]
    plan = Plan("", "", smooth(text, decisions, clauses=clauses))
    return splice(text, plan.edits)[0]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("A <practising|S|[...]> <Quaker|L,DEM|[religion]>, she left.", "A [religion], she left."),
        ("at <Greenham|L,LOC|[place]> <Common|L,ORG|[organization]> then", "at [organization] then"),
        ("an <old|S|[...]> <comedy|G|film> won", "a film won"),
        ("<shortness|S|[...]> of <breath|S|[...]> today", "[...] today"),
        ("<x|S|[...]>, <y|S|[...]> and <z|S|[...]> went", "[...] went"),
        ("on <May 4|L,DATETIME|[date]> <Acme|L,ORG|[organization]> closed", "on [date] [organization] closed"),
        ("<Ann|L,PERSON|[person 1]> <Bo|L,PERSON|[person 2]> met", "[person 1] [person 2] met"),
        ("an <active|L,TERM|[role]> <Democrat|L,PROTECTED|[belief]> spoke", "a [belief] spoke"),
        ("<U|L|[abbreviation]>=<U|L|[abbreviation]> was explained", "[abbreviation] was explained"),
        ("the <Vela|L,ORG|[organization 1]> <party|G,ORG|organization> won", "the [organization 1] won"),
    ],
)
def test_masks_in_a_row(marked, expected):
    assert rewritten(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("has <asthma|L|[condition]> and <gout|L|[condition]>.", "has [two conditions]."),
        ("has <a|G|a disease>, <b|G|a disease>, and <c|G|a disease>.", "has three diseases."),
        ("denies <a|L|[symptom]>, <b|L|[symptom]>, or <c|L|[symptom]>.", "denies [symptoms]."),
        ("his <a|L|[medicine]> and <b|L|[medicine]>", "his [medicines]"),
        ("saw <Ann|L,PERSON|[person 1]> and <Bo|L,PERSON|[person 2]>", "saw [person 1] and [person 2]"),
        ("<Asthma|G|A disease> and <gout|G|a disease> run here", "Two diseases run here"),
        ("born in <1981|D,DATETIME|the 1980s>, <1983|D,DATETIME|the 1980s> and <1986|D,DATETIME|the 1980s>",
         "born in the 1980s"),
        ("<a|L|[person]> and <b|L|[person]> left", "[two people] left"),
    ],
)  # fmt: skip
def test_lists_of_one_kind(marked, expected):
    assert rewritten(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("between <1993|D,DATETIME|the 1990s> and <1996|D,DATETIME|the 1990s> he", "in the 1990s he"),
        ("From <1993|D,DATETIME|the 1990s> to <1996|D,DATETIME|the 1990s> he", "In the 1990s he"),
        ("from age <8|D,AGE|0 to 9> to <11|D,AGE|10 to 19> he", "from age 0 to 19 he"),
        ("from <age 8|D,AGE|age 0 to 9> to <11|L,DEM|[number]> he", "from age 0 to 19 he"),
        ("from <1993|D,DATETIME|the 1990s> to <2004|D,DATETIME|the 2000s>", "from the 1990s to the 2000s"),
    ],
)
def test_spans_of_time_and_age(marked, expected):
    assert rewritten(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("in the <2020s|D,DATETIME|the 2020s> she", "in the 2020s she"),
        ("the film <Heat|G,MISC|film> won", "the film won"),
        ("the comedy <Big|L,MISC|[film 2]> (2007)", "the comedy (2007)"),
        ("the band <Rush|L,ORG|[band]> toured", "the band toured"),
    ],
)
def test_no_word_twice(marked, expected):
    assert rewritten(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("in <X|G,MISC,1|a film> (1994) and <Y|G,MISC,2|a film> (2007)", "in a film (1994) and another film (2007)"),
        ("in <X|G,MISC,1|a film>. Of <X|G,MISC,1|a film> we", "in a film. Of the film we"),
        ("<X|G,MISC,1|A film>; <Y|G,MISC,2|a film>; <X|G,MISC,1|a film>", "A film; another film; the first film"),
        ("in <Wellington|G,LOC|a capital>, <New Zealand|G,LOC|a country>, where", "in a capital, where"),
        ("his firm, <Acme|G,ORG|an organization>.", "his firm."),
        ("a <disease|G|a disease> and then <illness|G|a disease>", "a disease and then a disease"),
    ],
)
def test_one_thing_one_name_and_two_things_two(marked, expected):
    assert rewritten(marked) == expected


CLAUSE = (
    "<Lee|L,PERSON|[person 1]>, who won the <oyster|S|[...]> title in <Ohio|L,LOC|[state]>"
    " in <1987|D,DATETIME|{}>, left."
)


def test_a_clause_that_only_tells_what_must_go_goes():
    marked = CLAUSE.format("the 1980s")
    assert rewritten(marked) == "[person 1] left."
    assert rewritten(marked, "mark") == "[person 1] [...] left."
    assert rewritten(marked, "keep") == "[person 1], who won the [...] title in [state] in the 1980s, left."


def test_a_clause_that_says_more_stays():
    marked = "<Lee|L,PERSON|[person 1]>, who taught chemistry and played chess badly in <Ohio|L,LOC|[state]>, left."
    assert rewritten(marked) == "[person 1], who taught chemistry and played chess badly in [state], left."


@given(st.lists(st.sampled_from(["word ", "a ", "the ", "and ", ", ", "of ", "<x|S|[...]> ", "<y|L|[test]>",
                                 "<z|G|a dog>",
                                 "<1990|D,DATETIME|the 1990s>", "<Q|L,PERSON|[person 1]>"]), max_size=14))  # fmt: skip
def test_nothing_of_the_source_comes_back_and_nothing_overlaps(pieces):
    marked = "".join(pieces)
    for mode in ("drop", "mark", "keep"):
        made = rewritten(marked, mode)
        assert not re.search(r"\b[xyzQ]\b|1990\b", made)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("He is <hepatitis C|L|[condition]> positive.", "He is [status]."),
        ("a <syphilis|L|[condition]>-positive sample", "a [test result] sample"),
        ("She tested <positive|L|[status]> for <syphilis|L|[condition]> twice.", "She had a [test result] twice."),
        ("He tests <negative|L|[status]> for <gonorrhea|S|[...]>.", "He has a [test result]."),
        ("She stayed <positive|L|[status]> for <weeks|L|[duration]>.", "She stayed [status] for [duration]."),
    ],
)
def test_results_of_tests(marked, expected):
    assert rewritten(marked) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("in the comedy <Nine Doors|G,MISC|a film>.", "in the comedy."),
        ("Her <memoir|L,TERM|[book]>, <Cold Water|L,MISC|[book]>, won.", "Her [book] won."),
        ("in the drama <Nine Doors|G,MISC|a production>, he wept", "in the drama, he wept"),
        ("in <Nine Doors|G,MISC|a film> he wept", "in a film he wept"),
        ("directed <Nine Doors|G,MISC|a film>", "directed a film"),
        ("of the <Foreign Office|G,ORG|office>, <Lisbon|G,LOC|a capital>.", "of the office in a capital."),
    ],
)
def test_what_the_words_before_say_already(marked, expected):
    assert rewritten(marked) == expected


def test_names_that_share_a_word_may_be_one_thing():
    marked = "the <Kingdom of Norway|G,LOC,1|country>; in <Norway|G,LOC,2|a country> and later <Chad|G,LOC,3|a country>"
    assert rewritten(marked) == "the country; in a country and later another country"
    marked = "<Boston University|G,ORG,1|A university> beat <Rice University|G,ORG,2|a university>."
    assert rewritten(marked) == "A university beat another university."


def test_the_third_of_several_keeps_its_place():
    marked = "<Lagos|G,LOC,1|a city>, not <Cork|G,LOC,2|a city>; <Perth|G,LOC,3|a city> beat <Cork|G,LOC,2|a city>"
    assert rewritten(marked) == "a city, not another city; another city beat the second city"


def test_a_list_of_several_decades_keeps_its_and():
    marked = "in <1948|D,DATETIME|the 1940s>, <1965|D,DATETIME|the 1960s> and <1963|D,DATETIME|the 1960s>."
    assert rewritten(marked) == "in the 1940s, the 1960s and the 1960s."


def test_two_bodies_with_articles_are_counted():
    marked = "at the <Elixir|G,ORG|organization> and the <Rose Bar|G,ORG|organization>."
    assert rewritten(marked) == "at the organizations."


def test_no_sentence_runs_from_one_stretch_into_another():
    text = "asthma and gout\ngout and"
    decisions = [
        Decision(0, 6, "TERM", "label", "[condition]", "term", 1),
        Decision(11, 15, "TERM", "label", "[condition]", "term", 2),
        Decision(16, 20, "TERM", "label", "[condition]", "term", 2),
    ]
    made = smooth(text, decisions, within=((0, 15), (16, 24)))
    assert splice(text, Plan("", "", made).edits)[0] == "[two conditions]\n[condition] and"
    apart = smooth(text, decisions, within=((0, 6), (16, 24)))
    assert splice(text, Plan("", "", apart).edits)[0] == "[condition] and [condition]\n[condition] and"
