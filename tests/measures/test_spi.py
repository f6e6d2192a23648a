"""Paper 002: goldens, proofs as properties, hand-computed numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.measures import spi
from tacenda.measures.spi import Counted, assess, jsd_of_suppression, profiles

SIGMA, P = np.array([0.9, 0.1]), np.array([0.5, 0.5])
HARMLESS_ONLY, SENSITIVE_ONLY = np.array([0.0, 1.0]), np.array([1.0, 0.0])


@st.composite
def two_distributions(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = draw(st.integers(1, 8))
    counts = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    p, q = (np.array(draw(counts.filter(any)), dtype=float) for _ in "pq")
    sigma = np.array(draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)))
    return sigma, p / p.sum(), q / q.sum()


@pytest.mark.parametrize(
    ("surviving", "expected"), [(0.9, 0.051899), (0.5, 0.311278), (0.25, 0.548795), (0.1, 0.758277), (0.01, 0.959531)]
)
def test_golden_values_under_suppression(surviving: float, expected: float) -> None:
    assert jsd_of_suppression(surviving) == pytest.approx(expected, abs=5e-7)
    kept = round(surviving * 100)
    p = np.full(100, 0.01)
    q = np.where(np.arange(100) < kept, 1 / kept, 0.0)
    assert spi.jsd(p, q) == pytest.approx(expected, abs=5e-7)


def test_printed_index_prefers_the_wrong_release_and_that_of_what_is_withheld_does_not() -> None:
    assert spi.spi(SIGMA, P, HARMLESS_ONLY) == pytest.approx(0.08015, abs=5e-6)
    assert spi.spi(SIGMA, P, SENSITIVE_ONLY) == pytest.approx(0.23113, abs=5e-6)
    # by hand: a tenth of the sensitive mass is shown, and nine tenths
    had = np.array([5.0, 5.0])
    assert spi.spi_withheld(SIGMA, had, np.array([0.0, 5.0])) == pytest.approx(jsd_of_suppression(0.1), abs=1e-12)
    assert spi.spi_withheld(SIGMA, had, np.array([5.0, 0.0])) == pytest.approx(jsd_of_suppression(0.9), abs=1e-12)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8),
    st.integers(0, 7),
)
def test_releasing_more_that_is_sensitive_never_raises_the_index(drawn: list[tuple[float, int, int]], at: int) -> None:
    sigma, before, after = (np.array(column, dtype=float) for column in zip(*drawn, strict=True))
    at %= len(sigma)
    more = after.copy()
    more[at] += 1
    low, high = spi.spi_withheld(sigma, before, more), spi.spi_withheld(sigma, before, after)
    assert -1e-12 <= low <= high + 1e-12 <= 1 + 2e-12
    if sigma[at] > 1e-6 and after[at] < before[at]:
        assert low < high


def test_no_mix_of_two_documents_prefers_the_sensitive_one() -> None:
    """Releases of up to 12 copies of each: swapping a harmless copy for a sensitive one never looks better."""
    had = np.array([12.0, 12.0])
    for sensitive in range(12):
        for harmless in range(1, 13):
            fewer = spi.spi_withheld(SIGMA, had, np.array([sensitive + 1.0, harmless - 1.0]))
            assert fewer < spi.spi_withheld(SIGMA, had, np.array([float(sensitive), float(harmless)]))


@given(two_distributions())
def test_bounds(drawn: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    sigma, p, q = drawn
    jsd = spi.jsd(p, q)
    assert 0 <= spi.spi(sigma, p, q) <= jsd + 1e-12 <= 1 + 1e-12
    assert spi.jsd(q, p) == pytest.approx(jsd, abs=1e-12)


@given(two_distributions())
def test_identity_and_harmless(drawn: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    sigma, p, q = drawn
    assert spi.spi(sigma, p, p) == 0
    assert spi.spi_withheld(sigma, p, p) == pytest.approx(0, abs=1e-9)
    assert spi.spi(np.zeros_like(p), p, q) == pytest.approx(spi.jsd(p, q), abs=1e-12)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=8), st.data())
def test_closed_form_under_suppression(counts: list[int], data: st.DataObject) -> None:
    x = np.array(counts, dtype=float)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(x), max_size=len(x)).filter(any)))
    y = np.where(keep, x, 0.0)
    assert spi.jsd(x / x.sum(), y / y.sum()) == pytest.approx(jsd_of_suppression(y.sum() / x.sum()), abs=1e-12)


def test_kld_by_hand() -> None:
    p, q = np.array([0.5, 0.5]), np.array([0.25, 0.75])
    assert spi.kld(p, q) == pytest.approx(0.5 * 1 + 0.5 * math.log2(2 / 3))
    assert spi.wkld(np.array([1.0, 0.0]), p, q) == pytest.approx(0.5)
    assert spi.kld(p, np.array([1.0, 0.0])) == math.inf
    assert spi.wkld(np.array([1.0, 0.0]), p, np.array([1.0, 0.0])) == pytest.approx(-0.5)


def test_pel_by_hand() -> None:
    p = np.array([0.5, 0.25, 0.25])
    assert spi.pel(p, p) == pytest.approx(100)
    assert spi.pel(p, np.array([1.0, 0, 0])) == pytest.approx(100 * 1 / 1.5)
    assert spi.pel(p, np.array([0, 1.0, 0])) == pytest.approx(100 * 2 / 1.5)  # keeps the rarer: over 100
    assert math.isnan(spi.pel(np.array([1.0]), np.array([1.0])))


@given(two_distributions(), two_distributions())
def test_all_users_at_once_equal_one_by_one(
    first: tuple[np.ndarray, np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    items = 8
    sigma = np.zeros(items)
    sigma[: len(second[0])] = second[0]
    sigma[: len(first[0])] = first[0]
    sides = []
    for which in (1, 2):
        user = np.repeat([0, 1], [len(first[0]), len(second[0])])
        item = np.concatenate([np.arange(len(first[0])), np.arange(len(second[0]))])
        sides.append(Counted(user, item, np.concatenate([first[which], second[which]])))
    found = assess(profiles(*sides, users=2, items=items), sigma)
    singles = [(sigma[: len(p)], p, q) for _, p, q in (first, second)]
    assert found.jsd == pytest.approx(np.mean([spi.jsd(p, q) for _, p, q in singles]), abs=1e-9)
    assert found.spi_printed == pytest.approx(np.mean([spi.spi(*one) for one in singles]), abs=1e-9)
    assert found.spi_withheld == pytest.approx(np.mean([spi.spi_withheld(*one) for one in singles]), abs=1e-9)
    pels = [value for _, p, q in singles if not math.isnan(value := spi.pel(p, q))]
    assert (math.isnan(found.pel) and not pels) or found.pel == pytest.approx(np.mean(pels), abs=1e-6)
    klds = [value for _, p, q in singles if math.isfinite(value := spi.kld(p, q))]
    assert found.kld_infinite_users == 2 - len(klds)
    assert (not klds and math.isnan(found.kld)) or found.kld == pytest.approx(np.mean(klds), abs=1e-9)


def test_nothing_released_is_one_by_convention() -> None:
    x = Counted(np.array([0, 1]), np.array([0, 0]), np.ones(2))
    y = Counted(np.array([0]), np.array([0]), np.ones(1))
    found = assess(profiles(x, y, users=2, items=1), np.array([0.7]))
    assert found.by_user.spi_printed.tolist() == [0.0, 1.0]
    assert (found.jsd, found.users_without_release, found.impressions) == (0.5, 1, 50.0)
    assert found.to_json()["pel"] is None
