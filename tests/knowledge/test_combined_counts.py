import pytest

from tacenda.errors import UsageError
from tacenda.knowledge.combined_counts import CombinedCounts


class Fixed:
    def __init__(self, total: int, known: dict[str, int]) -> None:
        self.total = total
        self._known = known

    def counts(self, groups):
        return [self._known.get("+".join(group)) for group in groups]


def test_counts_add_up_and_unknown_needs_all_sources() -> None:
    both = CombinedCounts([Fixed(10, {"a": 1, "b": 0}), Fixed(90, {"a": 5})])
    assert both.total == 100
    assert both.counts([("a",), ("b",), ("c",)]) == [6, 0, None]


def test_no_source_is_an_error() -> None:
    with pytest.raises(UsageError, match="at least one"):
        CombinedCounts([])
