"""Policies: reading, errors that say what exists, and how several combine."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tacenda import Document, Sanitizer
from tacenda import policy as policies
from tacenda.errors import PolicyError
from tacenda.policy import Policy, combine, load, protecting, shipped, to_dict


def make(text: str) -> Policy:
    return Policy.from_text(text, where="policy 'x'")


@pytest.mark.parametrize("name", shipped())
def test_shipped_policies_load_and_round_trip(name: str) -> None:
    policy = load(name)
    assert policy.name == name
    assert policy.description
    assert policy.digest == load(name).digest
    assert to_dict(policy)["risk"]


def test_the_five_shipped_policies() -> None:
    assert set(shipped()) >= {"identifiers", "health", "special-categories", "person", "court"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('nam = "x"', r"no key named 'nam'.*Available: name, .*Did you mean 'name'"),
        ("rounds = 3", "needs a name"),
        ('name = "x"', "protects nothing"),
        ('name = "x"\n[risk.infromation]', r"no risk part named 'infromation'.*Available: .*entity"),
        ('name = "x"\nannotate = ["encodr"]', "no annotate part named 'encodr'"),
        ('name = "x"\n[[protect]]\nentity = "HIV"\nalpha = 0.5', "alpha must be at least 1"),
        ('name = "x"\n[[protect]]\nentity = "HIV"\nalpha = "a"', "is not a number"),
        ('name = "x"\n[[protect]]\nentity = "HIV"\nalpha = 2\nmay_reveal = "disease"', "both alpha and may_reveal"),
        ('name = "x"\n[[protect]]\nalpha = 2', "needs entity"),
        ('name = "x"\n[[protect]]\nentity = "HIV"\nbeta = 1', "no key named 'beta'"),
        ('name = "x"\nrounds = 0\n[risk.entity]', "rounds must be a whole number from 1"),
        ('name = "x"\nunknown = "hide"\n[risk.entity]', "possible: suppress, keep"),
        ('name = "x"\n[words]\nallow = ["a b"]\nmask = ["A B"]', "both allow and mask"),
        ('name = "x"\n[words]\nallow = "a"', "must be a list of words"),
        ('name = "x', "not valid TOML"),
        ('name = "x"\nlanguage = "fr"\n[risk.entity]', "possible: en"),
        ('name = "x"\nrisk = 3', "must be a table"),
    ],
)
def test_errors_say_what_exists(text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        make(text)


def test_unknown_policy_name_lists_those_that_exist() -> None:
    with pytest.raises(PolicyError, match=r"no policy named 'helth'.*Did you mean 'health'"):
        load("helth")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no such policy file"):
        load(tmp_path / "none.toml")


def test_alpha_is_exact() -> None:
    policy = make('name = "x"\n[[protect]]\nentity = "HIV"\nalpha = 1.5\n[[protect]]\nentity = "TB"\nalpha = "5/3"')
    assert [p.alpha for p in policy.protect] == [Fraction(3, 2), Fraction(5, 3)]


def test_protect_brings_its_risk_model() -> None:
    assert "alpha_c" in make('name = "x"\n[[protect]]\nentity = "HIV"').risk


def test_combination_is_union_and_strictest() -> None:
    a = make(
        'name = "a"\nunknown = "keep"\nconfidence = 0.7\nreplace = ["generalize", "label"]\n'
        '[words]\nallow = ["x", "y"]\nmask = ["m"]\n[risk.information]\nlimit = 9.0\n[risk.entity]\nlabels = ["PERSON"]'
    )
    b = make(
        'name = "b"\nreplace = ["label", "suppress"]\n[words]\nallow = ["y"]\n[risk.information]\nlimit = 7.5\n'
        '[risk.entity]\nlabels = ["LOC", "PERSON"]\n[[protect]]\nentity = "HIV"'
    )
    both = combine([a, b])
    assert both.name == "a+b"
    assert both.unknown == "suppress"
    assert both.confidence == 0.5
    assert both.replace == ("label",)
    assert both.allow == ("y",)
    assert both.mask == ("m",)
    assert both.risk["information"]["limit"] == 7.5
    assert both.risk["entity"]["labels"] == ["PERSON", "LOC"]
    assert [p.entity for p in both.protect] == ["HIV"]


def test_two_limits_for_one_entity_both_hold() -> None:
    a = make('name = "a"\n[[protect]]\nentity = "HIV"\nalpha = 2')
    b = make('name = "b"\n[[protect]]\nentity = "HIV"\nmay_reveal = "disease"')
    assert len(combine([a, b]).protect) == 2


def test_settings_of_which_none_is_stricter() -> None:
    a = make('name = "a"\n[risk.correlation]\ncontext = "sentence"')
    b = make('name = "b"\n[risk.correlation]\ncontext = "document"')
    with pytest.raises(PolicyError, match="neither is stricter"):
        combine([a, b])


def test_protect_without_a_policy() -> None:
    assert protecting(["HIV", "TB"]).protect[1].entity == "TB"


def test_every_key_is_described() -> None:
    assert all(policies.KEYS.values())


def test_a_risk_model_without_anything_to_protect_is_no_policy() -> None:
    idle = Policy.from_text('name = "idle"\nannotate = ["patterns"]\nreplace = ["suppress"]\n[risk.alpha_c]\n')
    with pytest.raises(PolicyError, match="alpha_c looks for what gives away a protected entity, and none is named"):
        Sanitizer(idle).plan(Document("Call her tomorrow."))
