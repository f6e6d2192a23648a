from __future__ import annotations

import pytest

from tacenda.errors import UsageError
from tacenda.measures.agreement import adjusted_rand, fleiss_kappa

# Fleiss 1971, as worked through in textbooks: 10 subjects, 14 raters, 5 categories, kappa 0.210
TABLE = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_kappa() -> None:
    assert fleiss_kappa(TABLE) == pytest.approx(0.210, abs=5e-4)
    assert fleiss_kappa([[3, 0], [0, 3]]) == 1
    assert fleiss_kappa([[2, 0], [2, 0]]) == 1
    with pytest.raises(UsageError, match="two raters"):
        fleiss_kappa([[1, 0]])


def test_adjusted_rand() -> None:
    assert adjusted_rand([0, 0, 1, 1], [1, 1, 0, 0]) == 1
    assert adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(-0.5)
    assert adjusted_rand([0, 0, 0], [1, 1, 1]) == 1
    with pytest.raises(UsageError, match="2 and 1 items"):
        adjusted_rand([0, 1], [0])
