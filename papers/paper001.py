"""Tables 1 and 2 of paper 001: detection and information kept on six Wikipedia articles.

The paper's marks are not public. Ours (labels/) say for 110 terms of each article whether they point to the entity;
they were made before any flag was seen. So the level of the figures depends on other marks, other revisions of the
articles and other counts than the paper's; what can be compared is how they move with α.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from papers.source import Given, index_to_count_in
from tacenda.choose.hitting_set import HittingSet
from tacenda.knowledge import open_taxonomy
from tacenda.measures import plots
from tacenda.measures.report import Cell, Section, Table
from tacenda.model import Candidate, Context, Document, Mention, Protected
from tacenda.protocols import CorpusIndex
from tacenda.replace.generalization import Generalize
from tacenda.risk.alpha_c import AlphaC
from tacenda.risk.formulas import f_measure, precision, recall

Row = dict[str, float]
ALPHAS = ("1", "3/2", "2")
# The six entities of the paper, with the names a user would give; taxonomies add the rest.
ENTITIES = {
    "HIV": ("AIDS", "human immunodeficiency virus"),
    "STD": ("sexually transmitted disease", "sexually transmitted infection", "STI", "venereal disease"),
    "Los Angeles": ("LA",),
    "New York": ("NYC", "New York City"),
    "Homosexuality": ("gay", "lesbian"),
    "Catholicism": ("catholic", "catholic church"),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "evidence (default: unknown terms are suppressed)": {},
    "evidence, unknown terms kept": {"unknown": "keep"},
    "evidence, whole terms": {"terms": "term"},
    "paper, support 1": {"mode": "paper", "support": 1, "terms": "term", "unknown": "keep"},
}
# Tables 1 and 2 as printed, in percent, α = 1, 1.5 and 2: precision, recall, F, redaction, sanitization.
PRINTED = {
    "HIV": ((100, 4, 7.7, 96.2, 97.2), (96, 88.9, 92.3, 32.9, 66.6), (81.2, 96.3, 88.1, 17.6, 61.2)),
    "STD": ((100, 8.6, 15.8, 95.3, 97.5), (87.5, 60, 71.2, 70.0, 85.8), (87.5, 80, 83.6, 65.5, 84.5)),
    "Los Angeles": ((100, 5.3, 10, 88.3, 94.6), (76.9, 76.9, 76.9, 54.4, 80.1), (73.3, 84.6, 78.6, 48.1, 77.5)),
    "New York": ((100, 8.7, 16, 97.2, 99.2), (71.9, 100, 83.6, 39.3, 64.2), (57.1, 100, 72.7, 20.1, 58.3)),
    "Homosexuality": ((80, 17.4, 28.6, 92.9, 97.5), (80.1, 77.3, 79.1, 55.3, 81.3), (81.5, 95.6, 88, 50.4, 77.2)),
    "Catholicism": ((100, 8.3, 15.4, 96.3, 98.1), (72.7, 72.7, 72.7, 41.3, 73.4), (69.2, 81.8, 75, 30.9, 65.8)),
}
ERRATA = (
    "Algorithm 1, line 15 compares with IC(ck)/α; it must be IC(cj)/α. Line 4 needs a fresh iterator for each term, "
    "lines 15 to 17 an end of the list of generalizations (the term is then removed).",
    "'PMI(c;T) ≤ IC(c) because p(c,T) ≤ p(c)': the right reason is p(c,T) ≤ p(T).",
    "A c-sanitized text is so for specializations of c only under coherent counts, and for α > 1 not in general.",
    "Table 1: the denominators of recall differ inside HIV (25, 27), Los Angeles (19, 13), Homosexuality (23, 22) and "
    "Catholicism (12, 11). At (1.5, Homosexuality) precision 80.1 is likely a misprint for 80.95 (17 of 21).",
)
_SUPPRESS = Candidate("[...]", "suppress")


def run(given: Given) -> tuple[list[Section], dict[str, object]]:
    """Repeat Tables 1 and 2 with the paper's rule and with ours; return the sections of a report and the numbers."""
    held, counted = index_to_count_in(given.index)
    found = table(held)
    here = found["paper, support 1"]
    setting = Section(
        "Setting",
        (
            "Six articles, 110 terms of each marked by us; the paper's marks, revisions and counts (Bing) are not "
            "public. Compare how figures move with α, not their level. " + counted,
        ),
        tables=(Table(("", "α", "precision", "recall", "F", "redaction", "sanitization"), tuple(_means(found))),),
        plots=(_plot(found),),
    )
    tables = [
        Section(f"Tables 1 and 2, α = {float(Fraction(alpha)):g}", tables=(_beside(here, alpha, at),))
        for at, alpha in enumerate(ALPHAS)
    ]
    return [setting, Section("Errata", ERRATA), *tables], {"settings": found, "counts": counted}


