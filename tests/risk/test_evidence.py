"""The binomial bounds against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.risk.evidence import ONE, SupportTable, integer_root, is_beyond_chance, tail, theta_scaled

LEVEL = Fraction(1, 20)
SHARES = st.fractions(min_value=Fraction(1, 500), max_value=Fraction(99, 100), max_denominator=500)


def exact_tail(n: int, x: int, share: Fraction) -> Fraction:
    return sum((comb(n, j) * share**j * (1 - share) ** (n - j) for j in range(x, n + 1)), Fraction(0))


@given(st.integers(0, 60), st.integers(0, 61), SHARES)
def test_tail_is_exact_to_many_places(n, x, share):
    assert abs(Fraction(tail(n, x, share), ONE) - exact_tail(n, x, share)) < Fraction(1, 10**60)


def test_tail_at_the_ends():
    assert tail(5, 0, Fraction(1, 3)) == tail(5, 5, Fraction(1)) == ONE
    assert tail(5, 6, Fraction(1, 3)) == tail(5, 1, Fraction(0)) == 0


@settings(max_examples=40)
@given(SHARES, st.integers(1, 80))
def test_support_table_is_the_least_that_suffices(share, count):
    need = SupportTable(share, LEVEL).need(count)
    assert exact_tail(count, need, share) <= LEVEL
    assert need == 0 or exact_tail(count, need - 1, share) > LEVEL


@given(SHARES)
def test_support_never_decreases_and_does_not_depend_on_the_order_of_questions(share):
    grown = SupportTable(share, LEVEL)
    grown.need(300)
    needs = [grown.need(n) for n in range(1, 300)]
    assert needs == sorted(needs)
    assert [SupportTable(share, LEVEL).need(n) for n in (1, 7, 299)] == [needs[0], needs[6], needs[298]]


def test_at_full_disclosure_every_window_must_hold_the_entity():
    assert SupportTable(Fraction(1), LEVEL).need(17) == 17


@given(st.integers(0, 10**30), st.integers(1, 7))
def test_integer_root(value, degree):
    root = integer_root(value, degree)
    assert root**degree <= value < (root + 1) ** degree


def test_integer_root_refuses_nonsense():
    with pytest.raises(ValueError, match="negative"):
        integer_root(-1, 2)


@given(st.integers(1, 1000), st.integers(1, 1000), st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2)]))
def test_theta_is_rounded_down(secret, more, alpha):
    total = secret + more
    scaled = theta_scaled(secret, total, alpha)
    p, q = alpha.numerator, alpha.denominator
    true_power = Fraction(secret, total) ** (p - q)
    assert Fraction(scaled, 1 << 64) ** p <= true_power < Fraction(scaled + 1, 1 << 64) ** p


def test_chance_by_hand():
    # Two of two windows, where one window in a hundred holds the entity: chance 1 in 10,000.
    assert is_beyond_chance(2, 2, 1, 100, Fraction(1, 9_999))
    assert not is_beyond_chance(2, 2, 1, 100, Fraction(1, 10_001))
