"""Tables 1, 2, 3 and 5 and Figure 4 of paper 004 on the summaries of `actors50`.

Every threshold but the paper's .25 is chosen on other documents: the 20 are cut into five parts, and what is masked
in each part follows from the other four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from papers import actors as common
from papers.actors import Actor, Span
from tacenda import registry, term
from tacenda.knowledge.vectors import Vectors, open_vectors
from tacenda.model import Annotation, Mention
from tacenda.risk.similarity import best_threshold, distinct_terms
from tacenda.studies.calibrate import Marked, scored_terms

PARTS = 5
EXTRACT = 420  # characters of the document that Table 2 shows
KINDS = ("trained", "static table")
NER = ("NER3", "NER4", "NER7", "Presidio")
Masks = dict[str, list[Span]]
Scored = Mapping[str, Sequence[tuple[str, float, bool]]]


class Encoded:
    """Vectors that the encoder gave the mentions themselves, by text, as a table would give them."""

    trained = False
    threshold = 0.0

    def __init__(self, annotations: Sequence[Annotation]) -> None:
        from tacenda.term import normalize

        self._held: dict[str, list[Any]] = {}
        for annotation in annotations:
            for m in annotation.mentions:
                if m.vector is not None:
                    self._held.setdefault(normalize(m.text), []).append(m.vector)
        self._key = normalize

    def vectors(self, phrases: Sequence[str]) -> list[Any]:
        """Mean of the vectors of a phrase's mentions, as a unit vector."""
        found = [self._held.get(self._key(p)) for p in phrases]
        return [None if f is None else np.mean(f, axis=0) / np.linalg.norm(np.mean(f, axis=0)) for f in found]


def mask_terms(annotation: Annotation, terms: set[str]) -> list[Span]:
    """The spans of all mentions of some terms."""
    alike = distinct_terms(annotation.mentions)
    return sorted(annotation.mentions[i].span for t, numbers in alike.items() if t in terms for i in numbers)


def at(threshold: float, scored: Scored, held: Mapping[str, Annotation]) -> Masks:
    """What a threshold masks."""
    return {id_: mask_terms(held[id_], {t for t, s, _ in terms if s >= threshold}) for id_, terms in scored.items()}


def folds(actors: Sequence[Actor]) -> list[list[str]]:
    """Five parts of the documents, by order of their ids."""
    ids = sorted(a.id for a in actors)
    return [ids[n::PARTS] for n in range(PARTS)]


def cross(actors: Sequence[Actor], scored: Scored, held: Mapping[str, Annotation]) -> tuple[Masks, list[float]]:
    """What thresholds chosen on the other parts mask in each part, and the thresholds."""
    masks: Masks = {}
    chosen = []
    for part in folds(actors):
        others = [[(s, right) for _, s, right in scored[i]] for i in scored if i not in part]
        threshold = best_threshold(others)[0]
        chosen.append(round(threshold, 3))
        masks |= at(threshold, {i: scored[i] for i in part}, held)
    return masks, chosen


def cross_vote(
    actors: Sequence[Actor], scored: Scored, held: Mapping[str, Annotation], entity: Masks
) -> tuple[Masks, list[float]]:
    """The same where either of two models may find a term: the threshold with the best F1 of the vote elsewhere."""
    grid = [round(float(t), 2) for t in np.arange(-0.1, 0.55, 0.05)]
    by_threshold = {t: voted([entity, at(t, scored, held)], 1) for t in grid}
    masks: Masks = {}
    chosen = []
    for part in folds(actors):
        others = [a for a in actors if a.id not in part]
        f1 = {t: common.scores(others, {a.id: m[a.id] for a in others})["term"]["f1"] for t, m in by_threshold.items()}
        best = max(grid, key=lambda t: (f1[t], -t))
        chosen.append(best)
        masks |= {i: by_threshold[best][i] for i in part}
    return masks, chosen


def scored_by(embeddings: Any, actors: Sequence[Actor], held: Mapping[str, Annotation]) -> Scored:
    """Similarity to the proposed subject of every term of every document."""
    return {a.id: scored_terms(Marked(a.document(), a.gold), held[a.id], embeddings) for a in actors}


