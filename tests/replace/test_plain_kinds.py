"""The plainer label, where nothing tells a kind or the kind tells too much."""

import pytest

from tacenda.model import Context, Document, Mention
from tacenda.replace.plain_kinds import plain_kind


def plain(text, word, label="TERM", kind="", tag="NOUN"):
    start = text.index(word)
    mention = Mention(start, start + len(word), word, label, tag=tag)
    return plain_kind(mention, Context(Document(text), sentences=((0, len(text)),)), kind)


@pytest.mark.parametrize(
    ("text", "word", "label", "kind", "tag", "expected"),
    [
        ("Priya Nair, 61, runs it.", "61", "DEM", "", "NUM", "age"),
        ("He had taken speedballs again.", "speedballs", "PROTECTED", "substance", "NOUN", "product"),
        ("She has it from her uncle.", "uncle", "TERM", "family member", "NOUN", "role"),
        ("a Lyme titer was sent", "Lyme titer", "TERM", "", "NOUN", "test"),
        ("There is a small effusion.", "small effusion", "TERM", "", "NOUN", "finding"),
        ("He was on the GNR list.", "GNR", "TERM", "", "PROPN", "abbreviation"),
        ("She earned her BFA there.", "BFA", "MISC", "", "PROPN", "degree"),
        ("a Bachelor of Arts in Dance", "Bachelor of Arts in Dance", "DEM", "", "PROPN", "degree"),
        ("a former fencing champion", "fencing champion", "DEM", "", "NOUN", "role"),
        ("a moderate Democrat", "moderate Democrat", "DEM", "", "PROPN", "role"),
        ("James leans Democrat and votes", "Democrat", "PROTECTED", "person", "PROPN", "belief"),
        ("Ann Lee x35172 here", "x35172", "TERM", "", "NOUN", "number"),
        ("arrested for shoplifting", "shoplifting", "TERM", "", "NOUN", "offense"),
        ("with the Wild Hunt", "Wild Hunt", "MISC", "", "PROPN", "proper name"),
        ("He converted in May.", "converted", "DEM", "", "VERB", ""),
        ("He feels suicidal.", "suicidal", "WORD", "", "", "status"),
        ("She denied drinking.", "drinking", "WORD", "", "", "activity"),
        ("no such sincerity here", "sincerity", "TERM", "", "NOUN", "detail"),
        ("in Sacramento", "Sacramento", "LOC", "city", "PROPN", ""),
    ],
)
def test_plain_kinds(text, word, label, kind, tag, expected):
    assert plain(text, word, label, kind, tag) == expected


def test_what_nobody_knows_in_a_clinical_document_is_medical():
    text = (
        "The patient denies symptoms. Exam: no tenderness. History of diagnosis, medication, clinic. No froblity seen."
    )
    assert plain(text, "froblity") == "medical detail"
