"""Every entity a shipped policy protects is tied to the generalization it may reveal."""

from __future__ import annotations

import pytest

from tacenda.knowledge.taxonomy import Taxonomies

INFECTIONS = """HIV, AIDS, human immunodeficiency virus, HIV-positive, HIV infection, sexually transmitted disease,
sexually transmitted diseases, STD, STI, syphilis, gonorrhea, gonorrhoea, chlamydia, genital herpes, herpes, HPV,
genital warts, trichomoniasis, chancroid, hepatitis C, tuberculosis"""
DISEASES = """substance abuse, alcoholism, depression, bipolar disorder, cancer, mental illness, hepatitis, drug abuse,
alcohol abuse, drug addiction, cocaine addiction, heroin addiction, opioid use disorder, alcohol dependence"""
MAY_REVEAL = {
    "infectious disease": INFECTIONS,
    "disease": f"{INFECTIONS}, {DISEASES}",
    "illness": f"{INFECTIONS}, {DISEASES}",
    "condition": f"{INFECTIONS}, {DISEASES}, health condition, medical condition, disease",
    "substance": "cocaine, heroin, methadone, marijuana, alcohol, methamphetamine",
    "drug": "cocaine, heroin, methadone, marijuana, LSD, MDMA",
    "person": """drug addict, alcoholic, ethnic origin, nationality, Kenyan, African American, homosexual, lesbian,
        gay man, transgender person, refugee, Jew, Catholic, sexual orientation, religion, political opinion""",
    "belief": """religion, Catholicism, Islam, political opinion, political party, communism, atheism, Republican""",
    "religion": "Catholicism, catholic, Sunni, Judaism, Jehovah's Witness, Buddhist",
    "political opinion": "Republican, Democrat, Labour Party, socialist, Tory",
    "sexual orientation": "homosexuality, lesbian, bisexual, gay",
    "ethnic origin": "Welsh, Hispanic, Han Chinese, Roma, Ashkenazi Jew",
    "trait": "sexual orientation, homosexuality",
}
PAIRS = [(entity.strip(), general) for general, listed in MAY_REVEAL.items() for entity in listed.split(",")]


@pytest.mark.parametrize(("entity", "general"), PAIRS)
def test_the_pair_resolves(shipped: Taxonomies, entity: str, general: str) -> None:
    assert shipped.is_generalization(general, entity)
    if general != "condition":  # which in another sense is itself a medical condition
        assert not shipped.is_generalization(entity, general)


@pytest.mark.parametrize(
    ("entity", "forms"),
    [
        ("HIV", {"AIDS"}),
        ("hepatitis", {"hepatitis C virus infection", "hepatitis B", "viral hepatitis"}),
        ("sexually transmitted disease", {"syphilis", "gonorrhea", "genital herpes", "AIDS", "chancroid"}),
        ("substance abuse", {"heroin", "cocaine", "alcoholism", "cocaine abuse", "heroin dependence"}),
        ("religion", {"Catholicism", "Sunni", "Jehovah's Witness", "Quaker", "Hindu"}),
        ("political opinion", {"Republican", "Labour Party", "Marxism"}),
        ("sexual orientation", {"lesbian", "homosexuality", "bisexual"}),
        ("ethnic origin", {"Welsh", "Navajo", "Kurd"}),
        ("catholicism", {"Jesuit"}),
    ],
)
def test_specializations_count_as_the_entity(shipped: Taxonomies, entity: str, forms: set[str]) -> None:
    assert forms <= set(shipped.specializations(entity))


@pytest.mark.parametrize(
    ("entity", "forms"),
    [
        ("HIV", {"HIV infection", "human immunodeficiency virus"}),
        ("Catholicism", {"Catholic", "Roman Catholic"}),
        ("cocaine", {"cocain"}),
    ],
)
def test_synonyms(shipped: Taxonomies, entity: str, forms: set[str]) -> None:
    assert {form.lower() for form in forms} <= {form.lower() for form in shipped.synonyms(entity)}


def test_the_secret_is_no_parent_of_what_is_unrelated(shipped: Taxonomies) -> None:
    assert not shipped.is_generalization("hereditary disease", "AIDS")
    assert not shipped.is_generalization("disease", "bicycle")
    assert not shipped.is_generalization("religion", "nurse")
    assert not shipped.is_generalization("HIV", "HIV infection")
