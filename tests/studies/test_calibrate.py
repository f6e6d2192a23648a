"""A threshold from a few marked documents."""

from __future__ import annotations

import pytest

from tacenda.errors import InputError
from tacenda.knowledge.vectors import open_vectors
from tacenda.model import Annotation, Document, Mention
from tacenda.studies.calibrate import Marked, calibrate

TEXT = "Jane Roe lives in Leeds and rides a bicycle."


def annotate(document: Document) -> Annotation:
    wanted = (("Jane Roe", "PERSON", "entity", 0), ("Leeds", "LOC", "entity", 1), ("a bicycle", "TERM", "term", -1))
    return Annotation(
        tuple(
            Mention(TEXT.index(t), TEXT.index(t) + len(t), t, label, kind, entity=entity)  # type: ignore[arg-type]
            for t, label, kind, entity in wanted
            if t in document.text
        )
    )


def test_the_threshold_parts_what_is_marked_from_what_is_not() -> None:
    table = open_vectors()
    spans = ((0, 8), (TEXT.index("Leeds"), TEXT.index("Leeds") + 5))
    found = calibrate([Marked(Document(TEXT), spans)], annotate, table)
    name, place, thing = table.vectors(["Jane Roe", "Leeds", "bicycle"])
    assert name is not None
    assert place is not None
    assert thing is not None
    assert found.documents == 1
    if float(name @ place) > float(name @ thing):
        assert float(name @ thing) < found.threshold <= float(name @ place)
        assert found.f1 == 1.0


def test_documents_about_nobody_cannot_be_calibrated_on() -> None:
    with pytest.raises(InputError, match="about a person"):
        calibrate([Marked(Document("rain"), ())], annotate, open_vectors())
