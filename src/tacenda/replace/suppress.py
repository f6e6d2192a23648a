"""`suppress`: a mask of constant form, so that its length tells nothing."""

from __future__ import annotations

from collections.abc import Iterable

from tacenda.model import Candidate, Context, Mention

MASK = "[...]"


class Suppress:
    """Replace a mention by the same mask whatever it was."""

    name = "suppress"

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the mask."""
        return [Candidate(MASK, "suppress")]
