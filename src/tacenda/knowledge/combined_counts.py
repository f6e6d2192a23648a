"""Counts from several collections taken as one."""

from __future__ import annotations

from collections.abc import Sequence

from tacenda.errors import UsageError
from tacenda.protocols import CorpusIndex


class CombinedCounts:
    """Adds the counts of several sources, as if their collections were one.

    A group is unknown only if no source knows it; a source that does not know it adds nothing. Windows that two
    collections share are counted twice: merge indexes (`tacenda index build --add-to`) where that matters.
    """

    def __init__(self, sources: Sequence[CorpusIndex]) -> None:
        if not sources:
            raise UsageError("combined counts: name at least one source.")
        self.sources = tuple(sources)

    @property
    def total(self) -> int:
        """Windows of all sources together."""
        return sum(source.total for source in self.sources)

    def counts(self, groups: Sequence[Sequence[str]]) -> list[int | None]:
        """Sum of the counts of each group over the sources that know it."""
        answers = [source.counts(groups) for source in self.sources]
        return [_sum(numbers) for numbers in zip(*answers, strict=True)]


def _sum(numbers: Sequence[int | None]) -> int | None:
    known = [n for n in numbers if n is not None]
    return sum(known) if known else None
