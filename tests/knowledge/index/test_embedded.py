"""The English index that comes with the package."""

from __future__ import annotations

import time

import pytest

from tacenda.knowledge.index import open_index
from tacenda.knowledge.index.corpus import EMBEDDED
from tacenda.knowledge.index.term_information import information_bits, pmi_bits


def test_it_is_whole_small_and_licensed() -> None:
    index = open_index()
    index.verify()
    assert EMBEDDED.stat().st_size <= 30_000_000
    assert "fingerprints" not in index._file.sections
    assert (EMBEDDED.parent / "LICENSE").read_text().startswith("english.tix is licensed under the Creative Commons")
    assert "Wikipedia" in (EMBEDDED.parent / "NOTICE").read_text()


def test_it_opens_quickly() -> None:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        open_index()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.05


def test_what_goes_with_hiv_ranks_as_it_should() -> None:
    index = open_index()
    entity = index.count("HIV").number
    assert entity is not None
    assert information_bits(entity, index.total) == pytest.approx(9.72, abs=0.05)
    bits = []
    for term in ("antiretroviral", "AIDS", "condom", "tuberculosis", "influenza", "patient"):
        alone, joint = index.count(term).number, index.count("HIV", term).number
        assert alone is not None
        assert joint is not None
        bits.append(pmi_bits(joint, entity, alone, index.total) or 0.0)
    assert bits == sorted(bits, reverse=True)
    assert bits[0] == pytest.approx(9.31, abs=0.05)
    assert index.count("HIV", "bicycle").number == 0
    assert index.count("catholicism").number < (index.count(("catholicism", "catholic")).number or 0) / 5


def test_common_words_have_a_count_but_no_say() -> None:
    index = open_index()
    assert index.count("other").how == "exact"
    assert index.count("HIV", "other").bound == "upper"
    assert index.counts([("HIV", "other")]) == [index.count("HIV").number]
