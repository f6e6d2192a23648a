"""The registry: what is in it, and that every part passes the checks for third parties."""

from __future__ import annotations

from typing import Any

import pytest

from tacenda import registry, testing
from tacenda.errors import PolicyError
from tacenda.knowledge import open_index
from tacenda.policy import Policy
from tacenda.replace.keys import Key
from tacenda.risk.background import Background
from tacenda.sanitizer import Sanitizer

PEOPLE = Background(
    {
        "John Smith": "John Smith of Leeds takes methadone. Smith was born in July.",
        "Jane Doe": "Jane Doe was born in 1979. She has a house and takes the bus.",
        "Max Roe": "Max Roe of York has a dog, and takes it out on Sundays.",
    }
)
# Settings without which a part cannot be made.
NEEDED: dict[str, dict[str, Any]] = {
    "information": {"limit": 9.0},
    "plausibility": {"t": 2},
    "reidentify": {"background": PEOPLE, "subject": "John Smith"},
}


def parts(kind: str) -> list[str]:
    return list(registry.PARTS[kind])


@pytest.fixture(scope="module")
def maker() -> Sanitizer:
    """Makes parts with the embedded knowledge, as a policy would."""
    # Any index can stand in for a search service: nobody is asked.
    return Sanitizer(Policy(name="checks", risk={"entity": {}}), key=Key(b"k" * 32), service=open_index())


@pytest.mark.parametrize("name", parts("annotate"))
def test_annotators(name: str, maker: Sanitizer) -> None:
    if name == "spacy":  # an adapter: the user brings spaCy and a pipeline
        pytest.importorskip("spacy", reason="spaCy is not a dependency; the adapter has tests with a stand-in")
    testing.check_annotator(maker.parts.make("annotate", name, {}))


@pytest.mark.parametrize("name", parts("risk"))
def test_risk_models(name: str, maker: Sanitizer) -> None:
    testing.check_risk_model(maker.parts.make("risk", name, dict(NEEDED.get(name, {}))))


@pytest.mark.parametrize("name", parts("replace"))
def test_replacers(name: str, maker: Sanitizer) -> None:
    testing.check_replacer(maker.parts.make("replace", name, {}))


@pytest.mark.parametrize("name", parts("choose"))
def test_choosers(name: str, maker: Sanitizer) -> None:
    testing.check_chooser(maker.parts.make("choose", name, dict(NEEDED.get(name, {}))))


def test_taxonomy(maker: Sanitizer) -> None:
    testing.check_taxonomy(maker.taxonomy, ["marijuana", "Sacramento", "nurse", "HIV", "Catholicism"])


def test_unknown_names_list_what_exists() -> None:
    with pytest.raises(PolicyError, match=r"no risk part named 'entty'.*Available: entity.*Did you mean 'entity'"):
        registry.find("risk", "entty")


def test_entry_points_of_third_parties(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "theirs"

        def load(self) -> Any:
            return dict

    monkeypatch.setattr(registry, "_entry_points", lambda kind: {"theirs": Point()})
    assert registry.find("risk", "theirs") is dict
    assert registry.names("risk")[-1] == "theirs"
