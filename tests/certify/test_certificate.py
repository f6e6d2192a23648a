"""Certificates: the recipient says what must hold, and nothing a certificate says is believed."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from click.testing import CliRunner

from benchmarks.quality.certificates.mutations import mutate
from tacenda import Policy, claims
from tacenda.certify.certificate import read_certificate, state, to_json, verify
from tacenda.cli.verify import command
from tacenda.errors import GuaranteeError, InputError
from tacenda.knowledge.index import build_index, open_index

POLICY = """
name = "mine"
annotate = ["patterns"]
[[protect]]
entity = "secretum"
synonyms = ["arcanum"]
alpha = "3/2"
[[protect]]
entity = "bicycle"
alpha = 2
[risk.alpha_c]
[knowledge]
index = "{index}"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("certificates")
    lines = [f"Secretum stands beside wordb here, item{i % 9}, row{i}." for i in range(8)]
    lines += [f"A bicycle with wheels and an arcanum, item{i % 9}, part{i}." for i in range(12)]
    lines += [f"Plain worda text about trees and rivers, item{i % 9}, line{i}." for i in range(60)]
    build_index(path / "k.tix", list(enumerate(lines)))
    (path / "mine.toml").write_text(POLICY.format(index=(path / "k.tix").as_posix()), "utf-8")
    return path


@pytest.fixture(scope="module")
def made(folder):
    policy = Policy.from_toml(folder / "mine.toml")
    index = open_index(folder / "k.tix")
    required = claims.required(policy, index, None)
    collection = claims.open_collection(index)
    output = "Trees and rivers about a plain text."
    _, table = state(output, required, collection)
    return output, json.loads(to_json(table)), required, collection


def test_what_must_hold_comes_from_the_policy(made):
    _, table, required, _ = made
    assert [entity.entity for entity in required.entities] == ["secretum", "bicycle"]
    assert required.entities[0].alpha == Fraction(3, 2)
    assert table["entities"][0]["names"] == ["arcanum", "secretum"]
    assert table["entities"][0]["windows"] == 20
    assert "anonymous" not in to_json(table).lower()


def test_the_certificate_of_an_output_holds(made):
    output, table, required, collection = made
    verdict = verify(output, table, required, collection)
    assert verdict.holds
    said = "\n".join(verdict.lines)
    assert "Rule of evidence" in said
    assert "does not say that nothing can be learned" in said
    assert not verify(output.replace("rivers", "wordb"), table, required, collection).holds
    assert not verify(output + " ", table, required, collection).holds


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("entities", 0, "names"), []),
        (("entities", 0, "windows"), 10**9),
        (("entities", 0, "counted"), ["bicycle"]),
        (("entities", 0, "alpha"), "1"),
        (("rule", "level"), "1/1" + "0" * 4000),
        (("rule", "single_support"), 10**9),
        (("rule", "support"), True),
        (("entities",), []),
        (("statement",), "Nothing about HIV can be learned from this output."),
        (("made_by",), "somebody"),
        (("knowledge", "taxonomies"), "0" * 64),
        (("knowledge", "indexes"), ["0" * 64]),
        (("not_covered", "in_general"), []),
    ],
)
def test_forgeries_that_were_accepted_once(made, at, value):
    output, table, required, collection = made
    forged = json.loads(json.dumps(table))
    here = forged
    for key in at[:-1]:
        here = here[key]
    here[at[-1]] = value
    verdict = verify(output, forged, required, collection)
    assert verdict.status == "refused"
    assert at[0] in verdict.reason


def test_one_entity_fewer_is_refused(made):
    output, table, required, collection = made
    assert "entities" in verify(output, {**table, "entities": table["entities"][:1]}, required, collection).reason


def test_three_thousand_mutations_never_a_yes(made):
    output, table, required, collection = made
    draw = random.Random(13)
    for _ in range(3000):
        how, changed = mutate(table, draw)
        verdict = verify(output, changed, required, collection)
        same = json.dumps(changed, sort_keys=True) == json.dumps(table, sort_keys=True)
        assert verdict.holds == same, how


