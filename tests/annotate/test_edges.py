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


def test_a_date_ends_before_the_word_that_joins_another():
    assert run(("1995 and", "DATETIME"), ("1999", "DATETIME")) == [(0, "1995"), (9, "1999")]


def test_of_before_a_name_stays_in_the_sentence():
    assert run(("of Ghana", "DEM")) == [(3, "Ghana")]


def test_a_line_of_a_list_and_the_next_field_are_apart():
    assert run(("Respiratory\n- Auscultation", "MISC")) == [(0, "Respiratory"), (14, "Auscultation")]
    assert run(("Normocephalic\nNECK", "MISC")) == [(0, "Normocephalic"), (14, "NECK")]
    assert run(("Anna\nBergman", "PERSON")) == [(0, "Anna\nBergman")]
