"""Paper 004: detection by closeness in meaning, two people, ready-made vectors, utility, and re-identification.

Twenty of the paper's fifty summaries are public here. Vectors trained without them (`--vectors`), annotations by
encoders that have not seen them (`--annotations`) and an index built without them (`--index`) make the figures honest;
without these the report says what was used instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papers.actors import annotators, load_actors
from papers.source import Given, file_of, index_to_count_in, records
from papers.tables004 import tables
from papers.two_people import table4
from tacenda.knowledge.vectors import open_vectors
from tacenda.measures import plots
from tacenda.measures.attack import ATTACKERS, Candidates, run_attacks
from tacenda.measures.report import Cell, Section, Table
from tacenda.studies import attackers

Rows = Mapping[str, Mapping[str, Any]]
# As printed, in percent: precision, recall, F1.
TABLE_1 = {
    "NER3": (96.09, 19.59, 32.07),
    "NER4": (97.59, 34.25, 49.72),
    "NER7": (98.32, 27.89, 42.77),
    "Presidio": (98.06, 27.07, 41.12),
    "word2vec of the authors": (82.69, 81.24, 81.66),
    "similarity, trained without phrases, t = .25": (83.48, 59.79, 69.00),
}
TABLE_4 = {
    "NER3": (55.55, 22.72, 32.25),
    "NER4": (77.27, 59.09, 66.96),
    "NER7": (60.0, 27.27, 37.5),
    "Presidio": (66.67, 38.1, 48.48),
    "similarity, --subject": (68.0, 81.81, 74.27),
}
TABLE_5 = {
    "fastText (wiki1)": (82.38, 71.84, 75.93),
    "fastText (wiki2)": (83.06, 71.85, 76.20),
    "word2vec (Google News)": (68.58, 24.80, 35.58),
    "BERT (base-cased)": (81.84, 72.31, 75.95),
}
# Suppression, generalization, masked terms.
TABLE_6 = {
    "NER3": (66.98, 85.44, 33.8),
    "NER4": (39.70, 74.73, 64.08),
    "NER7": (54.00, 81.29, 54.16),
    "Presidio": (54.04, 81.00, 61.12),
    "similarity, trained": (48.48, 85.01, 86.04),
}
# Table 7: correct predictions of the fine-tuned BERT, by version of the text.
TABLE_7 = {
    "original": 84.67,
    "manual": 2.0,
    "ner3": 18.0,
    "ner4": 16.0,
    "ner7": 37.33,
    "presidio": 18.67,
    "word2vec_t=0.25": 10.0,
}
ERRATA = (
    "'A higher t for better protection' is reversed: a lower t masks more.",
    "Table 3's coefficient of variation is variance / mean; the real one of F1 is 6.16 %. F1 columns are means of the "
    "F1 of documents.",
    "The authors' generalizations leak ('1975 births'); generalizations that carry years, names or maintenance "
    "categories are forbidden here.",
    "Table 7 understates the risk: a nearest-text search finds on the authors' own masked texts many times what their "
    "classifier found.",
)


def run(given: Given) -> tuple[list[Section], dict[str, object]]:
    """Repeat Tables 1, 2 and 4 to 7 and Figure 4; return the sections of a report and the numbers."""
    index, counted = index_to_count_in(given.index)
    for name in ("actors50/actors_dev20.jsonl", "tri_reid/anonymized_dev.jsonl"):
        file_of(given.data, name, "004")
    actors, parts = load_actors(given.data), annotators(given.annotations)
    vectors = open_vectors(given.vectors)
    found = tables(actors, parts, vectors, index)
    pairs, attacked = table4(actors, parts, vectors, index), table7(given)
    sections = [
        _setting(given, counted, len(actors)),
        Section("Errata", ERRATA),
        _scores("Table 1: detection, and Table 5: ready-made vectors", found["table1"], TABLE_1 | TABLE_5),
        _scores("Table 4: two people in one document", pairs, TABLE_4),
        _utility(found["table6"]),
        _attacks(attacked),
        _curve(found["figure4"]["trained"]),
    ]
    return sections, {"documents": len(actors), "counts": counted, **found, "table4": pairs, "table7": attacked}


def table7(given: Given) -> dict[str, dict[str, float]]:
    """Every attacker on every masked version that the authors published, against all people of the background."""
    path = file_of(given.data, "tri_reid/background_knowledge_500.jsonl.gz", "004")
    people = Candidates.of({record["name"]: record["public_knowledge"] for record in records(path)})
    rows = list(records(file_of(given.data, "tri_reid/anonymized_dev.jsonl", "004")))
    suite = ATTACKERS | {"vectors": attackers.vectors()}
    result: dict[str, dict[str, float]] = {}
    for field in (name for name in rows[0] if name.endswith("_abstract") and name != "dev_abstract"):
        documents = [(row["name"], row[field]) for row in rows]
        found = run_attacks(documents, people, attackers=suite, backgrounds=[1.0])
        result[field.removesuffix("_abstract")] = {one.attacker: one.top1 for one in found.results}
    return result


def _setting(given: Given, counted: str, documents: int) -> Section:
    if given.vectors is None:
        trained = "No vectors were given: rows called 'trained' use the table that comes with Tacenda."
    else:
        trained = f"Vectors: {given.vectors.name}, to be trained without these documents."
    seen = "by encoders that have not seen them" if given.annotations else "by the shipped encoder, which has seen them"
    return Section(
        "Setting",
        (
            f"{documents} of the paper's 50 summaries; its figures are for all 50. Phrases and entities are found "
            f"{seen}. {trained} {counted} The masks of Stanford NER and Presidio, and one row of word2vec, are the "
            "authors' own.",
        ),
    )


def _scores(title: str, rows: Rows, printed: Mapping[str, tuple[float, float, float]]) -> Section:
    cells: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys((*rows, *printed)):
        theirs = [None] * 3 if name not in printed else [value / 100 for value in printed[name]]
        ours = [None] * 3 if name not in rows else [rows[name]["term"][key] for key in ("precision", "recall", "f1")]
        cells.append((name, *theirs, *ours))
    columns = ("", *(f"{name}, {who}" for who in ("paper", "here") for name in ("precision", "recall", "F1")))
    return Section(title, tables=(Table(columns, tuple(cells), "By term, means over documents, as the paper counts"),))


def _utility(rows: Rows) -> Section:
    cells: list[tuple[Cell, ...]] = []
    for name, row in rows.items():
        theirs = TABLE_6.get(name)
        cells.append(
            (
                name,
                *((None, None) if theirs is None else (theirs[0] / 100, theirs[1] / 100)),
                *(row["suppression"], row["generalization"], row.get("labels count nothing"), row["masked"]),
            )
        )
    columns = ("", *(f"{way}, {who}" for who in ("paper", "here") for way in ("suppression", "generalization")))
    columns = (*columns, "labels count nothing", "masked")
    text = "The paper counts the type written in the place of a name as information; one column does not."
    return Section("Table 6: utility", (text,), tables=(Table(columns, tuple(cells)),))


def _attacks(rows: Mapping[str, Mapping[str, float]]) -> Section:
    cells: list[tuple[Cell, ...]] = []
    for version, row in rows.items():
        worst = max(row, key=lambda name: row[name])
        printed = TABLE_7.get(version)
        cells.append((version, None if printed is None else printed / 100, row[worst], worst, *row.values()))
    columns = ("version", "BERT, paper", "worst here", "which", *next(iter(rows.values())))
    drawn = {str(cell[0]): {"paper": float(cell[1] or 0), "worst here": float(cell[2] or 0)} for cell in cells}
    return Section(
        "Table 7: re-identification",
        ("Share of texts whose subject is named first: in the paper of 50 people, here of the whole background.",),
        tables=(Table(columns, tuple(cells)),),
        plots=(plots.bar_plot(drawn, title="Re-identified, by version of the text", x_label="named first"),),
    )


def _curve(points: list[list[float]]) -> Section:
    names = ("precision", "recall", "F1")
    series = {name: [(point[0], point[at + 1]) for point in points] for at, name in enumerate(names)}
    plot = plots.line_plot(series, title="Figure 4", x_label="t", y_label="share", y_range=(0.0, 1.0))
    rows = tuple(tuple(point) for point in points)
    return Section("Figure 4: the threshold", tables=(Table(("t", *names), rows),), plots=(plot,))
