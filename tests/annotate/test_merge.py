"""The rule of merging: ranks, containers, remainders."""

from __future__ import annotations

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotate.merge import merge, settle
from tacenda.model import Annotation, Mention
from tacenda.term import STOP_WORDS

TEXT = "Mr John Smith of Leeds has AIDS-related lymphoma."


def at(words: str, label: str, kind: str, confidence: float = 1.0) -> Mention:
    start = TEXT.index(words)
    return Mention(start, start + len(words), words, label, kind, "t", confidence)  # type: ignore[arg-type]


def shown(*mentions: Mention) -> list[tuple[str, str, str]]:
    return [(m.kind, m.label, m.text) for m in settle(mentions)]


def test_higher_rank_wins_whatever_its_length() -> None:
    low = at("John Smith of Leeds", "ADDRESS", "identifier", 0.4)
    assert shown(low, at("Leeds", "LOC", "entity")) == [
        ("identifier", "ADDRESS", "John Smith"),
        ("entity", "LOC", "Leeds"),
    ]


def test_longer_wins_inside_a_rank() -> None:
    assert shown(at("Smith", "PERSON", "entity"), at("John Smith", "PERSON", "entity")) == [
        ("entity", "PERSON", "John Smith")
    ]


def test_container_of_a_known_value_takes_its_rank() -> None:
    assert shown(at("Mr John Smith", "PERSON", "entity"), at("Smith", "KNOWN", "known")) == [
        ("known", "PERSON", "Mr John Smith")
    ]


def test_noun_phrase_is_not_raised_and_its_rest_is_kept() -> None:
    phrase = at("AIDS-related lymphoma", "TERM", "term")
    assert shown(phrase, at("AIDS", "HEALTH", "protected")) == [
        ("protected", "HEALTH", "AIDS"),
        ("term", "TERM", "related lymphoma"),
    ]


def test_sentences_come_from_the_first_annotation_that_has_them() -> None:
    merged = merge([Annotation(), Annotation((), ((0, 5),)), Annotation((), ((0, 9),))])
    assert merged.sentences == ((0, 5),)


spans = st.tuples(
    st.integers(0, 39),
    st.integers(1, 12),
    st.sampled_from(["known", "protected", "identifier", "entity", "term"]),
    st.sampled_from([0.5, 1.0]),
)
LETTERS = "abc def ghij klm nop qrst uvw xyz abcde fghij klmno"


@given(st.lists(spans, max_size=25))
def test_result_is_disjoint_ordered_and_covers_every_word_found(drawn: list[tuple[int, int, str, float]]) -> None:
    found = [
        Mention(s, s + n, LETTERS[s : s + n], "X", k, "t", c)  # type: ignore[arg-type]
        for s, n, k, c in drawn
    ]
    result = settle(found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(result))
    assert all(m.text == LETTERS[m.start : m.end] for m in result)
    covered = {i for m in result for i in range(m.start, m.end)}
    words = [w for w in re.finditer(r"\w+", LETTERS) if w.group() not in STOP_WORDS]
    for mention in (m for m in found if m.kind != "term"):
        # A word that lies whole in a mention stays covered, whoever won.
        for word in words:
            if mention.start <= word.start() and word.end() <= mention.end:
                assert set(range(*word.span())) <= covered
