"""The tables of paper 000: what a second sanitizer Ψ adds to a first one ζ, by semantic correlations.

The paper's marks are not public, and five of its twenty articles are not in the data, three only as stubs. So Tables 1
to 4 are repeated with our counts, and Tables 5 and 6 on other documents that do have marks: the summaries of actors of
paper 004.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from papers import fitted, own_generalization
from papers.actors import SEEN
from papers.source import Given, articles, file_of, index_to_count_in, records
from tacenda.annotate.encoder import Encoder
from tacenda.knowledge import open_index, open_taxonomy
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
# Averages of Table 5, in percent: precision, recall, F of what Ψ adds.
TABLE_5 = {"Ψ, whole document": (63.06, 87.86, 70.65), "Ψ, sentences": (79.82, 56.07, 61.74)}
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
ZETA_ALONE = "ζ: three types of entities"
WAYS: dict[str, dict[str, Any]] = {
    "Ψ(ζ), whole document": {"mode": "paper", "support": 1},
    "Ψ(ζ), sentences": {"mode": "paper", "support": 1, "context": "sentence"},
    "Ψ(ζ), whole document, with evidence (ours)": {},
}
ADDED = {way: way.replace("Ψ(ζ)", "Ψ") for way in WAYS}


def run(given: Given) -> tuple[list[Section], dict[str, object]]:
    """Repeat Tables 1 to 6; return the sections of a report and the numbers."""
    held, counted = index_to_count_in(given.index)
    encoder, taxonomy = Encoder(vectors=False), open_taxonomy()
    examples = {
        "fitted by hand": fitted_tables(),
        "index without the articles": small_tables(held),
        "index that ships": small_tables(open_index()),
    }
    texts = {
        name: record["lead"][:CHARACTERS]
        for name, record in articles(given.data, "000", "a").items()
        if name in PRINTED
    }
    shares = {name: article(encoder, held, name, text) for name, text in texts.items()}
    marked = read_marked(encoder, given.data)
    tables = marked_tables(held, marked)
    own = own_generalization.measure([one[1:] for one in marked], held, taxonomy, encoder)
    sections = [
        _setting(counted, len(marked)),
        Section("Errata", ERRATA),
        _small(examples),
        _articles(shares),
        *_marked(tables),
        own_generalization.section(own),
    ]
    numbers: dict[str, object] = {"counts": counted, "tables_1_to_3": examples, "articles": shares, **tables}
    numbers["own_generalization"] = own
    return sections, numbers


def fitted_tables() -> dict[str, dict[str, float]]:
    """Tables 1 to 3 from the collection fitted to them by hand."""
    found: dict[str, dict[str, float]] = {}
    for secret in SECRETS:
        number = fitted.count(secret, ())
        row = {"IC": information(number, fitted.WINDOWS)}
        for group in [[one] for one in LEFT] + [list(pair) for pair in combinations(LEFT, 2)]:
            joint, count = fitted.count(secret, group), fitted.count("", group)
            row[" + ".join(group)] = pmi(joint, number, count, fitted.WINDOWS)
        found[secret] = {name: round(bits, 3) for name, bits in row.items()}
    return found


def small_tables(index: Any) -> dict[str, dict[str, float]]:
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
        result.setdefault(ZETA_ALONE, _numbers(r.mentions for r in risks if r.reason == ZETA))
        result[name] = _numbers(r.mentions for r in risks)
    return result


def _numbers(groups: Iterable[tuple[int, ...]]) -> list[int]:
    return sorted({number for group in groups for number in group})


def article(encoder: Encoder, index: Index, name: str, text: str) -> dict[str, Any]:
    """Return t_DR of an article and the term that sets it, and how many of the terms left by ζ are taken out by Ψ."""
    mentions, context = annotated(encoder, name, text)
    found = found_by(index, mentions, context)
    terms = [normalize(mention.text) for mention in mentions]
    first = {terms[i] for i in found[ZETA_ALONE]}
    bits = {term: value for term in sorted(first) if (value := _information(index, [term])) < math.inf}
    fragments = sorted(term for term in bits if is_fragment(term))
    whole = {term: value for term, value in bits.items() if not is_fragment(term)}
    least = min(whole, key=lambda term: whole[term]) if whole else None
    others = set(terms) - first
    return {
        "terms": len(set(terms)),
        "taken_out_first": len(first),
        "t_DR": round(whole[least], 2) if least else None,
        "threshold_term": least,
        "fragments": fragments,
        **{
            way: round(len({terms[i] for i in numbers} & others) / max(len(others), 1), 3)
            for way, numbers in found.items()
            if way in WAYS
        },
    }


def is_fragment(term: str) -> bool:
    """Tell whether a term is single letters only, as "u" for "U.S" without its last dot: no term of the text."""
    return all(len(word) == 1 for word in term.split())


Marked = tuple[GoldDocument, str, tuple[Mention, ...], Context]


def read_marked(encoder: Encoder, data: Path) -> list[Marked]:
    """Return the marked summaries of actors with their mentions."""
    found = []
    for record in records(file_of(data, "actors50/actors_dev20.jsonl", "000")):
        name, text = record["doc_id"], record["text"]
        marks = tuple(GoldMention(mark["start"], mark["end"]) for mark in record["gold_sensitive"])
        found.append((GoldDocument(name, text, {"authors": marks}), name, *annotated(encoder, name, text)))
    return found


def marked_tables(index: Index, marked: Sequence[Marked]) -> dict[str, dict[str, dict[str, float]]]:
    """Table 5 (what Ψ adds, against the marks that ζ left) and Table 6 (ζ alone and with Ψ) on the summaries."""
    gold, left = [one[0] for one in marked], []
    whole: dict[str, dict[str, list[Mask]]] = {}
    added: dict[str, dict[str, list[Mask]]] = {}
    for document, name, mentions, context in marked:
        found = found_by(index, mentions, context)
        first = [mentions[i].span for i in found[ZETA_ALONE]]
        marks = [m for m in document.annotators["authors"] if not any(s < m.end and m.start < e for s, e in first)]
        left.append(GoldDocument(name, document.text, {"authors": tuple(marks)}))
        for way, numbers in found.items():
            whole.setdefault(way, {})[name] = [Mask(*mentions[i].span) for i in numbers]
            if way in WAYS:
                others = set(numbers) - set(found[ZETA_ALONE])
                added.setdefault(ADDED[way], {})[name] = [Mask(*mentions[i].span) for i in sorted(others)]
    return {"table_5": _scores(left, added), "table_6": _scores(gold, whole)}


def _scores(gold: Sequence[GoldDocument], masks: Mapping[str, Mapping[str, list[Mask]]]) -> dict[str, dict[str, float]]:
    result = {}
    for way, held in masks.items():
        scores = detection(gold, held).macro["term"]
        result[way] = {key: round(v, 3) for key, v in zip(("precision", "recall", "F"), scores, strict=True)}
    return result


def _setting(counted: str, documents: int) -> Section:
    text = (
        "The experts' marks are not public, so Tables 5 and 6 are repeated on other documents: "
        f"{documents} summaries of actors with paper 004's marks (what tells who it is about). Tables 1 to 4 are "
        "repeated on the paper's own examples and on the articles at hand, in other revisions. ζ is our encoder with "
        "three types of entities (the paper: Stanford NER). " + SEEN,
        counted,
    )
    return Section("Setting", text)


def _marked(tables: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[Section]:
    columns = ("", *(f"{name}, {who}" for who in ("paper", "here") for name in ("precision", "recall", "F")))
    titles = {
        "table_5": ("Table 5: what the second sanitizer adds", TABLE_5, "Against the marks that ζ did not touch."),
        "table_6": ("Table 6: the second sanitizer", TABLE_6, "Against all marks."),
    }
    sections = []
    for name, (title, printed, against) in titles.items():
        rows: list[tuple[Cell, ...]] = []
        for way, row in tables[name].items():
            theirs = printed.get(way, (None, None, None))
            rows.append((way, *(None if p is None else p / 100 for p in theirs), *row.values()))
        drawn = {way: {"recall": row["recall"], "precision": row["precision"]} for way, row in tables[name].items()}
        plot = plots.bar_plot(drawn, title=title, x_label="share")
        text = (
            f"{against} By term, means of documents. The paper's figures are averages over 20 articles with marks of "
            "its own: other documents, other marks; what can be compared is how precision and recall move.",
        )
        sections.append(Section(title, text, tables=(Table(columns, tuple(rows)),), plots=(plot,)))
    return sections


def _small(examples: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    pairs = [" + ".join(pair) for pair in combinations(LEFT, 2)]
    for at, (secret, bits) in enumerate(SECRETS.items()):
        printed = {"IC": bits} | dict(zip(LEFT, TABLE_2[at], strict=True))
        printed |= {p: round(v * math.log2(10), 3) for p, v in zip(pairs, TABLE_3[at], strict=True)}
        rows += [
            (secret, name, value, *(held[secret][name] for held in examples.values()))
            for name, value in printed.items()
        ]
    text = (
        "In bits. The paper counts web pages, out of 11 billion. The column 'fitted by hand' is a collection of "
        f"{fitted.WINDOWS:,} windows whose counts were looked for until the paper's figures came out: it shows that "
        "the printed figures and the formulas agree, and nothing else. Beside it stand real counts of windows, with "
        "and without the articles; a dash: the terms never occur together, so there is no evidence."
    )
    table = Table(("secret", "tells", "paper", *examples), tuple(rows), "'fitted by hand' is no measurement")
    return Section("Tables 1 to 3", (text,), tables=(table,))


def _articles(shares: Mapping[str, Mapping[str, Any]]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for name, row in shares.items():
        term, bits, *_ = PRINTED[name]
        fragments = ", ".join(row["fragments"]) or None
        rows.append(
            (
                *(
                    name,
                    term,
                    bits,
                    row["threshold_term"],
                    row["t_DR"],
                    fragments,
                    row["terms"],
                    row["taken_out_first"],
                ),
                *(row[way] for way in WAYS),
            )
        )
    columns = (
        *("article", "term, paper", "t_DR, paper", "term, here", "t_DR, here", "fragments left out", "terms"),
        *("taken out by ζ", *(f"of the others taken out, {way}" for way in WAYS)),
    )
    pairs = [(PRINTED[name][1], row["t_DR"]) for name, row in shares.items() if row["t_DR"] is not None]
    points = {"articles": [(paper, here) for paper, here in pairs]}
    plot = plots.line_plot(points, title="t_DR", x_label="t_DR, paper", y_label="t_DR, here", lines=False)
    mean = {way: sum(row[way] for row in shares.values()) / len(shares) for way in WAYS}
    text = (
        "The term that sets t_DR is the least informative one that ζ takes out. Terms of single letters, as 'u' of "
        "'U.S' without its last dot, are no terms: they set no threshold any more, and are listed where they would "
        "have. Without the experts' marks of these articles no precision and no recall can be given; the last columns "
        "only say which share of the terms left by ζ is taken out by Ψ, right or wrong: "
        + "; ".join(f"{way} {share:.0%}" for way, share in mean.items())
        + ", in the mean. The paper's recall is another quantity and stands in Table 5."
    )
    return Section("Table 4: thresholds", (text,), tables=(Table(columns, tuple(rows)),), plots=(plot,))
