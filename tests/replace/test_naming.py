"""Labels that say what kind of thing stood there, on the real taxonomy."""

import pytest

from tacenda import knowledge
from tacenda.language import CLASS_LABELS, LABEL_WORDS, RUNG_LABELS
from tacenda.model import Context, Document, Mention
from tacenda.replace.label import BAR, Label
from tacenda.replace.ladders import Ladders
from tacenda.replace.naming import kind_of


@pytest.fixture(scope="module")
def ladders():
    return Ladders(knowledge.open_taxonomy())


def kind(ladders, text, word, label="TERM", **options):
    start = text.index(word)
    mention = Mention(start, start + len(word), word, label, **options)
    return kind_of(mention, Context(Document(text), sentences=((0, len(text)),)), ladders)


@pytest.mark.parametrize(
    ("text", "word", "label", "expected"),
    [
        ("She takes lisinopril every day.", "lisinopril", "TERM", "medicine"),
        ("He has asthma since childhood.", "asthma", "TERM", "condition"),
        ("a history of HTN", "HTN", "TERM", "condition"),
        ("an MRI of the spine", "MRI", "TERM", "test"),
        ("CBC was drawn", "CBC", "TERM", "test"),
        ("He drinks ETOH daily", "ETOH", "TERM", "drink"),
        ("She lives with her grandmother.", "grandmother", "TERM", "family member"),
        ("He earned 400 dollars a week.", "400 dollars", "QUANTITY", "amount of money"),
        ("She stayed eleven years.", "eleven years", "DATETIME", "duration"),
        ("It was three weeks ago.", "three weeks ago", "DATETIME", "time"),
        ("He called at 10:30.", "10:30", "DATETIME", "time"),
        ("born on 3 May 1980", "3 May 1980", "DATETIME", "date"),
        ("He lost 12 kg.", "12 kg", "QUANTITY", "weight"),
        ("It fell by 12%.", "12%", "QUANTITY", "percentage"),
        ("They have three sons.", "three sons", "QUANTITY", "number of people"),
        ("It happened twice.", "twice", "QUANTITY", "number of times"),
        ("took 40 mg of it", "40 mg", "QUANTITY", "dose"),
        ("She works for Brightwater.", "Brightwater", "ORG", "employer"),
        ("She graduated from Larkfield.", "Larkfield", "ORG", "school"),
        ("He was admitted to Larkfield.", "Larkfield", "ORG", "hospital"),
        ("They sued Larkfield.", "Larkfield", "ORG", "organization"),
        ("at Boston University", "Boston University", "ORG", "university"),
        ("in the comedy Nine Doors", "Nine Doors", "MISC", "film"),
        ("her novel Cold Water", "Cold Water", "MISC", "book"),
        ("for 12 Years a Slave", "12 Years a Slave", "MISC", "title"),
        ("a master’s in Education", "Education", "DEM", "field of study"),
        ("her BFA in Graphic Design", "Graphic Design", "ORG", "field of study"),
        ("a proud Republican", "Republican", "DEM", "party supporter"),
        ("won the title at seven", "seven", "DEM", "age"),
        ("Fluent in English, he left.", "English", "MISC", "language"),
        ("lives at 248 Beach Lane", "248 Beach Lane", "LOC", "address"),
        ("a Polish national", "Polish", "DEM", "nationality"),
        ("(Hebrew: x)", "Hebrew", "MISC", "language"),
        ("writes her articles in English and French", "English", "MISC", "language"),
        ("born to Irish parents", "Irish", "MISC", "nationality"),
        ("teaches Urdu at home", "Urdu", "MISC", "language"),
        ('the musical "Rent" and', "Rent", "MISC", ""),
        ("and used Icy Hot on it", "Hot", "MISC", ""),
        ("sure that the School was right", "School", "MISC", "school"),
        ("He lives in Snake.", "Snake", "LOC", "place"),
        ("at 9 am Houston time", "Houston", "ORG", "city"),
        ("the protection of human rights", "human", "TERM", "person"),
        ("watch him for 2 more hours", "2", "DATETIME", "number"),
        ("Her memoir won.", "memoir", "TERM", "book"),
        ("seen in clinic today", "clinic", "TERM", "facility"),
        ("reports knee pain", "knee pain", "TERM", "symptom"),
        ("played for Houston then", "Houston", "ORG", "organization"),
        ("Continue with Lasix daily.", "Lasix", "PERSON", "medicine"),
        ("listed in the UK today", "UK", "ORG", "country"),
        ("File: Trails Hub 02-05-02.doc", "Trails Hub 02-05-02.doc", "CODE", "file name"),
        ("ref ABX-2291", "ABX-2291", "CODE", "number"),
        ("She identifies as Protestant.", "Protestant", "PROTECTED", "affiliation"),
        ("she speaks Polish at home", "Polish", "DEM", "language"),
        ("She is HIV positive.", "HIV positive", "TERM", "status"),
        ("Result: HIV positive.", "HIV positive", "TERM", "test result"),
        ("in Sacramento today", "Sacramento", "LOC", "city"),
        ("in Bolivia today", "Bolivia", "LOC", "country"),
        ("moved to Co last year", "Co", "LOC", "place"),
    ],
)
def test_kinds(ladders, text, word, label, expected):
    assert kind(ladders, text, word, label) == expected


@pytest.mark.parametrize("word", ["relapsed", "gay", "secretly"])
def test_no_noun_stands_for_a_word_that_may_be_a_verb_or_adjective(ladders, word):
    assert kind(ladders, f"he {word} then", word, "WORD") == ""


@pytest.mark.parametrize("word", ["PLAN", "XQZ", "T2"])
def test_letters_mean_what_the_field_makes_them_mean(ladders, word):
    assert kind(ladders, f"the {word} was changed", word) == ""


def test_no_word_of_the_vocabulary_says_nothing():
    said = {*LABEL_WORDS.values(), *RUNG_LABELS.values(), *CLASS_LABELS}
    assert not said & {"term", "name", "description", "topic", "thing", "word", "entity"}


def candidates(label, text, word, kind="TERM"):
    start = text.index(word)
    mention = Mention(start, start + len(word), word, kind)
    return [c.text for c in label.candidates(mention, Context(Document(text), mentions=(mention,)))]


def test_a_policy_words_its_labels():
    taxonomy = knowledge.open_taxonomy()
    text = "She takes lisinopril."
    assert candidates(Label(taxonomy=taxonomy), text, "lisinopril") == ["[medicine]", "[product]", "[detail]"]
    assert candidates(Label(taxonomy=taxonomy, words={"medicine": "Rx"}), text, "lisinopril")[0] == "[Rx]"
    assert candidates(Label(taxonomy=taxonomy, style="bars"), text, "lisinopril") == [BAR]
    coded = Label(taxonomy=taxonomy, style="codes", codes={"medicine": "(b)(4)", "other": "(b)(7)(C)"})
    assert candidates(coded, text, "lisinopril") == ["[(b)(4)]"]
    assert candidates(coded, "He saw a zorblax.", "zorblax") == ["[(b)(7)(C)]"]


def test_where_nothing_tells_the_kind_it_is_a_detail():
    assert candidates(Label(taxonomy=knowledge.open_taxonomy()), "He saw a zorblax.", "zorblax") == ["[detail]"]


def test_a_style_that_does_not_exist_is_named():
    with pytest.raises(Exception, match="Available: brackets, bars, codes"):
        Label(style="stars")
