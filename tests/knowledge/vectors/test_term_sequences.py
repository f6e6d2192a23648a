"""From a text and its phrases to the sequence skip-gram learns from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.knowledge.vectors.term_sequences import terms_of


def test_phrases_are_one_term_and_stop_words_go() -> None:
    text = "Ann Lee read the New York Times in Paris."
    spans = [(0, 7), (13, 31), (35, 40)]
    assert terms_of(text, spans) == ["ann lee", "read", "new york time", "paris"]


def test_without_phrases_every_word_stands_for_itself() -> None:
    assert terms_of("The actors of New York") == ["actor", "new", "york"]


def test_of_overlapping_phrases_the_first_counts() -> None:
    assert terms_of("red wine glass", [(0, 8), (4, 14)]) == ["red wine", "glass"]


@given(st.text(alphabet="ab .", max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4))
def test_any_spans_give_terms_without_blanks_around(text: str, spans: list[tuple[int, int]]) -> None:
    inside = [(min(s, len(text)), min(max(s, e), len(text))) for s, e in spans]
    assert all(term and term == term.strip() for term in terms_of(text, inside))
