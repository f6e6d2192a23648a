"""Several indexes taken as one count as the index of everything would."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacenda.errors import KnowledgeError, UsageError
from tacenda.knowledge import open_index
from tacenda.knowledge.index import BuildOptions, CombinedIndex, Index, build_index

WORDS = ("HIV", "condom", "river", "bank", "city")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=2, max_size=12)


def make(path: Path, texts: list[str], **options: object) -> Index:
    build_index(path, enumerate(texts), options=BuildOptions(processes=1, **options))  # type: ignore[arg-type]
    return Index(path)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=TEXTS, cut=st.integers(1, 11))
def test_counts_windows_and_information_are_those_of_one_index(
    tmp_path: Path, texts: list[list[str]], cut: int
) -> None:
    # A number of its own in every text: no window is a duplicate, which two indexes would count twice.
    lines = [f"{' '.join(words)} x{n}" for n, words in enumerate(texts)]
    cut = min(cut, len(lines) - 1)
    both = CombinedIndex([make(tmp_path / "a.tix", lines[:cut]), make(tmp_path / "b.tix", lines[cut:])])
    whole = make(tmp_path / "ab.tix", lines)
    assert both.total == whole.total
    groups = [(a, b) for a in WORDS for b in WORDS]
    assert [n or 0 for n in both.counts(groups)] == [n or 0 for n in whole.counts(groups)]
    for word in (*WORDS, "unheard"):
        assert np.array_equal(both.find(word).windows, whole.find(word).windows)
        assert both.find(word).count == whole.find(word).count
        assert both.information(word) == pytest.approx(whole.information(word))
    assert np.array_equal(both.article_starts, whole.article_starts)


def test_known_context_and_what_cannot_be_combined(tmp_path: Path) -> None:
    a = make(tmp_path / "a.tix", ["HIV test", "HIV river", "bank"])
    b = make(tmp_path / "b.tix", ["river bank", "river city"])
    both = CombinedIndex([a, b])
    inside = both.within(["river"])
    assert inside.total == 3
    assert inside.find("HIV").count.number == 1
    assert inside.counts([("river", "city")]) == [1]
    assert both.within(["HIV"]).total == 2  # b holds none and is left out
    with pytest.raises(KnowledgeError, match="known context"):
        _ = both.within(["unheard"]).total
    assert both.digest not in (a.digest, b.digest)
    assert both.digest != CombinedIndex([b, a]).digest
    other = make(tmp_path / "c.tix", ["HIV test"], unit="document")
    with pytest.raises(UsageError, match="different units"):
        CombinedIndex([a, other])


def test_the_english_index_goes_by_its_name(tmp_path: Path) -> None:
    make(tmp_path / "a.tix", ["glimmerol cures"])
    both = open_index("english", str(tmp_path / "a.tix"))
    assert both.total == open_index().total + 1
    assert both.find("glimmerol").count.number == 1
    assert both.find("the").everywhere  # too common in one of them: no evidence in all
    assert both.information("glimmerol") == pytest.approx(np.log2(both.total))
