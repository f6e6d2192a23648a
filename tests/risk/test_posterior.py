"""Alpha from what a reader may believe: 001 leaves the choice of alpha to the user, in a unit nobody thinks in."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import Policy, PolicyError
from tacenda.risk.formulas import alpha_for_posterior, theta

shares = st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000)


@given(st.integers(1, 10**5), shares)
def test_the_reader_stays_below_the_posterior(secret: int, posterior: Fraction) -> None:
    total = 10**6
    alpha = alpha_for_posterior(secret, total, posterior)
    assert 1 <= alpha <= 20
    if alpha < 20:
        assert theta(secret, total, alpha) <= posterior * (1 + 1e-6)
    if posterior <= Fraction(secret, total):
        assert alpha == 20  # not even what everybody believes beforehand is tolerated


@given(st.integers(1, 10**5), shares, shares)
def test_a_lower_posterior_hides_at_least_as_much(secret: int, one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    assert alpha_for_posterior(secret, 10**6, low) >= alpha_for_posterior(secret, 10**6, high)


@given(shares, shares, st.integers(1, 10**5))
def test_a_suspicious_reader_is_told_less(prior: Fraction, posterior: Fraction, secret: int) -> None:
    total = 10**6
    alpha = alpha_for_posterior(secret, total, posterior, prior)
    base = Fraction(secret, total)
    if prior > base:
        assert alpha >= alpha_for_posterior(secret, total, posterior)
    if 1 < alpha < 20:
        # by hand: the evidence that alpha allows moves this reader's prior just to the posterior, no further
        allowed = theta(secret, total, alpha)
        ratio = allowed / (1 - allowed) * (1 - base) / base
        odds = ratio * float(prior / (1 - prior))
        assert odds / (1 + odds) <= posterior + 1e-6


def test_in_a_policy() -> None:
    text = 'name = "x"\n[[protect]]\nentity = "HIV"\n'
    (entry,) = Policy.from_text(text + "posterior = 0.2\nprior = 0.01").protect
    assert (entry.posterior, entry.prior) == (Fraction(1, 5), Fraction(1, 100))
    for wrong in ("posterior = 2", "posterior = 0.2\nalpha = 2", "prior = 0.1", 'posterior = "much"'):
        with pytest.raises(PolicyError):
            Policy.from_text(text + wrong)
