"""Ages: those over 89 become one class, others a span of ten years."""

from __future__ import annotations

import math

from tacenda.language import read_age
from tacenda.model import Candidate

# Ages that stand alone in a class because few people reach them (the rule of HIPAA's safe harbor).
OLDEST = 89
_HYPHENS = ("-", "‐", "‑")
_BITS = math.log2(90)


def age_candidates(text: str) -> list[Candidate]:
    """Return coarser ages, nearest first; nothing where the text holds no age in years.

    >>> [age_candidates(t)[0].text for t in ("aged 93", "45-year-old", "forty-five years old")]
    ['aged over 89', '40-to-49-year-old', '40 to 49 years old']
    """
    age = read_age(text)
    if age is None:
        return []
    start, end = age.number
    hyphen = text[end : end + 1] in _HYPHENS
    if age.value > OLDEST:
        made, bits = f"over-{OLDEST}" if hyphen else f"over {OLDEST}", 1.0
    else:
        low = age.value // 10 * 10
        made, bits = f"{low}-to-{low + 9}" if hyphen else f"{low} to {low + 9}", math.log2(10)
    return [Candidate(text[:start] + made + text[end:], "date", min(bits, _BITS))]
