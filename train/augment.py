# ruff: noqa: E501
"""Variants of an example: other names and places, lower or upper case, misread letters."""

from __future__ import annotations

import random
import re

from train.example import Example
from train.synthetic import ENDS, PLACE_ENDS, Writer

KEEP = set(
    """mr mrs ms miss dr sir the of and court city council prison district regional republic kingdom government ministry state
    police university hospital department office street road new north south east west saint general supreme high federal
    national union united jr lord lady president commission international county federation""".split()
)
MISREAD = {
    "l": "1",
    "o": "0",
    "e": "c",
    "i": "l",
    "s": "5",
    "b": "6",
    "n": "u",
    "m": "n",
    "O": "0",
    "I": "l",
    "S": "5",
    "B": "8",
    "g": "q",
    "h": "b",
}


def swap_names(example: Example, writer: Writer) -> Example:
    """Give people and places other names, the same one throughout the document."""
    table: dict[str, str] = {}
    for start, end, types in example.entities or []:
        if "PERSON" not in types and "LOC" not in types:
            continue
        person = "PERSON" in types
        words = re.findall(r"[^\W\d_]{3,}", example.text[start:end])
        for n, word in enumerate(words):
            if word.lower() in KEEP or not word[0].isupper() or word in table:
                continue
            if person:
                new = writer.first() if n == 0 and len(words) > 1 else writer.pick("last", ENDS)
            else:
                new = writer.pick("place", PLACE_ENDS)
            table[word] = new.upper() if word.isupper() and len(word) > 3 else new
    if not table:
        return example
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(table, key=len, reverse=True))) + r")(?!\w)")
    return example.edited([(m.start(), m.end(), table[m[0]]) for m in pattern.finditer(example.text)])


def recase(example: Example, rng: random.Random, *, lower: float, upper: float) -> Example:
    """Write the text in lower or upper case with the given probabilities, where that keeps its length."""
    draw = rng.random()
    text = example.text.lower() if draw < lower else example.text.upper() if draw < lower + upper else example.text
    return example.with_text(text) if len(text) == len(example.text) else example


def misread(example: Example, rng: random.Random, rate: float) -> Example:
    """Put letters that a scanner would confuse in each other's place."""
    text = "".join(MISREAD.get(c, c) if rng.random() < rate else c for c in example.text)
    return example.with_text(text)


def title_case(example: Example, rng: random.Random) -> Example:
    """Write every word with a capital, as in headlines."""
    text = re.sub(r"\b[a-z]", lambda m: m[0].upper(), example.text)
    return example.with_text(text) if len(text) == len(example.text) else example


def variants(example: Example, rng: random.Random, writer: Writer, copies: int) -> list[Example]:
    """Return the example and `copies` variants of it."""
    result = [example]
    for _ in range(copies):
        new = swap_names(example, writer) if rng.random() < 0.8 else example
        new = recase(new, rng, lower=0.15, upper=0.06)
        if rng.random() < 0.08:
            new = misread(new, rng, 0.02)
        result.append(new)
    return result
