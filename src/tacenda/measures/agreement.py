"""Agreement between annotators, and between two groupings of the same documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacenda.errors import UsageError


def fleiss_kappa(counts: npt.ArrayLike) -> float:
    """Fleiss' kappa: row i tells how many raters put item i into each category; a row needs two raters or more.

    P_i = (sum of n_ij² - n_i) / (n_i (n_i - 1)), P_e = sum of the squared shares of the categories,
    kappa = (mean P_i - P_e) / (1 - P_e). Where all raters always choose one category it is 1.

    >>> round(fleiss_kappa([[2, 0], [1, 1], [0, 2]]), 4)
    0.3333
    """
    table = np.asarray(counts, dtype=np.float64)
    raters = table.sum(axis=1)
    if table.ndim != 2 or not len(table) or (raters < 2).any():
        raise UsageError("Fleiss' kappa needs at least one item, and two raters for every item")
    observed = float((((table**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())
    expected = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return 1.0 if expected >= 1 else (observed - expected) / (1 - expected)


def adjusted_rand(left: Sequence[int], right: Sequence[int]) -> float:
    """Adjusted Rand index of two groupings of the same items: 1 the same, about 0 by chance.

    >>> adjusted_rand([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    """
    if len(left) != len(right):
        raise UsageError(f"groupings of {len(left)} and {len(right)} items cannot be compared")
    _, a = np.unique(left, return_inverse=True)
    _, b = np.unique(right, return_inverse=True)
    if not len(a):
        return 1.0
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)

    def pairs(values: npt.NDArray[np.float64]) -> float:
        return float((values * (values - 1) / 2).sum())

    together, in_a, in_b = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    every = len(left) * (len(left) - 1) / 2
    expected = in_a * in_b / every if every else 0.0
    most = (in_a + in_b) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)
