"""Table 7 of paper 004: who is the text about? Every attacker on every masked version, ours among them.

The attackers of the product know the whole background. The paper's attacker is a language model fine-tuned to tell 50
people apart; beside it stands a linear classifier on the encoder's vectors, trained for the same number of people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from papers.source import file_of, records
from tacenda.measures.attack import ATTACKERS, Candidates
from tacenda.measures.attack.candidates import in_sentences, without_marks
from tacenda.measures.attack.suite import first_chance
from tacenda.studies import attackers

Floats = npt.NDArray[np.float64]
PEOPLE = 50  # as many as the paper's classifier tells apart
PENALTIES = (0.01, 0.1, 1.0, 10.0)
CLASSIFIER = f"linear on the encoder, {PEOPLE} people"


def table7(data: Path, ours: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, float]]:
    """Return the share named first: version -> attacker.

    ours    further versions: name -> person -> text
    """
    path = file_of(data, "tri_reid/background_knowledge_500.jsonl.gz", "004")
    people = Candidates.of({record["name"]: record["public_knowledge"] for record in records(path)})
    rows = list(records(file_of(data, "tri_reid/anonymized_dev.jsonl", "004")))
    names = [row["name"] for row in rows]
    versions: dict[str, list[str]] = {
        field.removesuffix("_abstract"): [row[field] for row in rows]
        for field in rows[0]
        if field.endswith("_abstract") and field != "dev_abstract"
    }
    versions |= {version: [texts[name] for name in names] for version, texts in ours.items()}
    every = [text for texts in versions.values() for text in texts]
    result: dict[str, dict[str, float]] = {version: {} for version in versions}
    for attacker, attack in (ATTACKERS | {"vectors": attackers.vectors()}).items():
        _share(result, attacker, versions, attack(people, every), _places(people, names))
    few = _few(people, names)
    _share(result, CLASSIFIER, versions, classifier(few, every), _places(few, names))
    return result


def _places(people: Candidates, names: Sequence[str]) -> list[int]:
    place = {name: number for number, name in enumerate(people.names)}
    return [place[name] for name in names]


def _few(people: Candidates, names: Sequence[str]) -> Candidates:
    """The people the texts are about, and others up to the number the paper's classifier knew."""
    held = dict(zip(people.names, people.texts, strict=True))
    others = [name for name in sorted(held) if name not in set(names)]
    chosen = [*dict.fromkeys(names), *others][:PEOPLE]
    return Candidates.of({name: held[name] for name in chosen})


def _share(
    result: dict[str, dict[str, float]],
    attacker: str,
    versions: Mapping[str, Sequence[str]],
    scores: Floats,
    right: Sequence[int],
) -> None:
    at = 0
    for version, texts in versions.items():
        hits = first_chance(scores[at : at + len(texts)], np.array(right, dtype=np.int64))
        result[version][attacker] = round(float(hits.mean()), 4)
        at += len(texts)


def classifier(people: Candidates, texts: Sequence[str]) -> Floats:
    """Ridge regression from the encoder's sentence vectors onto people; the mean over the sentences of a text.

    The penalty is the one that names the owner of every second sentence of the background best after learning from
    the others; no masked text has a say in it.
    """
    held = people.sentences()
    owner = np.repeat(np.arange(len(people)), [len(part) for part in held])
    known = _embedded([sentence for part in held for sentence in part])
    halves = np.arange(len(known)) % 2 == 0
    rights = {}
    for penalty in PENALTIES:
        weights = _fit(known[halves], owner[halves], len(people), penalty)
        rights[penalty] = float(((known[~halves] @ weights).argmax(axis=1) == owner[~halves]).mean())
    weights = _fit(known, owner, len(people), max(PENALTIES, key=lambda one: rights[one]))
    asked = [in_sentences(without_marks(text, " ")) or [text] for text in texts]
    vectors = _embedded([sentence for part in asked for sentence in part])
    ends = np.cumsum([len(part) for part in asked])
    return np.stack([part.mean(axis=0) for part in np.split(vectors @ weights, ends[:-1])])


def _fit(known: Floats, owner: Any, people: int, penalty: float) -> Floats:
    wanted = np.eye(people)[owner]
    return np.asarray(np.linalg.solve(known.T @ known + penalty * np.eye(known.shape[1]), known.T @ wanted))


def _embedded(sentences: Sequence[str]) -> Floats:
    """Mean of the encoder's vectors of the phrases of each sentence, of length one, and a constant."""
    from tacenda.annotate.encoder import Encoder
    from tacenda.model import Document

    fresh = list(dict.fromkeys(sentences))
    found = Encoder(vectors=True).annotate_many(Document(sentence) for sentence in fresh)
    rows: dict[str, list[Any]] = {}
    for sentence, annotation in zip(fresh, found, strict=True):
        rows[sentence] = [m.vector for m in annotation.mentions if m.vector is not None]
    size = max((len(one[0]) for one in rows.values() if one), default=1)
    table = np.zeros((len(sentences), size + 1))
    for at, sentence in enumerate(sentences):
        if rows[sentence]:
            mean = np.mean(rows[sentence], axis=0)
            table[at, :size] = mean / max(float(np.linalg.norm(mean)), 1e-12)
            table[at, size] = 1.0
    return table
