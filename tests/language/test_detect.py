"""Only English passes, and English of every kind does."""

from __future__ import annotations

import pytest

from tacenda.errors import InputError
from tacenda.language.detect import check_language, other_language

ENGLISH = [
    "Pt is a 54 yo M w/ hx of DM2, HTN, CKD3. c/o SOB x 3 days. Denies CP, N/V. BP 142/88, HR 90. CXR neg.",
    "The applicant, Mr Müller, lives in Düsseldorf and complained about the length of the proceedings.",
    "Invoice 2214: 3 x widgets, 2 x bolts, total 44.20, paid",
    "ok",
]
OTHER = {
    "French": "Le patient a été vu dans le service de médecine pour une douleur qui dure depuis hier et il est sorti.",
    "German": "Der Patient wurde mit Schmerzen in die Klinik gebracht und ist nach drei Tagen nicht mehr dort gewesen.",
    "Spanish": "El paciente fue visto en la consulta por un dolor que tiene desde hace tres días y no toma medicación.",
    "Cyrillic": "Пациент был осмотрен врачом",
    "Cjk": "患者今天来看医生",
}


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text: str) -> None:
    assert other_language(text) == ""


@pytest.mark.parametrize("language", OTHER)
def test_other_languages(language: str) -> None:
    assert other_language(OTHER[language]) == language
    with pytest.raises(InputError, match="supports English only"):
        check_language(OTHER[language], "letter.txt")


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin krank.",
        "Mi hijo tiene fiebre",
        "Herr Müller kommt morgen",
        "Je m'appelle Jean Dupont.",
        "Kein Fieber.",
        "Der Patient wohnt seit vielen Jahren in der Stadt und hat keine Kinder.",
        "Ze woont in Utrecht met haar man.",
    ],
)
def test_a_few_words_of_another_language_are_told(text: str) -> None:
    assert other_language(text)


@pytest.mark.parametrize(
    "text",
    [
        "Maria de la Cruz",
        "Ludwig van der Berg",
        "Los Angeles",
        "Ben Rogers",
        "et al. 2019",
        "en bloc resection",
        "Love ya.",
        "hx MI, DM, CKD; no SI/HI",
        "http://www.un.org/en-us/la",
        "Abdomen non-tender.",
        "de novo",
        "Rio de Janeiro",
    ],
)
def test_names_latin_and_abbreviations_are_no_other_language(text: str) -> None:
    assert other_language(text) == ""
