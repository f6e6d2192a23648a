"""What a word does in its sentence, where no annotator says it and where one does."""

import pytest

from tacenda.language import role_of


def role(text, word, **told):
    start = text.index(word)
    return role_of(text, start, start + len(word), **told)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("She quit heroin and relapsed in March.", "relapsed", "verb"),
        ("He has overdosed before.", "overdosed", "verb"),
        ("They injected it daily.", "injected", "verb"),
        ("He was caught with a bag of it.", "caught", "verb"),
        ("Her son steals from the till.", "steals", "verb"),
        ("He wants to convert next year.", "convert", "verb"),
        ("I caught it abroad.", "caught", "verb"),
        ("who tested badly", "tested", "verb"),
        ("She admitted drinking at work.", "drinking", "gerund"),
        ("He was blamed for gambling.", "gambling", "gerund"),
        ("Smoking was denied.", "Smoking", "gerund"),
        ("She came out as gay; he is straight.", "straight", "status"),
        ("He has been sober since June.", "sober", "status"),
        ("Now sober six years.", "sober", "status"),
        ("the draft form Deemed of both", "Deemed", "noun"),
        ("She has gonorrhea and gout.", "gonorrhea", "noun"),
        ("He has lost his job.", "lost", "verb"),
        ("They have overdosed.", "overdosed", "verb"),
        ("but subsequently lost to his rival", "lost", "verb"),
        ("She experienced increased anxiety in May.", "increased", "modifier"),
        ("lost to former ministers", "former", "modifier"),
        ("Drunk and loud, he was let in.", "Drunk", "status"),
        ("Erythema noted on the arm.", "Erythema", "noun"),
        ("no evidence of thrush present", "thrush", "noun"),
        ("She felt drunk, then sick.", "drunk", "status"),
        ("The patient is divorced.", "divorced", "status"),
        ("The culture remained positive.", "positive", "status"),
        ("Her husband seems bipolar.", "bipolar", "status"),
        ("VL undetectable.", "undetectable", "status"),
        ("a homeless veteran spoke", "homeless", "modifier"),
        ("his alcoholic father left", "alcoholic", "modifier"),
        ("the infected wound healed", "infected", "modifier"),
        ("an undocumented cook works here", "undocumented", "modifier"),
        ("He drinks secretly at night.", "secretly", "adverb"),
        ("She was sexually assaulted.", "sexually", "adverb"),
    ],
)
def test_a_word_without_a_tag(text, word, expected):
    assert role(text, word) == expected


@pytest.mark.parametrize(
    ("text", "word", "told", "expected"),
    [
        ("In 1982 she converted to Buddhism.", "converted", {"tag": "VERB"}, "verb"),
        ("She is married.", "married", {"tag": "VERB"}, "status"),
        ("He likes fencing.", "fencing", {"tag": "VERB"}, "gerund"),
        ("on his left hand", "left", {"tag": "ADJ"}, "modifier"),
        ("for the Eid holidays", "Eid", {"tag": "PROPN", "closes": False}, "modifier"),
        ("He met a deacon.", "deacon", {"tag": "NOUN"}, "noun"),
        ("Anita, 57, is here.", "57", {"tag": "NUM"}, "noun"),
    ],
)
def test_a_tag_decides(text, word, told, expected):
    assert role(text, word, **told) == expected
