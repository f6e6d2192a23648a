"""Base noun phrases from hand-made trees."""

import pytest

from train.example import Example
from train.treebank import Word, base_phrases


def sentence(rows: str) -> list[Word]:
    """One word a line: text, tag, head (1-based, 0 root), relation."""
    words, at = [], 0
    for row in rows.strip().splitlines():
        text, upos, head, relation = row.split()
        words.append(Word(at, at + len(text), upos, int(head) - 1, relation, text=text))
        at += len(text) + 1
    return words


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("the DET 3 det\nold ADJ 3 amod\nman NOUN 4 nsubj\nsleeps VERB 0 root", [(0, 2)]),
        ("She PRON 2 nsubj\nsings VERB 0 root", []),
        ("John PROPN 3 nmod:poss\n's PART 1 case\nbook NOUN 0 root", [(0, 2)]),
        ("Daniel PROPN 0 root\nBernoulli PROPN 1 flat", [(0, 1)]),
        ("only ADV 3 advmod\na DET 3 det\nman NOUN 0 root", [(1, 2)]),
        ("the DET 3 det\nsame ADJ 3 amod\ntaste NOUN 0 root\nas SCONJ 5 mark\nmine PRON 2 advcl", [(0, 2)]),
        ("judge NOUN 0 root\nof ADP 3 case\nRome PROPN 1 nmod", [(0, 0), (2, 2)]),
    ],
)
def test_base_phrases(rows, expected):
    assert base_phrases(sentence(rows)) == expected


def test_edits_move_the_spans_behind_them():
    example = Example("Ann met Bob.", "s", "d", entities=[(0, 3, ("PERSON",)), (8, 11, ("PERSON",))])
    new = example.edited([(0, 3, "Georgina"), (8, 11, "Al")])
    assert [new.text[a:b] for a, b, _ in new.entities] == ["Georgina", "Al"]


def test_a_part_keeps_the_labels_inside_it():
    example = Example("Ann left. Bob stayed.", "s", "d", tags=[(0, 3, "PROPN"), (10, 13, "PROPN")], phrases=[(10, 13)])
    part = example.part(10, 21)
    assert (part.text, part.tags, part.phrases) == ("Bob stayed.", [(0, 3, "PROPN")], [(0, 3)])
