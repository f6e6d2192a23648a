"""The shipped policies say all they claim: every kind of GDPR article 9, and article 10, in plain words."""

from __future__ import annotations

import pytest

from tacenda import Document, Sanitizer, load_policy
from tacenda.risk.meaning.signs import categories, category_named

NINE = {
    "racial or ethnic origin": "The suspect is a black male in his twenties.",
    "political opinions": "She canvassed for Labour in the last three elections.",
    "religious or philosophical beliefs": "He prays five times a day and keeps a mat in the locker.",
    "trade-union membership": "She pays her Unison dues by direct debit.",
    "genetic data": "She carries a BRCA1 mutation like her mother.",
    "biometric data": "His fingerprints are stored in the time clock.",
    "health": "My son has asthma.",
    "sex life": "He visits prostitutes when he travels.",
    "sexual orientation": "He lives with his husband in Oak Park.",
}
TEN = {"criminal convictions and offences": "He did a stretch in Wandsworth."}
HARMLESS = (
    "The birthday party is on Friday.",
    "Her husband picked her up after work.",
    "Please print two copies of the contract.",
    "The train to Leeds leaves at ten.",
)


pytestmark = pytest.mark.xdist_group("special-categories")


@pytest.fixture(scope="module")
def special(ready) -> Sanitizer:
    return ready("special-categories")


def test_every_kind_of_article_nine_is_protected() -> None:
    named = {category_named(p.entity).name for p in load_policy("special-categories").protect}  # type: ignore[union-attr]
    assert named == set(NINE)
    assert {c.name for c in categories()} == {*NINE, *TEN, "HIV", "sexually transmitted disease", "substance abuse"}


@pytest.mark.parametrize("kind", NINE)
def test_plain_words_are_cleared(special: Sanitizer, kind: str) -> None:
    plan = special.plan(Document(NINE[kind]))
    told = {category_named(plan.risks[n].discloses).name for d in plan.changes for n in d.risks}  # type: ignore[union-attr]
    assert kind in told


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_sentences_stay(special: Sanitizer, text: str) -> None:
    assert special.sanitize(Document(text)).text == text


def test_convictions(ready) -> None:
    sanitizer = ready("convictions")
    (text,) = TEN.values()
    assert sanitizer.plan(Document(text)).changes
    harmless = "The conviction with which she argued impressed everyone."
    assert sanitizer.sanitize(Document(harmless)).text == harmless


@pytest.mark.xdist_group("health")
def test_a_certificate_is_not_overruled(ready) -> None:
    """What counting found stands where the output is meant for a certificate, whatever the sentence means."""
    from dataclasses import replace

    policy = load_policy("health")
    covered = replace(policy, risk={**policy.risk, "alpha_c": {**policy.risk["alpha_c"], "covered": True}})
    text = "Her partner in the law firm called."
    assert ready("health").sanitize(Document(text)).text == text
    assert Sanitizer(covered).plan(Document(text)).changes


@pytest.mark.parametrize("medicine", ["Biktarvy", "Suboxone", "metformin"])
def test_a_medicine_says_that_somebody_is_ill(medicine, ready):
    text = f"She takes {medicine} every morning and works in the library."
    assert medicine not in ready("special-categories").sanitize(text).text
