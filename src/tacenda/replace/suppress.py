"""`suppress`: a mask of constant form, so that its length tells nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from tacenda.errors import UsageError
from tacenda.model import Candidate, Context, Mention

MASK = "[...]"
_CLAUSES = ("drop", "mark", "keep")


class Suppress:
    """Replace a mention by the same mask whatever it was.

    clauses     what becomes of a clause of which little but masks would be left (", who won ... in ...,"): "drop" it,
                "mark" its place with one mask, or "keep" what is left
    """

    name = "suppress"

    def __init__(self, *, clauses: Literal["drop", "mark", "keep"] = "drop") -> None:
        if clauses not in _CLAUSES:
            raise UsageError(f"clauses is '{clauses}'. Available: {', '.join(_CLAUSES)}.")
        self.clauses = clauses

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the mask."""
        return [Candidate(MASK, "suppress")]
