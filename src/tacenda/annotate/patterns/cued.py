"""What only the words beside it make somebody's: initials, months that are also names, children, accounts in paths."""

from __future__ import annotations

from collections.abc import Iterator

from tacenda.annotate.patterns.hit import LIKELY, VALID, Hit
from tacenda.language import (
    ACCOUNT_IN_PATH,
    CHILD_OF,
    INITIALS,
    INITIALS_AFTER,
    NO_ACCOUNTS,
    NO_INITIALS,
    NOBODY,
    UNSURE_MONTH,
)


def find(text: str) -> Iterator[Hit]:
    """Yield what stands beside such words."""
    for after in INITIALS_AFTER.finditer(text):
        letters = list(INITIALS.finditer(text, *after.span(1)))
        if any(one[0] not in NO_INITIALS for one in letters):
            yield from (Hit(*one.span(), "PERSON", VALID) for one in letters if one[0] not in NOBODY)
    for month in UNSURE_MONTH.finditer(text):
        yield Hit(*month.span(1), "DATETIME", VALID, "quasi")
    for child in CHILD_OF.finditer(text):
        if not child[1].isupper():
            yield Hit(*child.span(1), "PERSON", LIKELY)
    for account in ACCOUNT_IN_PATH.finditer(text):
        if account[1].lower() not in NO_ACCOUNTS:
            yield Hit(*account.span(1), "PERSON", VALID)
