"""The adapter with a stand-in pipeline: spaCy itself is not needed."""

from types import SimpleNamespace as Thing

import pytest

from tacenda.annotate.spacy_adapter import SpacyAnnotator
from tacenda.model import Document

TEXT = "The old man met Anna in Rome."


class Chunk(list):
    def __init__(self, tokens, root, doc):
        super().__init__(tokens)
        self.root, self.doc = root, doc


def pipeline(text: str):
    doc = Thing(text=text, has_annotation=lambda name: True)

    class Token(Thing):
        def __len__(self) -> int:
            return len(self.text)

    def token(word: str, pos: str) -> Token:
        return Token(text=word, idx=text.index(word), pos_=pos)

    the, old, man, anna, rome = (
        token(w, p) for w, p in (("The", "DET"), ("old", "ADJ"), ("man", "NOUN"), ("Anna", "PROPN"), ("Rome", "PROPN"))
    )
    doc.ents = [
        Thing(start_char=t.idx, end_char=t.idx + len(t), text=t.text, label_=label, root=t)
        for t, label in ((anna, "PERSON"), (rome, "GPE"))
    ]
    doc.noun_chunks = [Chunk([the, old, man], man, doc), Chunk([anna], anna, doc), Chunk([rome], rome, doc)]
    doc.sents = [Thing(start_char=0, end_char=len(text))]
    return doc


def test_maps_entities_and_terms():
    annotation = SpacyAnnotator(pipeline).annotate(Document(TEXT))
    assert [(m.text, m.label, m.kind) for m in annotation.mentions] == [
        ("old man", "TERM", "term"),
        ("Anna", "PERSON", "entity"),
        ("Anna", "TERM", "term"),
        ("Rome", "LOC", "entity"),
        ("Rome", "TERM", "term"),
    ]
    assert annotation.sentences == ((0, len(TEXT)),)
    assert annotation.mentions[0].head == TEXT.index("man")


def test_unknown_pipeline_is_told():
    pytest.importorskip("spacy")
    from tacenda.errors import KnowledgeError

    with pytest.raises(KnowledgeError, match="no pipeline"):
        SpacyAnnotator("no_such_pipeline").annotate(Document(TEXT))
