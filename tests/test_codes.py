"""Packs of exemption codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda import codes
from tacenda.errors import PolicyError


@pytest.mark.parametrize("name", codes.shipped())
def test_shipped_packs_are_whole(name: str) -> None:
    pack = codes.load(name)
    assert pack.name == name
    assert pack.source
    assert all(code.id.startswith(f"{name}/") and code.title and code.shown for code in pack.codes)


def test_all_nine_exemptions_are_there() -> None:
    ids = {code.id.removeprefix("foia/") for code in codes.load("foia").codes}
    assert {"b1", "b2", "b3", "b4", "b5", "b6", "b7C", "b8", "b9"} <= ids


def test_proposals_by_label_and_by_what_is_told() -> None:
    gdpr = [codes.load("gdpr")]
    assert [c.id for c in codes.propose("TERM", ["HIV"], gdpr)] == ["gdpr/9-health"]
    assert [c.id for c in codes.propose("PERSON", [], gdpr)] == ["gdpr/4"]
    assert codes.propose("TERM", ["weather"], gdpr) == ()
    both = codes.propose("PERSON", ["HIV"], gdpr)
    assert [c.id for c in both] == ["gdpr/9-health", "gdpr/4"]


def test_own_packs(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "office"\n[[code]]\nid = "1"\ntitle = "Secret"\nlabels = ["PERSON"]\n')
    assert codes.find("office/1", [codes.load(str(file))]) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 3", 'needs name = "..."'),
        ('name = "a"\n[[code]]\nid = "1"', "needs id and title"),
        ('name = "a"\n[[code]]\nid = "1"\ntitle = "x"\nwho = 1', "unknown key 'who'"),
        ('name = "a"\n[[code]]\nid = "1"\ntitle = "x"\n[[code]]\nid = "1"\ntitle = "y"', "same id"),
        ("name =", "not valid TOML"),
    ],
)
def test_faulty_packs_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        codes.parse(text, where="own.toml")


def test_an_unknown_pack_lists_the_known() -> None:
    with pytest.raises(PolicyError, match="foia"):
        codes.load("fioa")
