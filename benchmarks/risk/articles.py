"""Detection and information kept on the six articles of paper 001 (Tables 1 and 2).

    python benchmarks/risk/articles.py DATA INDEX

INDEX must be built without these articles. Labels are in labels/, made before any flag was seen.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import ENTITIES, HERE, write

from tacenda.choose.hitting_set import HittingSet
from tacenda.knowledge.index import open_index
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Candidate, Context, Document, Mention, Protected
from tacenda.replace.generalize import Generalize
from tacenda.risk.alpha_c import AlphaC
from tacenda.risk.formulas import f_measure, precision, recall

SUPPRESS = Candidate("[...]", "suppress")


def one(name, alpha, index, taxonomy, **settings):
    """Return the row of one article."""
    label = json.loads((HERE / "labels" / f"{name.lower().replace(' ', '_')}.json").read_text("utf-8"))
    terms = label["sensitive"] + label["harmless"]
    mentions, at = [], 0
    for term in terms:
        mentions.append(Mention(at, at + len(term), term, "TERM"))
        at += len(term) + 3
    protected = (Protected(name, ENTITIES[name], Fraction(alpha)),)
    context = Context(Document(" . ".join(terms)), protected=protected)
    model = AlphaC(index=index, taxonomy=taxonomy, groups=False, **settings)
    risks = list(model.assess(mentions, context))
    found = {terms[i] for risk in risks for i in risk.mentions}
    gold = set(label["sensitive"])
    p, r = precision(found, gold), recall(found, gold)
    bits = [index.information(term) for term in terms]
    generalize = Generalize(taxonomy, information=index.information)
    options = [
        (*generalize.candidates(m, context), SUPPRESS) if terms[i] in found else () for i, m in enumerate(mentions)
    ]
    chosen = HittingSet(index=index).choose(mentions, options, risks, lambda new: list(model.assess(new, context)))
    after = [b if c is None else min(b, c.bits) for b, c in zip(bits, chosen, strict=True)]
    redacted = sum(b for b, term in zip(bits, terms, strict=True) if term not in found) / sum(bits)
    row = {
        "precision": p,
        "recall": r,
        "F": f_measure(p, r),
        "redaction": redacted,
        "sanitization": sum(after) / sum(bits),
    }
    return {key: round(value, 3) for key, value in row.items()}


def main() -> None:
    """Evaluate all settings."""
    index, taxonomy = open_index(sys.argv[2]), open_taxonomy()
    result = {"index": Path(sys.argv[2]).name, "labels": "own, 110 terms an article", "settings": {}}
    for title, settings in (
        ("evidence (default: unknown terms are suppressed)", {}),
        ("evidence, unknown terms kept", {"unknown": "keep"}),
        ("evidence, whole terms", {"terms": "term"}),
        ("paper, support 1", {"mode": "paper", "support": 1, "terms": "term", "unknown": "keep"}),
    ):
        table = {}
        for alpha in ("1", "3/2", "2"):
            rows = {name: one(name, alpha, index, taxonomy, **settings) for name in ENTITIES}
            rows["mean"] = {key: round(sum(row[key] for row in rows.values()) / 6, 3) for key in rows["HIV"]}
            table[alpha] = rows
            print(title, alpha, rows["mean"], flush=True)
        result["settings"][title] = table
    write("articles", result)


main()
