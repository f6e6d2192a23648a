"""The tables of paper 000: what a second sanitizer Ψ adds to a first one ζ, by semantic correlations.

The paper's marks are not public, and five of its twenty articles are not in the data, three only as stubs. So Tables 1
to 4 are repeated with our counts, the shares of terms found stand beside Table 5, and Table 6 is repeated on other
documents that do have marks: the summaries of actors of paper 004.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from papers.source import Given, articles, file_of, index_to_count_in, records
from tacenda.annotate.encoder import Encoder
from tacenda.knowledge.index import Index
from tacenda.measures import plots
from tacenda.measures.detection import detection
from tacenda.measures.gold import GoldDocument, GoldMention, Mask
from tacenda.measures.report import Cell, Section, Table
from tacenda.model import Context, Document, Mention
from tacenda.plan.rewrite import lines
from tacenda.risk.correlation import ZETA, Correlation
from tacenda.risk.entity import TYPES
from tacenda.risk.formulas import information, pmi
from tacenda.term import normalize

SECRETS = {"acquired immunodeficiency syndrome": 14.03, "immune system": 9.86}
LEFT = ("influenza", "blood transfusion", "patient")
# Table 2 in bits; Table 3 is printed in log10.
TABLE_2 = ((7.63, 8.75, 5.86), (6.28, 7.16, 5.30))
TABLE_3 = ((3.00, 2.76, 2.88), (2.48, 2.20, 2.38))
# Threshold term and t_DR (Table 4), then F of Ψ within documents and within sentences (Table 5), in percent.
PRINTED = {
    "Steve Wozniak": ("Steve Jobs", 10.38, 85.71, 40),
    "Steven Spielberg": ("Spielberg", 10.30, 62.5, 31.57),
    "Tom Cruise": ("Magnolia", 10.04, 90.32, 44.44),
    "Arnold Schwarzenegger": ("California", 4.86, 81.48, 88),
    "Sylvester Stallone": ("Stallone", 10.52, 57.14, 50),
    "Audrey Hepburn": ("London", 5.03, 80, 81.48),
    "Antoni Gaudí": ("Spain", 4.88, 65.57, 50),
    "Antonio Banderas": ("Antonio Banderas", 11.13, 66.66, 57.14),
    "Javier Bardem": ("Boca", 7.25, 87.5, 94.73),
    "Jordi Mollà": ("United States", 4.43, 70, 77.77),
    "Microsoft": ("United States", 4.43, 65.38, 73.17),
    "Apple": ("United States", 4.43, 68.85, 64.28),
    "Volkswagen": ("Audi", 7.79, 72.72, 72.72),
    "Yellowstone": ("North America", 6.86, 80, 76.19),
    "Barcelona": ("Europe", 4.74, 46.80, 50),
}
# Averages of Table 6, in percent: precision, recall, F.
TABLE_6 = {"ζ: three types of entities": (89.09, 48.92, 61.60), "Ψ(ζ), whole document": (74.85, 93.13, 81.70)}
ERRATA = (
    "Table 3 is in log10, everything else in log2: 3.00 is 9.966 bits, 2.76 is 9.168, 2.88 is 9.567, 2.48 is 8.238, "
    "2.20 is 7.308, 2.38 is 7.906. Only the bold row passes t_DR = 9.86.",
    "Algorithm 1, line 13 says >, eq. 8 ≥: ≥ is used. Line 6 resets QS inside the loop over s and line 22 stores after "
    "it, so all but the last s are lost: QS is initialised once per context.",
    "PMI is not monotone in the group: nothing may be pruned on risk. Closed groups suffice.",
    "Algorithm 1 removes all members of a risky group; one is enough to break it.",
)
CHARACTERS = 3000
WAYS: dict[str, dict[str, Any]] = {
    "Ψ(ζ), whole document": {"mode": "paper", "support": 1},
    "Ψ(ζ), sentences": {"mode": "paper", "support": 1, "context": "sentence"},
    "Ψ(ζ), whole document, with evidence (ours)": {},
}


def run(given: Given) -> tuple[list[Section], dict[str, object]]:
    """Repeat Tables 1 to 6; return the sections of a report and the numbers."""
    held, counted = index_to_count_in(given.index)
    encoder = Encoder(vectors=False)
    examples = small_tables(held)
    texts = {
        name: record["lead"][:CHARACTERS]
        for name, record in articles(given.data, "000", "a").items()
        if name in PRINTED
    }
    shares = {name: article(encoder, held, name, text) for name, text in texts.items()}
    marked = table_6(encoder, held, given.data)
    sections = [_setting(counted, marked), Section("Errata", ERRATA), *_small(examples), _articles(shares)]
    return sections, {"counts": counted, "tables_1_to_3": examples, "articles": shares, "table_6": marked}


def small_tables(index: Index) -> dict[str, dict[str, float]]:
    """Tables 1 to 3 with our counts: information of both secrets, and what single terms and pairs tell of them."""
    found: dict[str, dict[str, float]] = {}
    for secret in SECRETS:
        row: dict[str, float] = {"IC": _information(index, [secret])}
        for group in [[one] for one in LEFT] + [list(pair) for pair in combinations(LEFT, 2)]:
            joint, first, second = (number or 0 for number in index.counts([[secret, *group], [secret], group]))
            row[" + ".join(group)] = pmi(joint, first, second, index.total) if joint else -math.inf
        found[secret] = {name: round(bits, 3) for name, bits in row.items()}
    return found


def _information(index: Index, group: Sequence[str]) -> float:
    return information(index.counts([group])[0] or 0, index.total)


def annotated(encoder: Encoder, name: str, text: str) -> tuple[tuple[Mention, ...], Context]:
    """Return the mentions of a text and their context."""
    document = Document(text, name)
    found = encoder.annotate(document)
    return found.mentions, Context(document, found.sentences, lines(text), mentions=found.mentions)


def found_by(index: Index, mentions: Sequence[Mention], context: Context) -> dict[str, list[int]]:
    """Return what ζ takes out, and what Ψ adds to it in each way: numbers of mentions."""
    result: dict[str, list[int]] = {}
    for name, settings in WAYS.items():
        risks = list(Correlation(index=index, labels=TYPES[3], **settings).assess(mentions, context))
        result.setdefault("ζ: three types of entities", _numbers(r.mentions for r in risks if r.reason == ZETA))
        result[name] = _numbers(r.mentions for r in risks)
    return result


def _numbers(groups: Iterable[tuple[int, ...]]) -> list[int]:
    return sorted({number for group in groups for number in group})


def article(encoder: Encoder, index: Index, name: str, text: str) -> dict[str, Any]:
    """Return t_DR of an article, how many of its terms ζ takes out, and how many of the others Ψ finds."""
    mentions, context = annotated(encoder, name, text)
    found = found_by(index, mentions, context)
    terms = [normalize(mention.text) for mention in mentions]
    first = {terms[i] for i in found["ζ: three types of entities"]}
    bits = {term: value for term in sorted(first) if (value := _information(index, [term])) < math.inf}
    others = set(terms) - first
    return {
        "terms": len(set(terms)),
        "taken_out_first": len(first),
        "t_DR": round(min(bits.values()), 2) if bits else None,
        **{
            way: round(len({terms[i] for i in numbers} & others) / max(len(others), 1), 3)
            for way, numbers in found.items()
            if way in WAYS
        },
    }


def table_6(encoder: Encoder, index: Index, data: Path) -> dict[str, dict[str, float]]:
    """ζ alone and with Ψ on the marked summaries of actors: precision, recall and F by term, means of documents."""
    gold: list[GoldDocument] = []
    masks: dict[str, dict[str, list[Mask]]] = {}
    for record in records(file_of(data, "actors50/actors_dev20.jsonl", "000")):
        name, text = record["doc_id"], record["text"]
        marks = tuple(GoldMention(mark["start"], mark["end"]) for mark in record["gold_sensitive"])
        gold.append(GoldDocument(name, text, {"authors": marks}))
        mentions, context = annotated(encoder, name, text)
        for way, numbers in found_by(index, mentions, context).items():
            masks.setdefault(way, {})[name] = [Mask(*mentions[i].span) for i in numbers]
    result = {}
    for way, held in masks.items():
        scores = detection(gold, held).macro["term"]
        result[way] = {key: round(v, 3) for key, v in zip(("precision", "recall", "F"), scores, strict=True)}
    return result


def _setting(counted: str, marked: Mapping[str, Mapping[str, float]]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for way, row in marked.items():
        printed = TABLE_6.get(way, (None, None, None))
        rows.append((way, *(None if p is None else p / 100 for p in printed), *row.values()))
    columns = ("", *(f"{name}, {who}" for who in ("paper", "here") for name in ("precision", "recall", "F")))
    text = (
        "The experts' marks are not public. Table 6 is repeated on 20 marked summaries of actors (paper 004's marks: "
        "what tells who it is about), the other tables on the articles at hand. ζ is our encoder with three types of "
        "entities, which has been trained on these summaries. " + counted
    )
    drawn = {way: {"recall": row["recall"], "precision": row["precision"]} for way, row in marked.items()}
    plot = plots.bar_plot(drawn, title="What the second sanitizer adds", x_label="share")
    return Section("Table 6: the second sanitizer", (text,), tables=(Table(columns, tuple(rows)),), plots=(plot,))


def _small(examples: Mapping[str, Mapping[str, float]]) -> list[Section]:
    rows: list[tuple[Cell, ...]] = []
    pairs = [" + ".join(pair) for pair in combinations(LEFT, 2)]
    for at, (secret, bits) in enumerate(SECRETS.items()):
        rows.append((secret, "IC", bits, examples[secret]["IC"]))
        rows += [(secret, term, TABLE_2[at][i], examples[secret][term]) for i, term in enumerate(LEFT)]
        rows += [
            (secret, term, round(TABLE_3[at][i] * math.log2(10), 3), examples[secret][term])
            for i, term in enumerate(pairs)
        ]
    text = "In bits. The paper counts web pages, out of 11 billion; we count paragraphs, some hundred thousand."
    return [Section("Tables 1 to 3", (text,), tables=(Table(("secret", "tells", "paper", "here"), tuple(rows)),))]


def _articles(shares: Mapping[str, Mapping[str, Any]]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for name, row in shares.items():
        term, bits, whole, sentence = PRINTED[name]
        rows.append(
            (
                *(name, term, bits, row["t_DR"], row["terms"], row["taken_out_first"], whole / 100, sentence / 100),
                *(row[way] for way in WAYS),
            )
        )
    columns = (
        *("article", "threshold term, paper", "t_DR, paper", "t_DR, here", "terms", "taken out by ζ"),
        *("F of Ψ, document, paper", "F, sentence, paper", *(f"share of the others found, {way}" for way in WAYS)),
    )
    pairs = [(PRINTED[name][1], row["t_DR"]) for name, row in shares.items() if row["t_DR"] is not None]
    points = {"articles": [(paper, here) for paper, here in pairs]}
    plot = plots.line_plot(points, title="t_DR", x_label="t_DR, paper", y_label="t_DR, here", lines=False)
    mean = {way: sum(row[way] for row in shares.values()) / len(shares) for way in WAYS}
    text = (
        "Without the experts' marks no F can be given; beside it stands the share of the terms left by ζ that Ψ finds. "
        + "; ".join(f"{way}: {share:.0%} in the mean" for way, share in mean.items())
        + " (the paper's recall: 88 % within documents, 56 % within sentences)."
    )
    return Section("Tables 4 and 5", (text,), tables=(Table(columns, tuple(rows)),), plots=(plot,))
