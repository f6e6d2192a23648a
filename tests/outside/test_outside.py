"""Parts made outside the package pass the checks and work in a policy, found by their entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tacenda import formats, registry
from tacenda.errors import PolicyError
from tacenda.model import Candidate, Document, Reading
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer
from tacenda.testing import (
    FakeIndex,
    check_annotator,
    check_format,
    check_replacer,
    check_risk_model,
    check_taxonomy,
    sample_mentions,
)

sys.path.insert(0, str(Path(__file__).parent))
import toys

MINUTES = b"MINUTES\nAnn Smith: Patient BX-1234 takes methadone daily.\nBob: Agreed.\n\nEnd of the meeting\n"
TEXT = "Patient BX-1234 takes methadone and an extraordinarily long walk."
INDEX = FakeIndex(["patient takes methadone", "methadone heroin", "a walk", "a long walk", "patient and drug"] * 4)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if a package with these entry points were installed."""
    points = {
        "tacenda.annotate": [EntryPoint("badges", "toys:Badges", "tacenda.annotate")],
        "tacenda.risk": [EntryPoint("long_words", "toys:LongWords", "tacenda.risk")],
        "tacenda.replace": [EntryPoint("stars", "toys:Stars", "tacenda.replace")],
        "tacenda.formats": [EntryPoint("minutes", "toys:Minutes", "tacenda.formats")],
    }
    kept = (registry._entry_points, formats._outside, formats._table)
    for module in (registry, formats):
        monkeypatch.setattr(module, "entry_points", lambda group: points.get(group, []))
    for held in kept:
        held.cache_clear()
    yield
    for held in kept:
        held.cache_clear()


def test_they_pass_the_checks() -> None:
    check_annotator(toys.Badges(), [TEXT, ""])
    check_risk_model(toys.LongWords(most=4))
    check_replacer(toys.Stars())
    check_taxonomy(toys.Drugs(), ["methadone", "heroin", "opioid"])
    check_format(toys.Minutes(), [MINUTES, b"MINUTES\n", "MINUTES\nZoë: naïve café\r\n".encode()])


def test_they_work_in_a_policy(installed: None) -> None:
    policy = Policy.from_text(
        """
        name = "outside"
        annotate = ["badges", "patterns"]
        replace = ["stars", "suppress"]
        [risk.long_words]
        most = 9
        [risk.entity]
        """
    )
    made = Sanitizer(policy, index=INDEX).sanitize(Document(TEXT))
    assert "BX-1234" not in made.text
    assert "extraordinarily" not in made.text
    assert "*******" in made.text
    assert "methadone" in made.text


def test_a_taxonomy_with_one_method_serves_every_model_that_asks_it() -> None:
    policy = Policy.from_text(
        """
        name = "drugs"
        annotate = ["patterns"]
        replace = ["generalize", "label", "suppress"]
        [[protect]]
        entity = "methadone"
        may_reveal = "drug"
        [risk.alpha_c]
        [risk.k_safety]
        """
    )
    made = Sanitizer(policy, index=INDEX, taxonomy=toys.Drugs()).sanitize(Document("The patient takes methadone."))
    assert "methadone" not in made.text


def test_they_work_as_objects() -> None:
    policy = Policy.from_text('name = "plain"\nannotate = ["patterns"]\n[risk.entity]\n')
    sanitizer = Sanitizer(
        policy, annotators=[toys.Badges()], risk=[toys.LongWords(most=9)], replacers=[toys.Stars()], index=INDEX
    )
    made = sanitizer.sanitize(TEXT)
    assert made.text == f"Patient ******* takes methadone and a {'*' * 15} long walk."


def test_a_format_works_from_file_to_file(installed: None) -> None:
    policy = Policy.from_text('name = "plain"\nannotate = ["badges"]\n[risk.entity]\n')
    sanitizer = Sanitizer(policy, index=INDEX)
    file = formats.open_bytes(MINUTES, name="board.minutes")
    (written,) = sanitizer.write(file, sanitizer.plan(file.document))
    assert written.startswith(b"MINUTES\nAnn Smith: Patient [")
    assert b"BX-1234" not in written
    assert formats.open_bytes(MINUTES).format.name == "minutes", "told by its first bytes"


@pytest.mark.parametrize(
    ("name", "fields", "data"),
    [
        ("text", (), "Zoë met Ann.\r\nTwice.".encode()),
        ("jsonl", ("note",), b'{"note": "Ann Smith called"}\n{"note": "she was \\"late\\""}\n'),
        ("csv", ("name", "remark"), b'name,remark\n"Smith, Ann",called twice\nZoe,"said ""no"""\n'),
        ("tsv", ("name", "remark"), b"name\tremark\nAnn\tcalled twice\n"),
    ],
)
def test_our_own_formats_pass_the_check(name: str, fields: tuple[str, ...], data: bytes) -> None:
    check_format(formats.named(name), [data], reading=Reading("check", fields=fields))


def test_unknown_settings_of_an_outside_part_are_named(installed: None) -> None:
    policy = Policy.from_text('name = "x"\nannotate = ["badges"]\n[risk.long_words]\nleast = 3\n')
    with pytest.raises(PolicyError, match="most"):
        Sanitizer(policy, index=INDEX).plan(Document(TEXT))


def test_a_check_says_what_is_wrong() -> None:
    class Empty(toys.Stars):
        def candidates(self, mention, context):
            return [Candidate(mention.text, "label", 0.0)]

    with pytest.raises(AssertionError, match="not the original"):
        check_replacer(Empty())

    class Telling(toys.LongWords):
        def notes(self, mentions, context):
            return [m.text for m in mentions]

    with pytest.raises(AssertionError, match="word of the text"):
        check_risk_model(Telling(most=4), sample_mentions())

    class Blind(toys.Minutes):
        def residue(self, data, words):
            return ()

    with pytest.raises(AssertionError, match="residue must find"):
        check_format(Blind(), [MINUTES])
