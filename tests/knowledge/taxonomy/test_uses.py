"""What medicines and tests are for."""

import pytest

from tacenda.knowledge import open_taxonomy


@pytest.fixture(scope="module")
def taxonomy():
    return open_taxonomy()


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("zidovudine", "HIV"),
        ("AZT", "HIV"),
        ("Truvada", "HIV"),
        ("antiretrovirals", "HIV"),
        ("RPR", "sexually transmitted disease"),
        ("Bicillin", "sexually transmitted disease"),
        ("Suboxone", "substance abuse"),
        ("disulfiram", "substance abuse"),
    ],
)
def test_main_use_with_the_conditions_it_belongs_to(taxonomy, name, condition):
    assert condition in taxonomy.uses(name)
    keys = {sign.lower() for sign in taxonomy.signs([condition])}
    assert name.lower().removesuffix("s") in keys or name.lower() in keys


@pytest.mark.parametrize("name", ["lisinopril", "metformin", "amoxicillin", "azithromycin", "sertraline"])
def test_ordinary_medicines_are_signs_of_nothing_protected(taxonomy, name):
    signs = taxonomy.signs(["HIV", "sexually transmitted disease", "substance abuse"])
    assert taxonomy.uses(name)
    assert name not in signs


def test_only_the_main_use_makes_a_sign(taxonomy):
    assert "trichomoniasis" in taxonomy.uses("metronidazole")
    assert "metronidazole" not in taxonomy.signs(["sexually transmitted disease"])


def test_ladder_of_a_medicine(taxonomy):
    names = [rung.name for rung in taxonomy.generalizations("lamivudine")]
    assert names[:3] == ["nucleoside reverse transcriptase inhibitor", "antiretroviral", "antiviral medicine"]
    assert "medicine" in names


def test_a_class_is_a_sign_if_all_its_members_are(taxonomy):
    signs = taxonomy.signs(["HIV"])
    assert "integrase inhibitor" in signs
    assert "antiviral medicine" not in signs


def test_stems_longest_first(taxonomy):
    stems = dict(taxonomy.stems())
    assert stems["-tegravir"] == ("HIV",)
    lengths = [len(stem) for stem, _ in taxonomy.stems()]
    assert lengths == sorted(lengths, reverse=True)
