"""Read Universal Dependencies files: documents with offsets, parts of speech, sentences, base noun phrases.

A base noun phrase is a noun or proper noun with what stands directly to its left and belongs to it: determiner,
possessor, number, adjective, compound part; names keep their `flat` words to the right. There is no post-modifier, and
a pronoun alone is not a phrase; an adverb that modifies the whole phrase ("only", "not", "today") stays outside. A
phrase inside another's span is part of the larger one.

The treebanks keep no line breaks inside paragraphs: a sentence that ends without a mark is followed by one here.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from pathlib import Path

Span = tuple[int, int]
LEFT = {"det", "amod", "compound", "nummod", "nmod:poss", "flat", "det:predet", "goeswith", "nmod:desc"}
RIGHT = {"flat", "goeswith"}
NOMINAL = {"NOUN", "PROPN"}
ENDS = set(".?!:;,…\"'”’)")


@dataclass
class Word:
    """A syntactic word: offsets in the document, tag, head (index in the sentence, -1 root), relation."""

    start: int
    end: int
    upos: str
    head: int
    relation: str
    entity: str = ""
    text: str = ""


@dataclass
class Tree:
    """A document of a treebank: its text, sentences as lists of words, mentions of GUM."""

    id: str
    text: str = ""
    sentences: list[list[Word]] = field(default_factory=list)

    def phrases(self) -> list[Span]:
        """Base noun phrases of the whole document."""
        return [(s[a].start, s[b].end) for s in self.sentences for a, b in base_phrases(s)]


def _covered(words: list[Word], root: int) -> set[int]:
    """Indices of the words below `root`, itself included."""
    inside = {root}
    grown = True
    while grown:
        grown = False
        for i, word in enumerate(words):
            if i not in inside and word.head in inside:
                inside.add(i)
                grown = True
    return inside


def base_phrases(words: list[Word]) -> list[Span]:
    """Return base noun phrases as (first, last) word indices, both included, in order."""
    found: list[Span] = []
    for i, word in enumerate(words):
        if word.upos not in NOMINAL or (word.relation in RIGHT and word.head < i):
            continue
        inside = {i}
        for j, child in enumerate(words):
            if child.head == i and j < i and child.relation in LEFT:
                inside |= {k for k in _covered(words, j) if k < i}  # "the same tastes as mine" ends with its noun
            elif child.head == i and j > i and child.relation in RIGHT:
                inside |= _covered(words, j)
        low = high = i
        while low - 1 in inside or (low - 2 in inside and low > 1 and words[low - 1].text in {"-", "–", "/"}):
            low -= 1
        while high + 1 in inside:
            high += 1
        while words[low].upos in {"PUNCT", "CCONJ", "ADP"} and low < i:
            low += 1
        found.append((low, high))
    found.sort(key=lambda span: (span[0], -span[1]))
    kept: list[Span] = []
    for low, high in found:
        if kept and low <= kept[-1][1]:
            if high > kept[-1][1] and low == kept[-1][0]:
                kept[-1] = (low, high)
            continue
        kept.append((low, high))
    return kept


def read(path: Path) -> list[Tree]:
    """Read a `.conllu.gz` file into documents; sentences are joined by a space, paragraphs by a blank line."""
    trees: list[Tree] = []
    text, rows, paragraph = "", [], False
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in [*file, "\n"]:
            line = line.rstrip("\n")
            if line.startswith("# newdoc id"):
                trees.append(Tree(line.split("=", 1)[1].strip()))
            elif line.startswith("# newpar"):
                paragraph = True
            elif line.startswith("# text ="):
                text = line.split("=", 1)[1].strip()
            elif line and not line.startswith("#"):
                rows.append(line.split("\t"))
            elif not line and rows:
                line = " " if trees[-1].text[-1:] in ENDS else "\n"
                _add(trees[-1], text, rows, "\n\n" if paragraph else line)
                rows, paragraph = [], False
    return trees


def _add(tree: Tree, text: str, rows: list[list[str]], gap: str) -> None:
    """Append one sentence to a document, placing its words in the text."""
    base = len(tree.text) + (len(gap) if tree.text else 0)
    tree.text = tree.text + gap + text if tree.text else text
    numbers = {row[0]: n for n, row in enumerate(r for r in rows if r[0].isdigit())}
    words: list[Word] = []
    at, inside, surface = 0, 0, (0, 0)
    for row in rows:
        if "-" in row[0]:
            a, b = row[0].split("-")
            inside = int(b) - int(a) + 1
            at = text.index(row[1], at)
            surface = (at, at + len(row[1]))
            continue
        if not row[0].isdigit():
            continue
        place = text.find(row[1], at)
        if inside:
            place = at if place < 0 or place + len(row[1]) > surface[1] else place
            end = surface[1] if inside == 1 else min(place + len(row[1]), surface[1])
            inside -= 1
        else:
            end = place + len(row[1])
        words.append(Word(base + place, base + end, row[3], numbers.get(row[6], -1), row[7], row[9], row[1]))
        at = end
    tree.sentences.append(words)
