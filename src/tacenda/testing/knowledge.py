"""Checks of indexes, taxonomies, vectors and search services."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tacenda import term
from tacenda.knowledge.taxonomy.complete import complete
from tacenda.language import CLASS_LABELS
from tacenda.protocols import (
    Calibrated,
    CorpusIndex,
    CountSource,
    Embeddings,
    FullTaxonomy,
    InBits,
    Joined,
    Lineage,
    OnDisk,
    ReadInSentence,
    Senses,
    Signs,
    Specializations,
    Synonyms,
    Taxonomy,
    TrainedVectors,
    Uses,
    Volumes,
)
from tacenda.testing.checks import check_digest

UNKNOWN = "qqzzxx"
_ASKED_BELOW = 2


def check_taxonomy(taxonomy: Taxonomy, terms: Iterable[str], *, readings: Iterable[Any] = ()) -> None:
    """Check rungs and whatever else the taxonomy offers; then ask it all that risk models and replacers ask.

    readings    `Mention.reading` of some mentions, for a taxonomy that tells classes by them
    """
    assert taxonomy.name, "a taxonomy needs a name"
    check_digest(taxonomy)
    if isinstance(taxonomy, ReadInSentence):
        for reading in readings:
            assert -1 <= taxonomy.class_of(reading) < len(CLASS_LABELS), "a class has a number, -1 if it is open"
    _check_medicines(taxonomy)
    for word in (*terms, UNKNOWN):
        _check_rungs(taxonomy, word)
        _check_capabilities(taxonomy, word)
        _check_complete(complete(taxonomy), word)


def _check_rungs(taxonomy: Taxonomy, word: str) -> None:
    rungs = taxonomy.generalizations(word)
    if word == UNKNOWN:
        assert not rungs, "a term nobody knows has no generalizations"
    assert list(rungs) == list(taxonomy.generalizations(word)), "the same term must give the same rungs"
    taxonomy.generalizations(word, ("words", "around", "it"))
    distances = [r.distance for r in rungs]
    assert distances == sorted(distances), "rungs must come nearest first"
    for rung in rungs:
        assert rung.name.strip(), "a rung has a name"
        assert rung.volume >= 1, "a rung covers at least one leaf"
        assert rung.bits >= 0, "bits are not negative"
        assert term.normalize(rung.name) != term.normalize(word), "a rung is not the term itself"


def _check_capabilities(taxonomy: Taxonomy, word: str) -> None:
    """Check what a taxonomy offers of its own accord."""
    if isinstance(taxonomy, Senses):
        sense = taxonomy.sense(word, ("words", "around"), prefer="wordnet")
        assert sense is None or (sense.name and sense.taxonomy), "a sense has a name and a taxonomy"
        taxonomy.generalizations(word, ("words", "around"), prefer="wordnet")
    if isinstance(taxonomy, ReadInSentence):
        around = ("words", "around")
        sure = [rung.name for rung in taxonomy.generalizations(word, around, prefer="", sure=0.9, reading=None)]
        every = [rung.name for rung in taxonomy.generalizations(word, around)]
        assert [name for name in every if name in sure] == sure, "fewer rungs are sure, never others"
    if isinstance(taxonomy, InBits):
        bits = taxonomy.bits(word)
        assert bits is None or bits >= 0, "bits are not negative; None if the term is unknown"
    if word != UNKNOWN:
        return
    if isinstance(taxonomy, Synonyms):
        assert not taxonomy.synonyms(word), "a term nobody knows has no synonyms"
    if isinstance(taxonomy, Specializations):
        assert not taxonomy.specializations(word), "a term nobody knows has no kinds"


def _check_medicines(taxonomy: Taxonomy) -> None:
    """Check what a taxonomy says of medicines and tests, and of what points to a condition."""
    if isinstance(taxonomy, Uses):
        assert not taxonomy.uses(UNKNOWN), "a medicine nobody knows has no uses"
        for stem, uses in taxonomy.stems():
            assert stem.startswith("-") or stem.endswith("-"), "a stem is an ending (-navir) or a beginning (cef-)"
            assert uses, "a stem says what its medicines are for"
    if isinstance(taxonomy, Signs):
        assert not taxonomy.signs((UNKNOWN,)), "nothing points to a condition nobody knows"
        assert not taxonomy.signs(()), "no conditions, no signs"


def _check_complete(taxonomy: FullTaxonomy, word: str) -> None:
    """Ask what risk models ask, of the taxonomy with what is added to it."""
    names = (*taxonomy.synonyms(word), *taxonomy.specializations(word))
    assert all(isinstance(name, str) and name.strip() for name in names), "synonyms and kinds are names"
    assert taxonomy.volume(word) >= 0, "a volume is a number of leaves; 0 if the term is unknown"
    rungs = taxonomy.generalizations(word)
    for rung in rungs:
        assert taxonomy.is_generalization(rung.name, word), f"the rungs say that '{rung.name}' lies above '{word}'"
        assert taxonomy.volume(rung.name) >= 0, "a volume is a number of leaves; 0 if the term is unknown"
    for rung in rungs[:_ASKED_BELOW]:  # all that is below the upper rungs is most of a taxonomy
        assert all(name.strip() for name in taxonomy.specializations(rung.name)), "kinds are names"
    assert not taxonomy.is_generalization(UNKNOWN, word), "a term nobody knows lies above nothing"
    assert isinstance(taxonomy, Volumes), "a completed taxonomy tells volumes"
    assert isinstance(taxonomy, Lineage), "a completed taxonomy tells what lies above what"


def check_index(index: CorpusIndex, terms: Sequence[str]) -> None:
    """Check windows, counts of groups, information and articles against each other; `terms` are some that it knows."""
    check_digest(index)
    for one in index.indexes if isinstance(index, Joined) else (index,):
        assert not isinstance(one, OnDisk) or one.path.is_file(), "the path of an index is its file"
    assert index.total > 0, "an index has at least one window"
    starts = np.asarray(index.article_starts)
    assert len(starts), "an index has at least one article"
    assert starts[0] == 0, "the first article starts at window 0"
    assert (np.diff(starts) > 0).all(), "article_starts must ascend"
    assert index.find(UNKNOWN).count.number is None, "the count of a term nobody knows is None"
    assert index.information(UNKNOWN) > 0, "a term nobody knows tells something"
    for word in terms:
        _check_term(index, word)
    _check_groups(index, terms)
    _check_within(index, terms)


def _check_term(index: CorpusIndex, word: str) -> None:
    found = index.find(word)
    number = found.count.number
    assert number is not None, f"'{word}' is among the terms it knows, but its count is None"
    assert 0 <= number <= index.total, "a count lies between 0 and the total"
    assert 0 <= index.information(word) < math.inf, "information is a number of bits"
    windows = np.asarray(found.windows)
    if found.everywhere:
        assert not len(windows), "the windows of a term that is everywhere are not listed"
        return
    assert len(windows) == number, "the count is the number of windows"
    assert (np.diff(windows.astype(np.int64)) > 0).all(), "windows must ascend, each once"
    assert list(index.counts([[word]])) == [number], "find and counts must agree"


def _check_groups(index: CorpusIndex, terms: Sequence[str]) -> None:
    pairs = [[a, b] for a in terms for b in terms]
    counts = index.counts(pairs)
    assert len(counts) == len(pairs), "one count for each group"
    for (a, b), count in zip(pairs, counts, strict=True):
        single = [n for n in index.counts([[a], [b]]) if n is not None]
        assert count is None or not single or count <= min(single), "a group is in no more windows than its members"
        assert count == index.counts([[b, a]])[0], "the order of a group makes no difference"
    assert list(index.counts([])) == [], "no groups, no counts"


def _check_within(index: CorpusIndex, terms: Sequence[str]) -> None:
    if not terms:
        return
    inside = index.within([terms[0]])
    assert inside.total <= index.total, "fewer windows count within a context"
    for word in terms:
        number = inside.find(word).count.number
        assert (number or 0) <= (index.find(word).count.number or 0), "no term is in more windows within a context"


def check_embeddings(embeddings: Embeddings, phrases: Sequence[str]) -> None:
    """Check that vectors have length one and the dimensions stated; `phrases` are some that have one."""
    assert embeddings.dimensions > 0, "vectors have at least one dimension"
    if isinstance(embeddings, Calibrated):
        assert -1 <= embeddings.threshold <= 1, "a threshold is a cosine"
    if isinstance(embeddings, TrainedVectors):
        assert isinstance(embeddings.trained, bool), "trained is True or False"
        assert not embeddings.whole(UNKNOWN), "a phrase nobody knows has no vector of its own"
    found = embeddings.vectors([*phrases, UNKNOWN])
    assert len(found) == len(phrases) + 1, "one vector, or None, for each phrase"
    again = embeddings.vectors([*phrases, UNKNOWN])
    for phrase, vector, other in zip(phrases, found, again, strict=False):
        assert vector is not None, f"'{phrase}' is among the phrases it knows, but has no vector"
        assert other is not None, "the same phrase must give the same vector"
        assert len(vector) == embeddings.dimensions, "a vector has the dimensions stated"
        assert math.isclose(sum(x * x for x in vector), 1.0, rel_tol=1e-3), "a vector has length one"
        assert list(vector) == list(other), "the same phrase must give the same vector"


def check_count_source(source: CountSource, terms: Sequence[str]) -> None:
    """Check a search service: numbers or None, no more for groups than for their members."""
    assert source.total > 0, "a source has at least one page"
    counts = source.counts([[word] for word in terms])
    assert len(counts) == len(terms), "one count for each group"
    assert all(n is None or 0 <= n <= source.total for n in counts), "a count lies between 0 and the total"
    if len(terms) > 1:
        (both,) = source.counts([[terms[0], terms[1]]])
        known = [n for n in counts[:2] if n is not None]
        assert both is None or not known or both <= min(known), "a group is on no more pages than its members"
    (either,) = source.counts([[tuple(terms)]])
    assert either is None or either >= 0, "a tuple of synonyms counts as one term"
