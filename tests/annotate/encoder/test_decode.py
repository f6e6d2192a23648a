"""Decoding on hand-made probabilities."""

import numpy as np
import pytest

from tacenda.annotate.encoder import decode

MASK = dict.fromkeys(decode.TYPES, 0.5)


def words(*rows: dict[str, float]) -> np.ndarray:
    """Rows of probabilities by name: "B-PERSON", ..., "direct", "quasi", "B" and "I" (phrase), "NOUN"; else outside."""
    out = np.zeros((len(rows), decode.WIDTH), dtype=np.float32)
    for n, row in enumerate(rows):
        for name, value in row.items():
            if name in ("quasi", "direct"):
                out[n, decode.ROLE_AT + 1 + (name == "direct")] = value
            elif name in ("B", "I"):
                out[n, decode.PHRASE_AT + 1 + (name == "I")] = value
            elif name in decode.UPOS:
                out[n, decode.UPOS.index(name)] = value
            else:
                prefix, _, kind = name.partition("-")
                out[n, decode.ENTITY_AT + 1 + 2 * decode.TYPES.index(kind) + (prefix == "I")] = value
        out[n, decode.ROLE_AT] = 1 - out[n, decode.ROLE_AT + 1 :].sum()
        out[n, decode.ENTITY_AT] = 1 - out[n, decode.ENTITY_AT + 1 : decode.ROLE_AT].sum()
        out[n, decode.PHRASE_AT] = 1 - out[n, decode.PHRASE_AT + 1 : decode.SENTENCE_AT].sum()
    return out


def test_softmax_sums_to_one_per_task():
    probabilities = decode.softmax(np.random.default_rng(0).normal(size=(5, decode.WIDTH)).astype(np.float32))
    assert probabilities[:, :17].sum(axis=1) == pytest.approx(1)
    assert probabilities[:, decode.ENTITY_AT : decode.ROLE_AT].sum(axis=1) == pytest.approx(1)
    assert probabilities[:, decode.ROLE_AT :].sum(axis=1) == pytest.approx(1)


def test_phrases():
    noun, name = {"NOUN": 0.9}, {"PROPN": 0.9}
    found = decode.phrases(words({"B": 0.9, "ADJ": 0.9}, {"I": 0.8} | noun, {"B": 0.7} | name, noun, {"I": 0.9} | noun))
    assert found == [(0, 1), (2, 2), (4, 4)]


def test_phrase_without_a_noun_is_none():
    rows = words({"B": 0.9, "ADJ": 0.9}, {"I": 0.9, "PRON": 0.6}, {"B": 0.9, "DET": 1.0}, {"I": 0.9, "NOUN": 0.8})
    assert decode.phrases(rows) == [(2, 3)]


def test_entity_with_role():
    found = decode.entities(
        words({}, {"B-PERSON": 0.9, "direct": 0.8}, {"I-PERSON": 0.9, "direct": 0.9}), entity=0.5, mask=MASK
    )
    assert [(f.first, f.last, f.label, f.role) for f in found] == [(1, 2, "PERSON", "direct")]


def test_confidence_of_what_needs_masking_starts_at_half():
    rows = words({"B-LOC": 0.9, "quasi": 0.28}, {}, {"B-LOC": 0.9, "quasi": 0.6}, {}, {"B-LOC": 0.9, "quasi": 0.1})
    found = decode.entities(rows, entity=0.5, mask=MASK | {"LOC": 0.2})
    assert [(f.role, f.confidence) for f in found] == [("quasi", 0.55), ("quasi", 0.75), ("none", 0.9)]


def test_neighbors_are_parted_by_a_beginning():
    found = decode.entities(words({"B-LOC": 0.9}, {"B-LOC": 0.9}), entity=0.5, mask=MASK)
    assert [(f.first, f.last, f.role) for f in found] == [(0, 0, "none"), (1, 1, "none")]


def test_lower_limit_never_masks_fewer_words():
    rng = np.random.default_rng(1)
    probabilities = decode.softmax(3 * rng.normal(size=(200, decode.WIDTH)).astype(np.float32))

    def masked(limit: float) -> set[int]:
        found = decode.entities(probabilities, entity=2.0, mask=dict.fromkeys(decode.TYPES, limit))
        return {n for f in found for n in range(f.first, f.last + 1)}

    assert masked(0.8) <= masked(0.5) <= masked(0.2)


def test_nothing_found():
    assert decode.entities(words({}, {}), entity=0.5, mask=MASK) == []
