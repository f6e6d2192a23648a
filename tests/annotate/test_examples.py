"""Every example in the docstrings of the annotators runs."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = (
    "merge", "gazetteer", "safe_regex", "entities", "spread", "known", "known_values", "patterns",
    "patterns.age_mentions", "patterns.date_mentions", "patterns.hit", "patterns.money", "patterns.record_numbers",
)  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    outcome = doctest.testmod(import_module(f"tacenda.annotate.{name}"))
    assert outcome.failed == 0
