"""Tables 1, 2, 5 and 6 and Figure 4 of paper 004 on the summaries of `actors50`.

Every threshold but the paper's .25 is chosen on other documents: the 20 are cut into five parts, and what is masked
in each part follows from the other four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from papers import actors as common
from papers.actors import Actor, Span
from tacenda import knowledge, registry, term
from tacenda.knowledge.vectors import Vectors, open_vectors
from tacenda.measures.gold import Mask
from tacenda.measures.utility import text_utility
from tacenda.model import Annotation, Mention, Plan
from tacenda.policy import Policy
from tacenda.risk.similarity import best_threshold, distinct_terms
from tacenda.sanitizer import Sanitizer
from tacenda.studies.calibrate import Marked, scored_terms

PARTS = 5
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


def table1(
    actors: Sequence[Actor], held: Mapping[str, Annotation], trained: Vectors, index: Any
) -> tuple[dict[str, Any], dict[str, Masks], dict[str, Any]]:
    """Detection by all methods; also the masks by name, and the thresholds chosen."""
    masks: dict[str, Masks] = {}
    for name in ("NER3", "NER4", "NER7", "Presidio", "word2vec of the authors"):
        masks[name] = {a.id: list(a.systems.get(name, ())) for a in actors}
    masks["every noun phrase (spaCy)"] = {a.id: list(a.phrases) for a in actors}
    masks["every mention of the encoder"] = {a.id: [m.span for m in held[a.id].mentions] for a in actors}
    ours = scored_by(trained, actors, held)
    ready = scored_by(open_vectors(), actors, held)
    masks["similarity, trained, t = .25"] = at(0.25, ours, held)
    chosen: dict[str, Any] = {}
    key = "similarity, trained, t from other documents"
    masks[key], chosen[key] = cross(actors, ours, held)
    key = "similarity, static table, t from other documents"
    masks[key], chosen[key] = cross(actors, ready, held)
    encoded: Scored | None = None
    if any(m.vector is not None for h in held.values() for m in h.mentions):
        key = "similarity, encoder's vectors, t from other documents"
        encoded = scored_by(Encoded(list(held.values())), actors, held)
        masks[key], chosen[key] = cross(actors, encoded, held)
    entity = masks["entity"] = of_model("entity", held, actors)
    information = masks["information > 9 bits"] = of_model("information", held, actors, index=index, limit=9.0)
    close = masks["similarity, trained, t = .25"]
    masks["any of entity, similarity"] = voted([entity, close], 1)
    masks["all of entity, similarity"] = voted([entity, close], 2)
    masks["two of entity, similarity, information"] = voted([entity, close, information], 2)
    masks["policy similarity (any of entity, static table at .1)"] = voted([entity, at(0.1, ready, held)], 1)
    for name, scored in (("trained", ours), ("static table", ready)):
        key = f"any of entity, similarity ({name}), t from other documents"
        masks[key], chosen[key] = cross_vote(actors, scored, held, entity)
    chosen["static, all documents"] = round(best_threshold([[(s, r) for _, s, r in t] for t in ready.values()])[0], 3)
    rows = {name: common.scores(actors, m) for name, m in masks.items()}
    chosen["figure"] = {
        "trained": curve(actors, ours, held),
        "static": curve(actors, ready, held, start=-0.2),
    }
    chosen["ranking"] = {"similarity, trained": area(ours), "similarity, static table": area(ready)}
    if trained.trained:
        chosen["ranking"]["rare in the collection"] = area(by_rarity(trained, ours))
    if encoded is not None:
        chosen["ranking"]["similarity, encoder's vectors"] = area(encoded)
    return rows, masks, chosen


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


POLICY = """
name = "benchmark"
replace = [{replace}]
[risk.similarity]
{more}
"""


def table6(
    actors: Sequence[Actor], masks: Mapping[str, Masks], parts: Sequence[Any], trained: Vectors, index: Any
) -> dict[str, Any]:
    """Utility kept with suppression and with generalization, share of the information of all mentions."""
    taxonomy = knowledge.open_taxonomy()
    rows: dict[str, Any] = {}
    phrases = {a.id: [m.span for m in common.annotate(a.document(), parts).mentions] for a in actors}

    def kept(made: Mapping[str, Sequence[Mask]], strict: bool = False) -> float:
        values = [
            text_utility(a.text, made[a.id], index.information, phrases=phrases[a.id], labels_are_empty=strict).kept
            for a in actors
        ]
        return round(float(np.mean(values)), 4)

    for name in ("NER3", "NER4", "NER7", "Presidio"):
        by = masks[name]
        rows[name] = {
            "suppression": kept({i: [Mask(s, e) for s, e in spans] for i, spans in by.items()}),
            "generalization": kept({i: [Mask(s, e, "", "person") for s, e in spans] for i, spans in by.items()}),
            "masked": round(sum(map(len, by.values())) / len(actors), 1),
        }
    ways: tuple[tuple[str, Any, str], ...] = (
        ("similarity, trained", trained, ""),
        ("any of entity, similarity (trained)", trained, "[risk.entity]"),
        ("policy similarity (static table at .1)", open_vectors(), "threshold = 0.1\n[risk.entity]"),
    )
    for name, embeddings, more in ways:
        plans = {}
        for way, order in (
            ("suppression", '"suppress"'),
            ("generalization", '"generalize", "dates", "label", "suppress"'),
        ):
            policy = replace(Policy.from_text(POLICY.format(replace=order, more=more)), annotate=())
            given: dict[str, Any] = {"index": index, "taxonomy": taxonomy, "embeddings": embeddings}
            sanitizer = Sanitizer(policy, annotators=parts, **given)
            plans[way] = {a.id: sanitizer.plan(a.document()) for a in actors}

        actions: dict[str, int] = {}
        for plan in plans["generalization"].values():
            for d in plan.changes:
                actions[d.action] = actions.get(d.action, 0) + 1
        rows[name] = {way: kept({i: changes(p) for i, p in made.items()}) for way, made in plans.items()}
        bare = {i: changes(p, labels=False) for i, p in plans["generalization"].items()}
        rows[name] |= {"labels count nothing": kept(bare, strict=True)}
        rows[name] |= {"masked": round(sum(len(p.changes) for p in plans["suppression"].values()) / len(actors), 1)}
        rows[name] |= {"actions": actions}
    return rows


def changes(plan: Plan, labels: bool = True) -> list[Mask]:
    """The changes of a plan as masks; what was suppressed says nothing, a label its words (or nothing)."""
    found = []
    for d in plan.changes:
        text = "" if d.action == "suppress" else d.replacement
        if d.action == "label":
            text = "".join(c for c in text if c.isalpha() or c == " ").strip() if labels else ""
        found.append(Mask(d.start, d.end, d.label, text))
    return found


def table2(actors: Sequence[Actor], masks: Mapping[str, Masks]) -> dict[str, list[list[int]]]:
    """What each method masks in the first 420 characters of one document: offsets only."""
    actor = next(a for a in actors if a.name == "Tom Cruise")
    wanted = ("NER3", "NER4", "NER7", "Presidio", "similarity, trained, t = .25", "any of entity, similarity")
    shown = {"manual annotation": list(actor.gold)} | {n: masks[n][actor.id] for n in wanted}
    return {name: [list(s) for s in spans if s[1] <= 420] for name, spans in shown.items()}


def tables(
    actors: Sequence[Actor], parts: Sequence[Any], trained: Vectors, index: Any, words: Vectors | None = None
) -> dict[str, Any]:
    """All of them; `words` are vectors trained without phrases."""
    held = {a.id: common.annotate(a.document(), parts) for a in actors}
    rows, masks, chosen = table1(actors, held, trained, index)
    if words is not None:
        alone = {a.id: words_only(a) for a in actors}
        single = at(0.25, scored_by(words, actors, alone), alone)
        rows["similarity, trained without phrases, t = .25"] = common.scores(actors, single)
    return {
        "table1": rows,
        "table2": table2(actors, masks),
        "figure4": chosen.pop("figure"),
        "ranking": chosen.pop("ranking"),
        "thresholds": chosen,
        "table6": table6(actors, masks, parts, trained, index),
    }
