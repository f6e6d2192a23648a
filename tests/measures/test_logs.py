from __future__ import annotations

import numpy as np
import pytest

from tacenda.errors import UsageError
from tacenda.measures.collection import logs_of
from tacenda.measures.logs import (
    contains_word,
    distinct_users,
    k_anonymous,
    k_for_share,
    nested_releases,
    sweep_k,
    sweep_strategies,
)

LOG, _ = logs_of({"a": ["x", "x", "y"], "b": ["x", "z"], "c": ["x", "y"]})  # x: 3 users, y: 2, z: 1


def test_k_anonymity_counts_users_not_documents() -> None:
    assert distinct_users(LOG).tolist() == [3, 2, 1]
    assert len(k_anonymous(LOG, 1)) == 7
    assert {LOG.texts[i] for i in k_anonymous(LOG, 2).text} == {"x", "y"}
    assert {LOG.texts[i] for i in k_anonymous(LOG, 3).text} == {"x"}
    assert len(k_anonymous(LOG, 4)) == 0
    with pytest.raises(UsageError, match="k is 0"):
        k_anonymous(LOG, 0)


def test_k_for_share() -> None:
    assert [k_for_share(LOG, share) for share in (1.0, 6 / 7, 0.6, 0.1)] == [1, 2, 3, 4]


def test_releases_are_nested_and_filled() -> None:
    small, large = nested_releases(LOG, np.array([True, True, False]), [0.3, 1.0], seed=1)
    assert (len(small), len(large)) == (2, 6)
    shown = [sorted(zip(r.user.tolist(), r.text.tolist(), strict=True)) for r in (small, large)]
    assert all(row in shown[1] for row in shown[0])
    assert 2 not in large.text


def test_private_words() -> None:
    assert contains_word(["Dr. Smith's", "rain", "new york hotel"], ["smith", "New York"]).tolist() == [
        True,
        False,
        True,
    ]


def test_sweeps() -> None:
    sigma = np.array([0.0, 0.5, 1.0])
    curve = sweep_k(LOG, sigma, [1, 2, 3])
    assert curve["SPI as printed"][0] == curve["JSD"][0] == 0
    assert curve["JSD"] == sorted(curve["JSD"])
    assert curve["impressions / 100"] == pytest.approx([1, 6 / 7, 4 / 7])
    found = sweep_strategies(LOG, sigma, np.array([False, False, True]), [0.2, 0.5], withheld=True)
    assert set(found) == {"no PPP", "only PPP", "k-anonymous"}
    assert [len(found[name]) for name in ("no PPP", "only PPP", "k-anonymous")] == [2, 2, 0]  # no k shows so little
