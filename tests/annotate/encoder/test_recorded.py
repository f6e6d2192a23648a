"""The encoder beside what was recorded of it: nearly the same on every processor, and repeated exactly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda.annotate.encoder import Encoder
from tacenda.errors import InputError
from tacenda.model import Document
from tacenda.testing.recorded import Recorded, record

ROOT = Path(__file__).resolve().parents[3]
NAMES = ("clinic-letter", "court-paragraph", "biography", "email")
# Int8 kernels differ between processors with and without VNNI; more than this is another model.
LEAST_SHARED, MOST_CONFIDENCE, LEAST_COSINE = 0.9, 0.1, 0.97


def example(name: str) -> Document:
    return Document((ROOT / "examples" / f"{name}.txt").read_text("utf-8"), name)


@pytest.mark.parametrize("name", NAMES)
def test_the_encoder_finds_what_was_recorded(name: str) -> None:
    kept = Recorded(ROOT / "tests" / "data" / "golden" / f"{name}.annotation.json").annotate(example(name))
    live = Encoder().annotate(example(name))
    was = {(m.start, m.end, m.label, m.kind): m for m in kept.mentions}
    now = {(m.start, m.end, m.label, m.kind): m for m in live.mentions}
    shared = was.keys() & now.keys()
    assert len(shared) >= LEAST_SHARED * len(was.keys() | now.keys())
    for key in shared:
        assert abs(was[key].confidence - now[key].confidence) <= MOST_CONFIDENCE
        a, b = was[key].reading, now[key].reading
        assert float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)) >= LEAST_COSINE


def test_a_record_gives_back_what_was_recorded(tmp_path: Path) -> None:
    document = example("email")
    annotation = Encoder().annotate(document)
    (tmp_path / "a.json").write_text(record(document, annotation, annotator="encoder", model="m"), "utf-8")
    repeated = Recorded(tmp_path / "a.json")
    assert repeated.annotate(document) == annotation
    assert (repeated.name, repeated.digest) == ("encoder", "m")
    with pytest.raises(InputError, match="nothing was recorded"):
        repeated.annotate(Document("another text"))
    assert not any(m.text in (tmp_path / "a.json").read_text() for m in annotation.mentions if len(m.text) > 8)