def words_only(actor: Actor) -> Annotation:
    """Every content word as a mention of its own, and the name: what is left without noun phrases."""
    mentions = []
    at = actor.text.find(actor.name.split()[-1])
    for token in term.tokens(actor.text):
        if token.word not in term.STOP_WORDS:
            text = actor.text[token.start : token.end]
            named = token.start == at
            word = Mention(token.start, token.end, text, "TERM")
            mentions.append(replace(word, label="PERSON", kind="entity", entity=0) if named else word)
    return Annotation(tuple(mentions), ((0, len(actor.text)),))


def of_model(name: str, held: Mapping[str, Annotation], actors: Sequence[Actor], **settings: Any) -> Masks:
    """What a risk model masks."""
    from tacenda.model import Context

    model = registry.find("risk", name)(**settings)
    masks: Masks = {}
    for a in actors:
        mentions = held[a.id].mentions
        found = {i for r in model.assess(mentions, Context(a.document(), mentions=mentions)) for i in r.mentions}
        masks[a.id] = [mentions[i].span for i in sorted(found)]
    return masks


def voted(votes: Sequence[Masks], least: int) -> Masks:
    """What at least so many of some masks have."""
    result: Masks = {}
    for id_ in votes[0]:
        count: dict[Span, int] = {}
        for vote in votes:
            for span in vote[id_]:
                count[span] = count.get(span, 0) + 1
        result[id_] = sorted(s for s, n in count.items() if n >= least)
    return result


@dataclass(frozen=True)
class Found:
    """What every method masks, the thresholds chosen, and the terms with their scores by kind of vectors."""

    masks: dict[str, Masks]
    thresholds: dict[str, list[float]]
    scored: dict[str, Scored]


def find(
    actors: Sequence[Actor], held: Mapping[str, Annotation], trained: Vectors | None, words: Vectors | None, index: Any
) -> Found:
    """Mask by all methods. Rows are called trained only if vectors were trained for this."""
    masks: dict[str, Masks] = {}
    for name in ("NER3", "NER4", "NER7", "Presidio", "word2vec of the authors"):
        masks[name] = {a.id: list(a.systems.get(name, ())) for a in actors}
    masks["every noun phrase (spaCy)"] = {a.id: list(a.phrases) for a in actors}
    masks["every mention of the encoder"] = {a.id: [m.span for m in held[a.id].mentions] for a in actors}
    masks["information > 9 bits"] = of_model("information", held, actors, index=index, limit=9.0)
    entity = masks["entity"] = of_model("entity", held, actors)
    vectors: dict[str, Any] = {"static table": open_vectors(), "encoder's vectors": Encoded(list(held.values()))}
    if trained is not None:
        vectors = {"trained": trained, **vectors}
    scored = {kind: scored_by(one, actors, held) for kind, one in vectors.items()}
    thresholds: dict[str, list[float]] = {}
    for kind, terms in scored.items():
        masks[f"similarity, {kind}, t = .25"] = at(0.25, terms, held)
        key = f"similarity, {kind}, t from other documents"
        masks[key], thresholds[key] = cross(actors, terms, held)
    for kind in scored:
        key = f"any of entity, similarity ({kind}), t from other documents"
        masks[key], thresholds[key] = cross_vote(actors, scored[kind], held, entity)
    masks["policy similarity (any of entity, static table at .1)"] = voted(
        [entity, at(0.1, scored["static table"], held)], 1
    )
    if words is not None:
        alone = {a.id: words_only(a) for a in actors}
        masks["similarity, trained without phrases, t = .25"] = at(0.25, scored_by(words, actors, alone), alone)
    return Found(masks, thresholds, scored)


def area(scored: Scored) -> float:
    """How often a marked term scores above one that is not (ties count half): the mean over documents.

    >>> area({"a": [("x", 0.9, True), ("y", 0.5, False), ("z", 0.1, True)]})
    0.5
    """
    values = []
    for terms in scored.values():
        marked = np.array([s for _, s, right in terms if right])
        others = np.array([s for _, s, right in terms if not right])
        if len(marked) and len(others):
            apart = np.sign(marked[:, None] - others[None, :])
            values.append(float((apart + 1).mean() / 2))
    return round(float(np.mean(values)), 4) if values else 0.0


