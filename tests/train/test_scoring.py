"""Scores by hand."""

from benchmarks.quality.detection import scoring

TEXT = "Ann Lee met Bob Ray."


def test_mention_counts_only_when_wholly_covered():
    assert scoring.mention_recall(TEXT, [(0, 7), (12, 19)], [(0, 7), (12, 15)]) == (1, 2)


def test_token_counts():
    assert scoring.token_counts(TEXT, [(0, 7)], [(0, 3), (8, 11)]) == (1, 2, 2)


def test_entity_needs_all_its_mentions():
    assert scoring.entity_recall("Bob and Bob", {"b": [(0, 3), (8, 11)]}, [(0, 3)]) == (0, 1)


def test_propagation_finds_the_other_mention():
    found = scoring.propagate("Robert Kay came. Kay? Robert left.", [(0, 10, "PERSON")])
    assert {(a, b) for a, b, _ in found} == {(0, 10), (22, 28)}
