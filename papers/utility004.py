"""Table 6 of paper 004: information kept by suppression and by generalization, and the texts this makes.

Masks of other systems write their type, as they do. The vectors of generalizations come from training on with articles
about them, as in the paper.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from papers.actors import Actor
from papers.marks import places
from papers.source import file_of
from tacenda.knowledge.vectors import Vectors
from tacenda.knowledge.vectors.term_sequences import terms_of
from tacenda.knowledge.vectors.train import Settings, train
from tacenda.measures.gold import Mask
from tacenda.measures.utility import text_utility
from tacenda.model import Annotation, Context, Plan
from tacenda.policy import Policy, load
from tacenda.replace.generalization import Generalize
from tacenda.sanitizer import Sanitizer
from tacenda.term import normalize

POLICY = """
name = "papers"
replace = [{order}]
[risk.similarity]
{more}
"""
ORDERS = {"suppression": '"suppress"', "generalization": '"generalize", "dates", "label", "suppress"'}
# What a type says in plain words; the paper writes the type itself.
TYPES = {"MISC": "entity", "ORGANIZATION": "organization", "NRP": "group", "DATE TIME": "date"}
CHARACTERS = 3000


def table6(
    actors: Sequence[Actor], parts: Sequence[Any], index: Any, taxonomy: Any, static: Vectors, trained: Vectors | None
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return utility kept, share of the information of all mentions; and the texts by our methods, for Table 7."""
    held = {a.id: parts[0].annotate(a.document()) for a in actors}
    phrases = {a.id: [m.span for m in held[a.id].mentions] for a in actors}

    def kept(made: Mapping[str, Sequence[Mask]], strict: bool = False) -> float:
        values = [
            text_utility(a.text, made[a.id], index.information, phrases=phrases[a.id], labels_are_empty=strict).kept
            for a in actors
        ]
        return round(float(np.mean(values)), 4)

    rows = {name: _other(name, actors, kept) for name in ("NER3", "NER4", "NER7", "Presidio")}
    ways: dict[str, tuple[Any, str]] = {
        "policy similarity (static table at .1, or entity)": (static, "threshold = 0.1\n[risk.entity]")
    }
    if trained is not None:
        ways = {
            "similarity, trained": (trained, ""),
            "any of entity, similarity (trained)": (trained, "[risk.entity]"),
            **ways,
        }
    texts: dict[str, dict[str, str]] = {}
    for name, (embeddings, more) in ways.items():
        given = {"index": index, "taxonomy": taxonomy, "embeddings": embeddings}
        plans = {}
        for way, order in ORDERS.items():
            policy = replace(Policy.from_text(POLICY.format(order=order, more=more)), annotate=())
            sanitizer = Sanitizer(policy, annotators=parts, **given)
            plans[way] = {a.id: sanitizer.plan(a.document()) for a in actors}
        texts[f"ours: {name}"] = {a.name: _written(a, plans["generalization"][a.id]) for a in actors}
        rows[name] = {way: kept({i: changes(p) for i, p in made.items()}) for way, made in plans.items()}
        bare = {i: changes(p, labels=False) for i, p in plans["generalization"].items()}
        rows[name] |= {"labels count nothing": kept(bare, strict=True)}
        rows[name] |= {"masked": round(sum(len(p.changes) for p in plans["suppression"].values()) / len(actors), 1)}
    return rows, texts


def person_texts(actors: Sequence[Actor], parts: Sequence[Any], index: Any, taxonomy: Any) -> dict[str, str]:
    """The summaries under the shipped policy `person`."""
    sanitizer = Sanitizer(replace(load("person"), annotate=()), annotators=parts, index=index, taxonomy=taxonomy)
    return {a.name: _written(a, sanitizer.plan(a.document())) for a in actors}


def _written(actor: Actor, plan: Plan) -> str:
    text = actor.text
    for d in sorted(plan.changes, key=lambda one: -one.start):
        text = text[: d.start] + d.replacement + text[d.end :]
    return text


def _other(name: str, actors: Sequence[Actor], kept: Any) -> dict[str, Any]:
    """A system that writes the type in the place of what it found."""
    empty, typed = {}, {}
    for a in actors:
        pairs = list(zip(a.systems.get(name, ()), a.types.get(name, ()), strict=True))
        empty[a.id] = [Mask(*span) for span, _ in pairs]
        typed[a.id] = [Mask(*span, kind, TYPES.get(kind, kind.lower())) for span, kind in pairs]
    return {
        "suppression": kept(empty),
        "generalization": kept(typed),
        "masked": round(sum(map(len, empty.values())) / len(actors), 1),
    }


def changes(plan: Plan, labels: bool = True) -> list[Mask]:
    """The changes of a plan as masks; what was suppressed says nothing, a label its words (or nothing)."""
    found = []
    for d in plan.changes:
        text = "" if d.action == "suppress" else d.replacement
        if d.action == "label":
            text = "".join(c for c in text if c.isalpha() or c == " ").strip() if labels else ""
        found.append(Mask(d.start, d.end, d.label, text))
    return found


def retrained(
    data: Path, work: Path, trained: Vectors, actors: Sequence[Actor], held: Mapping[str, Annotation], taxonomy: Any
) -> tuple[Vectors, dict[str, int]]:
    """Train on with the encyclopedia's articles about the generalizations of the terms found, as the paper does."""
    ladder = Generalize(taxonomy)
    wanted: set[str] = set()
    for a in actors:
        mentions = held[a.id].mentions
        context = Context(a.document(), held[a.id].sentences, mentions=mentions)
        wanted |= {normalize(c.text) for m in mentions for c in ladder.candidates(m, context)}
    sequences = [
        terms_of(text, places(text, (title,)).get(title, []))
        for title, text in _encyclopedia(file_of(data, "k_wiki9k/wiki_full.jsonl.xz", "004"))
        if title in wanted
    ]
    known = sum(trained.whole(one) for one in wanted)
    path = work / "retrained.tvec"
    made = train(sequences, path, settings=Settings(workers=1, dimensions=trained.dimensions), earlier=trained)
    told = {
        "generalizations": len(wanted),
        "known before": known,
        "articles about one": len(sequences),
        "known after": sum(made.whole(one) for one in wanted),
    }
    return made, told


def _encyclopedia(path: Path) -> Iterator[tuple[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield normalize(record["title"].replace("_", " ")), record["text"][:CHARACTERS]
