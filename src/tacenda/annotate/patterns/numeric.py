"""Long numbers: find each stretch of capitals, digits and joiners once, then ask every kind that could be there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.annotate.patterns import money, national, phones
from tacenda.annotate.patterns.hit import Hit

# At least six digits or capitals after the first; what is shorter is no long number.
_STRETCH = re.compile(r"[A-Z0-9+(](?<!\w.)(?:[ .()/+-]{0,2}+[A-Z0-9]){5,}+")
_DIGITS = re.compile(r"[0-9]")
_MIN_DIGITS = 6
_COUNTED = 200  # a longer stretch is looked at without counting its digits


def find(text: str) -> Iterator[Hit]:
    """Yield cards, accounts, vehicle, national and telephone numbers of a text."""
    for stretch in _STRETCH.finditer(text):
        start, end = stretch.span()
        if end - start <= _COUNTED and len(_DIGITS.findall(text, start, end)) < _MIN_DIGITS:
            continue
        # A lower-case letter may end the number ("ext. 5", check letters are capitals).
        stop = min(len(text), end + 12)
        yield from money.find(text, start, end)
        yield from national.find(text, start, end)
        yield from phones.find(text, start, end, stop)
