"""How much a term tells: information content and pointwise mutual information, in bits, from counts."""

from __future__ import annotations

import math
from collections.abc import Sequence

OTHER_WORDS = 0.2
UNKNOWN_COUNT = 0.5


def information_bits(count: float, total: int) -> float:
    """IC = -log2(count / total), paper 000 eq. 1; a count of zero is taken as one half, none goes below 0 bits.

    >>> round(information_bits(3_500_000, 11_000_000_000), 4)
    11.6179
    """
    return max(0.0, math.log2(total / (count or UNKNOWN_COUNT)))


def phrase_bits(word_bits: Sequence[float]) -> float:
    """IC(t) = max IC(w) + 0.2 * sum of the others' IC(w): a phrase tells what its rarest word tells, and a little more.

    >>> phrase_bits([4.0, 10.0, 5.0])
    11.8
    """
    if not word_bits:
        return 0.0
    top = max(word_bits)
    return top + OTHER_WORDS * (sum(word_bits) - top)


def pmi_bits(joint: int, first: int, second: int, total: int) -> float | None:
    """PMI = log2(p(a, b) / (p(a) p(b))), paper 000 eq. 2; None where they never meet or one is absent.

    >>> pmi_bits(8, 50, 20, 1000)
    3.0
    """
    if not joint or not first or not second:
        return None
    return math.log2(joint * total / (first * second))
