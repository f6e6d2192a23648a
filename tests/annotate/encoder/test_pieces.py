"""Pieces, shapes and windows: what the model sees."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.annotate.encoder import Encoder
from tacenda.annotate.encoder.pieces import split, windows

TOKENIZER = Encoder()._tokenizer


def shapes(text: str) -> dict[str, tuple[int, ...]]:
    pieces = split(text, TOKENIZER)
    return {text[a:b]: tuple(row) for a, b, row in zip(pieces.start, pieces.end, pieces.shape.tolist(), strict=True)}


def test_shape_of_words():
    found = shapes("NASA paid Bob 1999 dollars")
    assert found["NASA"] == (3, 0, 4, 3, 0)  # all capitals, no digit, four letters, start of text
    assert found["paid"] == (1, 0, 4, 1, 0)
    assert found["Bob"] == (2, 0, 3, 1, 0)
    assert found["1999"] == (0, 4, 4, 1, 0)


def test_gap_tells_space_line_and_paragraph():
    found = shapes("one two\nthree\n\nfour")
    assert [found[w][3] for w in ("one", "two", "three", "four")] == [3, 1, 2, 3]


def test_case_of_the_line():
    found = shapes("DISCHARGE SUMMARY\nthe patient was well again\nMr Smith left")
    assert [found[w][4] for w in ("SUMMARY", "patient", "left")] == [1, 2, 0]


def test_pieces_of_tokens_inside_a_word():
    text = "I don't know"
    pieces = split(text, TOKENIZER)
    chosen = pieces.of_tokens([(0, 1), (2, 4), (4, 7), (8, 12)])
    assert [text[pieces.start[n] : pieces.end[n]] for n in chosen] == ["I", "don", "t", "know"]


def test_surrogates_keep_their_place():
    pieces = split("a \ud800 b", TOKENIZER)
    assert pieces.start.tolist() == [0, 4]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_offsets_lie_in_the_text(text):
    pieces = split(text, TOKENIZER)
    assert (pieces.start >= 0).all()
    assert (pieces.end <= len(text)).all()
    assert (pieces.start < pieces.end).all() or not len(pieces)
    assert (np.diff(pieces.start) >= 0).all()


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["word", "Name.", "\n", "\n\n", "xylophonist", "12.5"]), max_size=400), st.integers(20, 60)
)
def test_windows_cover_every_piece_once(words, size):
    text = " ".join(words)
    pieces = split(text, TOKENIZER)
    cut = windows(pieces, text, size=size, overlap=8)
    kept = [n for w in cut for n in range(w.keep, w.end)]
    assert kept == list(range(len(pieces)))
    assert all(w.end - w.start <= size for w in cut)
    assert all(pieces.first[w.start] for w in cut if w.start < w.end)
