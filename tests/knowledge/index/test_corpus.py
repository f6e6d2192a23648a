from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacenda.errors import KnowledgeError
from tacenda.knowledge.index import Index, with_specializations
from tacenda.knowledge.index.term_information import information_bits, phrase_bits, pmi_bits

Make = Callable[..., Index]

TEXTS = [
    "HIV is a virus",
    "the human immunodeficiency virus spreads",
    "hearing aids for the city",
    "AIDS in cities and in a city",
    "new york is a city with news",
    "the CD4 count of an HIV-positive patient's blood",
    "Café owners in New York",
    "la vie in LA",
]


@pytest.fixture
def index(make: Make) -> Index:
    return make(TEXTS)


@pytest.mark.parametrize(
    ("term", "number", "how"),
    [
        ("HIV", 2, "exact"),
        ("hiv", 2, "exact"),  # lower case counts every case
        ("AIDS", 1, "exact"),
        ("aids", 2, "exact"),
        ("LA", 1, "exact"),
        ("city", 3, "exact"),
        ("cities", 3, "exact"),
        ("new", 2, "exact"),  # "news" is no plural of "new"
        ("new york", 2, "conjunction"),
        ("the cities of New York", 1, "conjunction"),
        ("cafe", 1, "exact"),
        ("CD4", 1, "exact"),
        ("patient", 1, "exact"),
        (("HIV", "human immunodeficiency virus"), 3, "conjunction"),
        (("HIV", "unheard"), 2, "exact"),
        ("unheard", None, "unknown"),
        ("unheard city", None, "unknown"),
        ((), None, "unknown"),
    ],
)
def test_counts_of_terms(index: Index, term: Any, number: int | None, how: str) -> None:
    found = index.count(term)
    assert (found.number, found.how, found.bound) == (number, how, "exact")


def test_groups_tell_zero_from_unknown(index: Index) -> None:
    groups = [("HIV", "virus"), ("HIV", "city"), ("HIV", "unheard"), (["HIV", "AIDS"],), ("city", "new", "york")]
    assert index.counts(groups) == [1, 0, None, 3, 1]
    assert index.counts([]) == []
    assert index.count("HIV", "city").number == 0


def test_common_words_are_no_evidence_but_keep_their_count(make: Make) -> None:
    index = make([f"the thing {n} red" if n % 2 else f"the thing {n}" for n in range(10)], most_share=0.5)
    assert index.counts([("the",), ("red",), ("the", "red"), ("the", "thing")]) == [10, 5, 5, 10]
    joint = index.count("thing", "red")
    assert (joint.number, joint.how, joint.bound) == (5, "fallback", "upper")
    assert index.count("red thing").bound == "upper"


def test_known_context_restricts_what_is_counted(index: Index) -> None:
    within = index.within(["virus", "patient"])
    assert within.total == 3
    assert within.count("HIV").number == 2
    assert within.count("city").number == 0
    with pytest.raises(KnowledgeError, match="no window contains"):
        _ = index.within(["unheard"]).total


def test_subphrases_stand_in_for_rare_phrases(index: Index) -> None:
    found = index.best_count("unheard new york", few=2)
    assert (found.number, found.how, found.of) == (2, "subphrase", "new york")
    assert index.best_count("new york", few=2).how == "conjunction"
    assert index.best_count("unheard", few=2).number is None


def test_an_index_travels_as_its_path(index: Index) -> None:
    data = pickle.dumps(index.within(["virus"]))
    assert len(data) < 400
    assert pickle.loads(data).total == 2  # noqa: S301
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(_read_in_process, str(index.path)).result() == 2


def _read_in_process(path: str) -> int | None:
    from tacenda.knowledge.index import open_index

    return open_index(path).count("HIV").number


terms = st.sampled_from(["city", "HIV", "virus", "new york", "la", "patient", "unheard", "blood", "cafe"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(terms, st.lists(terms, max_size=2), max_size=8))
def test_a_parent_is_never_more_informative_than_its_child(index: Index, parents: dict[str, list[str]]) -> None:
    for child, above in parents.items():
        for parent in above:
            low = index.count(with_specializations(child, parents)).number
            high = index.count(with_specializations(parent, parents)).number
            if low is not None:
                assert high is not None
                assert information_bits(high, index.total) <= information_bits(low, index.total)


def test_information_by_hand(index: Index) -> None:
    assert information_bits(802_000, 11_000_000_000) == pytest.approx(13.7435, abs=1e-4)
    assert phrase_bits([]) == 0
    assert pmi_bits(20, 50, 20, 1000) == pytest.approx(information_bits(50, 1000))
    assert pmi_bits(0, 50, 20, 1000) is None
    # new: 2 of 8 windows, 2 bits; york the same; unheard: half a window, 4 bits
    assert index.information("new york") == pytest.approx(2.4)
    assert index.information("unheard new york") == pytest.approx(4 + 0.2 * 4)


def test_repr_shows_the_path_only(index: Index) -> None:
    assert repr(index) == f"Index({str(index.path)!r})"