def by_rarity(trained: Vectors, scored: Scored) -> Scored:
    """The same terms, scored by how rare they are in the collection that vectors were trained on."""
    counts = trained.file.array("counts")

    def rare(name: str) -> float:
        row = trained.row(name)
        return 0.0 if row is None else -float(counts[row])

    return {id_: [(t, rare(t), right) for t, _, right in terms] for id_, terms in scored.items()}


def curve(
    actors: Sequence[Actor], scored: Scored, held: Mapping[str, Annotation], start: float = 0.0
) -> list[list[float]]:
    """Figure 4: threshold, precision, recall and F1 by term, from loose to strict."""
    rows = []
    for threshold in np.arange(start, 1.0, 0.05):
        found = common.scores(actors, at(float(threshold), scored, held))["term"]
        rows.append([round(float(threshold), 2), found["precision"], found["recall"], found["f1"]])
    return rows


def table2(actors: Sequence[Actor], masks: Mapping[str, Masks]) -> dict[str, dict[str, int]]:
    """One document, "Tom Cruise", its first 420 characters: stretches marked, found and masked too much.

    The text is not ours, so numbers stand for the underlined words of the paper's table.
    """
    actor = next(a for a in actors if a.name == "Tom Cruise")
    marked = [s for s in actor.gold if s[1] <= EXTRACT]
    wanted = [
        n for n in (*NER, "similarity, trained, t = .25", "similarity, static table, t = .25", "entity") if n in masks
    ]
    rows = {"manual annotation": {"marked": len(marked), "found": len(marked), "masked too much": 0}}
    for name in wanted:
        spans = [s for s in masks[name][actor.id] if s[1] <= EXTRACT]
        rows[name] = {
            "marked": len(marked),
            "found": sum(any(s < e and b < t for s, t in spans) for b, e in marked),
            "masked too much": sum(not any(s < e and b < t for b, e in marked) for s, t in spans),
        }
    return rows


def table3(actors: Sequence[Actor], masks: Mapping[str, Masks]) -> dict[str, dict[str, float]]:
    """Spread of precision, recall and F1 over documents: standard deviation / mean, and variance / mean."""
    result = {}
    for name, held in masks.items():
        rows = [common.scores([a], {a.id: held[a.id]})["term"] for a in actors]
        row = {}
        for key in ("precision", "recall", "f1"):
            values = np.nan_to_num(np.array([one[key] for one in rows]))
            mean = max(float(values.mean()), 1e-12)
            row[key] = round(float(values.std()) / mean, 4)
            row[f"{key}, variance / mean"] = round(float(values.var()) / mean, 4)
        result[name] = row
    return result


def tables(
    actors: Sequence[Actor],
    held: Mapping[str, Annotation],
    index: Any,
    trained: Vectors | None = None,
    words: Vectors | None = None,
) -> dict[str, Any]:
    """Tables 1, 2, 3, 5 and Figure 4.

    held        annotations of the documents, by id
    words       vectors trained without phrases
    """
    found = find(actors, held, trained, words, index)
    spread = [
        n for n in (*NER, "word2vec of the authors", "similarity, trained, t = .25", "entity") if n in found.masks
    ]
    ranking = {f"similarity, {kind}": area(terms) for kind, terms in found.scored.items()}
    if trained is not None:
        ranking["rare in the collection"] = area(by_rarity(trained, found.scored["trained"]))
    return {
        "table1": {name: common.scores(actors, m) for name, m in found.masks.items()},
        "table2": table2(actors, found.masks),
        "table3": table3(actors, {name: found.masks[name] for name in spread}),
        "figure4": {kind: curve(actors, terms, held, start=-0.2) for kind, terms in found.scored.items()},
        "ranking": ranking,
        "thresholds": found.thresholds,
    }