def table(index: CorpusIndex) -> dict[str, dict[str, dict[str, Row]]]:
    """Return all rows: setting -> α -> entity (and the mean)."""
    taxonomy = open_taxonomy()
    result: dict[str, dict[str, dict[str, Row]]] = {}
    for title, settings in SETTINGS.items():
        for alpha in ALPHAS:
            rows = {name: one(name, alpha, index, taxonomy, settings) for name in ENTITIES}
            mean = {key: round(sum(row[key] for row in rows.values()) / len(rows), 3) for key in rows["HIV"]}
            result.setdefault(title, {})[alpha] = {**rows, "mean": mean}
    return result


@cache
def labelled(name: str) -> dict[str, list[str]]:
    """Return our marks for an article: sensitive and harmless terms."""
    path = resources.files("papers") / "labels" / f"{name.lower().replace(' ', '_')}.json"
    marks: dict[str, list[str]] = json.loads(path.read_text("utf-8"))
    return marks


def one(name: str, alpha: str, index: CorpusIndex, taxonomy: Any, settings: Mapping[str, Any]) -> Row:
    """Return the row of one article."""
    label = labelled(name)
    terms = label["sensitive"] + label["harmless"]
    mentions, at = [], 0
    for term in terms:
        mentions.append(Mention(at, at + len(term), term, "TERM"))
        at += len(term) + 3
    context = Context(Document(" . ".join(terms)), protected=(Protected(name, ENTITIES[name], Fraction(alpha)),))
    model = AlphaC(index=index, taxonomy=taxonomy, groups=False, **settings)
    risks = list(model.assess(mentions, context))
    found = {terms[i] for risk in risks for i in risk.mentions}
    bits = [index.information(term) for term in terms]
    generalize = Generalize(taxonomy, information=index.information)
    options = [
        (*generalize.candidates(m, context), _SUPPRESS) if terms[i] in found else () for i, m in enumerate(mentions)
    ]
    chosen = HittingSet(index=index).choose(mentions, options, risks, lambda new: list(model.assess(new, context)))
    after = [b if c is None else min(b, c.bits) for b, c in zip(bits, chosen, strict=True)]
    gold = set(label["sensitive"])
    p, r = precision(found, gold), recall(found, gold)
    row = {
        "precision": p,
        "recall": r,
        "F": f_measure(p, r),
        "redaction": sum(b for b, term in zip(bits, terms, strict=True) if term not in found) / sum(bits),
        "sanitization": sum(after) / sum(bits),
    }
    return {key: round(value, 3) for key, value in row.items()}


def _printed_mean(at: int) -> tuple[float, ...]:
    rows = [PRINTED[name][at] for name in ENTITIES]
    return tuple(sum(row[i] for row in rows) / (100 * len(rows)) for i in range(5))


def _means(found: Mapping[str, Mapping[str, Mapping[str, Row]]]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for at, alpha in enumerate(ALPHAS):
        rows.append(("paper, mean of six", alpha, *_printed_mean(at)))
        rows += [(f"here: {title}", alpha, *held[alpha]["mean"].values()) for title, held in found.items()]
    return rows


def _plot(found: Mapping[str, Mapping[str, Mapping[str, Row]]]) -> str:
    printed = {alpha: _printed_mean(at) for at, alpha in enumerate(ALPHAS)}
    default, paper = next(iter(found.values())), found["paper, support 1"]
    series: dict[str, list[tuple[float, float]]] = {}
    for name, key, at in (("recall", "recall", 1), ("information kept", "sanitization", 4)):
        series[f"{name}, paper"] = [(float(Fraction(a)), printed[a][at]) for a in ALPHAS]
        for rule, held in (("paper's rule", paper), ("evidence", default)):
            series[f"{name}, here, {rule}"] = [(float(Fraction(a)), held[a]["mean"][key]) for a in ALPHAS]
    return plots.line_plot(series, title="Privacy and utility over α", x_label="α", y_label="share", y_range=(0.0, 1.0))


def _beside(held: Mapping[str, Mapping[str, Row]], alpha: str, at: int) -> Table:
    names = ("precision", "recall", "F", "redaction", "sanitization")
    columns = ("entity", *(f"{name}, {who}" for name in names for who in ("paper", "here")))
    rows: list[tuple[Cell, ...]] = []
    for entity in ENTITIES:
        pairs = zip((v / 100 for v in PRINTED[entity][at]), held[alpha][entity].values(), strict=True)
        rows.append((entity, *(cell for pair in pairs for cell in pair)))
    return Table(columns, tuple(rows), "Here: the paper's rule with our index and marks")
