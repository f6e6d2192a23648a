"""A unique word goes through everything, failures included; it must come out nowhere but in the text itself."""

from __future__ import annotations

import json
import logging
import traceback
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacenda import registry
from tacenda.cli import main
from tacenda.model import Document
from tacenda.policy import Policy
from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_to_json


class Broken:
    """A risk model that fails with the text in its message."""

    name, unit, monotone, guarantee = "broken", "bits", True, "none"

    def assess(self, mentions: object, context: object) -> list[object]:
        raise RuntimeError(f"cannot assess {context.document.text}")  # type: ignore[attr-defined]


def text(canary: str) -> str:
    return f"{canary}@example.org wrote that {canary} was born on 3 July 1979. Call (212) 555-0123 for {canary}."


def test_plan_repr_log_and_warnings(canary: str, small: Policy, caplog: pytest.LogCaptureFixture) -> None:
    document = Document(text(canary), "letter", known=(f"{canary} Smith",))
    with warnings.catch_warnings(record=True) as seen, caplog.at_level(logging.DEBUG):
        warnings.simplefilter("always")
        sanitizer = Sanitizer(small)
        annotation = sanitizer.annotate(document)
        result = sanitizer.sanitize(document)
    told = [
        repr(document),
        repr(annotation),
        repr(result.plan),
        plan_to_json(result.plan),
        caplog.text,
        repr(sanitizer),
    ]
    told += [str(w.message) for w in seen] + [repr(r) for r in result.plan.risks]
    assert canary not in result.text
    assert not any(canary.lower() in t.lower() for t in told)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_unforeseen_error_does_not_quote_the_text(
    canary: str, jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.PARTS["risk"], "broken", f"{__name__}:Broken")
    (tmp_path / "p.toml").write_text('name = "p"\nannotate = ["patterns"]\n[risk.broken]\n')
    (tmp_path / "in.jsonl").write_text(json.dumps({"text": text(canary)}) + "\n")
    call = ["sanitize", str(tmp_path / "in.jsonl"), "-p", str(tmp_path / "p.toml"), "--jobs", jobs]
    done = CliRunner().invoke(main, [*call, "-o", str(tmp_path / "out.jsonl")])
    assert done.exit_code == 1
    assert "internal error (RuntimeError)" in done.output
    shown = done.output + ("".join(traceback.format_exception(done.exception)) if done.exception else "")
    assert canary not in shown
    assert not any(canary in path.read_text() for path in tmp_path.glob("out*") if "quarantine" not in path.name)
    assert not list(tmp_path.glob(".*"))


def test_bad_documents_do_not_quote_the_text(canary: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('name = "p"\nannotate = ["patterns"]\n[risk.entity]\n')
    bad = {
        "json.jsonl": f'{{"text": "{canary}" x}}\n'.encode(),
        "surrogate.jsonl": f'{{"text": "{canary} \\ud800"}}\n'.encode(),
        "encoding.txt": canary.encode() + b"\xe9\xe8",
        "french.txt": f"Le patient {canary} est suivi dans le service pour une infection et il ne prend pas".encode(),
        "field.csv": f"a,b\n{canary}\n".encode(),
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
        done = CliRunner().invoke(main, ["sanitize", str(tmp_path / name), "-p", str(tmp_path / "p.toml")])
        assert done.exit_code == 3, name
        assert canary not in done.output, name
