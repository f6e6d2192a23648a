"""What an attacker knows: a text about each candidate, and how much of it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tacenda.errors import InputError, UsageError
from tacenda.language import sentences
from tacenda.measures.gold import ID_KEYS, field_of, records

BACKGROUND_KEYS = ("text", "public_knowledge", "background")

# Words that tools write where something was: they tell nothing about the person, but occur in ordinary text too.
_MARKS = """SENSITIVE PERSON PER ORGANIZATION ORG LOCATION LOC GPE NORP NRP FAC MISC DATE TIME DATE_TIME DATETIME
MONEY PERCENT CARDINAL ORDINAL QUANTITY PRODUCT EVENT LAW LANGUAGE WORK_OF_ART WORK OF ART WORLD YEAR DEM CODE NUM
REDACTED MASKED URL EMAIL EMAIL_ADDRESS PHONE PHONE_NUMBER ID AGE NAME""".split()
_MARK = re.compile(r"\[[^\[\]\n]{0,40}\]|\*{2,}|█+|_{3,}|\b(?:" + "|".join(map(re.escape, _MARKS)) + r")(?:_?\d+)?\b")
HOLE = " zqhole "  # a word that no text holds, so that no n-gram crosses it


def without_marks(text: str, hole: str = HOLE) -> str:
    """Replace the marks that tools leave ("PERSON", "[DATE_1]", "***") by a hole.

    >>> without_marks("PERSON met [ORG 2]").count(HOLE)
    2
    """
    return _MARK.sub(hole, text)


def in_sentences(text: str) -> list[str]:
    """Cut a text into sentences."""
    return [text[start:end] for start, end in sentences(text)]


@dataclass(frozen=True)
class Candidates:
    """The people a text may be about, with what the attacker has read of each."""

    names: tuple[str, ...] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, background: Mapping[str, str]) -> Candidates:
        """Take name -> text."""
        if len(background) < 2:
            raise UsageError(f"an attack needs at least two candidates; {len(background)} given")
        return cls(tuple(background), tuple(background.values()))

    def __len__(self) -> int:
        return len(self.names)

    def sentences(self) -> list[list[str]]:
        """Sentences of each candidate's text."""
        return [in_sentences(text) for text in self.texts]

    def share(self, part: float, *, seed: int = 0) -> Candidates:
        """What an attacker knows who has read only a part: the same share of every candidate's sentences."""
        if not 0 < part <= 1:
            raise UsageError(f"background {part}: it must be above 0 and at most 1")
        if part == 1:
            return self
        random = np.random.default_rng(seed)
        kept = []
        for held in self.sentences():
            chosen = sorted(random.permutation(len(held))[: math.ceil(part * len(held))].tolist())
            kept.append(" ".join(held[i] for i in chosen))
        return Candidates(self.names, tuple(kept))


def read_candidates(path: Path) -> Candidates:
    """Read one object per line (or an array) with a name and the text known about it."""
    found: dict[str, str] = {}
    for record, line in records(path):
        name = str(field_of(record, ("name", *ID_KEYS), path, line))
        if name in found:
            raise InputError(f"{path}:{line}: candidate {name} appears in the file twice")
        text = field_of(record, BACKGROUND_KEYS, path, line)
        if not isinstance(text, str):
            raise InputError(f"{path}:{line}: the background of {name} is {type(text).__name__}, not text")
        found[name] = text
    if len(found) < 2:
        raise InputError(f"{path}: {len(found)} candidates; an attack needs at least two")
    return Candidates.of(found)


def read_targets(path: Path, candidates: Candidates, *, text: str = "text") -> list[tuple[str, str]]:
    """Read the released texts with the name of whom each is about; every name must be a candidate."""
    known = set(candidates.names)
    found = []
    for record, line in records(path):
        name = str(field_of(record, ("name", *ID_KEYS), path, line))
        if name not in known:
            raise InputError(f"{path}:{line}: {name} is not among the {len(known)} candidates of the background")
        held = field_of(record, (text,), path, line)
        if not isinstance(held, str):
            raise InputError(f"{path}:{line}: field '{text}' is {type(held).__name__}, not text")
        found.append((name, held))
    if not found:
        raise InputError(f"{path}: contains no documents")
    return found


Documents = Sequence[tuple[str, str]]
