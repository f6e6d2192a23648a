"""Guess attributes of the subject from a sanitized summary: sex, decade of birth, origin, further occupation.

The attacker is multinomial naive Bayes over words, trained on abstracts of other actors (`k_actors`), which name these
attributes. What a subject is, is read from the original summary in the same way; where it does not say, the subject
does not count. Chance is the commonest value among the subjects. No labeled data about people's illnesses is in reach.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from tacenda.arrays.ngrams import LikelyText
from tacenda.measures.attack.candidates import without_marks

_LEAST = 50  # abstracts of a value before it can be guessed
_MOST = 3000  # abstracts of a value to learn from
_BORN = re.compile(r"\bborn\b[^()]{0,80}?\b(1[89]\d|20[01])\d\b")
_ORIGIN = re.compile(r"\bis an? (?:\w+ )?(American|English|British|Indian|Canadian|Australian|French|German)\b")
_FURTHER = re.compile(r"\bis an? [^.]{0,80}?\b(director|singer|model|comedian|producer|dancer|writer|musician)s?\b")


def _sex(text: str) -> str | None:
    said = Counter(re.findall(r"\b(she|her|he|his)\b", text.lower()))
    she, he = said["she"] + said["her"], said["he"] + said["his"]
    return None if she == he else "female" if she > he else "male"


def _first(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    def read(text: str) -> str | None:
        found = pattern.search(text)
        return found[1] if found else None

    return read


ATTRIBUTES: dict[str, Callable[[str], str | None]] = {
    "sex": _sex,
    "decade of birth": _first(_BORN),
    "origin": _first(_ORIGIN),
    "further occupation": _first(_FURTHER),
}


def guess_attributes(
    data: Path, texts: Mapping[str, str], outputs: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, float]]:
    """Attribute -> version -> share guessed right; "subjects" and "chance" stand beside them."""
    with gzip.open(data / "k_actors/actor_abstracts.jsonl.gz", "rt", encoding="utf-8") as file:
        others = [row["text"] for row in map(json.loads, file) if row["title"] not in texts]
    result: dict[str, dict[str, float]] = {}
    for attribute, read in ATTRIBUTES.items():
        values: dict[str, list[str]] = {}
        for text in others:
            if (value := read(text)) is not None and len(values.setdefault(value, [])) < _MOST:
                values[value].append(text)
        known = sorted(value for value, held in values.items() if len(held) >= _LEAST)
        model = LikelyText([" ".join(values[value]) for value in known])
        truth = {who: value for who, text in texts.items() if (value := read(text)) in known}
        row = {"subjects": float(len(truth)), "values": float(len(known))}
        row["chance"] = max(Counter(truth.values()).values(), default=0) / max(1, len(truth))
        for version, made in outputs.items():
            guessed = [known[int(np.argmax(model.scores(without_marks(made[who]))))] == truth[who] for who in truth]
            row[version] = float(np.mean(guessed))
        result[attribute] = {key: round(value, 3) for key, value in row.items()}
    return result
