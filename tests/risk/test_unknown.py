"""Which words that no index can judge are taken for telling."""

import pytest

from tacenda.knowledge import open_taxonomy
from tacenda.risk.unknown import Unknown


@pytest.fixture(scope="module")
def unknown():
    return Unknown(open_taxonomy(), ["HIV", "sexually transmitted disease", "substance abuse"])


@pytest.mark.parametrize("word", ["q24", "gq120", "hla57", "xxtegravir", "qqnavir", "zzvir", "QXQ", "HCV"])
def test_medicines_codes_and_abbreviations_look_technical(unknown, word):
    assert unknown.looks_technical(word)
    assert not unknown.is_harmless(word)


@pytest.mark.parametrize("word", ["gapinski", "tommorow", "earthlink", "15mm", "8am", "x34703", "20min", "ENRONX"])
def test_names_typing_errors_and_measures_do_not(unknown, word):
    assert not unknown.looks_technical(word)


@pytest.mark.parametrize("word", ["lisinopril", "quxpril", "quxsartan", "HPI", "quxcillin", "Lipitor"])
def test_what_is_for_something_else_is_harmless(unknown, word):
    assert unknown.is_harmless(word)


@pytest.mark.parametrize(
    ("before", "after", "named", "given"),
    [
        ("The patient was prescribed ", " last week", True, True),
        ("She continues ", " 50 mg daily", True, True),
        ("He was taking ", " since May", False, True),
        ("He was taking ", " to school", True, False),
        ("He met ", " in town", False, False),
    ],
)
def test_surroundings_of_a_medicine(before, after, named, given):
    assert Unknown.is_given(before, after, named=named) is given


def test_without_a_table_of_medicines_nothing_is_harmless():
    assert not Unknown(None, []).is_harmless("lisinopril")


@pytest.mark.parametrize("word", ["MRN", "DOB", "mrn"])
def test_names_of_fields_tell_nothing(unknown, word):
    assert unknown.is_harmless(word)
