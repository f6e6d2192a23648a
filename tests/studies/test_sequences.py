"""From documents to sequences of terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from tacenda.model import Annotation, Document, Mention
from tacenda.studies import sequences


class _Capitals:
    """Takes runs of capitalised words for phrases."""

    def annotate_many(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        for document in documents:
            at = document.text.find("New York")
            found = (Mention(at, at + 8, "New York", "LOC", "entity"),) if at >= 0 else ()
            yield Annotation(found)


def test_phrases_of_the_encoder_become_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "_encoder", _Capitals())
    done = []
    texts = ["She left New York.", "It rains."]
    found = sequences.term_sequences(texts, progress=lambda: done.append(1))
    assert found == [["she", "left", "new york"], ["it", "rain"]]
    assert len(done) == 2


def test_without_phrases_no_encoder_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "_encoder", None)
    texts = [f"word{n} in New York" for n in range(250)]
    found = sequences.term_sequences(texts, phrases=False, processes=4)
    assert found[249] == ["word249", "new", "york"]
    assert len(found) == 250
