"""The policy `health` on sentences that left it unchanged once, and on sentences it must leave alone."""

import pytest

from tacenda import Document

pytestmark = pytest.mark.xdist_group("health")


@pytest.fixture(scope="module")
def sanitizer(ready):
    return ready("health")


def sanitized(sanitizer, text):
    return sanitizer.sanitize(Document(text)).text


def test_medicines_and_markers_too_rare_in_medical_windows_are_judged_on_the_whole_index(sanitizer):
    text = (
        "The patient takes zidovudine, tenofovir and emtricitabine. He had PCP in March and is p24 and gp120 positive; "
        "ARV therapy continues."
    )
    output = sanitized(sanitizer, text)
    for word in ("zidovudine", "tenofovir", "emtricitabine", "PCP", "p24", "gp120", "ARV"):
        assert word not in output


@pytest.mark.parametrize(
    "text",
    [
        "Snow fell on the grass.",
        "Adam tied the rope in a circle while Elvis sang.",
        "He takes lisinopril, metformin and a statin every morning.",
        "Write to Meagan Gapinski at Fernley Bridgeline, www.earthlink-fernley.com, about the reprioritised offsite.",
        "Use nose drops twice a day; the chicken feed is in the barn.",
    ],
)
def test_what_suggests_nothing_is_left_alone(sanitizer, text):
    assert sanitized(sanitizer, text) == text


def test_a_sign_is_found_across_noun_phrases_and_only_in_capitals_if_it_is_an_abbreviation(sanitizer):
    output = sanitized(sanitizer, "Her COWS was 12 on Monday; the cows were in the cage.")
    assert "COWS" not in output
    assert "the cows were in the cage" in output
    assert "plasma reagin" not in sanitized(sanitizer, "The rapid plasma reagin came back positive.")


def test_one_expansion_for_masking_risk_and_certificate(sanitizer):
    (model,) = (m for m in sanitizer.parts.risk_models if m.name == "alpha_c")
    secrets = {s.protected.entity: s for s in model.secrets(sanitizer.protected)}
    for entity in sanitizer.protected:
        assert entity.counted == secrets[entity.entity].counted
        assert secrets[entity.entity].protected == entity
    names = set(secrets["substance abuse"].forms)
    assert names.isdisjoint({"adam", "elvis", "snow", "grass", "rope", "circle", "nose drop", "chicken feed"})
    assert {"heroin", "cocaine"} <= names


def test_a_number_alone_is_no_evidence(sanitizer):
    text = "The meeting of 27 March 2001 lasted 48 minutes and cost 1,254 dollars."
    assert sanitized(sanitizer, text) == text


def test_a_listed_medicine_of_two_words_is_known_as_a_whole(sanitizer):
    text = "The patient was given insulin glargine and will return in two weeks."
    assert sanitized(sanitizer, text) == text
