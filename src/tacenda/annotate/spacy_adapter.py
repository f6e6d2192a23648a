"""Put any installed spaCy pipeline in the encoder's place. spaCy is the user's to install."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from tacenda.errors import KnowledgeError
from tacenda.model import Annotation, Document, Mention

# Entity labels of spaCy's English pipelines (OntoNotes) and of CoNLL-like ones, in our scheme.
LABELS = {
    "PERSON": "PERSON", "PER": "PERSON", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "ORG": "ORG", "NORP": "DEM",
    "LANGUAGE": "DEM", "DATE": "DATETIME", "TIME": "DATETIME", "CARDINAL": "QUANTITY", "ORDINAL": "QUANTITY",
    "MONEY": "QUANTITY", "PERCENT": "QUANTITY", "QUANTITY": "QUANTITY",
}  # fmt: skip
DROPPED = {"DET", "PRON", "PUNCT"}


class SpacyAnnotator:
    """Annotate with a spaCy pipeline: entities, base noun phrases, sentences.

    pipeline    name of an installed pipeline, path of one, or a loaded `Language`
    """

    name = "spacy"

    def __init__(self, pipeline: Any = "en_core_web_sm") -> None:
        self.pipeline = pipeline

    @cached_property
    def _nlp(self) -> Any:
        if not isinstance(self.pipeline, str | Path):
            return self.pipeline
        try:
            import spacy
        except ImportError as error:
            raise KnowledgeError("spacy: not installed. Install spaCy and a pipeline, or use 'encoder'.") from error
        try:
            return spacy.load(self.pipeline)
        except OSError as error:
            installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none"
            raise KnowledgeError(f"spacy: no pipeline {str(self.pipeline)!r}. Installed: {installed}.") from error

    def annotate(self, document: Document) -> Annotation:
        """Return entities and noun phrases in reading order, and the sentences the pipeline sets."""
        parsed = self._nlp(document.text)
        mentions = [
            Mention(
                e.start_char,
                e.end_char,
                e.text,
                LABELS.get(e.label_, "MISC"),
                kind="entity",
                source=self.name,
                head=e.root.idx,
            )
            for e in parsed.ents
        ]
        if parsed.has_annotation("DEP"):
            mentions += [m for chunk in parsed.noun_chunks if (m := self._term(chunk)) is not None]
        sentences = [(s.start_char, s.end_char) for s in parsed.sents] if parsed.has_annotation("SENT_START") else []
        return Annotation(tuple(sorted(mentions, key=lambda m: (m.start, -m.end, m.kind))), tuple(sentences))

    def _term(self, chunk: Any) -> Mention | None:
        """A noun chunk without its determiner; None for a pronoun."""
        tokens = list(chunk)
        while tokens and tokens[0].pos_ in DROPPED:
            tokens.pop(0)
        if not tokens or chunk.root.pos_ == "PRON":
            return None
        start, end = tokens[0].idx, tokens[-1].idx + len(tokens[-1])
        text = chunk.doc.text[start:end]
        return Mention(start, end, text, "TERM", kind="term", source=self.name, head=chunk.root.idx)
