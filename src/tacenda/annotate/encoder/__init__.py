"""Our own small encoder: sentences, parts of speech, noun phrases, entities and phrase vectors in one pass."""

from tacenda.annotate.encoder.annotator import Encoder

__all__ = ["Encoder"]