def test_changed_words_are_examined_anew(made):
    """An output in which words were swapped in holds only if it would have been certified itself."""
    output, _, required, collection = made
    draw = random.Random(17)
    vocabulary = (
        "trees rivers plain text worda wordb wheels secretum arcanum SECRETUM bicycle item3 about line7".split()
    )
    seen = set()
    for _ in range(500):
        words = output.split()
        words[draw.randrange(len(words))] = draw.choice(vocabulary)
        changed = " ".join(words)
        found, forged = state(changed, required, collection)
        verdict = verify(changed, json.loads(to_json(forged)), required, collection)
        assert verdict.holds == (found.status == "holds")
        telling = {"wordb", "wheels", "secretum", "arcanum", "bicycle"} & {w.lower().strip(".") for w in words}
        assert not (verdict.holds and telling)
        seen.add(verdict.status)
    assert {"holds", "broken"} <= seen


def test_a_certificate_that_would_not_hold_is_not_issued(folder):
    policy, index = Policy.from_toml(folder / "mine.toml"), open_index(folder / "k.tix")
    with pytest.raises(GuaranteeError, match="would not hold"):
        claims.certify("Trees and wordb.", policy, index, None)
    with pytest.raises(GuaranteeError, match="not covered"):
        claims.certify("Trees and qqqq.", policy, index, None)


def keys():
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    return private, key.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)


def test_signatures(folder):
    pytest.importorskip("cryptography")
    policy, index = Policy.from_toml(folder / "mine.toml"), open_index(folder / "k.tix")
    (private, public), (_, other) = keys(), keys()
    output = "Trees and rivers."
    plain = claims.certify(output, policy, index, _taxonomy())
    signed = claims.certify(output, policy, index, _taxonomy(), private_key=private)

    def status(certificate, key=None):
        return claims.verify(output, certificate, policy, public_key=key).reason

    assert claims.verify(output, signed, policy, public_key=public).holds
    assert claims.verify(output, signed, policy).holds
    assert "another key" in status(signed, other)
    assert "not signed" in status(plain, public)
    draw = random.Random(3)
    table = json.loads(signed)
    for _ in range(40):
        _, changed = mutate({"signature": table["signature"]}, draw)
        forged = {**{k: v for k, v in table.items() if k != "signature"}, **changed}
        if forged != table and "signature" in forged:
            assert not claims.verify(output, forged, policy).holds
        if forged != table:
            assert not claims.verify(output, forged, policy, public_key=public).holds


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "[" * 100_000,
        '{"format": "other"}',
        '{"format": "tacenda-certificate", "version": 9}',
        '{"format": "tacenda-certificate", "version": 2, "version": 2}',
        '{"format": "tacenda-certificate", "version": 2.0}',
    ],
)
def test_what_is_no_certificate_is_refused(text):
    with pytest.raises(InputError):
        read_certificate(text)


def test_the_command(folder, tmp_path):
    policy, index = Policy.from_toml(folder / "mine.toml"), open_index(folder / "k.tix")
    output = "Trees and rivers."
    (tmp_path / "out.txt").write_text(output, "utf-8")
    (tmp_path / "c.json").write_text(claims.certify(output, policy, index, _taxonomy()), "utf-8")
    runner = CliRunner()
    files = [str(tmp_path / "out.txt"), str(tmp_path / "c.json")]
    good = runner.invoke(command, [*files, "--policy", str(folder / "mine.toml")])
    assert good.exit_code == 0, good.output
    assert good.output.startswith("yes")
    assert "Not covered" in good.output
    assert runner.invoke(command, files).exit_code != 0  # no policy: nobody said what must hold
    weaker = (folder / "mine.toml").read_text("utf-8").replace('alpha = "3/2"', "alpha = 1")
    (tmp_path / "weaker.toml").write_text(weaker, "utf-8")
    other = runner.invoke(command, [*files, "--policy", str(tmp_path / "weaker.toml"), "--json"])
    assert other.exit_code != 0
    assert json.loads(other.output)["status"] == "refused"
    (tmp_path / "out.txt").write_text("Trees and wordb.", "utf-8")
    assert "wordb" in runner.invoke(command, [*files, "--policy", str(folder / "mine.toml")]).output


def _taxonomy():
    from tacenda.knowledge import open_taxonomy

    return open_taxonomy()
