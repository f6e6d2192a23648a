"""What the reader of sentences still finds in an output: a note beside a certificate."""

import pytest
from click.testing import CliRunner

from tacenda import Policy, Sanitizer, UsageError
from tacenda.claims import still_read
from tacenda.cli import main

DISCLOSING = "It rained. He is six months sober and sees his sponsor every week."


def test_what_a_sentence_still_tells_is_named_with_its_place() -> None:
    first = still_read(DISCLOSING, "health")[0]
    assert (first.entity, first.sentence) == ("substance abuse", 2)
    assert first.probability > 0.8


def test_harmless_and_empty_outputs_tell_nothing() -> None:
    assert still_read("The meeting starts at nine in the large room.", "health") == ()
    assert still_read("", "health") == ()


def test_a_policy_without_a_reader_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"risk\.meaning"):
        still_read("text", Policy.from_text('name = "x"\nreplace = ["label"]\n[risk.entity]\nlabels = ["PERSON"]\n'))


def test_the_command_prints_readings_as_notes_and_keeps_its_verdict(tmp_path) -> None:
    output, certificate = tmp_path / "out.txt", tmp_path / "certificate.json"
    sanitizer = Sanitizer("health").covering()
    certificate.write_text(sanitizer.certify(sanitizer.sanitize("The garden is large.")))
    output.write_text(DISCLOSING)
    told = CliRunner().invoke(main, ["verify", str(output), str(certificate), "--policy", "health", "--read"])
    assert told.exit_code != 0
    assert "the model still reads substance abuse" in told.output
    assert "no part of what is certified" in told.output
