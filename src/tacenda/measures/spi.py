"""Privacy of a released collection: the divergences and the index of paper 002.

A user's documents before (X) and after (Y) are two distributions p and q over items: documents, words, or
documents matched in part. Logarithms are to base 2, so that JSD and SPI lie between 0 and 1.

As printed, SPI weighs every item by 1 - sigma, whichever way its share changed; so withholding a sensitive
document counts for less than withholding a harmless one. No weight on divergences of shares mends that: shares are
relative, so releasing less of the harmless makes the sensitive loom larger. `spi_withheld` looks at what of the
sensitive mass is shown at all, and falls with every sensitive item released (proof in docs/measuring.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacenda.arrays.ngrams import totals

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def kld_terms(p: Floats, q: Floats) -> Floats:
    """Summands of eq. (1): p log2(p/q); 0 where p = 0, infinite where only q = 0."""
    out = np.zeros(np.broadcast(p, q).shape)
    held = p > 0
    with np.errstate(divide="ignore"):
        np.divide(p, q, out=out, where=held)
        np.log2(out, out=out, where=held)
    return np.multiply(p, out, out=out, where=held)


def kld(p: Floats, q: Floats) -> float:
    """Kullback-Leibler divergence, eq. (1); infinite where q misses an item of p."""
    return float(kld_terms(p, q).sum())


def jsd_terms(p: Floats, q: Floats) -> Floats:
    """Summands of eq. (2), each of them at least 0 by the log-sum inequality."""
    m = (p + q) / 2
    return np.maximum(0.5 * kld_terms(p, m) + 0.5 * kld_terms(q, m), 0.0)


def jsd(p: Floats, q: Floats) -> float:
    """Jensen-Shannon divergence, eq. (2).

    >>> round(jsd(np.array([.5, .5]), np.array([1., 0.])), 6)
    0.311278
    """
    return min(float(jsd_terms(p, q).sum()), 1.0)


def wkld(w: Floats, p: Floats, q: Floats) -> float:
    """Weighted Kullback-Leibler divergence, eq. (3)."""
    terms = kld_terms(p, q)
    return float((np.where(w > 0, w, 0.0) * np.where(w > 0, terms, 0.0)).sum())


def spi(sigma: Floats, p: Floats, q: Floats) -> float:
    """SPI of one user as printed: JSD weighted by 1 - sigma.

    >>> s, p = np.array([.9, .1]), np.array([.5, .5])
    >>> round(spi(s, p, np.array([0., 1.])), 5), round(spi(s, p, np.array([1., 0.])), 5)
    (0.08015, 0.23113)
    """
    return min(float(((1 - sigma) * jsd_terms(p, q)).sum()), 1.0)


def exposed(sigma: Floats, before: Floats, after: Floats) -> Floats:
    """Sensitive mass of each item that a release shows: sigma times its count, at most the count the user had."""
    return sigma * np.minimum(before, after)


def spi_withheld(sigma: Floats, before: Floats, after: Floats) -> float:
    """Index of one user that falls with every sensitive item released: JSD of suppressing the sensitive mass.

    before, after   how often the user shows each item, as counts: shares would hide how much was released

    With a = sum of sigma min(before, after) / sum of sigma before, the index is `jsd_of_suppression(a)`: 1 when no
    sensitive mass is shown, 0 when all of it is. Where all items are equally sensitive and items are only
    removed, it equals JSD. 0 for a user who had nothing sensitive to lose.

    >>> s, had = np.array([.9, .1]), np.array([5., 5.])
    >>> round(spi_withheld(s, had, np.array([0., 5.])), 4), round(spi_withheld(s, had, np.array([5., 0.])), 4)
    (0.7583, 0.0519)
    """
    mass = float((sigma * before).sum())
    return jsd_of_suppression(float(exposed(sigma, before, after).sum()) / mass) if mass > 0 else 0.0


def jsd_of_suppression(surviving: float) -> float:
    """JSD when documents are only removed and a share `surviving` of a user's impressions is left.

    ½ [1 - a + a log2(2a / (1 + a)) + log2(2 / (1 + a))]; the limit at a = 0 is 1.

    >>> [round(jsd_of_suppression(a), 6) for a in (.9, .5, .25, .1, .01, 0, 1)]
    [0.051899, 0.311278, 0.548795, 0.758277, 0.959531, 1.0, 0.0]
    """
    a = surviving
    if a <= 0:
        return 1.0
    return 0.5 * (1 - a + a * math.log2(2 * a / (1 + a)) + math.log2(2 / (1 + a)))


def pel(p: Floats, q: Floats) -> float:
    """Profile Exposure Level in percent, eq. (4), of one user.

    A released item that the user wrote tells exactly itself, p(x|y) = 1 for x = y; another tells nothing,
    p(x|y) = p(x). So I = sum of q log2(1/p) over the items shared, and PEL = 100 I / H(X). It passes 100 when
    the release keeps a user's rarer items. Not a number where H(X) = 0.
    """
    entropy = float(-kld_terms(p, np.ones_like(p)).sum())
    if entropy <= 0:
        return math.nan
    shared = p > 0
    information = float((q[shared] * -np.log2(p[shared])).sum())
    return 100 * information / entropy + 0.0


@dataclass(frozen=True)
class Profiles:
    """The users' distributions before and after, one row for each (user, item) held in either.

    original, shown     how many items each user had, and shows now
    """

    user: Ints = field(repr=False)
    item: Ints = field(repr=False)
    p: Floats = field(repr=False)
    q: Floats = field(repr=False)
    original: Floats = field(repr=False)
    shown: Floats = field(repr=False)


@dataclass(frozen=True)
class Counted:
    """How often each user shows each item: rows of one side of a comparison."""

    user: Ints = field(repr=False)
    item: Ints = field(repr=False)
    count: Floats = field(repr=False)


def profiles(before: Counted, after: Counted, *, users: int, items: int) -> Profiles:
    """Turn counts into P(d|X_u) and P(d|Y_u) by frequency."""
    x_keys, x = _summed(before, items)
    y_keys, y = _summed(after, items)
    union = np.union1d(x_keys, y_keys)
    p, q = np.zeros(len(union)), np.zeros(len(union))
    p[np.searchsorted(union, x_keys)] = x
    q[np.searchsorted(union, y_keys)] = y
    user = union // items
    total_p = totals(user, p, users)
    total_q = totals(user, q, users)
    p /= np.where(total_p > 0, total_p, 1)[user]
    q /= np.where(total_q > 0, total_q, 1)[user]
    return Profiles(user, union % items, p, q, total_p, total_q)


def _summed(side: Counted, items: int) -> tuple[Ints, Floats]:
    key, inverse = np.unique(side.user * items + side.item, return_inverse=True)
    return key, totals(inverse, side.count, len(key))


@dataclass(frozen=True)
class Privacy:
    """What a release gives: means over users, and JSD and both indices user by user.

    kld, wkld       mean over the users for whom they are finite; the others are counted apart
    pel             percent, mean over the users with more than one distinct item
    impressions     percent of the original's documents (words, at word level) that were released
    """

    spi_printed: float
    spi_withheld: float
    jsd: float
    kld: float
    wkld: float
    kld_infinite_users: int
    pel: float
    impressions: float
    users: int
    users_without_release: int
    by_user: ByUser = field(repr=False)

    def to_json(self) -> dict[str, float | int | None]:
        """Numbers only; not-a-number becomes null."""
        shown = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "by_user"}
        return {k: (None if isinstance(v, float) and not math.isfinite(v) else v) for k, v in shown.items()}


@dataclass(frozen=True)
class ByUser:
    """Every measure user by user; infinite or not a number where it is not defined."""

    jsd: Floats = field(repr=False)
    spi_printed: Floats = field(repr=False)
    spi_withheld: Floats = field(repr=False)
    kld: Floats = field(repr=False)
    wkld: Floats = field(repr=False)
    pel: Floats = field(repr=False)
    released: npt.NDArray[np.bool_] = field(repr=False)
    shown: Floats = field(repr=False)
    original: Floats = field(repr=False)


def by_user(held: Profiles, sigma: Floats) -> ByUser:
    """Compute every measure of paper 002 for all users at once; `sigma` is the sensitivity of each item."""
    users = len(held.shown)

    def total(terms: Floats) -> Floats:
        return totals(held.user, terms, users)

    s = sigma[held.item]
    terms = jsd_terms(held.p, held.q)
    released = held.shown > 0
    plain, printed = total(terms), total((1 - s) * terms)
    withheld = _withheld_by_user(held, s)
    for values in (plain, printed):
        values[~released] = 1.0  # nothing released: 1 by convention, the limit of JSD
        np.minimum(values, 1.0, out=values)
    divergence = kld_terms(held.p, held.q)
    missing = total((~np.isfinite(divergence)).astype(np.float64)) > 0
    finite = np.where(np.isfinite(divergence), divergence, 0.0)
    kld_of, wkld_of = total(finite), total((1 - s) * finite)
    kld_of[missing] = wkld_of[missing] = math.inf
    return ByUser(plain, printed, withheld, kld_of, wkld_of, _pel_by_user(held), released, held.shown, held.original)


def _withheld_by_user(held: Profiles, sigma: Floats) -> Floats:
    users = len(held.shown)
    before, after = held.p * held.original[held.user], held.q * held.shown[held.user]
    mass = totals(held.user, sigma * before, users)
    shown = totals(held.user, exposed(sigma, before, after), users)
    shares = np.minimum(shown / np.where(mass > 0, mass, 1.0), 1.0)
    return np.array([jsd_of_suppression(a) if m > 0 else 0.0 for a, m in zip(shares, mass, strict=True)])


def _pel_by_user(held: Profiles) -> Floats:
    bits = np.zeros(len(held.p))
    np.log2(held.p, out=bits, where=held.p > 0)
    entropy = totals(held.user, -held.p * bits, len(held.shown))
    information = totals(held.user, -held.q * bits, len(held.shown))
    known = entropy > 1e-12
    return np.where(known, 100 * information / np.where(known, entropy, 1.0), math.nan)


def summarize(parts: Sequence[ByUser]) -> Privacy:
    """Average over all users of all parts."""
    fields = ByUser.__dataclass_fields__
    every = ByUser(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in fields})
    finite = np.isfinite(every.kld)
    return Privacy(
        spi_printed=_mean(every.spi_printed),
        spi_withheld=_mean(every.spi_withheld),
        jsd=_mean(every.jsd),
        kld=_mean(every.kld[finite]),
        wkld=_mean(every.wkld[finite]),
        kld_infinite_users=int((~finite).sum()),
        pel=_mean(every.pel[~np.isnan(every.pel)]),
        impressions=100 * float(every.shown.sum() / every.original.sum()),
        users=len(finite),
        users_without_release=int((~every.released).sum()),
        by_user=every,
    )


def assess(held: Profiles, sigma: Floats) -> Privacy:
    """Measure a release whose profiles fit into memory at once."""
    return summarize([by_user(held, sigma)])


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan
