"""`suppress` and `label`."""

import random

from tacenda.model import Concept, Context, Document, Mention
from tacenda.replace.label import Label
from tacenda.replace.suppress import Suppress

TEXT = "Ann Lee met Bob Ray in Paris. Lee left Paris for Rome."


def mention(text, label, entity=-1, nth=0):
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(text, start + 1)
    return Mention(start, start + len(text), text, label, entity=entity)


MENTIONS = [
    mention("Ann Lee", "PERSON", 7),
    mention("Bob Ray", "PERSON", 3),
    mention("Paris", "LOC"),
    mention("Lee", "PERSON", 7, nth=1),
    mention("Paris", "LOC", nth=1),
    mention("Rome", "LOC"),
]
CONTEXT = Context(Document(TEXT), mentions=tuple(MENTIONS))


def texts(replacer, context=CONTEXT):
    return [next(iter(replacer.candidates(m, context))).text for m in MENTIONS]


def test_the_mask_is_the_same_for_all():
    assert len(set(texts(Suppress()))) == 1


def test_numbers_follow_first_appearance_per_entity():
    expected = ["[person 1]", "[person 2]", "[place 1]", "[person 1]", "[place 1]", "[place 2]"]
    assert texts(Label()) == expected
    shuffled = MENTIONS[:]
    random.Random(1).shuffle(shuffled)
    assert texts(Label(), Context(Document(TEXT), mentions=tuple(shuffled))) == expected


class Cities:
    name = "cities"

    def generalizations(self, term, context=()):
        known = {"Paris": "capital", "Rome": "river"}
        return [Concept(known[term], "x", "1", 1, 3.0, 9)] if term in known else []


def test_a_taxonomy_tells_a_city_from_a_river():
    assert texts(Label(taxonomy=Cities()))[2:] == ["[city]", "[person 1]", "[city]", "[river]"]


def test_an_unknown_label_speaks_for_itself():
    odd = Mention(0, 3, "Ann", "TAIL_NUMBER")
    assert next(iter(Label().candidates(odd, Context(Document(TEXT))))).text == "[tail number]"
