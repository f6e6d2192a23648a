"""Function words at the edges of findings."""

from tacenda.annotate.edges import without_idle_edges
from tacenda.model import Mention


def run(*found):
    mentions, at = [], 0
    for text, label in found:
        mentions.append(Mention(at, at + len(text), text, label, "entity"))
        at += len(text) + 1
    return [(m.start, m.text) for m in without_idle_edges(mentions)]


def test_function_words_alone_go():
    assert run(("of", "MISC"), ("and", "DEM"), ("both", "MISC")) == []


def test_an_article_is_joined_to_its_title():
    assert run(("The", "MISC"), ("Indian Runner", "MISC")) == [(0, "The Indian Runner")]
    assert run(("The", "MISC"), ("Smith", "PERSON")) == [(4, "Smith")]


def test_trailing_function_words_and_the_s_of_a_possessive_are_cut():
    assert run(("supporting role in", "MISC")) == [(0, "supporting role")]
    assert run(("s highest", "MISC")) == [(2, "highest")]


def test_persons_and_places_stay_whole():
    assert run(("The Hague", "LOC"), ("Maya and", "PERSON")) == [(0, "The Hague"), (10, "Maya and")]
