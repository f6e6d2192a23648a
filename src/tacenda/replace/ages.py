"""Ages: those over 89 become one class, others a span of ten years."""

from __future__ import annotations

import math
import re

from tacenda.model import Candidate

_AGE = re.compile(
    r"(?<![\d.,])(?P<age>\d{1,3})(?!\d|[.,]\d)(?![ ‐‑-]?(?:months?|weeks?|days?|mo)\b)"
    r"(?P<unit>[ ‐‑-]?(?:years?|yrs?|y)[ ‐‑-]?(?:old|o)?|[ -]?y/?o)?",
    re.IGNORECASE,
)
# Ages that stand alone in a class because few people reach them (the rule of HIPAA's safe harbor).
_HYPHENS = ("-", "‐", "‑")
OLDEST = 89
_BITS = math.log2(90)


def age_candidates(text: str) -> list[Candidate]:
    """Return coarser ages, nearest first; nothing where the text holds no age in digits.

    >>> [c.text for c in age_candidates("aged 93")], [c.text for c in age_candidates("45-year-old")]
    (['aged over 89'], ['40-to-49-year-old'])
    """
    match = _AGE.search(text)
    if match is None or not 0 < int(match["age"]) < 130:
        return []
    age, unit = int(match["age"]), match["unit"] or ""
    if age > OLDEST:
        made, bits = f"over-{OLDEST}" if unit.startswith(_HYPHENS) else f"over {OLDEST}", 1.0
    else:
        low = age // 10 * 10
        made, bits = f"{low}-to-{low + 9}" if unit.startswith(_HYPHENS) else f"{low} to {low + 9}", math.log2(10)
    return [Candidate(text[: match.start()] + made + unit + text[match.end() :], "date", min(bits, _BITS))]
